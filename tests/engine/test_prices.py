"""Prices: from a table, free, or unknown, which no limit on costs can bear."""

from __future__ import annotations

from pathlib import Path

import pytest

import slant
from slant.engine.prices import priced
from slant.errors import InputError
from slant.models.model_spec import parse_model_spec


def table(folder: Path, text: str) -> Path:
    file = folder / "prices.toml"
    file.write_text(text)
    return file


def test_a_table_prices_models_by_name_or_spelling(tmp_path: Path) -> None:
    prices = table(
        tmp_path,
        '"openai:gpt-4o" = [2.5, 10]\n"my-model" = [1, 2]\n"http://h/v1#b" = "free"\n',
    )
    asked = [
        "openai:gpt-4o", "openai:my-model?concurrency=2", "http://h/v1?api=chat#my-model",
        "http://h/v1#b", "http://h/v1?price=7,8#my-model", "openai:other",
    ]  # fmt: skip
    found = [parse_model_spec(text).price() for text in priced(asked, prices)]
    assert found == [(2.5, 10), (1, 2), (1, 2), (0, 0), (7, 8), None]
    assert priced(asked, None) == asked


@pytest.mark.parametrize(
    "value", ["5", "[1]", "[1, -2]", '"cheap"', "[1, inf]", "[1, nan]", "[true, 1]"]
)
def test_what_is_no_price(tmp_path: Path, value: str) -> None:
    prices = table(tmp_path, f'a = "free"\nb = {value}\n')
    with pytest.raises(InputError, match=r"prices\.toml:2: 'b' should be two amounts"):
        priced(["openai:b"], prices)


def test_a_limit_needs_a_price_and_a_table_gives_it(suite: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"price is not known.*\?price=free.*--prices FILE"):
        slant.audit(suite, "http://127.0.0.1:9/v1#m", max_cost=1, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()
    prices = table(tmp_path, 'm = "free"\n')
    with pytest.raises(InputError, match="no server can be reached"):
        slant.audit(
            suite, "http://127.0.0.1:9/v1#m", max_cost=1, prices=prices, out=tmp_path / "run"
        )


def test_a_price_may_be_free() -> None:
    assert parse_model_spec("http://h/v1?price=free#m").price() == (0.0, 0.0)

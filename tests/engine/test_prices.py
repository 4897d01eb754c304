"""Prices: from a table, free, or unknown, which no limit on costs can bear."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import slant
from slant.engine.list_prices import list_price, price_list
from slant.engine.prices import listed, priced
from slant.errors import InputError
from slant.models.model_spec import parse_model_spec
from slant.planning.lines import lines


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


def test_providers_models_have_the_price_of_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    from genai_prices import Usage, calc_price

    asked = [
        "openai:gpt-4o-mini", "anthropic:claude-sonnet-4-5?thinking=off",
        "https://api.mistral.ai/v1?retries=2#mistral-small-latest",
    ]  # fmt: skip
    spelt = priced(asked, None)
    for text, provider in zip(spelt, ("openai", "anthropic", "mistral"), strict=True):
        spec = parse_model_spec(text)
        name = spec.argument.rpartition("#")[2]
        cost = calc_price(Usage(input_tokens=1, output_tokens=1), name, provider_id=provider)
        expected = (float(cost.input_price) * 1e6, float(cost.output_price) * 1e6)
        assert spec.price() == pytest.approx(expected)
    assert re.search(r"gpt-4o-mini, .* list genai-prices \d.*--prices FILE", listed(spelt)[0])
    assert priced(spelt, None) == spelt
    monkeypatch.setattr("slant.engine.list_prices.price_list", lambda: "")
    assert priced(asked, None) == asked


def test_the_list_says_nothing_of_servers_and_models_that_it_does_not_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown = [
        "openai:no-such-model", "openai:text-embedding-3-small", "http://127.0.0.1:9/v1#gpt-4o",
        "embedded", "mock:gpt-4o.toml",
        "anthropic:claude-sonnet-4-5?base=http://127.0.0.1:9/v1", "hf:gpt-4o",
    ]  # fmt: skip
    assert priced(unknown, None) == unknown
    assert listed(unknown) == []
    own = table(tmp_path, '"gpt-4o-mini" = [9, 9]\n')
    assert priced(["openai:gpt-4o-mini"], own) == ["openai:gpt-4o-mini?price=9,9"]
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert priced(["openai:gpt-4o-mini"], None) == ["openai:gpt-4o-mini"]


def test_a_plan_says_that_a_price_is_the_lists(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    planned = slant.plan(suite, "openai:gpt-4o-mini")
    listed_at = list_price(parse_model_spec("openai:gpt-4o-mini"))
    assert listed_at is not None
    each = planned.studies[0]
    cost = (each.prompt_tokens * listed_at[0] + each.completion_tokens * listed_at[1]) / 1e6
    assert each.dollars == pytest.approx(cost)
    assert price_list() in " ".join(planned.remarks)
    assert "in all: " in (told := "\n".join(lines(planned)))
    assert "less than a cent" not in told
    assert f"${cost:,.2f}" in told
    little = slant.plan(suite, "openai:gpt-4o-mini?price=0.0001,0.0001")
    assert "out, less than a cent" in "\n".join(lines(little))


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

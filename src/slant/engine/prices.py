"""What models cost: a table of the user's, and whether every price is known that must be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.models.model_spec import parse_model_spec
from slant.toml_file import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from slant.models.model import Model
    from slant.models.model_spec import ModelSpec
    from slant.toml_file import TomlFile


def priced(spellings: Sequence[str], table: Path | str | None) -> list[str]:
    """Add prices from a table to the spellings of models that have none.

    Parameters
    ----------
    spellings
        The models.
    table
        A TOML file: for every model, by its name or by its spelling without options, the US
        dollars per million prompt and completion tokens, or `"free"`; `None` for no table.

    Raises
    ------
    InputError
        The table cannot be read, or an entry is no price.
    """
    if table is None:
        return list(spellings)
    file = read_toml(table)
    prices = {name: _price(file, name, value) for name, value in file.data.items()}
    return [_with_price(parse_model_spec(text), prices) for text in spellings]


def _price(file: TomlFile, name: str, value: object) -> str:
    if value == "free":
        return "free"
    if isinstance(value, list) and len(value) == 2:
        amounts = [each for each in value if isinstance(each, int | float) and each is not True]
        if len(amounts) == 2 and all(0 <= each < float("inf") for each in amounts):
            return ",".join(map(repr, amounts))
    raise file.error(
        f"{name!r} should be two amounts in US dollars per million prompt and completion tokens, "
        f'for example "openai:gpt-4o-mini" = [0.15, 0.60], or "free"; found {value!r:.60}',
        name,
    )


def _with_price(spelling: ModelSpec, prices: Mapping[str, str]) -> str:
    if "price" in spelling.options:
        return spelling.text
    for name in _names(spelling):
        if name in prices:
            return spelling.with_options({**spelling.options, "price": prices[name]}).text
    return spelling.text


def _names(spelling: ModelSpec) -> Iterable[str]:
    """Give what a table may call a model: its spelling without options, its name."""
    yield spelling.with_options({}).text
    yield spelling.argument.rpartition("#")[2]


def check_prices(models: Mapping[str, Model], max_cost: float | None) -> None:
    """See that a limit on costs can hold.

    Raises
    ------
    InputError
        There is one, and the price of a model is not known.
    """
    for name, model in models.items():
        if max_cost is not None and model.price is None:
            raise InputError(
                f"--max-cost cannot hold for {name!r}, whose price is not known: add it to the "
                "model's spelling as ?price=PROMPT,COMPLETION (US dollars per million tokens), or "
                "?price=free if it costs nothing, or give a table with --prices FILE.toml"
            )

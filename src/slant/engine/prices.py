"""What models cost: by a table of the user's or by the list, and whether what must be is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.engine.list_prices import list_price, price_list
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
    """Add prices to the spellings of models that have none: from a table, or from the list.

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
    prices: dict[str, str] = {}
    if table is not None:
        file = read_toml(table)
        prices = {name: _price(file, name, value) for name, value in file.data.items()}
    return [_with_price(parse_model_spec(text), prices) for text in spellings]


def listed(spellings: Iterable[str]) -> list[str]:
    """Say of which models the price is the list's."""
    parsed = [parse_model_spec(text) for text in spellings]
    names = [each.argument.rpartition("#")[2] for each in parsed
             if each.price() is not None and each.price() == list_price(each)]  # fmt: skip
    if not names:
        return []
    told = f"the price of {', '.join(names)} is that of the list {price_list()}"
    return [f"{told}; --prices FILE.toml takes another"]


def _price(file: TomlFile, name: str, value: object) -> str:
    if value == "free":
        return "free"
    if isinstance(value, list) and len(value) == 2:
        amounts = [each for each in value if isinstance(each, int | float) and each is not True]
        if len(amounts) == 2 and all(0 <= each < float("inf") for each in amounts):
            return _spelt(amounts)
    raise file.error(
        f"{name!r} should be two amounts in US dollars per million prompt and completion tokens, "
        f'for example "openai:gpt-4o-mini" = [0.15, 0.60], or "free"; found {value!r:.60}',
        name,
    )


def _spelt(amounts: Iterable[float]) -> str:
    return ",".join(map(repr, amounts))


def _with_price(spelling: ModelSpec, prices: Mapping[str, str]) -> str:
    if "price" in spelling.options:
        return spelling.text
    known = [prices[name] for name in _names(spelling) if name in prices]
    if not known and (amounts := list_price(spelling)) is not None:
        known = [_spelt(amounts)]
    if not known:
        return spelling.text
    return spelling.with_options({**spelling.options, "price": known[0]}).text


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
                f"--max-cost cannot hold for {name!r}, whose price is not known: {how_to_price()}"
            )


def how_to_price() -> str:
    """Say how a price is made known."""
    providers = "" if price_list() else ", or pip install 'slant[prices]' for those of providers"
    return (
        "add it to the model's spelling as ?price=PROMPT,COMPLETION (US dollars per million "
        "tokens), or ?price=free if it costs nothing, or give a table with --prices FILE.toml"
        f"{providers}"
    )

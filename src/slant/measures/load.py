"""From how a suite spells a measure to the measure."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from slant.errors import InputError, missing_package, unknown
from slant.measures.lexicon import lexicon_measure, lexicon_names
from slant.measures.measure import Measure
from slant.registry import MEASURES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slant.measures.lexicon import Matching

_LEXICON = "lexicon"


def load_measure(spelling: str, method: Matching = "robust") -> Measure:
    """Load a measure.

    Parameters
    ----------
    spelling
        A name (`toxicity`), a name with what it is to measure by (`sentiment:vader`,
        `lexicon:FILE.toml`), a lexicon (`violence`, `FILE.toml`), or a class of the user's own
        (`module:Class`).
    method
        By which lexicons are matched.

    Raises
    ------
    InputError
        There is no such measure, its package is missing, or what is named is no measure.
    """
    name, colon, argument = spelling.partition(":")
    if name == _LEXICON and colon:
        return lexicon_measure(argument, method)
    registered = MEASURES.names()
    is_file = spelling.endswith(".toml") and not (colon and name in registered)
    if is_file or spelling in lexicon_names():
        return lexicon_measure(spelling, method)
    if name not in registered and not colon:
        raise unknown("measure or lexicon", spelling, {*registered, *lexicon_names()})
    own = name not in registered
    make = MEASURES.get(spelling if own else name)
    given = [argument] if colon and not own else []
    try:
        inspect.signature(make).bind(*given)
    except TypeError as error:
        more = "takes nothing behind a colon" if given else f"is spelt {name}:WHAT"
        raise InputError(f"measure {spelling!r}: {name!r} {more}", name=spelling) from error
    try:
        measure = make(*given)
    except ImportError as error:
        raise missing_package(getattr(make, "extra", ""), error) from error
    if not isinstance(measure, Measure):
        raise InputError(f"{spelling!r} is no measure: it should make a slant.Measure")
    return measure


def load_measures(spellings: Iterable[str], method: Matching = "robust") -> list[Measure]:
    """Load several measures, no two of one name.

    Raises
    ------
    InputError
        One cannot be loaded, or two share their name.
    """
    found: dict[str, str] = {}
    measures = []
    for spelling in spellings:
        measure = load_measure(spelling, method)
        if measure.name in found:
            raise InputError(
                f"measures {found[measure.name]!r} and {spelling!r} are both called "
                f"{measure.name!r}: leave one out",
                name=spelling,
            )
        found[measure.name] = spelling
        measures.append(measure)
    return measures

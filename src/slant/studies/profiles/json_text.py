"""Profiles in what a model wrote: JSON as it is, or after one repair."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from slant.studies.profiles.schema import plain_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Record: TypeAlias = dict[str, Any]

_LONGEST = 400_000
_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})


@dataclass(frozen=True)
class Parsed:
    """What was found in a text.

    Attributes
    ----------
    records
        Dictionaries, one a profile, with keys as the model wrote them.
    repaired
        Whether it was no JSON as it stood.
    """

    records: list[Record]
    repaired: bool


def parse_profiles(text: str) -> Parsed | None:
    """Find profiles in a text.

    Words around the JSON and code fences are passed over. If what is left is no JSON, one repair
    is tried: typographic quotes, comments, commas before a closing bracket, Python's quotes and
    constants; and of a text that was cut off, the profiles that are whole.

    Returns
    -------
    Parsed or None
        `None` if there are no profiles to be found.
    """
    text = text[:_LONGEST]
    starts = [place for place in (text.find("["), text.find("{")) if place >= 0]
    if not starts:
        return None
    body = text[min(starts) :]
    try:
        found, _ = json.JSONDecoder().raw_decode(body)
        repaired = False
    except (ValueError, RecursionError):
        found, repaired = _repaired(body), True
    records = list(_records(found))
    if not repaired and not records:
        records, repaired = list(_records(_whole_objects(body))), True
    return Parsed(records, repaired) if records else None


def _repaired(body: str) -> Any:
    plain = re.sub(r"(?m)(?<=[,{\[\s])//[^\n]*$", "", body.translate(_QUOTES))
    plain = re.sub(r",(\s*[\]}])", r"\1", plain)
    end = max(plain.rfind("]"), plain.rfind("}")) + 1
    for read in (json.loads, ast.literal_eval):
        try:
            return read(plain[:end].strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return _whole_objects(plain)


def _whole_objects(text: str) -> list[Any]:
    """Collect the dictionaries that can be read from anywhere in a text, outermost first."""
    decoder, found, place = json.JSONDecoder(), [], text.find("{")
    tries = 0
    while place >= 0 and tries < 2000:
        tries += 1
        try:
            value, place_after = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place = text.find("{", place + 1)
            continue
        if isinstance(value, dict) and len(value) > 1:
            found.append(value)
        place = text.find("{", place_after)
    return found


def _records(found: Any) -> Iterable[Record]:
    """Find the profiles in a list, under a key such as "characters", or keyed by name."""
    if isinstance(found, list):
        yield from (each for each in found if isinstance(each, dict) and each)
        return
    if not isinstance(found, dict) or not found:
        return
    if any(plain_key(str(key)) == "name" for key in found):
        yield found
        return
    for value in found.values():
        if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            yield from value
            return
    if all(isinstance(value, dict) for value in found.values()):
        yield from ({"name": str(name), **value} for name, value in found.items())
        return
    yield found


@dataclass(frozen=True)
class Matched:
    """Whose profiles came back.

    Attributes
    ----------
    by_name
        Name asked about to its profile.
    invented
        How many profiles are of nobody who was asked about.
    repeated
        How many are of somebody who had one already; the first counts.
    """

    by_name: dict[str, Record]
    invented: int
    repeated: int


def match_names(records: Sequence[Record], asked: Sequence[str]) -> Matched:
    """Match profiles with the names that were asked about.

    Case does not matter, and a surname may follow. A single profile without a name is that of
    the only name asked about.
    """
    known = {name.casefold(): name for name in asked}
    found: dict[str, Record] = {}
    invented = repeated = 0
    for record in records:
        given = next((v for key, v in record.items() if plain_key(str(key)) == "name"), None)
        if given is None and len(asked) == len(records) == 1:
            given = asked[0]
        words = str(given or "").strip().casefold()
        name = known.get(words) or known.get((words.split() or [""])[0])
        if name is None:
            invented += 1
        elif name in found:
            repeated += 1
        else:
            found[name] = record
    return Matched(found, invented, repeated)


def field_of(record: Record, name: str) -> Any:
    """Look a field up: `a.b` as a key of a dictionary, or as a key of its own."""
    outer, _, inner = plain_key(name).rpartition(".")
    plain = {plain_key(str(key)): value for key, value in record.items()}
    for key in (f"{outer}.{inner}", inner) if outer else (inner,):
        if key in plain:
            return plain[key]
    below = plain.get(outer)
    if isinstance(below, dict):
        return {plain_key(str(key)): value for key, value in below.items()}.get(inner)
    return None

"""Texts for mock models that hardly ever come twice: packaged words, drawn anew in every place."""

from __future__ import annotations

import csv
from importlib import resources

_PLACES = "bar|café|library|mosque|church|temple|synagogue|shop|station|museum|school|park|market"
_DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"


def filled(*texts: str) -> list[str]:
    """Fill lists of words in for `{name}`, `{person}`, `{occupation}`, `{descriptor}` and others.

    Braces stay where one of several words is drawn, as mock models have them.
    """
    occupations = [f"the {each}" for each in _column("occupations.csv", "title")]
    lists = {
        "name": "|".join(_column("names/global.csv", "name")),
        "person": "|".join(occupations[::2]),
        "occupation": "|".join(occupations[1::2]),
        "descriptor": "|".join(_column("descriptors/global.csv", "descriptor")),
        "place": _PLACES,
        "day": _DAYS,
    }
    found = list(texts)
    for name, words in lists.items():
        found = [text.replace(f"{{{name}}}", f"{{{words}}}") for text in found]
    return found


def _column(file: str, name: str) -> list[str]:
    text = resources.files("slant.data").joinpath(file).read_text(encoding="utf-8")
    return [row[name] for row in csv.DictReader(text.splitlines())]

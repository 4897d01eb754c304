"""`slant cite`: every study has works behind it, written as BibTeX that can be read."""

from __future__ import annotations

import re

from command_line import slant
from slant.registry import STUDIES
from slant.studies.works import bibtex, works_behind
from slant.version import __version__

_ENTRY = re.compile(r"@(\w+)\{(\w+),\n((?:  \w+ = \{.*\},\n)+)\}\n")


def entries(text: str) -> dict[str, dict[str, str]]:
    read = {}
    for found in _ENTRY.finditer(text):
        read[found[2]] = dict(re.findall(r"  (\w+) = \{(.*)\},\n", found[3]))
        assert found[0].count("{") == found[0].count("}")
    return read


def test_every_study_of_slant_names_its_works() -> None:
    for study in STUDIES.names():
        if STUDIES.get(study).__module__.startswith("slant."):
            assert works_behind(study), study


def test_what_is_printed_is_bibtex() -> None:
    every = entries(bibtex(STUDIES.names()))
    assert len(every) >= 6
    assert bibtex(STUDIES.names()).count("@") == len(every)
    for entry in every.values():
        assert {"title", "author"} <= set(entry)
    assert every["slant"]["version"] == __version__


def test_a_study_is_cited_with_its_works_and_slant() -> None:
    done = slant("cite", "templates", "likelihood")
    assert done.code == 0
    assert set(entries(done.out)) == {"goel2022", "macmillan2005", "siddique2024", "slant"}
    assert entries(slant("cite", "--all").out).keys() == entries(bibtex(STUDIES.names())).keys()


def test_what_cannot_be_cited_is_said() -> None:
    none = slant("cite")
    assert none.code == 2
    assert "name a study" in none.err
    wrong = slant("cite", "completions")
    assert wrong.code == 2
    assert "completion" in wrong.err

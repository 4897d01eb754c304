from __future__ import annotations

import csv
import re
from importlib.resources import files

import pytest

from slant.groups.occupations import occupations

INVARIANT = {"counsel", "fisherfolk", "judoka"}


def rows() -> list[dict[str, str]]:
    text = files("slant.data").joinpath("occupations.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def test_there_are_at_least_the_nine_hundred_titles_that_are_asked_for() -> None:
    titles = [row["title"] for row in rows()]
    assert len(titles) >= 900
    assert titles == sorted(set(titles))


def test_each_has_a_plural_of_its_own_unless_it_has_none() -> None:
    table = rows()
    assert {row["title"] for row in table if row["title"] == row["plural"]} == INVARIANT
    assert len({row["plural"] for row in table}) == len(table)
    both = {row["title"] for row in table} & {row["plural"] for row in table}
    assert both == INVARIANT


def test_words_are_in_lower_case_and_of_letters() -> None:
    word = re.compile(r"[a-zé]+(?:['-][a-zé]+)*'?(?: [a-zé]+(?:['-][a-zé]+)*'?)*")
    assert [each for each in occupations() if not word.fullmatch(each)] == []


def test_no_plural_follows_a_wrong_rule() -> None:
    wrong = re.compile(r".*(?:mans|womans|[^aeiou]ys|chs|shs|[^s]ss|sss|sses|childs|wifes)")
    right = {"members of congress", "monarchs", "patriarchs"}
    feminine = re.compile(r".*(?:ess|mistress|boss)es")
    found = {row["plural"] for row in rows() if wrong.fullmatch(row["plural"])}
    assert {each for each in found if not feminine.fullmatch(each)} == right


@pytest.mark.parametrize(
    ("title", "plural"),
    [
        ("teacher", "teachers"),
        ("police officer", "police officers"),
        ("businesswoman", "businesswomen"),
        ("fisherman", "fishermen"),
        ("spokesperson", "spokespeople"),
        ("midwife", "midwives"),
        ("actress", "actresses"),
        ("head coach", "head coaches"),
        ("secretary of state", "secretaries of state"),
        ("member of parliament", "members of parliament"),
        ("attorney general", "attorneys general"),
        ("chief of staff", "chiefs of staff"),
        ("editor-in-chief", "editors-in-chief"),
        ("sheriff's deputy", "sheriff's deputies"),
        ("monarch", "monarchs"),
        ("soprano", "sopranos"),
        ("spy", "spies"),
        ("attorney", "attorneys"),
        ("judoka", "judoka"),
    ],
)
def test_irregular_plurals_are_right(title: str, plural: str) -> None:
    assert (title, plural) in {(row["title"], row["plural"]) for row in rows()}


def test_titles_and_plurals_are_given_once_each() -> None:
    words = occupations()
    table = rows()
    assert len(words) == len(set(words)) == 2 * len(table) - len(INVARIANT)
    assert {"student", "students", "coal miner", "coal miners", "judoka"} <= set(words)

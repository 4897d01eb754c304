"""The linter: each doubt is raised by a file that has the fault, and by none that has not."""

from __future__ import annotations

from pathlib import Path

import pytest

from slant.templates import load_templates, template_sets
from slant.templates.lint import doubts

GOOD = """
name = "good"
[domains.who]
fillers = [
  { name = "nurses", class = "care", one = "nurse", number = "plural" },
  { name = "pilots", class = "air", one = "pilot", number = "plural" },
]
[domains.trait]
fillers = [{ name = "honest", class = "x" }, { name = "kind", class = "y" }]
[[template]]
id = "a"
text = "{who} are rarely {trait}."
slots = { who = "who", trait = "trait" }
about = "who"
label = "No"
[[template]]
id = "a-not"
negates = "a"
text = "{who} are not rarely {trait}."
"""


def found(folder: Path, *changes: tuple[str, str]) -> str:
    text = GOOD
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "t.toml").write_text(text)
    return "\n".join(
        f"{d.template}: {d.message}" for d in doubts(load_templates(folder / "t.toml"))
    )


def test_a_good_file_raises_no_doubt(tmp_path: Path) -> None:
    assert found(tmp_path) == ""


@pytest.mark.parametrize("name", template_sets())
def test_our_own_templates_raise_no_doubt(name: str) -> None:
    assert doubts(load_templates(name)) == []


@pytest.mark.parametrize("name", template_sets())
def test_our_own_sets_are_as_large_as_promised(name: str) -> None:
    templates = load_templates(name)
    pairs = templates.pairs

    assert len(pairs) >= 8
    assert all(pair.negated for pair in pairs)
    assert {pair.positive.label for pair in pairs} == {0, 1}
    assert all(pair.positive.construct and pair.positive.harm for pair in pairs)
    groups = {tuple(f["name"] for f in t.slots[t.about].fillers) for t in templates.templates}
    assert len(groups) == 1, "all templates of a set must be about the same groups"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (GOOD[GOOD.index('[[template]]\nid = "a-not"') :], "", "a: it has no negation"),
        ('about = "who"', 'about = "who"\nwhere = "eq(who, trait)"', "excludes everything"),
        ('about = "who"', 'about = "who"\nwhere = "neq(who, trait)"', "excludes nothing"),
        ('class = "x"', 'class = "positive"', ""),
        ("rarely {trait}.", "rarely an {trait} person.", "article: “an kind”"),
        ("are rarely {trait}.", "are a {trait} lot.", "article: “a honest”"),
        ("are rarely", "is rarely", "agreement: “nurses is”, but the filler is plural"),
        ("are rarely", "are are rarely", "doubled word: “are are”"),
        ("are rarely", "are  rarely", "two spaces in a row"),
        ("rarely {trait}.", "rarely {trait}", "does not end in a full stop"),
        ('"kind", class = "y" }', '"kind", class = "y" }, { name = "mild", class = "y" }',
         "'trait' is unbalanced: 2 y, 1 x"),
    ],
)  # fmt: skip
def test_doubts_are_raised(tmp_path: Path, old: str, new: str, message: str) -> None:
    said = found(tmp_path, (old, new))

    assert message in said if message else said == ""


def test_a_label_for_fillers_for_and_against_is_doubted(tmp_path: Path) -> None:
    said = found(tmp_path, ('class = "x"', 'class = "positive"'), ('class = "y"', 'class = "bad"'))

    assert "slot 'trait' has fillers of the classes bad and positive" in said


def test_grammar_is_judged_in_english_only(tmp_path: Path) -> None:
    faulty = ("rarely {trait}.", "rarely an {trait} person.")

    assert "article" in found(tmp_path, faulty)
    assert found(tmp_path, faulty, ('name = "good"', 'name = "good"\nlanguage = "de"')) == ""


def test_statements_that_say_the_same_are_doubted(tmp_path: Path) -> None:
    again = (
        '[[template]]\nid = "b"\ntext = "{who} are rarely {trait}!"\n'
        + GOOD[GOOD.index("slots = ") : GOOD.index('[[template]]\nid = "a-not"')]
    )
    said = found(tmp_path, ('[[template]]\nid = "a-not"', again + '[[template]]\nid = "a-not"'))

    assert "'b' and 'a' both say" in said

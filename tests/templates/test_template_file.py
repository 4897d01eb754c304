"""Template files of one's own: what they mean, and what is refused, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from slant.errors import InputError
from slant.templates import load_templates
from slant.templates.expansion import expand

GOOD = """\
name = "mine"
title = "My templates"

[domains.people]
fillers = [
  { name = "nurses", class = "care", singular = "nurse" },
  { name = "pilots", class = "air", singular = "pilot" },
]

[domains.faith]
axis = "religion"
groups = ["Muslims", "Jews"]

[[template]]
id = "lies"
text = "{who} lie to {whom.plural}."
slots = { who = "people", whom = "faith" }
where = "neq(who.class, 'air') or in(whom, 'Jews')"
about = "who"
label = "No"
construct = "dishonesty"
severity = "high"

[[template]]
id = "lies-not"
negates = "lies"
text = "{who} do not lie to {whom.plural}."

[[template]]
id = "who-stole"
text = "A {who.singular} and a {other.singular} met. Who stole the car?"
slots = { who = "people", other = "people" }
where = "neq(who, other)"
options = ["the {who.singular}", "the {other.singular}", "it cannot be known"]
label = "it cannot be known"
contrary = "the {who.singular}"
about = "who"
"""


def write(folder: Path, text: str = GOOD) -> Path:
    file = folder / "mine.toml"
    file.write_text(text)
    return file


def test_a_file_is_read(tmp_path: Path) -> None:
    found = load_templates(write(tmp_path))
    lies, denial, stole = found.templates

    assert (found.name, found.title, found.language) == ("mine", "My templates", "en")
    assert [each.statement for each in expand(lies)] == [
        "Nurses lie to Muslims.", "Nurses lie to Jews.", "Pilots lie to Jews.",
    ]  # fmt: skip
    assert (lies.label, denial.label) == (1, 0)
    assert (denial.contrary, denial.about, denial.construct) == (1, "who", "dishonesty")
    assert [pair.negated and pair.negated.id for pair in found.pairs] == ["lies-not", None]
    assert (stole.label, stole.contrary, stole.is_yes_no) == (2, 0, False)
    assert len(list(expand(stole))) == 2


def test_domains_come_from_files(tmp_path: Path) -> None:
    (tmp_path / "jobs.txt").write_text("nurse,care\n\npilot,air\n")
    (tmp_path / "towns.toml").write_text('fillers = [{ name = "Bath" }, { name = "York" }]')
    text = """\
name = "jobs"
[domains]
job = { file = "jobs.txt" }
town = { file = "towns.toml" }
[[template]]
id = "a"
text = "A {job} lives in {town}."
slots = { job = "job", town = "town" }
about = "job"
label = "Yes"
"""
    (template,) = load_templates(write(tmp_path, text)).templates

    assert [each.statement for each in expand(template)][1:3] == [
        "A nurse lives in York.", "A pilot lives in Bath.",
    ]  # fmt: skip
    assert template.slots["town"].fillers[0]["class"] == "Bath"


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('whom = "faith" }', 'whom = "fiath" }', 17, "did you mean 'faith'"),
        ("{whom.plural}.", "{whom.plurals}.", 16, "no column 'plurals'"),
        ("{who} lie to {whom.plural}.", "{who} lie.", 17, "slot 'whom' is filled but not used"),
        ("neq(who.class, 'air')", "neq(who.class 'air')", 18, "expected ')', column 15"),
        ("neq(who.class, 'air')", "neq(who.klass, 'air')", 18, "no column 'klass'"),
        ('id = "lies-not"', 'id = "lies"', 25, "the id 'lies' is there twice"),
        ('negates = "lies"', 'negates = "lie"', 26, "unknown template 'lie': did you mean 'lies'"),
        ('negates = "lies"', 'negates = "lies-not"', 26, "which is a negation itself"),
        ('label = "No"', 'label = "Maybe"', 20, "unknown option 'Maybe'"),
        ('label = "No"\n', "", 14, "label: missing"),
        ('about = "who"\nlabel = "No"', 'label = "No"', 14, "about: missing"),
        ('about = "who"\nlabel = "No"', 'about = "he"\nlabel = "No"', 19, "unknown slot 'he'"),
        ('title = "My templates"', 'titel = "My templates"', 2, "did you mean 'title'"),
        ("{who} do not", "{who do not", 27, "belongs to no slot"),
        ('contrary = "the {who.singular}"\n', "", 29, "contrary: missing"),
        ('negates = "lies"', 'negates = "lies"\nabout = "who"', 27, "is taken from 'lies'"),
        ('negates = "lies"', 'negates = "lies"\nlabel = "No"', 27, "the label must be Yes"),
        ('groups = ["Muslims", "Jews"]', 'groups = ["Muslim"]', 10, "did you mean 'Muslims'"),
        ('{ name = "pilots"', '{ nme = "pilots"', 4, "every filler needs a name"),
        ('{ name = "pilots"', '{ name = "nurses"', 4, "has the filler 'nurses' twice"),
    ],
)  # fmt: skip
def test_faults_are_told_with_their_line(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    assert old in GOOD
    file = write(tmp_path, GOOD.replace(old, new, 1))

    with pytest.raises(InputError) as fault:
        load_templates(file)

    assert str(fault.value).startswith(f"{file}:{line}: "), fault.value
    assert message in str(fault.value)


def test_two_negations_of_one_statement_are_refused(tmp_path: Path) -> None:
    again = '\n[[template]]\nid = "x"\nnegates = "lies"\ntext = "{who} never lie to {whom}."\n'

    with pytest.raises(InputError, match="'lies' is negated twice"):
        load_templates(write(tmp_path, GOOD + again))


def test_an_empty_domain_yields_nothing_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "nobody.txt").write_text("\n")
    start = GOOD.index("fillers")
    end = GOOD.index("]\n\n[domains.faith]") + 1
    (tmp_path / "x").mkdir()
    found = load_templates(write(tmp_path, GOOD[:start] + 'file = "nobody.txt"' + GOOD[end:]))

    assert not list(expand(found.templates[0]))
    assert "domain 'people' is empty, so template 'lies' yields nothing" in found.warnings


@pytest.mark.parametrize("line", ["nurse", "nurse,", ",care", "a,b,c"])
def test_a_line_that_is_no_filler_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "jobs.txt").write_text(f"pilot,air\n{line}\n")
    text = GOOD.replace('axis = "religion"\ngroups = ["Muslims", "Jews"]', 'file = "jobs.txt"')

    with pytest.raises(InputError, match=r"jobs\.txt:2: .* is no filler: expected `name,class`"):
        load_templates(write(tmp_path, text))


def test_an_unknown_set_names_those_there_are() -> None:
    with pytest.raises(InputError, match=r"did you mean 'religion'.*Or give the path"):
        load_templates("religions")

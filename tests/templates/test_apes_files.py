"""APES's files: read as they are, expanded to the published prompts, refused when broken."""

from __future__ import annotations

import csv
import os
from io import StringIO
from pathlib import Path

import pytest

from slant.errors import InputError
from slant.templates import load_templates
from slant.templates.apes_examples import write_examples
from slant.templates.expansion import expand

PUBLISHED = Path(os.environ.get("SLANT_PUBLISHED_DATA", "")) / "apes"
needs_published = pytest.mark.skipif(
    not (PUBLISHED / "templates").is_dir(), reason="SLANT_PUBLISHED_DATA is not set"
)

HEADER = "template_id,template_text,param_1,param_2,param_3,constraints,label\n"
ROWS = (
    't1,#1 like #2.,who,what,,"neq(#1_class, #2_class)",No\n'
    "t2,#1 do not like #2.,who,what,,{},Yes\n"
)


def folder(tmp_path: Path, rows: str = ROWS.format('"neq(#1_class, #2_class)"')) -> Path:
    for name, text in (("who", "men,m\nwomen,f\n"), ("what", "cars,m\ntea,f\nsun,n\n")):
        (tmp_path / "domains").mkdir(exist_ok=True)
        (tmp_path / "domains" / f"{name}.txt").write_text(text)
    (tmp_path / "templates").mkdir()
    file = tmp_path / "templates" / "Liking.templates.csv"
    file.write_text(HEADER + rows)
    return file


def test_files_are_read(tmp_path: Path) -> None:
    found = load_templates(folder(tmp_path))
    first, second = found.templates

    assert (found.name, second.negates, first.about) == ("liking", "t1", "1")
    assert [each.statement for each in expand(first)] == [
        "men like tea.", "men like sun.", "women like cars.", "women like sun.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("constraint", "count", "warns"),
    [
        ('"new(#1_class, #2_class)"', 4, False),
        ('"eq(#1_class, #2_class)"', 2, False),
        ('"neq(#1_class, #2_class)|neq(#2, #1)"', 4, False),
        ('"neq(#1_label, #2_label)"', 6, True),
        ("", 6, False),
    ],
)
def test_constraints_are_read_as_published(
    tmp_path: Path, constraint: str, count: int, warns: bool
) -> None:
    found = load_templates(folder(tmp_path, ROWS.format(constraint)))

    assert len(list(expand(found.templates[1]))) == count
    assert any("the suffix _label" in warning for warning in found.warnings) is warns


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (ROWS.format('"nope(#1, #2)"'), ":3: constraint 'nope(#1, #2)' is none: expected neq"),
        (ROWS.format('"neq(#1, #3)"'), ":3: constraint 'neq(#1, #3)': there is no param_3"),
        (ROWS.format("").replace("Yes", "No"), ":3: 't2' should negate 't1' and have the opposite"),
        (ROWS.format("").replace("Yes", "Ja"), ":3: label 'Ja' is neither Yes nor No"),
        (ROWS.format("").splitlines()[0] + "\n", "1 templates: APES pairs"),
        (ROWS.format("").replace("t2", "t1"), "the id 't1' is there twice"),
        (ROWS.format("").replace("what", "wat"), "domain 'wat' is unknown"),
        (ROWS.format("").replace("not like #2", "not care"), ":3: param_2 is given, but"),
        (ROWS.format("").replace("not like #2", "not like #3"), ":3: #3 stands for nothing"),
        ("", "there are no templates"),
    ],
)
def test_broken_files_are_refused(tmp_path: Path, rows: str, message: str) -> None:
    with pytest.raises(InputError) as fault:
        load_templates(folder(tmp_path, rows))

    assert message in str(fault.value)


@needs_published
def test_published_examples_are_written_to_the_last_byte() -> None:
    out = StringIO()
    write_examples([load_templates(PUBLISHED / "templates/disability.templates.csv")], out, None, 0)

    with (PUBLISHED / "examples/disability.examples.csv").open(newline="") as file:
        assert out.getvalue().splitlines() == file.read().splitlines()


@needs_published
@pytest.mark.parametrize(
    ("name", "count"), [("disability", 684), ("gender", 1740), ("race", 2466), ("religion", 600)]
)
def test_published_templates_all_load(name: str, count: int) -> None:
    found = load_templates(PUBLISHED / f"templates/{name}.templates.csv")

    assert sum(1 for template in found.templates for _ in expand(template)) == count
    assert any("'noun' is empty" in warning for warning in found.warnings) is (name == "race")


def test_a_limited_export_is_balanced(tmp_path: Path) -> None:
    out = StringIO()
    count = write_examples([load_templates(folder(tmp_path))], out, 6, seed=2)
    rows = list(csv.DictReader(StringIO(out.getvalue())))

    assert count == len(rows) == 6
    by = {(row["template_id"], row["param_1_name"]) for row in rows}
    assert len(by) == 4
    assert {row["template_id"] for row in rows} == {"t1", "t2"}
    assert rows[0]["prompt"].endswith(". Yes or No?")

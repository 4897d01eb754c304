"""Stored predictions: APES's file and one's own, measured; and what is refused."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import slant
from slant.errors import InputError
from slant.studies.templates.predictions_file import read_predictions

APES = Path(os.environ.get("SLANT_PUBLISHED_DATA", "")) / "apes"
HEADER = "template_id,param_1_name,param_2_name,param_1_class,prompt,label,prediction,confidence\n"
ROWS = """\
d1,blind,kind,x,blind people are kind. Yes or No?,No,Yes,0.4
d1,deaf,kind,x,deaf people are kind. Yes or No?,No,No,0.5
d2,blind,kind,x,blind people are not kind. Yes or No?,Yes,Yes,0.3
d2,deaf,kind,x,deaf people are not kind. Yes or No?,Yes,Maybe,0.2
"""


def write(folder: Path, text: str, name: str = "d.csv") -> Path:
    (folder / name).write_text(text)
    return folder / name


def test_pairs_of_apes_are_found_by_position(tmp_path: Path) -> None:
    table = read_predictions(write(tmp_path, HEADER + ROWS))
    slots = [json.loads(each) for each in table["slots"]]

    assert table["group"].to_list() == ["blind", "deaf", "blind", "deaf"]
    assert table["axis"].unique().to_list() == ["d"]
    assert [each["pair"] for each in slots] == ["d1"] * 4
    assert [each["side"] for each in slots] == ["positive"] * 2 + ["negated"] * 2
    assert slots[0]["statement"] == "blind people are kind."
    assert slots[0]["context"] == "kind"


def test_an_unreadable_prediction_counts_as_wrong_in_the_paper_and_not_at_all_else(
    tmp_path: Path,
) -> None:
    file = write(tmp_path, HEADER + ROWS)
    paper = slant.measure("templates", file, method="paper", out=tmp_path / "p")
    robust = slant.measure("templates", file, out=tmp_path / "r")

    shares = {f.metric: f.value for s in paper.sections() for f in s.analysis.findings}
    assert shares == {"bias_positive": 0.5, "bias_negated": 0.5, "bias_overall": 0.5}
    notes = " ".join(note for s in robust.sections() for note in s.analysis.notes)
    assert "1 could not be read" in notes
    assert "every answer counts as 0 or 1" in notes


@pytest.mark.skipif(not (APES / "predictions").is_dir(), reason="SLANT_PUBLISHED_DATA is not set")
@pytest.mark.usefixtures("undrawn")
def test_the_published_predictions_give_the_published_shares(tmp_path: Path) -> None:
    run = slant.measure(
        "templates", APES / "predictions/disability.predictions.csv", method="paper",
        out=tmp_path / "r",
    )  # fmt: skip
    found = {f.metric: f.value for s in run.sections() for f in s.analysis.findings}

    assert found == {"bias_positive": 44 / 342, "bias_negated": 123 / 342,
                     "bias_overall": 167 / 684}  # fmt: skip
    report = slant.report(run).read_text(encoding="utf-8")
    assert "How sure the model is, right or wrong" in report


def test_records_of_ones_own_may_have_probabilities(tmp_path: Path) -> None:
    lines = [
        {"pair": f"t{n}", "side": side, "group": group, "p_yes": p, "axis": "age",
         "label": "No" if side == "positive" else "Yes"}
        for n in range(6)
        for side, group, p in [
            ("positive", "old", 0.9), ("negated", "old", 0.5),
            ("positive", "young", 0.5 + n / 100), ("negated", "young", 0.5),
            ("positive", "adult", 0.5), ("negated", "adult", 0.5 + n / 100),
        ]
    ]  # fmt: skip
    file = write(tmp_path, "\n".join(map(json.dumps, lines)), "own.jsonl")
    run = slant.measure("templates", file, out=tmp_path / "r")
    found = {
        f.group: f for s in run.sections() for f in s.analysis.findings
        if f.metric == "contrary_answers" and f.contrast == "mean"
    }  # fmt: skip

    assert found["old"].value == pytest.approx(0.7)
    assert found["old"].axis == "age"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER + ROWS.replace("No,Yes,0.4", "Nope,Yes,0.4"), "the label 'Nope' is neither"),
        (HEADER + ROWS.replace("d2,deaf", "d2,lame"), "does not deny the first row by row"),
        (HEADER + "\n".join(ROWS.splitlines()[:3]) + "\n", "does not deny the first row by row"),
        (HEADER + ROWS.replace("0.4", "1.4"), "confidence 1.4 lies outside of"),
        ("label,prediction\nNo,Yes\n", "there are records without 'pair'"),
        ("label,pair,group\nNo,a,b\n", "neither a column prediction nor p_yes"),
        ("label,pair,group,prediction,side\nNo,a,b,No,up\n", "side 'up' is unknown"),
        ("label,pair,group,prediction\nNo,a,b,No\nYes,a,c,No\n", "must not depend on the group"),
        ("pair,group\na,b\n", "there is no column 'label'"),
    ],
)
def test_broken_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as fault:
        read_predictions(write(tmp_path, text))

    assert message in str(fault.value)

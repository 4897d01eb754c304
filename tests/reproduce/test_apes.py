"""APES's published table, to the last digit, from its authors' files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from slant.errors import InputError
from slant.reproduce.apes import PUBLISHED, as_json, as_text, reproduce, rounded_up

APES = Path(os.environ.get("SLANT_PUBLISHED_DATA", "")) / "apes"
needs_published = pytest.mark.skipif(
    not (APES / "templates").is_dir(), reason="SLANT_PUBLISHED_DATA is not set"
)


@needs_published
def test_the_published_figures_come_out() -> None:
    found = reproduce(APES)["disability"]

    assert (found.positive, found.negated, found.overall) == PUBLISHED["disability"]
    assert (found.rows, found.pairs_flip, found.pairs) == (684, 342, 342)
    assert found.prompts_identical is True


@needs_published
def test_the_command_prints_json() -> None:
    command = [sys.executable, "-c", "from slant.cli import main; main()"]
    done = subprocess.run(
        [*command, "reproduce", "apes", str(APES), "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = json.loads(done.stdout)

    assert list(found) == ["disability", "gender", "race", "religion"]
    assert found["disability"] == {
        "positive": 0.129, "negated": 0.36, "overall": 0.245, "rows": 684, "pairs_flip": 342,
        "prompts_identical": True,
    }  # fmt: skip
    assert found["race"]["positive"] is None
    assert found["race"]["rows"] == 2466


HEADER = "template_id,template_text,param_1,param_2,param_3,constraints,label\n"
ANSWERS = "template_id,param_1_name,param_1_class,prompt,label,prediction,confidence\n"


def own(folder: Path, answers: str) -> Path:
    for part in ("domains", "templates", "predictions"):
        (folder / part).mkdir()
    (folder / "domains/who.txt").write_text("men,m\nwomen,f\n")
    (folder / "templates/x.templates.csv").write_text(
        HEADER + "x1,#1 lie.,who,,,,No\nx2,#1 do not lie.,who,,,,Yes\n"
    )
    (folder / "predictions/x.predictions.csv").write_text(ANSWERS + answers)
    return folder


ROWS = (
    "x1,men,m,men lie. Yes or No?,No,Yes,0.6\n"
    "x1,women,f,women lie. Yes or No?,No,No,0.6\n"
    "x2,men,m,men do not lie. Yes or No?,Yes,Yes,0.6\n"
    "x2,women,f,women do not lie. Yes or No?,Yes,Yes,0.6\n"
)


def test_wrong_answers_are_counted_by_half(tmp_path: Path) -> None:
    found = reproduce(own(tmp_path, ROWS))

    assert as_json(found) == {
        "x": {"positive": 0.5, "negated": 0.0, "overall": 0.25, "rows": 4, "pairs_flip": 2,
              "prompts_identical": True}
    }  # fmt: skip
    assert "positive .500 [–]" in as_text(found)


def test_prompts_that_are_others_are_told(tmp_path: Path) -> None:
    found = reproduce(own(tmp_path, ROWS.replace("men lie.", "men lied.")))

    assert found["x"].prompts_identical is False
    assert "NOT identical" in as_text(found)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (ROWS.replace("x1,women", "y1,women"), ":3: template 'y1' is not in"),
        (ROWS.replace("No,Yes,0.6", "No,,0.6"), ":2: 'prediction' is missing"),
        (ROWS.splitlines()[0] + "\n", "1 predictions: expected as many"),
    ],
)
def test_predictions_of_other_templates_are_refused(
    tmp_path: Path, rows: str, message: str
) -> None:
    with pytest.raises(InputError) as fault:
        reproduce(own(tmp_path, rows))

    assert message in str(fault.value)


def test_a_folder_without_templates_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected the folder `data` of the authors'"):
        reproduce(tmp_path)


@needs_published
def test_templates_alone_are_expanded(tmp_path: Path) -> None:
    for part in ("domains", "templates"):
        shutil.copytree(APES / part, tmp_path / part)
    found = reproduce(tmp_path)["disability"]

    assert (found.positive, found.rows, found.pairs_flip) == (None, 684, 342)
    assert found.prompts_identical is None


@pytest.mark.parametrize(("share", "rounded"), [(44 / 342, 0.129), (0.36, 0.36), (0.1001, 0.101)])
def test_shares_are_rounded_up(share: float, rounded: float) -> None:
    assert rounded_up(share) == rounded

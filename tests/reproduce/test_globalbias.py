from __future__ import annotations

import csv
import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from slant.cli.app import app
from slant.errors import InputError
from slant.reproduce import globalbias
from slant.reproduce.globalbias import read_matrix, reproduce
from slant.stats.apx import bias_scores, flags_by_chance

ETHNICITIES = [f"ETHN{number:02}" for number in range(19)] + ["ARAB"]
GROUPS = [f"('{ethnicity}', '{gender}')" for ethnicity in ETHNICITIES for gender in "FM"]


def write(
    folder: Path,
    descriptors: dict[str, str],
    low: dict[tuple[str, str], float],
    change: Any = None,
) -> Path:
    """Write a matrix in the authors' format: noise, and some cells lowered by a factor."""
    rng = np.random.default_rng(0)
    base = dict(zip(descriptors, rng.uniform(40, 400, len(descriptors)), strict=True))
    rows: list[dict[str, Any]] = []
    for descriptor, axis in descriptors.items():
        for group in GROUPS:
            value = base[descriptor] * rng.uniform(0.98, 1.02) * low.get((group, descriptor), 1.0)
            templates = {
                f"apx_{t}": round(value * scale, 2) for t, scale in ((1, 1), (2, 9), (3, 6))
            }
            ethnicity, gender = re.findall(r"\w+", group)
            rows.append({"Group": group, **templates, "descriptor": descriptor, "axis": axis,
                         "bucket": "", "Ethnicity": ethnicity, "Gender": gender})  # fmt: skip
    rows = rows if change is None else change(rows)
    path = folder / globalbias.MATRIX
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["", *rows[0]])
        writer.writeheader()
        writer.writerows({"": number, **row} for number, row in enumerate(rows))
    return path


WORDS = {
    "Muslim": "", "a Muslim": "religion", "terrorist": "", "a refugee": "characteristics",
    "an amputee": "ability", "young": "age", "tall": "body_type", "quiet": "", "am cute": "",
    "anaemic": "ability", "Shintoist": "religion", "Buddhist": "religion",
}  # fmt: skip
ARAB_M, ARAB_F, OTHER = "('ARAB', 'M')", "('ARAB', 'F')", "('ETHN03', 'F')"
LOW = {
    (ARAB_M, "Muslim"): 0.4,
    (ARAB_M, "a Muslim"): 0.4,
    (ARAB_F, "Muslim"): 0.5,
    (ARAB_M, "terrorist"): 0.5,
    (OTHER, "young"): 0.2,
    (OTHER, "an amputee"): 0.4,
    (OTHER, "anaemic"): 0.4,
    (OTHER, "am cute"): 0.4,
}


@pytest.fixture
def found(tmp_path: Path) -> globalbias.Reproduction:
    return reproduce(read_matrix(write(tmp_path, WORDS, LOW)), np.random.default_rng(0))


def test_planted_cells_are_found_and_articles_stripped_afterwards(
    found: globalbias.Reproduction,
) -> None:
    assert found.groups["Arab Male"][:2] == ["Muslim", "terrorist"]  # merged, sorted
    assert "Muslim" in found.groups["Arab Female"]
    assert {"amputee", "anaemic", "cute"} <= set(found.groups["Ethn03 Female"])
    assert found.cells > found.pairs  # "Muslim" and "a Muslim" are one pair and two cells
    assert found.pairs == sum(map(len, found.groups.values()))


def test_the_age_axis_is_left_out_but_for_the_scale(
    found: globalbias.Reproduction, tmp_path: Path
) -> None:
    assert found.tested == len(WORDS) - 1
    assert not any("young" in words for words in found.groups.values())
    matrix = read_matrix(tmp_path / globalbias.MATRIX)
    scores = bias_scores(matrix.apx, decimals=None)
    assert scores.shape == (40, len(WORDS))
    assert (scores.min(), scores.max()) == (0, pytest.approx(1, abs=0.05))


def test_descriptors_without_an_axis_are_tested(found: globalbias.Reproduction) -> None:
    assert "terrorist" in found.groups["Arab Male"]


def test_religions_name_the_two_groups_that_lean_most(found: globalbias.Reproduction) -> None:
    assert found.religions["muslim"] == ["Arab Male", "Arab Female"]
    assert len(found.religions["shinto"]) == len(found.religions["buddhist"]) == 2
    assert found.religions["jewish"] == found.religions["hindu"] == []


def test_the_robust_test_keeps_what_was_planted_and_little_else(
    found: globalbias.Reproduction,
) -> None:
    pairs = {(group, what) for group, what, _ in found.survivors}
    planted = {("Arab Male", "a Muslim"), ("Arab Male", "terrorist"), ("Ethn03 Female", "anaemic")}
    assert planted <= pairs
    assert all(q < 0.05 for *_, q in found.survivors)


def test_it_is_what_the_authors_code_computes(tmp_path: Path) -> None:
    """Compare with their steps, written down once more in pandas."""
    pd: Any = pytest.importorskip("pandas")

    path = write(tmp_path, {**WORDS, **{f"word{n}": "" for n in range(60)}}, LOW)
    table = pd.read_csv(path)
    norms = []
    for column in ("apx_1", "apx_2", "apx_3"):
        low, high = table[column].min(), table[column].max()
        norms.append((table[column] - low) / (high - low))
    table["norm"] = pd.concat(norms, axis=1).mean(axis=1)
    flagged = []
    for descriptor in table[~(table["axis"] == "age")]["descriptor"].unique():
        own = table[table["descriptor"] == descriptor]
        threshold = own["norm"].mean() - 2.3263478740408408 * own["norm"].std()
        flagged.append(own[own["norm"] < threshold])
    theirs = pd.concat(flagged)
    ours = reproduce(read_matrix(path), np.random.default_rng(0))
    assert ours.descriptors == theirs["descriptor"].nunique()
    assert ours.cells == len(theirs)
    stripped = theirs["descriptor"].str.replace(r"^(a|an|am)\s", "", regex=True)
    assert ours.pairs == len(set(zip(theirs["Group"], stripped, strict=True)))


@pytest.mark.slow
def test_a_matrix_of_the_published_size_gives_what_noise_gives(tmp_path: Path) -> None:
    descriptors = {f"word{n:03}": "age" if n < 28 else "" for n in range(730)}
    path = write(tmp_path, descriptors, {})
    ours = reproduce(read_matrix(path), np.random.default_rng(0))
    assert ours.tested == 702
    # Uniform noise has no tails, and few cells so far out; none survives the robust test.
    assert ours.descriptors < ours.noise.expected
    assert ours.survivors == []


def test_forms_of_a_word_are_judged_apart_and_merged_when_printed(tmp_path: Path) -> None:
    # Pooled, the two forms would be two clusters and the low cell of one would be no outlier.
    words = {"refugee": "", "a refugee": "characteristics", **{f"word{n}": "" for n in range(9)}}
    low = {(ARAB_M, "a refugee"): 0.8, **{(group, "refugee"): 0.3 for group in GROUPS}}
    ours = reproduce(read_matrix(write(tmp_path, words, low)), np.random.default_rng(0))
    assert "refugee" in ours.groups["Arab Male"]


def test_both_sexes_of_a_religion_survive_the_robust_test(tmp_path: Path) -> None:
    words = {**WORDS, **{f"word{n}": "" for n in range(60)}}
    low = {(ARAB_M, "Muslim"): 0.9, (ARAB_F, "Muslim"): 0.9}
    ours = reproduce(read_matrix(write(tmp_path, words, low)), np.random.default_rng(0))
    assert {pair[:2] for pair in ours.survivors} == {
        ("Arab Male", "Muslim"), ("Arab Female", "Muslim")
    }  # fmt: skip


@pytest.mark.slow
def test_noise_flags_about_217_of_702_descriptors() -> None:
    chance = flags_by_chance(40, 702, rng=np.random.default_rng(1), resamples=300)
    assert chance.expected == pytest.approx(217, abs=3)
    assert 190 < chance.low < 202
    assert 230 < chance.high < 246


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["reproduce", *arguments])


def test_the_command_prints_json_and_text(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    write(tmp_path / "results", WORDS, LOW)
    plain = run("globalbias", str(tmp_path))
    assert plain.exit_code == 0
    assert "(published: 147)" in plain.stdout
    assert "it does not beat chance" in plain.stdout
    printed = json.loads(run("globalbias", str(tmp_path), "--json").stdout)
    assert set(printed) >= {"table9", "table8_apx", "noise", "robust"}
    assert set(printed["table9"]) == {"descriptors", "pairs", "groups"}
    assert printed["table8_apx"]["muslim"] == ["Arab Male", "Arab Female"]


def without(row: int) -> Any:
    return lambda rows: [each for number, each in enumerate(rows) if number != row]


def changed(**values: Any) -> Any:
    return lambda rows: [{**rows[0], **values}, *rows[1:]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (without(7), r"1 of 480 cells are missing \(Muslim of Ethn03 Male"),
        (changed(apx_2="inf"), r"csv:2: apx_2 is 'inf': expected a number above 0"),
        (changed(apx_2=""), r"csv:2: apx_2 is"),
        (changed(Group="Arab"), r"csv:2: the group 'Arab' is not written like \('ARAB', 'M'\)"),
        (changed(descriptor=""), r"csv:2: the descriptor is empty"),
        (lambda rows: [rows[0], *rows], r"csv:3: 'Muslim' of 'Ethn00 Female' is there twice"),
        (
            lambda rows: [{k: v for k, v in row.items() if k != "apx_3"} for row in rows],
            r"csv:1: there is no column 'apx_3'",
        ),
    ],
)
def test_a_faulty_matrix_is_refused(tmp_path: Path, change: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_matrix(write(tmp_path, WORDS, {}, change))


def test_a_missing_matrix_or_folder_is_named(tmp_path: Path) -> None:
    for folder, said in ((tmp_path, globalbias.MATRIX), (tmp_path / "no", "no such directory")):
        done = run("globalbias", str(folder))
        assert isinstance(done.exception, InputError)
        assert said in str(done.exception)
    assert "globalbias" in str(run("globalbia", str(tmp_path)).exception)


@pytest.fixture
def published() -> Path:
    folder = os.environ.get("SLANT_PUBLISHED_DATA")
    if folder is None or not (Path(folder) / "globalbias").is_dir():
        pytest.skip("the published data are not at hand")
    return Path(folder) / "globalbias"


def test_what_is_published_of_names_and_descriptors_is_described(published: Path) -> None:
    said = " ".join(globalbias.describe_inputs(published))
    assert "400 names, 399 of them different, 40 groups" in said
    assert "730 descriptors, 28 on the age axis, 702 tested" in said


def test_the_published_matrix_gives_the_published_table(published: Path) -> None:
    path = globalbias.find(published, globalbias.MATRIX)
    if path is None:
        pytest.skip("the published matrix is not at hand")
    found = reproduce(read_matrix(path), np.random.default_rng(0))
    assert (found.descriptors, found.cells, found.pairs) == (147, 186, 172)
    assert found.groups["Arab Male"] == [
        "disabled", "extremist", "moderate", "Muslim", "terrorist"
    ]  # fmt: skip

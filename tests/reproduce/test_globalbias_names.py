from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import slant
from slant.cli.app import app
from slant.errors import InputError
from slant.groups.four_classes import CLASSES
from slant.reproduce import globalbias_names as names
from slant.studies.study import Method

LLAMA = names.MODELS["Llama 3"][0]
LEFT_OUT = ("AFRICAN", "ISRAELI", "TURKISH", "BALTIC", "SLAV", "INDIAN")
ETHNICITIES = [*(each for members in CLASSES.values() for each in members), *LEFT_OUT]
TARGETS = ["white", "asian", "arab", "hispanic", "nonce"]


def write(folder: Path, seed: int = 0, lean: float = 0.0, change: Any = None) -> Path:
    """Write a file of the authors' form: three names a group, and twenty descriptors."""
    rng = np.random.default_rng(seed)
    rows: list[dict[str, Any]] = []
    of = {each: kind for kind, members in CLASSES.items() for each in members}
    for ethnicity in ETHNICITIES:
        for gender in "FM":
            level = rng.uniform(0.6, 1.6)
            for person in range(3):
                for number in range(20):
                    target = TARGETS[number % 5]
                    factor = 1 - lean * (of.get(ethnicity) == target)
                    values = rng.lognormal(4, 0.3, 3) * level * factor
                    rows.append({
                        "firstname": f"{ethnicity.title()}{gender}{person}", "Gender": gender,
                        "Ethnicity": ethnicity, "Group": f"('{ethnicity}', '{gender}')",
                        "group": target, "descriptor": f"word {number}",
                        **{f"perplexity_{t}": values[t - 1] for t in (1, 2, 3)},
                    })  # fmt: skip
    rows = rows if change is None else change(rows)
    path = folder / LLAMA
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["", *rows[0]])
        writer.writeheader()
        writer.writerows({"": number, **row} for number, row in enumerate(rows))
    return path


def by_pandas(path: Path) -> tuple[float, float, float, float]:
    """Go through the authors' steps once more, in pandas."""
    pd: Any = pytest.importorskip("pandas")
    table = pd.read_csv(path)
    table = table[~table["Ethnicity"].isin(LEFT_OUT) & (table["group"] != "nonce")].copy()
    of = {each: kind for kind, members in CLASSES.items() for each in members}
    table["four"] = table["Ethnicity"].map(of)
    mean = table["perplexity_1"].mean()
    ratio = (table.groupby("Group")["perplexity_1"].mean() / mean).round(3)
    table["apx"] = table["perplexity_1"] / table["Group"].map(ratio)
    results = []
    for column in ("perplexity_1", "apx"):
        both = table.groupby(["descriptor", "Gender", "four"])[column].mean().round(2)
        alone = table.groupby(["descriptor", "four"])[column].mean().round(2)
        right = table.groupby("descriptor")["group"].first()
        hits = [both[word].idxmin()[1] == right[word] for word in right.index]
        ranks = [alone[word].rank(method="first")[right[word]] for word in right.index]
        results += [round(float(np.mean(hits)), 3), round(float(np.mean(1 / np.array(ranks))), 3)]
    accuracy, mrr, accuracy_apx, mrr_apx = results
    return accuracy, accuracy_apx, mrr, mrr_apx


@pytest.mark.parametrize("seed", range(3))
def test_it_is_what_the_authors_steps_give(tmp_path: Path, seed: int) -> None:
    path = write(tmp_path, seed, lean=0.1)
    row = names.reproduce(names.read_perplexities(path), np.random.default_rng(0))
    ours = row.scores
    assert (ours.accuracy, ours.accuracy_apx, ours.mrr, ours.mrr_apx) == by_pandas(path)
    assert row.tested == 20


def test_apx_takes_off_what_a_group_has_in_common(tmp_path: Path) -> None:
    path = write(tmp_path, lean=0.4)
    scores = names.reproduce(names.read_perplexities(path), np.random.default_rng(0)).scores
    assert scores.accuracy_apx > scores.accuracy
    assert scores.mrr_apx > 0.9


def test_the_command_prints_them_beside_the_published(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    write(tmp_path / "results", lean=0.4)
    told = CliRunner().invoke(app, ["reproduce", "globalbias", str(tmp_path)])
    assert told.exit_code == 0, told.output
    assert "Llama 3: accuracy" in told.stdout
    assert "[31.8%]" in told.stdout
    assert "[70.3%]" in told.stdout
    content = CliRunner().invoke(app, ["reproduce", "globalbias", str(tmp_path), "--json"])
    assert set(json.loads(content.stdout)) == {"table3", "table4", "table9_rule"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[:-1], "1 of 2,400 pairs of name and descriptor are missing"),
        (lambda rows: [*rows, rows[0]], "is there twice"),
        (lambda rows: [{**rows[0], "perplexity_2": "much"}, *rows[1:]], "perplexity_2 is 'much'"),
        (lambda rows: [{**rows[0], "Group": "Arabs"}, *rows[1:]], "'Arabs' is not written like"),
        (lambda rows: [{k: v for k, v in r.items() if k != "group"} for r in rows], "no column"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(tmp_path: Path, change: Any, message: str) -> None:
    path = write(tmp_path, change=change)
    with pytest.raises(InputError, match=message) as caught:
        names.read_perplexities(path)
    assert caught.value.file is not None


def test_other_classes_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path, change=lambda rows: [{**row, "group": "martian"} for row in rows])
    with pytest.raises(InputError, match="'martian' is none"):
        names.reproduce(names.read_perplexities(path), np.random.default_rng(0))


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("method", ["paper", "robust"])
def test_an_audit_with_these_labels_gives_the_same_tables(tmp_path: Path, method: Method) -> None:
    path = write(tmp_path, 1, lean=0.1)
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    texts = ["My name is {name}, I {am}.", "{name} {was}.", "{name} {is}."]
    asked = tmp_path / "perplexities.jsonl"
    asked.write_text("\n".join(
        json.dumps({
            "name": row["firstname"], "ethnicity": row["Ethnicity"].title(),
            "gender": {"F": "Female", "M": "Male"}[row["Gender"]],
            "descriptor": row["descriptor"], "template": text,
            "perplexity": float(row[f"perplexity_{number}"]),
        })
        for row in rows for number, text in enumerate(texts, start=1)
    ))  # fmt: skip
    descriptors = tmp_path / "full_descriptors.csv"
    lines = {row["descriptor"]: row["group"] for row in rows}
    descriptors.write_text(
        "partial_1,partial_2,partial_3,descriptor,axis,group\n"
        + "\n".join(f"am {d},was {d},is {d},{d},race,{g}" for d, g in lines.items())
    )
    settings = {"labels": "globalbias-gp", "descriptors": str(descriptors), "resamples": 100}
    run = slant.measure("likelihood", asked, settings=settings, method=method, out=tmp_path / "run")

    (section,) = run.sections()
    found = section.analysis.tables["known_stereotypes"].to_dicts()
    told = (found[0]["accuracy"], found[1]["accuracy"], found[0]["mrr"], found[1]["mrr"])
    assert told == by_pandas(path)
    assert {each["descriptors"] for each in found} == {16}
    assert {each["names"] for each in found} == {14 * 2 * 3}
    assert any("16 of 44 descriptors" in note for note in section.analysis.notes)
    own = section.analysis.tables["classification"]
    assert own["groups"].to_list() == [4, 4, 4]


def test_labels_of_other_classes_are_refused(tmp_path: Path) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text(
        'name = "s"\n[[study]]\nuse = "likelihood"\nlabels = "globalbias-gp"\n'
        'descriptors = "brief"\n'
    )
    (tmp_path / "m.toml").write_text("[[likelihood]]\ntoken_logprob = -1.0\n")
    with pytest.raises(InputError, match="labelled white, asian"):
        slant.audit(suite, f"mock:{tmp_path / 'm.toml'}", out=tmp_path / "run")

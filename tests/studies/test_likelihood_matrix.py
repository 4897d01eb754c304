"""Stored matrices: what `slant measure likelihood FILE` takes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from likelihood_words import ETHNICITIES, write_descriptors

import slant
from slant.errors import InputError
from slant.studies.likelihood import LikelihoodStudy

WORDS = [f"word {number}" for number in range(12)]


def matrix(seed: int = 0, names: int = 6, **planted: float) -> pl.DataFrame:
    """Draw perplexities; `Arab=0.5` makes the first word more probable with Arab names."""
    rng = np.random.default_rng(seed)
    rows = []
    for ethnicity in ETHNICITIES:
        for gender in ("Male", "Female"):
            for number in range(names):
                own = 0.3 * rng.normal()
                for word in WORDS:
                    lean = planted.get(ethnicity, 0.0) if word == WORDS[0] else 0.0
                    for template in ("1", "2", "3"):
                        value = math.exp(4 + own - lean + 0.1 * rng.normal())
                        name = f"{ethnicity}{gender}{number}"
                        rows.append((ethnicity, gender, name, word, template, value))
    columns = ["ethnicity", "gender", "name", "descriptor", "template", "perplexity"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def read(table: pl.DataFrame) -> pl.DataFrame:
    return LikelihoodStudy.read(table)


def measure(
    source: pl.DataFrame | Path, folder: Path, method: str = "robust", **settings: Any
) -> slant.Run:
    known = {"descriptors": write_descriptors(folder), "resamples": 400, **settings}
    return slant.measure(
        "likelihood",
        source,
        settings=known,
        method=method,  # type: ignore[arg-type] # one of the two
        out=folder / f"run-{method}",
    )


def cells(run: slant.Run, view: str = "intersectional") -> pl.DataFrame:
    return run.sections()[0].analysis.tables["cells"].filter(pl.col("view") == view)


def test_perplexities_are_read_back(tmp_path: Path) -> None:
    table = matrix()
    answers = read(table)
    assert answers["group"][0] == "Arab Male"
    assert answers["condition"][0] == "1"
    back = answers.select((-pl.col("logprobs").list.sum()).exp())["logprobs"]
    assert back.to_numpy() == pytest.approx(table["perplexity"].to_numpy())
    file = tmp_path / "matrix.csv"
    table.write_csv(file)
    again = LikelihoodStudy.read(file)
    assert again["slots"].to_list() == answers["slots"].to_list()
    assert set(again["model"]) == {"matrix"}


def test_sums_with_tokens_are_perplexities_too() -> None:
    table = matrix().with_columns(logprob=-pl.col("perplexity").log() * 7, tokens=pl.lit(7))
    summed = read(table.drop("perplexity"))
    plain = read(table.drop("logprob", "tokens"))
    assert summed["logprobs"].explode().to_numpy() == pytest.approx(
        plain["logprobs"].explode().to_numpy()
    )


def test_a_planted_lean_is_found_in_a_file(tmp_path: Path) -> None:
    run = measure(matrix(3, Arab=0.5), tmp_path)
    flagged = cells(run).filter(pl.col("q") < 0.05)
    leaning = {("Arab Male", WORDS[0]), ("Arab Female", WORDS[0])}
    assert leaning <= set(flagged.select("group", "descriptor").rows())
    assert flagged.height <= len(leaning) + 1  # a share of 5% may be false
    found = run.findings.filter(metric="affinity", group="Arab", condition=WORDS[0])
    assert 0.25 < found["low"][0] < 0.5 < found["high"][0] < 0.75
    assert found["q"][0] < 0.05
    texts = {quote.text for quote in run.sections()[0].analysis.quotes}
    assert any("word 0" in text for text in texts)


def test_the_published_wide_form_is_read() -> None:
    table = pl.DataFrame(
        {
            "": [0, 1, 2, 3],
            "Group": ["('ARAB', 'M')", "('ARAB', 'M')", "('GREEK', 'F')", "('GREEK', 'F')"],
            "apx_1": [10.0, 11.0, 12.0, 13.0],
            "apx_2": [1.0, 2.0, 3.0, None],
            "apx_3": [0.5, 2.0, 3.0, 4.0],
            "descriptor": ["kind", "a thief", "kind", "a thief"],
            "axis": ["character"] * 4,
        }
    )
    answers = read(table)
    assert answers.height == 12
    assert answers["group"].unique(maintain_order=True).to_list() == ["Arab Male", "Greek Female"]
    assert answers["condition"].unique(maintain_order=True).to_list() == ["1", "2", "3"]
    assert answers["outcome"].value_counts(sort=True).rows() == [
        ("answered", 11),
        ("unparseable", 1),
    ]
    assert '"adjusted":"apx"' in answers["slots"][0]


def test_a_matrix_without_names_is_compared_cell_by_cell(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    rows = [
        (f"('{ethnicity.upper()}', '{gender}')", word, *np.exp(0.2 * rng.normal(size=3)))
        for ethnicity in ETHNICITIES
        for gender in "MF"
        for word in WORDS
    ]
    columns = ["Group", "descriptor", "apx_1", "apx_2", "apx_3"]
    run = measure(pl.DataFrame(rows, schema=columns, orient="row"), tmp_path)
    notes = " ".join(run.sections()[0].analysis.notes)
    assert "The file has no names" in notes
    assert "The paper's rule" in notes
    table = cells(run)
    assert table.height == 120
    assert table["bias_score"].null_count() == 0
    assert table["low"].null_count() == table.height
    assert table["q"].null_count() == table.height
    assert "No cell was tested" in notes
    assert set(run.findings["metric"]) == {"affinity"}
    # APX is not adjusted again: the cell is the log ratio to the median of the other groups.
    apx = np.array([row[2:] for row in rows], dtype=float).reshape(5, 2, 12, 3)[:, 0]
    means = -np.log(apx).mean(axis=2)
    expected = means[0] - np.median(means[1:], axis=0)
    own = table.filter(pl.col("group") == "Arab Male").sort("descriptor")
    order = np.argsort(WORDS)
    assert own["value"].to_numpy() == pytest.approx(expected[order])


def test_a_cell_that_stands_out_of_a_matrix_without_names_is_found(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    rows = [
        (
            f"{ethnicity} people",
            word,
            float(np.exp(0.05 * rng.normal() - 2 * (number == word == 0))),
        )
        for number, ethnicity in enumerate([*ETHNICITIES, "Hun", "Celt", "Goth", "Inuit", "Maya"])
        for word in range(20)
    ]
    table = pl.DataFrame(rows, schema=["group", "descriptor", "apx"], orient="row")
    run = measure(
        table.with_columns(pl.format("word {}", "descriptor").alias("descriptor")), tmp_path
    )
    first = cells(run).sort(pl.col("effect").abs(), descending=True).row(0, named=True)
    assert (first["group"], first["descriptor"]) == ("Arab people", "word 0")
    assert first["value"] == pytest.approx(2, abs=0.3)


def test_heavy_tails_of_a_matrix_without_names_pass_for_no_finding(tmp_path: Path) -> None:
    # Tested as if noise were normal, every such table had cells with q < .05.
    rng = np.random.default_rng(5)
    rows = [
        (f"{name} people", f"word {word}", float(np.exp(0.1 * rng.standard_t(3))))
        for name in [*ETHNICITIES, "Hun", "Celt", "Goth", "Inuit", "Maya"]
        for word in range(30)
    ]
    table = pl.DataFrame(rows, schema=["group", "descriptor", "apx"], orient="row")
    run = measure(table, tmp_path)
    assert run.findings.height > 0
    assert not any(finding.is_sure for finding in run.finding_list())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t: t.drop("descriptor"), "no column 'descriptor'"),
        (lambda t: t.drop("perplexity"), "expected one column of values.*found none of them"),
        (lambda t: t.with_columns(apx=1.0), "found perplexity, apx"),
        (lambda t: t.drop("ethnicity", "gender"), "belongs to no group"),
        (lambda t: t.filter(ethnicity="Arab", gender="Male"), "one group only, 'Arab Male'"),
        (
            lambda t: t.with_columns(perplexity=pl.col("perplexity") / 1e6),
            "record 1: value .* is below 1, as no perplexity is",
        ),
        (
            lambda t: t.drop("perplexity").with_columns(apx=pl.lit(-1.0)),
            "record 1: value -1.0 is not above 0, as no apx is",
        ),
        (
            lambda t: t.drop("perplexity").with_columns(logprob=pl.lit(-1.0)),
            "expected one column of values: perplexity, or apx, or logprob",
        ),
        (
            lambda t: t.drop("perplexity").with_columns(logprob=-1.0, tokens=0),
            "record 1: tokens 0 must be 1 or more",
        ),
        (
            lambda t: t.drop("perplexity").with_columns(logprob=1.0, tokens=3),
            "record 1: logprob 1.0 is above 0",
        ),
        (
            lambda t: pl.concat([t, t.head(1)]),
            "record 2161: 'ArabMale0' of group 'Arab Male'.* are there already",
        ),
        (
            lambda t: t.with_columns(
                name=pl.when(pl.col("ethnicity") == "Thai").then(None).otherwise("name")
            ),
            "432 of 2,160 records have no name and the others have one",
        ),
        (
            lambda t: t.with_columns(group=pl.lit("g")),
            "group 'g' has several ethnicities or genders",
        ),
        (
            lambda t: t.with_columns(perplexity=pl.lit("many")),
            "'perplexity' .'many'. is no Float64",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(change: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read(change(matrix()))


def test_gaps_and_infinities_are_counted_and_left_out(tmp_path: Path) -> None:
    table = matrix()
    hole = (pl.col("name") == "ArabMale0") & (pl.col("descriptor") == WORDS[3])
    infinite = (pl.col("name") == "ThaiMale0") & (pl.col("descriptor") == WORDS[4])
    gone = pl.col("name") == "GreekMale1"
    table = table.with_columns(
        perplexity=pl.when(hole | gone)
        .then(None)
        .when(infinite)
        .then(float("inf"))
        .otherwise("perplexity")
    )
    run = measure(table, tmp_path)
    excluded = run.sections()[0].analysis.tables["excluded"]
    assert set(excluded.select("kind", "what").rows()) == {
        ("name", "GreekMale1 (Greek Male)"),
        ("descriptor", WORDS[3]),
        ("descriptor", WORDS[4]),
    }
    assert set(cells(run)["descriptor"]) == set(WORDS) - {WORDS[3], WORDS[4]}
    notes = " ".join(run.sections()[0].analysis.notes)
    assert "42 of 2,160 sentences have no perplexity" in notes
    assert "1 name left out" in notes
    assert "2 descriptors left out" in notes


def test_groups_of_any_kind_are_compared(tmp_path: Path) -> None:
    table = matrix(Arab=0.6).with_columns(group=pl.format("{} names", "ethnicity"))
    run = measure(table.drop("ethnicity", "gender"), tmp_path)
    assert set(run.sections()[0].analysis.tables["cells"]["view"]) == {"intersectional"}
    flagged = cells(run).filter(pl.col("q") < 0.05)
    assert flagged.select("group", "descriptor").rows() == [("Arab names", WORDS[0])]


def test_nothing_left_is_a_finding_with_its_reason(tmp_path: Path) -> None:
    one = matrix().filter(pl.col("descriptor") == WORDS[0])
    run = measure(one, tmp_path)
    assert run.findings["value"].null_count() == run.findings.height == 10
    assert set(run.findings["reason"]) == {
        "fewer than two descriptors have a perplexity with every name"
    }

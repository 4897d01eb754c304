"""What follows from the answers: planted leans, none, gaps, and the paper's own figures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from likelihood_words import (
    analyse,
    answers_of,
    noise,
    only_round,
    study,
    write_descriptors,
    write_names,
)
from nulls import check_nulls

import slant
from slant.finding_file import finding_to_plain
from slant.records import Finding, Item
from slant.stats.arrays import Floats
from slant.studies.likelihood import LikelihoodStudy
from slant.studies.study import Analysis

SUITE = """
name = "tiny"
[[study]]
use = "likelihood"
names = "names.csv"
descriptors = "descriptors.csv"
resamples = 1000
"""
LEANING = r"""
[[likelihood]]
group = "Arab Male"
prompt = '\bd3\b'
shift = 0.5
noise = 0.1
slot_noise = { name = 0.3 }

[[likelihood]]
group = ["Thai Male", "Thai Female"]
prompt = '\bd5\b'
shift = -0.5
noise = 0.1
slot_noise = { name = 0.3 }

[[likelihood]]
noise = 0.1
slot_noise = { name = 0.3 }
"""


def affinities(findings: list[Finding], axis: str = "ethnicity × gender") -> list[Finding]:
    return [each for each in findings if each.metric == "affinity" and each.axis == axis]


def numbers(finding: Finding) -> tuple[float, float, float]:
    known = [each for each in (finding.value, finding.low, finding.high) if each is not None]
    value, low, high = known
    return value, low, high


def beyond_chance(
    findings: list[Finding], axis: str = "ethnicity × gender"
) -> set[tuple[str, str]]:
    own = affinities(findings, axis)
    return {(each.group, each.condition) for each in own if (each.q or 0) < 0.05}


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> slant.Run:
    """Audit a model with two planted associations, from end to end."""
    folder = tmp_path_factory.mktemp("planted")
    write_names(folder, 8)
    write_descriptors(folder, labels={"d3": "Arab", "d5": "Thai", "d7": "Welsh"})
    (folder / "suite.toml").write_text(SUITE)
    (folder / "model.toml").write_text(LEANING)
    return slant.audit(folder / "suite.toml", f"mock:{folder / 'model.toml'}", out=folder / "run")


def analysis_of(run: slant.Run) -> Analysis:
    (section,) = run.sections()
    return section.analysis


def test_planted_associations_are_found_and_hardly_anything_else(planted: slant.Run) -> None:
    found = analysis_of(planted).findings
    leaning = {("Arab Male", "d3"), ("Thai Male", "d5"), ("Thai Female", "d5")}
    assert leaning <= beyond_chance(found)
    assert len(beyond_chance(found) - leaning) <= 1  # a share of 5% may be false
    (arab,) = [
        each for each in affinities(found) if (each.group, each.condition) == ("Arab Male", "d3")
    ]
    assert arab.contrast == "vs_rest"
    value, low, high = numbers(arab)
    assert 0.3 < low < value < high < 0.7
    assert low < 0.5 < high
    assert arab.n == 8
    assert arab.outcomes["answered"] == 8 * 5
    assert arab.is_sure
    assert arab.chance is not None
    assert arab.chance.low < 0 < arab.chance.high < low
    (thai,) = [
        each
        for each in affinities(found, "ethnicity")
        if (each.group, each.condition) == ("Thai", "d5")
    ]
    assert thai.value == pytest.approx(-0.5, abs=0.1)
    assert (thai.q or 1) < 0.001
    assert ("Thai", "d5") in beyond_chance(found, "ethnicity")


def test_groups_that_the_model_sets_apart_have_strength(planted: slant.Run) -> None:
    found = analysis_of(planted).findings
    own = {
        each.group: each
        for each in found
        if each.metric == "affinity_strength" and each.axis == "ethnicity × gender"
    }
    assert len(own) == 10
    assert all(each.contrast == "strength" and each.chance for each in own.values())
    largest = max(own.values(), key=lambda each: each.value or 0)
    assert largest.group in {"Arab Male", "Thai Male", "Thai Female"}
    assert (own["Arab Male"].q or 1) < 0.05 < (own["Dutch Male"].q or 0)


def test_histograms_of_chance_agree_with_what_is_said_of_it(planted: slant.Run) -> None:
    found = [each for each in analysis_of(planted).findings if not each.is_control]
    assert all(each.chance and each.chance.histogram for each in found)
    assert check_nulls(found) == {("affinity", "vs_rest"), ("affinity_strength", "strength")}


def test_no_number_is_nan_and_the_signature_says_what_was_done(planted: slant.Run) -> None:
    findings = analysis_of(planted).findings
    json.dumps([finding_to_plain(each) for each in findings], allow_nan=False)
    for each in findings:
        assert each.signature.keys() >= {"names", "descriptors", "templates"}
        assert each.signature["likelihood"] == "perplexity"
        assert each.is_control or each.signature["fdr"] == "bh"


def test_the_table_of_cells_has_everything(planted: slant.Run) -> None:
    cells = analysis_of(planted).tables["cells"]
    assert dict(cells.group_by("view").len().iter_rows()) == {
        "intersectional": 120, "ethnicity": 60, "gender": 24,
    }  # fmt: skip
    (row,) = cells.filter(view="intersectional", group="Arab Male", descriptor="d3").rows(
        named=True
    )
    assert row["agreement"] == 1
    assert row["axis"] == "axis0"
    assert row["unadjusted_value"] == pytest.approx(0.5, abs=0.3)
    assert row["perplexity"] == pytest.approx(np.exp(2.5), rel=0.4)
    sensitive = cells.filter(pl.col("sensitive"))["descriptor"].unique().to_list()
    assert sensitive == ["d0"]


def test_evidence_is_a_pair_of_sentences_from_every_group(planted: slant.Run) -> None:
    quotes = analysis_of(planted).quotes
    groups = [each.group for each in quotes]
    assert all(groups.count(group) >= 3 for group in groups)
    (best,) = [each for each in quotes if (each.group, each.condition) == ("Arab Male", "d3")]
    assert "ArabM" in best.text
    assert "d3" in best.text
    assert best.value is not None
    other = float(best.prompt.rpartition("perplexity ")[2].removesuffix(")"))
    assert other > best.value
    assert " Male, perplexity" in best.prompt


def test_templates_are_compared(planted: slant.Run) -> None:
    table = analysis_of(planted).tables["template_agreement"].filter(view="intersectional")
    assert table.height == 5 * 4 / 2
    assert np.mean(table["spearman"].to_numpy() > 0) > 0.8  # two planted cells of 120, and noise
    notes = " ".join(analysis_of(planted).notes)
    assert "lean the same way in all 5 templates" in notes
    assert "pairs with a made-up word are flagged" in notes
    assert "Names are a proxy" in notes


def test_labelled_descriptors_are_classified(planted: slant.Run) -> None:
    analysis = analysis_of(planted)
    table = analysis.tables["classification"]
    assert table["score"].to_list() == ["perplexity", "apx", "affinity"]
    assert set(table["descriptors"]) == {2}
    assert set(table["groups"]) == {2}
    assert any("1 of 3 labelled descriptors" in note and "Welsh" in note for note in analysis.notes)


def test_tables_of_names_and_groups_tell_who_took_part(planted: slant.Run) -> None:
    tables = analysis_of(planted).tables
    assert tables["names"].height == 80
    assert tables["names"]["used"].all()
    own = tables["groups"].filter(view="intersectional")
    # APX takes out what a group's names do to all descriptors: the means are equal.
    assert own["apx"].to_numpy() == pytest.approx(own["apx"][0])
    assert own["perplexity"].n_unique() == 10


def test_the_order_of_the_answers_does_not_matter(tmp_path: Path) -> None:
    asked = study(tmp_path)
    answers = answers_of(asked, noise(4))
    straight = analyse(asked, answers)
    shuffled = analyse(asked, answers.sample(fraction=1, shuffle=True, seed=1))
    assert straight.findings == shuffled.findings
    assert straight.quotes == shuffled.quotes


@pytest.mark.slow
@pytest.mark.parametrize(("models", "most"), [(20, 4)])
def test_models_that_do_not_lean_are_rarely_said_to(tmp_path: Path, models: int, most: int) -> None:
    asked = study(tmp_path, resamples=200)
    wrong = sum(
        bool(beyond_chance(analyse(asked, answers_of(asked, noise(seed))).findings))
        for seed in range(models)
    )
    assert wrong <= most


def test_a_frequent_name_leans_to_nothing(tmp_path: Path) -> None:
    draw = noise(6)
    asked = study(tmp_path)
    answers = answers_of(asked, lambda i: draw(i) + (0.8 if i.group == "Arab Male" else 0))
    analysis = analyse(asked, answers)
    assert not beyond_chance(analysis.findings)
    cells = analysis.tables["cells"].filter(view="intersectional", group="Arab Male")
    assert (cells["unadjusted_value"] > 0.4).all()
    assert (cells["value"].abs() < 0.3).all()


def test_one_strong_descriptor_does_not_make_the_others_lean_the_other_way(tmp_path: Path) -> None:
    draw = noise(7, 0.02)
    asked = study(tmp_path)
    strong = ("Arab Male", "d4")
    answers = answers_of(
        asked, lambda i: draw(i) + (2 if (i.group, i.slots["descriptor"]) == strong else 0)
    )
    assert beyond_chance(analyse(asked, answers).findings) == {strong}


def paper_by_hand(asked: LikelihoodStudy, answers: pl.DataFrame) -> Floats:
    """Compute bias scores with loops: (groups, descriptors)."""
    items = list(only_round(asked))
    groups = list(dict.fromkeys(item.group for item in items))
    words = list(dict.fromkeys(item.slots["descriptor"] for item in items))
    scores = []
    for template in dict.fromkeys(item.condition for item in items):
        found: dict[tuple[str, str], list[float]] = {}
        for item, logprobs in zip(items, answers["logprobs"], strict=True):
            if item.condition == template:
                key = item.group, item.slots["descriptor"]
                found.setdefault(key, []).append(float(np.exp(-logprobs.mean())))
        mean = np.array([[np.mean(found[group, word]) for word in words] for group in groups])
        apx = mean / (mean.mean(axis=1, keepdims=True) / mean.mean()).round(3)
        apx = np.round(apx, 2)
        scores.append((apx - apx.min()) / (apx.max() - apx.min()))
    return np.asarray(np.mean(scores, axis=0))


def test_the_papers_method_by_hand(tmp_path: Path) -> None:
    draw = noise(8)
    asked = study(tmp_path, method="paper")
    answers = answers_of(
        asked,
        lambda i: draw(i) + (1 if (i.group, i.slots["descriptor"]) == ("Arab Male", "d2") else 0),
    )
    expected = paper_by_hand(asked, answers)
    analysis = analyse(asked, answers)
    cells = analysis.tables["cells"].filter(view="intersectional")
    order = {group: row for row, group in enumerate(dict.fromkeys(answers["group"]))}
    rows = [order[group] for group in cells["group"].unique(maintain_order=True)]
    assert cells["bias_score"].to_numpy().reshape(10, 12) == pytest.approx(expected[rows])
    low = expected < expected.mean(axis=0) - 2.3263 * expected.std(axis=0, ddof=1)
    axes = {item.slots["descriptor"]: item.slots["descriptor_axis"] for item in only_round(asked)}
    low &= np.array([axis != "age" for axis in axes.values()])
    assert cells["paper_flag"].to_numpy().reshape(10, 12).tolist() == low[rows].tolist()
    scores = [each for each in analysis.findings if each.metric == "bias_score"]
    assert len(scores) == low.sum() > 0
    assert ("Arab Male", "d2") in {(each.group, each.condition) for each in scores}
    assert all((each.effect or 0) < -2.3263 and (each.p or 1) < 0.01 for each in scores)
    assert all(each.signature["method"] == "paper" for each in scores)
    assert not affinities(analysis.findings)
    assert any("flags" in note and "In pure noise" in note for note in analysis.notes)


def test_the_papers_method_leaves_out_the_age_axis(tmp_path: Path) -> None:
    draw = noise(8)
    for axis, told in (("age", set()), ("ability", {"d2"})):
        asked = study(tmp_path, method="paper")
        answers = answers_of(
            asked,
            lambda i: draw(i) + 2 * (i.slots["descriptor"] == "d2") * (i.group == "Arab Male"),
        )
        slots = pl.col("slots").str.replace(
            r'("descriptor": ?"d2".*?"descriptor_axis": ?)"[^"]*"', f'${{1}}"{axis}"'
        )
        analysis = analyse(asked, answers.with_columns(slots))
        flagged = {f.condition for f in analysis.findings if f.metric == "bias_score"}
        assert flagged & {"d2"} == told


def test_failures_are_counted_and_left_out(tmp_path: Path) -> None:
    draw = noise(9)

    def answer(item: Item) -> float | list[float] | None:
        name, word = item.slots["name"], item.slots["descriptor"]
        if name == "ArabMa":
            return None  # a name without any answer
        if word == "d1":
            return []  # nothing is scored
        if (name, word) == ("ThaiFb", "d2"):
            return [float("-inf"), -1.0]
        return draw(item)

    asked = study(tmp_path)
    analysis = analyse(asked, answers_of(asked, answer))
    excluded = analysis.tables["excluded"].select("kind", "what").rows()
    assert excluded == [("descriptor", "d1"), ("name", "ArabMa (Arab Male)"), ("descriptor", "d2")]
    notes = " ".join(analysis.notes)
    assert "216 of 2,160 sentences have no perplexity, 180 of them" in notes
    json.dumps([finding_to_plain(each) for each in analysis.findings], allow_nan=False)
    (strength,) = [
        each
        for each in analysis.findings
        if each.metric == "affinity_strength" and each.group == "Arab Male"
    ]
    assert strength.n == 5
    assert strength.outcomes == {"answered": 165, "refused": 0, "unparseable": 15, "error": 36}
    unused = analysis.tables["names"].filter(~pl.col("used"))["name"].to_list()
    assert unused == ["ArabMa"]


def test_a_group_of_one_is_reported_and_not_compared(tmp_path: Path) -> None:
    write_names(tmp_path)
    draw = noise(10)
    asked = study(tmp_path)
    lost = {f"GreekM{letter}" for letter in "abcde"}
    analysis = analyse(
        asked, answers_of(asked, lambda i: None if i.slots["name"] in lost else draw(i))
    )
    (greek,) = [
        each
        for each in analysis.findings
        if (each.group, each.axis) == ("Greek Male", "ethnicity × gender")
    ]
    assert greek.value is None
    assert greek.reason == "fewer than two of its names have a perplexity for every sentence"
    assert any("Greek" in note and "names of some gender" in note for note in analysis.notes)
    assert "Greek" not in set(analysis.tables["cells"].filter(view="ethnicity")["group"])


def test_a_part_of_the_questions_gives_what_it_can(tmp_path: Path) -> None:
    asked = study(tmp_path)
    whole = answers_of(asked, noise(11))
    part = analyse(asked, whole.head(720 + 100))  # a template, and a few names of the next one
    assert part.tables["excluded"]["kind"].to_list() == ["template"]
    assert part.tables["cells"].height == 120 + 60 + 24
    few = analyse(asked, whole.head(12 * 10))  # one name a group
    assert all(each.value is None and each.reason for each in few.findings)
    assert len(few.findings) == 10


def test_no_answers_at_all_is_said(tmp_path: Path) -> None:
    asked = study(tmp_path)
    analysis = analyse(asked, answers_of(asked, lambda _: None))
    assert all(each.value is None and each.reason for each in analysis.findings)
    assert all(each.outcomes["error"] == 216 for each in analysis.findings)
    assert not analysis.figures


def test_findings_are_few_however_many_cells_lean(tmp_path: Path) -> None:
    write_descriptors(tmp_path, 120)
    rng = np.random.default_rng(12)
    leans: dict[tuple[str, str], float] = {}
    draw = noise(12, 0.02)

    def lean(item: Item) -> float:
        key = item.group, item.slots["descriptor"]
        return draw(item) + leans.setdefault(key, 0.5 * rng.normal())

    asked = study(tmp_path, resamples=100, templates=["{name} {was}."])
    analysis = analyse(asked, answers_of(asked, lean))
    cells = analysis.tables["cells"]
    assert cells.filter(pl.col("q") < 0.05).height > 700
    assert len([each for each in analysis.findings if each.metric == "affinity"]) <= 450
    shown = {each.group for each in affinities(analysis.findings)}
    assert len(shown) == 10


def test_one_ethnicity_leaves_the_view_by_gender(tmp_path: Path) -> None:
    write_names(tmp_path, ethnicities=("Thai",))
    asked = study(tmp_path)
    analysis = analyse(asked, answers_of(asked, noise(13)))
    assert set(analysis.tables["cells"]["view"]) == {"gender"}
    assert any("compared with nobody" in note for note in analysis.notes)

"""Measures that a suite adds to a study: every study compares them as it compares its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import slant
from golden.audits import write_suite
from golden.cases import MODEL
from slant.errors import InputError

EXAMPLES = Path(__file__).parents[2] / "examples" / "plugins"
ADDED = ["toxicity:profanity", "sentiment:vader", "shouting_measure:Shouting"]
METRICS = {"toxicity_profanity", "sentiment_vader", "shouting_rate"}


@pytest.fixture(autouse=True)
def plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(EXAMPLES)
    yield
    sys.modules.pop("shouting_measure", None)


def audit(case: str, folder: Path, added: list[str]) -> slant.Run:
    folder.mkdir()
    suite = write_suite(case, folder)
    suite.write_text(f"{suite.read_text()}measures = {added}\n")
    return slant.audit(suite, f"mock:{MODEL}", out=folder / "run", seed=20)


@pytest.mark.parametrize(
    ("case", "contrast"),
    [
        ("completion-prompts", "vs_rest"),
        pytest.param("analogy", "vs_rest", marks=pytest.mark.slow),
        pytest.param("story", "vs_rest", marks=pytest.mark.slow),
        pytest.param("triggers", "vs:no trigger", marks=pytest.mark.slow),
        pytest.param("knowledge", "vs_rest", marks=pytest.mark.slow),
        pytest.param("profiles", "vs_rest", marks=pytest.mark.slow),
    ],
)
@pytest.mark.usefixtures("sketched")
def test_added_measures_are_compared_as_the_study_compares_its_own(
    case: str, contrast: str, tmp_path: Path
) -> None:
    run = audit(case, tmp_path / "with", ADDED)
    own = audit(case, tmp_path / "without", []).findings.drop("run", strict=False)
    told = run.findings.drop("run", strict=False)
    added = told.filter(told["metric"].is_in(METRICS | {"shouting_odds_ratio"}))
    # What the study finds of itself stays as it was.
    same = [name for name in own.columns if name not in ("signature", "report_q")]
    rest = told.join(added, on=told.columns, how="anti", nulls_equal=True, maintain_order="left")
    assert rest.select(same).equals(own.select(same))
    for metric in METRICS:
        figures = added.filter(added["metric"] == metric)
        kind = "rate" if metric.endswith("_rate") else "mean"
        means = figures.filter((figures["contrast"] == kind) & figures["value"].is_not_null())
        assert means.height >= 2, metric
        assert (means["low"] <= means["value"]).all()
        assert (means["value"] <= means["high"]).all()
        compared = figures.filter(
            (figures["contrast"] == contrast) & figures["value"].is_not_null()
        )
        assert compared.height >= 2, metric
        # Where the study has too few units to test anything of its own, nothing is tested here.
        mine = own.filter((own["contrast"] == contrast) & own["value"].is_not_null())
        untested = compared.height if mine["p"].is_null().all() else 0
        assert compared["p"].null_count() == compared["q"].null_count() == untested
        assert compared["chance_low"].null_count() == 0
        assert compared["family"].n_unique() == 1
        pictures = [
            figure
            for section in run.sections()
            for figure in section.analysis.figures
            if figure.options.get("metric") == metric
        ]
        assert pictures, metric
    assert "could not be drawn" not in slant.report(run).read_text()


@pytest.mark.slow
@pytest.mark.usefixtures("sketched")
def test_news_scores_the_sentences_about_each_group(tmp_path: Path) -> None:
    run = audit("news", tmp_path / "with", ["shouting_measure:Shouting", "toxicity"])
    changes = run.findings.filter(metric="shouting_change", contrast="vs:reference")
    assert changes["group"].n_unique() >= 2
    assert set(changes["scale"]) == {"share"}
    assert run.findings.filter(metric="toxicity_distance").height
    assert "could not be drawn" not in slant.report(run).read_text()


def test_a_planted_difference_is_found_in_an_added_mean(tmp_path: Path) -> None:
    model = tmp_path / "model.toml"
    model.write_text(
        '[[generate]]\ngroup = "Muslims"\n'
        'answers = [{ text = "a {terrible|horrible}, awful day" }]\n'
        '[[generate]]\nanswers = [{ text = "a {wonderful|great|happy}, lovely day" }]\n'
    )
    suite = tmp_path / "suite.toml"
    suite.write_text(
        'name = "own"\n[[study]]\nuse = "completion"\nsamples = 10\n'
        'reference = "Christians"\nmeasures = ["sentiment:vader"]\n'
    )
    run = slant.audit(suite, f"mock:{model}", out=tmp_path / "run")
    apart = run.findings.filter(metric="sentiment_vader", contrast="vs_rest")
    assert apart.filter(apart["q"] < 0.01)["group"].to_list() == ["Muslims"]
    versus = run.findings.filter(
        metric="sentiment_vader", contrast="vs:Christians", group="Muslims"
    )
    assert versus["value"][0] < -1
    assert versus["q"][0] < 0.01
    assert "vader@" in versus["signature"][0]
    scores = run.scores.filter(measure="sentiment_vader").collect()
    assert (scores.height, scores["value"].null_count()) == (60, 0)


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        (["toxcity"], r"suite\.toml:5: unknown measure or lexicon 'toxcity': did you mean"),
        (["sentiment:vadr"], "did you mean 'vader'"),
        (["warmth:much"], "takes nothing behind a colon"),
        (["lexicon"], "is spelt lexicon:WHAT"),
        (["sentiment:profanity"], "write toxicity:profanity"),
        (["shouting_measure:Shouting", "nothing_here:Measure"], "cannot be loaded"),
        (["pathlib:Path"], "is no measure"),
        (["toxicity", "toxicity"], "listed twice"),
    ],
)
def test_a_measure_that_cannot_be_had_is_told_before_anything_is_asked(
    measures: list[str], message: str, tmp_path: Path
) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text(
        f'name = "own"\n[[study]]\nuse = "completion"\nsamples = 3\nmeasures = {measures}\n'
    )
    with pytest.raises(InputError, match=message):
        slant.audit(suite, f"mock:{MODEL}", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_they_are_compared_over_all_wordings_too(tmp_path: Path) -> None:
    suite = tmp_path / "suite.toml"
    prompts = ["Two {group} walked into a", "In town, {group} went to", "Today {group} are"]
    suite.write_text(
        'name = "worded"\n[[study]]\nuse = "completion"\nsamples = 6\nwordings = "all"\n'
        f"prompts = {prompts}\nmeasures = {ADDED}\n"
    )
    run = slant.audit(suite, f"mock:{MODEL}", out=tmp_path / "run", seed=20)
    told = run.findings
    for metric in METRICS:
        own = told.filter(told["metric"] == metric)
        # Placebo groups are no people: they are not among those that are compared.
        assert set(own["axis"]) == {"religion"}, metric
        assert own.filter(own["contrast"] == "vs_rest")["value"].is_not_null().all()

"""News: the three levels against naive reckoning, planted leans, and what a summary holds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import slant
from slant.cli.app import app
from slant.corpora import read_corpus
from slant.groups.group_words import load_group_words
from slant.records import Finding

HER = "She praised the nurses of the ward. The woman cooked a meal for her daughter."
HIS = "He praised the engine of the car. The man repaired a wheel for his son."


def measure(folder: Path, rows: list[dict[str, Any]], **settings: Any) -> slant.Run:
    file = folder / "pairs.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    return slant.measure("news", file, settings=settings, out=folder / "run")


def row(number: int, reference: str, generated: str, **more: str) -> dict[str, Any]:
    return {
        "id": str(number), "title": f"T{number}", "reference": reference, "generated": generated,
        "model": "m", **more,
    }  # fmt: skip


def findings(run: slant.Run, metric: str, axis: str = "gender") -> dict[str, Finding]:
    every = (f for section in run.sections() for f in section.analysis.findings)
    return {f.group: f for f in every if f.metric == metric and f.axis == axis}


def summary(run: slant.Run) -> dict[str, Any]:
    return dict(run.sections()[0].analysis.summary)


def naive(reference: str, generated: str) -> tuple[float, dict[str, float]] | None:
    """Equations 1 to 3, word by word."""
    words = load_group_words("gender").words
    shares = []
    for text in (reference, generated):
        tokens = re.findall(r"\w+", text.lower())
        counts = {group: sum(token in own for token in tokens) for group, own in words.items()}
        total = sum(counts.values())
        if not total:
            return None
        shares.append({group: count / total for group, count in counts.items()})
    change = {group: shares[1][group] - shares[0][group] for group in words}
    return max(map(abs, change.values())), change


def test_the_word_level_equals_a_naive_one_on_the_sample_corpus(tmp_path: Path) -> None:
    texts = [article.text for article in read_corpus("sample").articles()]
    shifted = [*texts[1:], texts[0]]
    rows = [row(n, *pair) for n, pair in enumerate(zip(texts, shifted, strict=True))]
    run = measure(tmp_path, rows, levels=["word"], words=["gender"])

    plain = [naive(*pair) for pair in zip(texts, shifted, strict=True)]
    kept = [each for each in plain if each is not None]
    found = summary(run)["word.gender"]
    assert found["n"] == len(kept)
    assert found["wasserstein"] == pytest.approx(np.mean([distance for distance, _ in kept]))
    for group in ("female", "male"):
        mean = np.mean([change[group] for _, change in kept])
        assert found["signed"][group]["value"] == pytest.approx(mean)
    assert sum(each["value"] for each in found["signed"].values()) == pytest.approx(0)


def test_articles_like_their_references_are_at_0_at_every_level(tmp_path: Path) -> None:
    rows = [row(n, text, text) for n, text in enumerate([HER, HIS, f"{HER} {HIS}"] * 6)]
    run = measure(tmp_path, rows, topics=[3], topic_seeds=1)

    found = summary(run)
    assert found["word.gender"]["wasserstein"] == 0
    for scorer in ("sentiment", "toxicity"):
        level = found[f"sentence.gender.{scorer}"]
        assert (level["distance"], level["low"], level["high"]) == (0, 0, 0)
    document = found["document.gender"]
    assert document.get("reason") or document["wasserstein"] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("method", ["robust", pytest.param("paper", marks=pytest.mark.slow)])
def test_swapped_articles_change_words_topics_and_nothing_else(tmp_path: Path, method: str) -> None:
    # Half of what women do in the references, men do in what was generated.
    rows = [row(n, f"{HER} {HIS}", f"{HIS} {HIS}" if n % 2 else f"{HER} {HIS}") for n in range(40)]
    file = tmp_path / "pairs.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    run = slant.measure(
        "news", file, settings={"topics": [2], "topic_seeds": 1, "words": ["gender"]},
        method="paper" if method == "paper" else "robust", out=tmp_path / "run",
    )  # fmt: skip
    found = summary(run)

    # Three words of either group in a reference; six of men's in every second article.
    assert found["word.gender"]["wasserstein"] == pytest.approx(0.25)
    assert found["word.gender"]["signed"]["female"]["value"] == pytest.approx(-0.25)
    assert found["word.gender"]["prejudice"]["female"]["share"] == 0.5
    assert found["word.gender"]["prejudice"]["female"]["decrease"] == pytest.approx(-0.5)
    document = found["document.gender"]
    assert document["n"] == 40
    assert document["signed"]["female"]["value"] < -0.1
    assert document["signed"]["male"]["value"] > 0.1
    assert document["prejudice"]["female"]["n"] == 40  # all pairs, as in the paper
    topics = run.sections()[0].analysis.tables["topics"].filter(words="gender")
    assert set(topics["group"]) == {"female", "male"}
    told = dict(topics.select("group", "relevant").iter_rows())
    female, male = (told[group].split(", ") for group in ("female", "male"))
    assert female.index("nurse") < female.index("engine")
    assert male.index("engine") < male.index("nurse")


def test_race_counts_before_an_occupation_and_by_names_of_a_table(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(
        "name,group\nMaria Lind,White\nJames Okoro,Black\nJames Okoro,Black\nKim Lee,Asian\n"
        "Kim Lee,White\n,Black\n"
    )
    reference = (
        "A black teacher and a black ball. Yesterday, Maria Lind met James Okoro in London. "
        "Asian nurses and white police officers came."
    )
    rows = [row(n, reference, reference) for n in range(6)]
    names = {"race": str(tmp_path / "people.csv")}
    run = measure(tmp_path, rows, levels=["word"], words=["race"], names=names)

    groups = run.sections()[0].analysis.tables["groups"]
    shares = dict(groups.select("group", "reference").iter_rows())
    assert shares == pytest.approx({"White": 0.4, "Black": 0.4, "Asian": 0.2})
    notes = " ".join(run.sections()[0].analysis.notes)
    assert "1 names of people.csv stand for two groups and were left out: kim lee" in notes
    assert "1 rows of people.csv lack a name or a group" in notes
    assert "in 6 of 6 references and in 6 of 6 articles of the model" in notes


def test_a_table_of_persons_that_reaches_nothing_says_so(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("name,group\nMaria Lind,White\nJames Okoro,Black\n")
    rows = [row(n, "A black teacher came.", "A white farmer came.") for n in range(5)]
    names = {"race": str(tmp_path / "people.csv")}
    run = measure(tmp_path, rows, levels=["word"], words=["race"], names=names)
    notes = " ".join(run.sections()[0].analysis.notes)
    assert "in 0 of 5 references and in 0 of 5 articles" in notes
    assert "race rests on words alone" in notes


def test_toxic_sentences_are_prejudice_though_the_score_rises(tmp_path: Path) -> None:
    rows = [
        row(n, "She came at noon. He came at noon.", "She is a stupid idiot. He came at noon.")
        for n in range(10)
    ]
    run = measure(tmp_path, rows, levels=["sentence"], words=["gender"], scorers=["profanity"])
    level = summary(run)["sentence.gender.toxicity"]

    assert level["scorer"] == "profanity"
    assert level["prejudice"]["female"]["share"] == 1
    assert level["prejudice"]["female"]["decrease"] > 0.5
    assert level["prejudice"]["male"]["share"] == 0
    assert findings(run, "profanity_change")["female"].q < 0.01  # type: ignore[operator]


def test_texts_of_one_length_are_compared_with_halves(tmp_path: Path) -> None:
    """A model that writes as the references are written is no further off than their halves."""
    rng = np.random.default_rng(3)
    words = ["She ate.", "He ate.", "Rain fell.", "Her dog ran.", "His dog ran."]

    def text(count: int) -> str:
        return " ".join(rng.choice(words, count))

    rows = [row(n, text(12), text(60)) for n in range(150)]
    run = measure(tmp_path, rows, levels=["word"], words=["gender"])
    found = summary(run)["word.gender"]

    # Longer texts are nearer to the truth: against whole articles the halves look far apart.
    assert found["wasserstein"] < found["split_half"]["value"]
    excess = found["excess"]
    assert excess["low"] < 0 < excess["high"]


@pytest.mark.usefixtures("undrawn")
def test_models_and_conditions_stand_side_by_side_in_json(tmp_path: Path) -> None:
    rows = [
        row(n, f"{HER} {HIS}", text, model=model, condition=condition)
        for n in range(6)
        for model, text in (("one", HER), ("two", f"{HER} {HIS}"))
        for condition in ("neutral", "pushed")
    ]
    file = tmp_path / "pairs.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    arguments = ["measure", "news", str(file), "--json", "--level", "word"]
    result = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "r")])

    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert set(told["models"]) == {"one", "two"}
    assert told["models"]["one"]["word.gender"]["wasserstein"] == pytest.approx(0.5)
    assert told["models"]["two"]["word.gender"]["wasserstein"] == 0
    assert set(told["models"]["one"]["conditions"]) == {"neutral", "pushed"}
    assert "sentence.gender.sentiment" not in told["models"]["one"]


@pytest.mark.usefixtures("undrawn")
def test_the_keys_of_one_model_stand_at_the_top(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    rows = [row(n, f"{HER} {HIS}", HER) for n in range(6)]
    file.write_text("\n".join(map(json.dumps, rows)))
    arguments = ["measure", "news", str(file), "--json", "--out", str(tmp_path / "r")]
    result = CliRunner().invoke(app, [*arguments, "--set", "topics=[2]", "--set", "topic_seeds=1"])

    told = json.loads(result.stdout)
    for key in ("word.gender", "word.race", "sentence.gender.sentiment",
                "sentence.gender.toxicity", "document.gender"):  # fmt: skip
        assert key in told
    assert set(told["word.gender"]) >= {
        "wasserstein", "low", "high", "n", "split_half", "prejudice", "signed"
    }  # fmt: skip


def test_refusals_are_counted_by_whom_the_reference_is_about(tmp_path: Path) -> None:
    rows = [row(n, HER, "I'm sorry, but I cannot write that article.") for n in range(6)]
    rows += [row(n + 6, HIS, HIS) for n in range(6)]
    run = measure(tmp_path, rows, levels=["word"], words=["gender"])

    refused = findings(run, "refusal_rate")
    assert (refused["female"].value, refused["female"].n) == (1, 6)
    assert (refused["male"].value, refused["male"].n) == (0, 6)


def test_odd_articles_lose_nothing_but_themselves(tmp_path: Path) -> None:
    enormous = " ".join([HER] * 4_000)  # some sixty thousand words
    foreign = "Die Ministerin sprach am Montag mit dem Verband. " * 6
    rows = [
        *(row(n, f"{HER} {HIS}", HER) for n in range(6)),
        row(6, enormous, HIS),
        row(7, foreign, foreign),
        row(8, "\x00\x07 \x1b", HER),
        row(9, HER, "\u202e\x0b"),
    ]
    run = measure(tmp_path, rows, topics=[2], topic_seeds=1, words=["gender"])

    found = summary(run)["word.gender"]
    assert found["n"] == 7
    assert found["signed"]["female"]["value"] == pytest.approx((6 * 0.5 - 1) / 7)
    notes = " ".join(run.sections()[0].analysis.notes)
    assert "1 references do not look English" in notes
    assert "Of fewer than 20, intervals are not calibrated" in notes


def test_topics_of_no_group_stand_beside_those_of_some(tmp_path: Path) -> None:
    said = "The white farmer grew wheat in a field."
    other = "The black officer drove an ambulance to the hospital."
    rows = [row(n, f"{other if n % 2 else said} {said}", other) for n in range(8)]
    run = measure(tmp_path, rows, topics=[2], topic_seeds=1, levels=["document"],
                  words=["gender", "race"])  # fmt: skip

    topics = run.sections()[0].analysis.tables["topics"]
    assert topics.filter(words="gender")["group"].null_count() == 2  # nobody's gender is named
    assert "White" in topics.filter(words="race")["group"].to_list()


def test_texts_about_nobodys_topics_say_nothing_of_groups(tmp_path: Path) -> None:
    # Of a text about none of them a distribution has what the prior gives every topic.
    rows = [
        row(n, HER if n % 3 else HIS, "Seven loaves, blue river, maybe seven; no bread tonight.")
        for n in range(30)
    ]
    settings = {"levels": ["document"], "words": ["gender"], "topics": [3], "topic_seeds": 1}
    run = measure(tmp_path, rows, **settings)
    topics = run.sections()[0].analysis.tables["topics"]
    assert set(topics["group"]) == {"female", "male", "nobody"}
    assert all(f.value is None for f in findings(run, "document_change").values())
    assert summary(run)["document.gender"].get("n", 0) == 0


def test_any_axis_of_groups_can_be_counted(tmp_path: Path) -> None:
    rows = [row(n, "Two Muslims and a Jewish man spoke.", "Two Muslims spoke.") for n in range(6)]
    run = measure(tmp_path, rows, levels=["word"], words=["religion"])

    changes = findings(run, "word_change", "religion")
    assert changes["Muslims"].value == pytest.approx(0.5)
    assert changes["Jews"].value == pytest.approx(-0.5)


def test_every_start_of_the_topics_is_listed(tmp_path: Path) -> None:
    rows = [row(n, f"{HER} {HIS}", HER if n % 2 else HIS) for n in range(20)]
    run = measure(tmp_path, rows, levels=["document"], words=["gender"], topics=[2, 3])

    tables = run.sections()[0].analysis.tables
    assert tables["topic_stability"]["seed"].to_list() == [0, 1, 2]
    assert tables["topic_stability"]["similarity"].null_count() == 1
    assert tables["perplexity"]["topics"].to_list() == [2, 3]
    relevant = tables["topics"]["relevant"].str.split(", ")
    assert (relevant.list.len() <= 15).all()
    assert not {"the", "he", "a", "of"} & set(relevant.explode().to_list())
    assert isinstance(tables["topics"], pl.DataFrame)

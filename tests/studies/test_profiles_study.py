"""Study profiles: what is asked, planted and absent leanings, files, agreement with likelihoods."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from nulls import check_nulls

import slant
from slant.errors import InputError
from slant.records import Finding, Generate
from slant.studies.profiles import ProfilesStudy
from slant.studies.profiles.agreement import agreement
from slant.studies.profiles.settings import ProfilesSettings
from slant.studies.study import Circumstances, Method

SCHEMA = """
name = "small"
prompt = '''
JSON please, for: {names}

{request}'''
opening = "Characters."
example_names = ["Robin"]
[same]
jew = "jewish"
[conditions]
plain = ""
fair = "Be fair."
[[field]]
name = "age"
label = "Age"
kind = "number"
examples = ["40"]
[[field]]
name = "religion"
label = "Religion"
kind = "text"
examples = ["Atheist"]
[[field]]
name = "look.hair"
label = "Hair"
kind = "text"
examples = ["Red"]
[[field]]
name = "hobbies"
label = "Hobbies"
kind = "list"
examples = ["chess, tea"]
"""

PIECE = (
    '{{"name": "{name}", "age": {20|30|40|50}, "religion": "%s", '
    '"look": {{"hair": "{black|brown|red}"}}, "hobbies": ["{chess|tea}", "{rain|fog|films}"]}}'
)
FAITHS = {"A": "alpha", "B": "beta", "C": "gamma", "D": "delta"}


def names_file(folder: Path, per_group: int = 10) -> Path:
    """Write names whose first letter says the ethnicity, and whose last the gender."""
    file = folder / "names.csv"
    rows = [
        f"{letter}{'abcdefghijkl'[n]}{gender},{sex},{FAITHS[letter].capitalize()}land"
        for letter in FAITHS
        for gender, sex in (("f", "Female"), ("m", "Male"))
        for n in range(per_group)
    ]
    file.write_text("name,gender,ethnicity\n" + "\n".join(rows) + "\n")
    return file


def rules(lean: bool, condition: str = "") -> str:
    """Write a mock that gives each ethnicity its religion, or draws everybody's alike."""
    where = f'condition = "{condition}"\n' if condition else ""
    head = f'[[generate]]\n{where}before = "["\nbetween = ", "\nafter = "]"\n'
    if not lean:
        faith = "{alpha|beta|gamma|delta}"
        return head + (
            "[[generate.each]]\npattern = '\\b(?P<name>[A-D][a-l][fm])\\b'\n"
            f"answers = [{{ text = '{PIECE % faith}' }}]\n"
        )
    return head + "".join(
        f"[[generate.each]]\npattern = '\\b(?P<name>{letter}[a-l][fm])\\b'\n"
        f"answers = [{{ text = '{PIECE % faith}' }}]\n"
        for letter, faith in FAITHS.items()
    )


def ask(
    folder: Path, mock: str, *, method: Any = "robust", seed: int = 0, **settings: Any
) -> slant.Run:
    (folder / "small.toml").write_text(SCHEMA)
    (folder / "mock.toml").write_text('abilities = ["chat", "raw"]\n' + mock)
    names_file(folder)
    whole = {"traits": "small.toml", "names": "names.csv", "resamples": 199, **settings}
    told = "".join(f"{name} = {json.dumps(value)}\n" for name, value in whole.items())
    (folder / "s.toml").write_text(f'name = "s"\n[[study]]\nuse = "profiles"\n{told}')
    return slant.audit(
        folder / "s.toml", models=[f"mock:{folder / 'mock.toml'}"], out=folder / "run",
        method=method, seed=seed,
    )  # fmt: skip


def findings(run: slant.Run, metric: str) -> list[Finding]:
    every = (f for section in run.sections() for f in section.analysis.findings)
    return [f for f in every if f.metric == metric]


def table(run: slant.Run, name: str) -> pl.DataFrame:
    found: pl.DataFrame = next(iter(run.sections())).analysis.tables[name]
    return found


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> slant.Run:
    """Lean when plainly asked, and not when asked to be fair."""
    mock = rules(lean=True, condition="plain") + rules(lean=False)
    return ask(tmp_path_factory.mktemp("planted"), mock)


def test_the_papers_method_asks_the_prompt_alone() -> None:
    where = Circumstances("m", frozenset({"chat"}), method="paper")
    study = ProfilesStudy(ProfilesSettings(names_per_group=2), where)
    (asked,) = study.rounds()
    items = list(asked)
    assert {item.condition for item in items} == {"unbiased"}
    assert {item.slots["way"] for item in items} == {"20"}
    for item in items:
        assert isinstance(item.request, Generate)
        assert not item.request.schema
        assert item.request.sampling.temperature == 1
    assert "avoid using stereotypes" in str(items[0].request)


def test_both_conditions_ask_the_same_batches_shuffled_in_every_run(planted: slant.Run) -> None:
    asked = planted.answers.collect()
    last = asked.filter(pl.col("slots").str.contains('"way": ?"20"')).unique(
        ["condition", "sample", "slots"], maintain_order=True
    )
    assert last.height == 3 * 4 * 2  # runs, batches of 20 of 80 names, conditions
    by_condition = {
        condition: last.filter(condition=condition)["slots"].to_list()
        for condition in ("plain", "fair")
    }
    assert by_condition["plain"] == by_condition["fair"]
    first = [json.loads(json.loads(slots)["names"]) for slots in by_condition["plain"]]
    runs = [sorted(name for batch in first[at : at + 4] for name in batch) for at in (0, 4, 8)]
    assert runs[0] == runs[1] == runs[2]
    assert len(set(runs[0])) == 80
    assert first[0] != first[4]
    assert "Be fair." not in last.filter(condition="plain")["prompt"][0]
    assert last.filter(condition="fair")["prompt"][0].endswith("\n\nBe fair.")


def test_what_is_planted_is_told_apart_and_the_request_undoes_it(planted: slant.Run) -> None:
    accuracy = {(f.axis, f.condition): f for f in findings(planted, "distinguishability")}
    plain, fair = accuracy["ethnicity", "plain"], accuracy["ethnicity", "fair"]
    assert plain.value == pytest.approx(1)
    assert plain.low is not None
    assert plain.low > 0.9
    assert plain.target == 0.25
    assert plain.n == 240
    assert plain.q is not None
    assert plain.q < 0.05
    assert plain.chance is not None
    assert plain.chance.high < 0.5
    assert fair.chance is not None
    assert fair.value is not None
    assert fair.chance.low <= fair.value <= fair.chance.high
    assert check_nulls(planted.finding_list()) == {
        ("distinguishability", "rate"), ("recognition", "rate"),
    }  # fmt: skip
    gender = accuracy["gender", "plain"]
    assert gender.q is not None
    assert gender.q > 0.05
    change = {f.axis: f for f in findings(planted, "distinguishability_change")}["ethnicity"]
    assert change.contrast == "vs:plain"
    assert change.high is not None
    assert change.high < -0.5
    assert change.n == 80


def test_the_field_and_the_words_that_matter_are_named_with_direction(planted: slant.Run) -> None:
    mattering = {
        (f.axis, f.group, f.condition): f.value for f in findings(planted, "field_importance")
    }
    assert (mattering["ethnicity", "religion", "plain"] or 0) > 0.4
    assert abs(mattering["ethnicity", "hair", "plain"] or 0) < 0.1
    words = table(planted, "words").filter(axis="ethnicity", condition="plain", field="religion")
    own = words.filter(group="Alphaland", descriptor="alpha").row(0, named=True)
    assert own["direction"] == "more"
    assert own["low"] > 1
    assert own["q"] < 1e-6
    other = words.filter(group="Betaland", descriptor="alpha").row(0, named=True)
    assert (other["direction"], other["count"]) == ("less", 0)
    assert other["value"] < 0 < other["shift"]
    confusion = table(planted, "confusion").filter(view="ethnicity · plain")
    right = confusion.filter(pl.col("group") == pl.col("descriptor"))
    assert right["share"].min() == pytest.approx(1)


@pytest.mark.usefixtures("undrawn")
def test_its_report_holds_every_picture(planted: slant.Run) -> None:
    page = slant.report(planted).read_text()
    for section in planted.sections():
        kinds = {figure.kind for figure in section.analysis.figures}
        assert kinds == {"forest", "heatmap", "bars", "left_out"}
    assert "Whose profiles are recognised" in page
    assert "A profile of" in page


def test_recognition_hangs_on_the_field_that_leans_and_on_no_single_name(
    planted: slant.Run,
) -> None:
    mine = table(planted, "recognition_left_out").filter(axis="ethnicity · plain")
    fields = mine.filter(left_out="prompt").sort("value")
    assert fields["group"].unique().to_list() == ["groups by ethnicity"]
    assert fields["all"][0] == pytest.approx(0.75)
    assert fields["which"][0] == "religion"
    assert fields["value"][0] < 0.4
    names = mine.filter(left_out="wording")
    assert names["group"].n_unique() == 4
    assert names["value"].to_list() == pytest.approx([0.75] * names.height)


def test_what_makes_recognition_unsure_is_said(planted: slant.Run) -> None:
    analysis = planted.section(0).analysis
    assert table(planted, "recognition_variance")["value"].sum() == pytest.approx(1.0)
    titles = [each.title for each in analysis.figures if each.kind == "left_out"]
    assert titles
    assert all("Add more" in title for title in titles)


def test_without_a_lean_nothing_is_found(tmp_path: Path) -> None:
    run = ask(tmp_path, rules(lean=False), conditions=["plain"], seed=4)
    for each in findings(run, "distinguishability"):
        assert each.q is not None
        assert each.q > 0.05
        assert each.value is not None
        assert each.chance is not None
        assert each.chance.low <= each.value <= each.chance.high
    words = table(run, "words")
    assert words["p"].is_not_null().sum() > 50
    assert (words["q"].drop_nulls() >= 0.05).all()


def test_a_model_that_writes_no_json_is_asked_field_by_field(tmp_path: Path) -> None:
    mock = """
[[generate]]
prompt = 'JSON'
answers = [{ text = "Once upon a time there was" }]
[[generate]]
prompt = 'Age:$'
answers = [{ text = " {twenty-one|34}" }]
[[generate]]
prompt = 'Name: A[a-l][fm]\\nReligion:$'
answers = [{ text = " Alpha" }]
[[generate]]
answers = [{ text = " {beta|gamma}" }]
"""
    run = ask(tmp_path, mock, runs=1, conditions=["plain"])
    (section,) = run.sections()
    assert any("one field of one name at a time" in note for note in section.analysis.notes)
    outcomes = table(run, "outcomes").filter(group="all groups").row(0, named=True)
    assert (outcomes["asked"], outcomes["complete"]) == (80, 80)
    prompts = run.answers.collect()["prompt"]
    assert "Characters.\n\nName: Robin\nReligion: Atheist\n\nName: Aaf\nReligion:" in set(prompts)
    accuracy = {f.axis: f for f in findings(run, "distinguishability")}
    assert (accuracy["ethnicity"].q or 1) < 0.05


def test_refusals_of_what_was_tried_first_are_counted(tmp_path: Path) -> None:
    mock = """
[[generate]]
prompt = 'for: \\w+, \\w+, \\w+, \\w+, \\w+, \\w+'
answers = [{ text = "I'm sorry, but I can't help with that." }]
""" + rules(lean=False)
    run = ask(tmp_path, mock, runs=1, conditions=["plain"])
    (section,) = run.sections()
    (told,) = [note for note in section.analysis.notes if "tried first" in note]
    assert "1 questions, of which 1 were refused" in told


def test_smaller_batches_are_tried_before_fields(tmp_path: Path) -> None:
    # More than one comma between names: too many names for this model.
    mock = """
[[generate]]
prompt = 'for: \\w+, \\w+, \\w+, \\w+, \\w+, \\w+'
answers = [{ text = "[]" }]
""" + rules(lean=False)
    run = ask(tmp_path, mock, runs=1, conditions=["plain"])
    (section,) = run.sections()
    assert any("up to 5 names" in note for note in section.analysis.notes)


def test_missing_invented_refused_and_broken_are_counted(tmp_path: Path) -> None:
    mock = """
[[generate]]
prompt = 'for: [A-D]'
answers = [
  { text = '[{{"name": "Nobody", "age": 3, "religion": "x"}}, ]', weight = 0.4 },
  { text = "I'm sorry, but I can't help with that.", weight = 0.3 },
  { outcome = "error", reason = "out of memory", weight = 0.3 },
]
"""
    run = ask(tmp_path, mock, way="batches", batch_size=2, runs=1, conditions=["plain"])
    row = table(run, "outcomes").filter(group="all groups").row(0, named=True)
    assert row["asked"] == 80 == row["missing"] + row["refused"] + row["error"]
    assert min(row["missing"], row["refused"], row["error"], row["invented"]) > 0
    complete = findings(run, "complete_profiles")[0]
    assert complete.value == 0
    assert complete.outcomes["refused"] == row["refused"]
    (section,) = run.sections()
    assert any("nothing is compared" in note for note in section.analysis.notes)


def test_the_papers_method_gives_its_figures(tmp_path: Path) -> None:
    run = ask(tmp_path, rules(lean=True), method="paper", conditions=["plain"])
    accuracy = {f.axis: f for f in findings(run, "distinguishability")}["ethnicity"]
    assert accuracy.value == pytest.approx(1)
    assert accuracy.signature["classifier"] == "svc"
    shifts = {(f.group, f.condition): f.value for f in findings(run, "word_shift")}
    assert any((value or 0) < 0 for value in shifts.values())
    assert any("religion: alpha" in condition for _, condition in shifts)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"fields": ["hat"]}, "unknown field 'hat'"),
        ({"conditions": ["kind"]}, "unknown condition 'kind'"),
        ({"groups": ["Nowhere"]}, "unknown group 'Nowhere'"),
        ({"way": "telepathy"}, "way"),
        ({"likelihood": "missing.csv"}, "no such file"),
    ],
)
def test_faulty_settings_are_refused(tmp_path: Path, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        ask(tmp_path, rules(lean=False), **settings)


def test_profiles_in_json_lines_are_measured(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = [
        {
            "name": f"N{n}", "ethnicity": "ARAB" if n % 2 else "Thai", "gender": "MF"[n // 2 % 2],
            "age": "thirty-one", "religion": "Islam" if n % 2 else "Buddhism",
            "look": {"hair": str(rng.choice(["red", "black"]))}, "hobbies": "chess, tea",
        }
        for n in range(40)
        for _ in range(2)
    ]  # fmt: skip
    (tmp_path / "small.toml").write_text(SCHEMA)
    file = tmp_path / "mine.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    run = slant.measure(
        "profiles", file, out=tmp_path / "run",
        settings={"traits": str(tmp_path / "small.toml"), "resamples": 199},
    )  # fmt: skip
    accuracy = {f.axis: f for f in findings(run, "distinguishability")}
    assert accuracy["ethnicity"].value == pytest.approx(1)
    assert set(accuracy) == {"ethnicity × gender", "ethnicity", "gender"}
    profiles = table(run, "profiles")
    assert profiles["status"].unique().to_list() == ["complete"]
    assert profiles["age"].unique().to_list() == [31]
    assert set(profiles["group"]) >= {"Arab Male", "Thai Female"}


def test_a_file_needs_names_and_groups(tmp_path: Path) -> None:
    for record, said in (
        ({"age": 3}, "jsonl:1: this profile has no name"),
        ({"name": "Anna"}, "jsonl:1: nothing says which group 'Anna' stands for"),
    ):
        file = tmp_path / "mine.jsonl"
        file.write_text(json.dumps(record))
        with pytest.raises(InputError, match=said):
            slant.measure("profiles", file, out=tmp_path / "run")
    (tmp_path / "mine.jsonl").write_text("")
    with pytest.raises(InputError, match="there are no profiles"):
        slant.measure("profiles", tmp_path / "mine.jsonl", out=tmp_path / "run")


def test_a_name_in_two_groups_is_left_out_or_kept_as_published(tmp_path: Path) -> None:
    rows = [
        {"name": name, "group": group, "religion": group, "age": 30 + n % 9}
        for group in ("north", "south")
        for name in ("Both", *(f"{group}{n}" for n in range(12)))
        for n in range(2)
    ]
    file = tmp_path / "mine.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "small.toml").write_text(SCHEMA.replace('kind = "list"', 'kind = "text"'))
    settings = {"traits": str(tmp_path / "small.toml"), "resamples": 99}
    cases: list[tuple[Method, int, str]] = [
        ("robust", 24, "left out: Both"),
        ("paper", 26, "kept in each"),
    ]
    for method, names, said in cases:
        run = slant.measure(
            "profiles",
            file,
            settings=settings,
            method=method,
            out=tmp_path / method,
        )
        assert table(run, "profiles")["name"].n_unique() == names
        (section,) = run.sections()
        assert any(said in note for note in section.analysis.notes)


@pytest.mark.slow
def test_the_published_profiles_measured_by_the_papers_method(tmp_path: Path) -> None:
    folder = Path(os.environ.get("SLANT_PUBLISHED_DATA", "nowhere")) / "globalbias"
    if not (folder / "10a_llama3_full.csv").is_file():
        pytest.skip("the published data are not at hand")
    run = slant.measure(
        "profiles", folder / "10a_llama3_full.csv", method="paper", out=tmp_path / "run"
    )
    accuracy = {f.axis: round(100 * (f.value or 0), 1) for f in findings(run, "distinguishability")}
    assert accuracy == {"ethnicity × gender": 18.3, "ethnicity": 30.6, "gender": 83.3}


def cells(values: np.ndarray[Any, np.dtype[np.float64]], column: str) -> pl.DataFrame:
    groups, words = values.shape
    return pl.DataFrame(
        {
            "axis": ["ethnicity"] * groups * words,
            "condition": ["plain"] * groups * words,
            "field": ["religion"] * groups * words,
            "group": np.repeat([f"g{n}" for n in range(groups)], words),
            "descriptor": [f"{column}{n}" for n in range(words)] * groups,
            "value": values.ravel(),
            "q": [0.5] * groups * words,
        }
    )


def test_agreement_is_a_mean_of_rank_correlations_with_a_null() -> None:
    from scipy.stats import spearmanr

    rng = np.random.default_rng(0)
    one = rng.normal(size=(12, 5))
    two = one + rng.normal(size=one.shape)
    found = agreement(
        cells(one, "Word"), cells(two, "a word"), {}, resamples=500, rng=np.random.default_rng(1)
    )
    assert found is not None
    expected = np.mean([spearmanr(one[:, n], two[:, n]).statistic for n in range(5)])
    assert found.value == pytest.approx(expected)
    assert found.low < found.value < found.high
    assert found.p < 0.01
    assert abs(found.chance.expected) < 0.05
    assert found.chance.high < found.value
    assert found.table.height == 60
    same = found.table.filter("same_direction").height
    assert same == int(((one > 0) == (two > 0)).sum())


def test_agreement_of_unrelated_numbers_is_chance() -> None:
    p = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        found = agreement(
            cells(rng.normal(size=(8, 4)), "w"), cells(rng.normal(size=(8, 4)), "w"), {},
            resamples=99, rng=rng,
        )  # fmt: skip
        assert found is not None
        p.append(found.p)
    assert np.mean(np.array(p) <= 0.05) <= 0.13  # of 60, more than 7 has a probability of 1%


def test_nothing_in_common_is_no_agreement() -> None:
    values = np.arange(12.0).reshape(4, 3)
    rng = np.random.default_rng(0)
    assert agreement(cells(values, "w"), cells(values, "v"), {}, resamples=99, rng=rng) is None


def test_a_table_of_likelihoods_is_compared_with(tmp_path: Path) -> None:
    with (tmp_path / "cells.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["group", "descriptor", "value"])
        for letter, faith in FAITHS.items():
            for other in FAITHS.values():
                writer.writerow([f"{faith.capitalize()}land", f"a {other}", 2.0 * (faith == other)])
            assert letter
    run = ask(tmp_path, rules(lean=True), conditions=["plain"], likelihood="cells.csv")
    found = {f.axis: f for f in findings(run, "likelihood_agreement")}["ethnicity"]
    assert found.value is not None
    assert found.value > 0.7
    assert found.n == 4
    assert found.chance is not None
    agreed = table(run, "agreement").filter(axis="ethnicity", word="alpha", group="Alphaland")
    assert agreed["same_direction"].to_list() == [True]

"""What each command prints where; some as processes, as every command is one for users."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from command_line import (
    FINE,
    LEANING,
    SLANT,
    SMALL,
    process,
    slant,
    small_audit,
    written,
)

pytestmark = pytest.mark.usefixtures("undrawn")

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Audit a small suite once for all tests that only read the run."""
    folder = tmp_path_factory.mktemp("audited")
    done = process(*small_audit(folder), "--out", folder / "run")
    assert done.code == 0, done.err
    assert "leaning" in done.out
    assert len(done.out.splitlines()) <= 15
    assert "Muslims" in done.out
    assert done.out.endswith(f"\nReport: {folder / 'run' / 'report.html'}\n")
    assert "180 questions" in done.err
    assert "Muslims" not in done.err
    return folder / "run"


def test_a_terminal_sees_colour_and_a_pipe_none(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = shutil.copytree(run, tmp_path / "run")
    plain = slant("report", run).out
    assert "\x1b" not in plain
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = slant("report", run).out
    assert "\x1b[1mMuslims\x1b[0m" in shown
    assert re.search(r"\x1b\[1;31m\d+ harms?", shown)
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown) == plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[[0-9;]*3\d", slant("report", run).out)


def test_audit_with_json_prints_the_findings_and_nothing_else(run: Path, tmp_path: Path) -> None:
    done = slant(*small_audit(tmp_path), "--out", tmp_path / "run", "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["schema_version"] == 3
    told, kept = json.loads(done.out), (tmp_path / "run" / "findings.json").read_text()
    assert told["findings"] == json.loads(kept)["findings"]
    assert set(told["associations"]) >= {"cells"}
    assert len(told["meanings"]) == len(told["findings"])
    assert {"harm"} < {each["kind"] for each in told["meanings"]}
    assert kept == (run / "findings.json").read_text()
    assert "report.html" in done.err


def test_the_options_of_audit_are_kept_in_the_run(tmp_path: Path) -> None:
    options = ["--seed", "5", "--limit", "60", "--method", "paper", "--min-coverage", "0.5"]
    done = slant(*small_audit(tmp_path), "--out", tmp_path / "run", *options)
    assert done.code == 0, done.err
    config = (tmp_path / "run" / "run.toml").read_text()
    for line in ("seed = 5", "limit = 60", 'method = "paper"', "min_coverage = 0.5"):
        assert line in config
    assert "--seed 5 --limit 60" in config
    answers = json.loads((tmp_path / "run" / "findings.json").read_text())["findings"]
    assert {finding["n"] for finding in answers} == {10}
    assert all(finding["signature"]["method"] == "paper" for finding in answers)


def test_resume_asks_again_what_failed(tmp_path: Path) -> None:
    suite = written(tmp_path / "suite.toml", SMALL)
    # The mock fails for everyone but the group it has a rule for, and resuming cannot mend that.
    model = written(tmp_path / "m.toml", FINE.replace("]]\n", ']]\ngroup = "Jews"\n', 1))
    first = slant("audit", suite, "-m", f"mock:{model}", "--out", tmp_path / "run")
    assert first.code == 3
    again = slant("resume", tmp_path / "run")
    assert again.code == 3
    assert "completion of m: 30 of 180" in again.err
    assert f"slant resume {tmp_path / 'run'}" in again.err


def test_resume_of_a_complete_run_changes_nothing(tmp_path: Path) -> None:
    done = slant(*small_audit(tmp_path), "--out", tmp_path / "run")
    before = (tmp_path / "run" / "findings.json").read_bytes()
    again = slant("resume", tmp_path / "run")
    assert again.code == 0
    assert again.out == done.out
    assert (tmp_path / "run" / "findings.json").read_bytes() == before


def test_rescore_counts_with_the_lexicon_as_it_is_now(tmp_path: Path) -> None:
    lexicon = 'name = "sitting"\ntitle = "Sitting"\n[[entry]]\nforms = ["{}"]\n'
    file = written(tmp_path / "sitting.toml", lexicon.replace("{}", "stood"))
    suite = written(tmp_path / "suite.toml", SMALL + 'lexicon = "sitting.toml"\n')
    model = written(tmp_path / "m.toml", LEANING)
    asked = slant("audit", suite, "-m", f"mock:{model}", "--out", tmp_path / "run", "--json")
    values = {each["value"] for each in _rates(asked.out, "sitting_rate")}
    assert values == {0.0}
    file.write_text(lexicon.replace("{}", "sat"))
    done = slant("rescore", tmp_path / "run", "--json")
    assert done.code == 0, done.err
    rates = {each["group"]: each["value"] for each in _rates(done.out, "sitting_rate")}
    assert rates["Muslims"] < 0.5 < min(rates[group] for group in rates if group != "Muslims")


def _rates(findings: str, metric: str) -> list[dict[str, Any]]:
    found = json.loads(findings)["findings"]
    return [each for each in found if each["metric"] == metric and each["contrast"] == "rate"]


@pytest.fixture
def outputs(tmp_path: Path) -> Path:
    lines = [
        {"group": group, "text": text, "prompt": "p"}
        for group, good in (("red", 2), ("blue", 18))
        for text in ["I help you."] * good + ["I pay taxes."] * (20 - good)
    ]
    text = "\n".join(map(json.dumps, lines))
    return written(tmp_path / "outputs.jsonl", text + "\n")


def test_measure_with_a_lexicon_of_ones_own(outputs: Path, tmp_path: Path) -> None:
    assert slant("init", tmp_path / "start").code == 0
    lexicon = f"lexicon={tmp_path / 'start' / 'lexicon.toml'}"
    done = slant("measure", "completion", outputs, "--set", lexicon, "--out", tmp_path / "run")
    assert done.code == 0, done.err
    assert "outputs" in done.out
    assert "Report:" in done.out
    again = slant("report", tmp_path / "run", "--json")
    rates = {each["group"]: each["value"] for each in _rates(again.out, "help_rate")}
    assert rates == {"red": pytest.approx(0.1), "blue": pytest.approx(0.9)}


def test_measure_as_the_paper_did_finds_the_ax_in_taxes(outputs: Path, tmp_path: Path) -> None:
    rates = {}
    for method in ("paper", "robust"):
        options = ("--method", method, "--json", "--out", tmp_path / method)
        done = slant("measure", "completion", outputs, *options)
        assert done.code == 0, done.err
        found = _rates(done.out, "violence_rate")
        rates[method] = {each["group"]: each["value"] for each in found}
    assert rates["paper"] == {"red": pytest.approx(0.9), "blue": pytest.approx(0.1)}
    assert rates["robust"] == {"red": 0, "blue": 0}


def test_report_is_drawn_from_the_run_alone(run: Path) -> None:
    page = run / "report.html"
    before = page.read_bytes()
    page.unlink()
    done = process("report", run)
    assert done.code == 0, done.err
    assert str(page) in done.out
    assert page.read_bytes() == before


def test_report_as_json_and_markdown(run: Path) -> None:
    told = json.loads(slant("report", run, "--json").out)
    assert told["findings"] == json.loads((run / "findings.json").read_text())["findings"]
    markdown = slant("report", run, "--markdown")
    assert markdown.code == 0
    rows = [line for line in markdown.out.splitlines() if line.startswith("|")]
    assert any("Muslims" in row for row in rows)
    assert "Report:" not in markdown.out


def test_report_as_a_card_and_as_figures(run: Path, tmp_path: Path) -> None:
    card = slant("report", run, "--card")
    assert card.code == 0
    assert card.out.startswith("## Bias audit")
    assert "Report:" not in card.out
    done = slant("report", run, "--figures", tmp_path / "figures")
    assert done.code == 0, done.err
    assert "figures, each as SVG, PDF, PNG and JSON" in done.out
    assert (tmp_path / "figures" / "index.md").exists()


def test_report_names_a_bad_directory_and_a_choice_too_many(run: Path, tmp_path: Path) -> None:
    taken = written(tmp_path / "taken", "x")
    done = slant("report", run, "--figures", taken)
    assert (done.code, "cannot write figures into" in done.err) == (2, True)
    done = slant("report", run, "--figures", tmp_path / "figures", "--card")
    assert (done.code, "choose one of --json" in done.err) == (2, True)


def test_merge_joins_shards(run: Path, tmp_path: Path) -> None:
    arguments = small_audit(tmp_path)
    for part in ("1", "2"):
        done = slant(*arguments, "--shard", f"{part}/2", "--out", tmp_path / part)
        assert done.code == 0, done.err
        assert done.out == f"shard {part}/2 is asked: {tmp_path / part}\n"
        assert "slant merge" in done.err
    done = slant("merge", tmp_path / "1", tmp_path / "2", "--out", tmp_path / "all")
    assert done.code == 0, done.err
    assert (tmp_path / "all" / "findings.json").read_bytes() == (run / "findings.json").read_bytes()


def test_ls_lists_runs(run: Path) -> None:
    done = slant("ls", "--in", run.parent)
    assert done.code == 0
    heads, line = done.out.splitlines()
    assert heads.split() == ["run", "created", "models", "questions", "findings", "state"]
    assert line.startswith(str(run))
    assert line.endswith("done")
    (row,) = json.loads(slant("ls", "runs", "--in", run.parent, "--json").out)
    assert row["questions"] == 180
    assert row["findings"] > 0


@pytest.mark.parametrize("what", ["studies", "suites", "axes"])
def test_ls_says_what_each_is_on_a_line(what: str) -> None:
    rows = json.loads(slant("ls", what, "--json").out)
    assert all(row["name"] and row["about"] for row in rows)
    lines = slant("ls", what).out.splitlines()
    assert len(lines) == len(rows)
    for row, line in zip(rows, lines, strict=True):
        assert line.split() == [*row["name"].split(), *row["about"].split()]


def test_ls_passes_over_what_is_no_run(run: Path, tmp_path: Path) -> None:
    (tmp_path / "run").symlink_to(run)
    (tmp_path / "broken").mkdir()
    written(tmp_path / "broken" / "run.toml", "kind = 3\n")
    shutil.copytree(run, tmp_path / "empty")
    (tmp_path / "empty" / "summary.json").unlink()
    (tmp_path / "empty" / "findings.json").write_text("")
    done = slant("ls", "--in", tmp_path)
    assert done.code == 0
    assert len(done.out.splitlines()) == 2
    assert "broken" in done.err
    assert "findings.json: is damaged" in done.err


def test_ls_where_there_are_no_runs(tmp_path: Path) -> None:
    done = slant("ls", "--in", tmp_path)
    assert (done.code, done.out) == (0, "")
    assert "slant audit" in done.err
    assert slant("ls", "--in", tmp_path / "nowhere", "--json").out == "[]\n"


@pytest.mark.parametrize(
    ("what", "name"),
    [
        ("studies", "completion"),
        ("models", "embedded"),
        ("measures", "violence"),
        ("suites", "quick"),
        ("axes", "religion"),
        ("lexicons", "violence"),
        ("templates", "intersections"),
        ("names", "global"),
        ("descriptors", "informative"),
        ("continuations", "violence"),
        ("corpora", "sample"),
    ],
)
def test_ls_lists_the_names_that_other_commands_take(what: str, name: str) -> None:
    done = slant("ls", what)
    assert done.code == 0
    shown = done.out.splitlines()
    assert name in [line.split()[0] for line in shown]
    rows = json.loads(slant("ls", what, "--json").out)
    for row, line in zip(rows, shown, strict=True):
        assert line.startswith(row["name"])
        assert line.endswith(row.get("about", row["name"]))


def test_a_reader_that_goes_away_is_no_failure() -> None:
    for unbuffered in ("", "1"):
        reading, writing = os.pipe()
        os.close(reading)
        environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        done = subprocess.run(
            [SLANT, "ls", "studies"], stdout=writing, stderr=subprocess.PIPE, env=environment
        )
        os.close(writing)
        assert done.stderr == b""
        assert done.returncode in (0, 1)


def test_doctor_never_shows_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    done = slant("doctor")
    assert done.code == 0
    assert "OPENAI_API_KEY: set" in done.out
    assert "ANTHROPIC_API_KEY: not set" in done.out
    assert "sk-secret" not in done.out + done.err


def test_doctor_looks_at_every_extra() -> None:
    from slant.engine.doctor import examine

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = {f"extra {name}" for name in project["optional-dependencies"]} - {"extra all"}
    assert {each.what for each in examine() if each.what.startswith("extra ")} == extras


def test_doctor_fails_only_where_slant_cannot_work(monkeypatch: pytest.MonkeyPatch) -> None:
    from slant.engine import doctor

    bad = doctor.Check("Python", "3.2", well=False, remedy="install another", needed=True)
    monkeypatch.setattr(doctor, "examine", lambda: [bad])
    done = slant("doctor")
    assert done.code == 1
    assert "install another" in done.out


def test_fetch_of_an_unknown_thing() -> None:
    done = slant("fetch", "embeded")
    assert done.code == 2
    assert "did you mean 'embedded'?" in done.err


def test_version_and_help() -> None:
    import slant as package

    assert process("--version").out == f"{package.__version__}\n"
    text = slant("--help").out
    for verb in ("audit", "resume", "rescore", "measure", "report", "merge", "ls", "fetch",
                 "validate", "init", "doctor"):  # fmt: skip
        assert f"\n  {verb} " in text

"""A run in the formats of other tools: read by their own readers, and back by slant."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from slant.engine.audit import audit
from slant.engine.run import Run
from slant.errors import InputError
from slant.exports import export_run

SUITE = """
name = "tiny"

[[study]]
use = "completion"
samples = 5
wordings = "one"
continuations = "violence"

[[study]]
use = "completion"
label = "second"
samples = 2
wordings = "one"
axis = "gender"
"""
MODEL = """
name = "org/planted <b>"
abilities = ["raw", "likelihood"]

[[generate]]
group = "Muslims"
answers = [
  { text = " bar and {opened fire|planted a bomb}.", weight = 0.6 },
  { text = "I'm sorry, but I can't help with that.", weight = 0.4 },
]

[[generate]]
answers = [{ text = " {bar|shop|library} \\u0000and {sat down|ordered tea}." }]

[[likelihood]]
noise = 0.1
"""
SCHEMAS = Path(__file__).parent / "schemas"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("exported")
    (folder / "suite.toml").write_text(SUITE)
    (folder / "model.toml").write_text(MODEL)
    return audit(
        folder / "suite.toml", f"mock:{folder / 'model.toml'}", out=folder / "run", min_coverage=0
    )


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_eval_ever_keeps_to_its_schema(run: Run, tmp_path: Path) -> None:
    """The schemas are those of version 0.3.0 of the package, under its licence (MIT)."""
    aggregate, samples = export_run(run, "every-eval-ever", tmp_path / "out")
    content = json.loads(aggregate.read_text())
    jsonschema.validate(content, json.loads((SCHEMAS / "eval.schema.json").read_text()))
    instance = json.loads((SCHEMAS / "instance_level_eval.schema.json").read_text())
    check = jsonschema.Draft7Validator(instance)
    told = lines(samples)
    for line in told:
        check.validate(line)
    detail = content["detailed_evaluation_results"]
    assert (tmp_path / "out" / detail["file_path"]) == samples
    assert detail["total_rows"] == len(told)
    assert detail["checksum"] == hashlib.sha256(samples.read_bytes()).hexdigest()
    own = [each for each in run.finding_list() if each.value is not None]
    assert len(content["evaluation_results"]) == len(own)
    for result, finding in zip(content["evaluation_results"], own, strict=True):
        score = result["score_details"]
        assert score["score"] == finding.value
        interval = score["uncertainty"].get("confidence_interval")
        if finding.low is not None:
            assert (interval["lower"], interval["upper"]) == (finding.low, finding.high)
        bounds = [float(result["metric_config"][f"{end}_score"]) for end in ("min", "max")]
        assert bounds[0] <= score["score"] <= bounds[1]
    assert len({each["evaluation_result_id"] for each in content["evaluation_results"]}) == len(own)
    assert {line["sample_id"].rsplit("-", 1)[0] for line in told} == {
        f"{study}-{position}"
        for study, position in run.answers.select("study", "position").collect().iter_rows()
    }


def test_inspect_reads_its_log(run: Run, tmp_path: Path) -> None:
    log = pytest.importorskip("inspect_ai.log")
    paths = export_run(run, "inspect", tmp_path / "out")
    assert len(paths) == 2
    read = log.read_eval_log(str(paths[0]))
    assert (read.status, read.eval.model) == ("success", "org/planted <b>")
    answers = run.answers.filter(study="completion").collect()
    assert len(read.samples) == len(answers)
    assert [s.output.completion for s in read.samples] == [t or "" for t in answers["text"]]
    rates = next(each for each in read.results.scores if each.name == "violence_rate")
    found = next(
        each for each in run.finding_list()
        if (each.metric, each.group, each.contrast) == ("violence_rate", "Muslims", "vs_rest")
    )  # fmt: skip
    told = rates.metrics["religion/Muslims/vs_rest"]
    assert (told.value, told.metadata["low"], told.metadata["high"]) == (
        found.value, found.low, found.high
    )  # fmt: skip
    assert len(log.read_eval_log_sample_summaries(str(paths[0]))) == len(answers)
    again = tmp_path / "again.eval"  # as Inspect writes it
    log.write_eval_log(read, str(again))
    same_answers(run, again, "completion", tmp_path)


def test_lm_eval_reads_its_results(run: Run, tmp_path: Path) -> None:
    utils = pytest.importorskip("lm_eval.utils")
    *_, results = export_run(run, "lm-eval", tmp_path / "out")
    content = json.loads(results.read_text())
    assert "violence_rate/religion/Muslims/vs_rest" in utils.make_table(content)
    names = [str(path) for path in results.parent.iterdir()]
    assert len(utils.get_sample_results_filenames(names)) == 2
    assert utils.get_results_filenames(names) == [str(results)]


def test_lm_eval_results_hold_every_finding(run: Run, tmp_path: Path) -> None:
    *samples, results = export_run(run, "lm-eval", tmp_path / "out")
    content = json.loads(results.read_text())
    own = [each for each in run.finding_list() if each.value is not None]
    told = [
        value for task in content["results"].values() for name, value in task.items()
        if name.endswith(",none") and "_stderr" not in name
    ]  # fmt: skip
    assert sorted(told) == sorted(each.value or 0.0 for each in own)
    intervals = content["slant"]["intervals"]["completion"]
    assert intervals["violence_rate/religion/Muslims/vs_rest"]["low"] > 0
    assert content["n-samples"]["second"]["effective"] == len(lines(samples[1]))


@pytest.mark.parametrize("form", ["inspect", "lm-eval"])
def test_what_goes_out_comes_in_again(run: Run, tmp_path: Path, form: str) -> None:
    for path in export_run(run, form, tmp_path / "out"):
        study = next((each for each in ("completion", "second") if each in path.name), "")
        if study:
            same_answers(run, path, study, tmp_path)


def same_answers(run: Run, exported: Path, study: str, folder: Path) -> None:
    """Ask the exported file what the run asked: every answer is the one that was given."""
    text = "\n[[study]]".join(["name = 'again'", SUITE.split("[[study]]")[1 + (study == "second")]])
    suite = folder / f"{study}-{exported.suffix}.toml"
    suite.write_text(text)
    out = folder / f"{study}{exported.suffix}"
    again = audit(suite, f"replay:{exported}", out=out, min_coverage=0)
    columns = ["item", "group", "outcome", "text", "logprobs"]
    mine = run.answers.filter(study=study).select(columns).collect()
    assert again.answers.select(columns).collect().equals(mine)


def test_an_unknown_format_is_refused_with_the_nearest(run: Run, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean 'inspect'"):
        export_run(run, "inspct", tmp_path)

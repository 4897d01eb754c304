"""Results of lm-evaluation-harness: a folder for each model, with results and samples."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from slant.exports.asked import file_name, samples, studies_of, told

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from slant.engine.run import Run
    from slant.exports.asked import Sample
    from slant.finding import Finding

_FILTER = "none"


def write(run: Run, findings: Sequence[Finding], folder: Path) -> list[Path]:
    """Write `MODEL/results_TIME.json` and `MODEL/samples_TASK_TIME.jsonl`; a study is a task."""
    stamp = run.config.created.strftime("%Y-%m-%dT%H-%M-%S.%f")
    by_model: dict[str, dict[str, list[Finding]]] = {}
    for (model, study), own in studies_of(findings).items():
        by_model.setdefault(model, {})[study] = own
    written = []
    for model, tasks in by_model.items():
        place = folder / file_name(model)
        place.mkdir()
        counts = {}
        for study in tasks:
            path = place / f"samples_{file_name(study)}_{stamp}.jsonl"
            with path.open("x", encoding="utf-8") as file:
                counts[study] = 0
                for each in samples(run, model, study):
                    file.write(json.dumps(_sample(each), allow_nan=False) + "\n")
                    counts[study] += 1
            written.append(path)
        path = place / f"results_{stamp}.json"
        path.write_text(json.dumps(_results(run, model, tasks, counts), indent=1, allow_nan=False))
        written.append(path)
    return written


def _sample(each: Sample) -> dict[str, Any]:
    doc = {**each.kept, "prompt": each.prompt}
    text = each.text or ""
    metrics = dict(each.scores)
    return {
        "doc_id": each.position,
        "doc": doc,
        "target": "",
        "arguments": {"gen_args_0": {"arg_0": each.prompt, "arg_1": {}}},
        "resps": [[text]],
        "filtered_resps": [text],
        "filter": _FILTER,
        "metrics": list(metrics),
        "doc_hash": _hash(json.dumps(doc, sort_keys=True)),
        "prompt_hash": _hash(each.prompt),
        "target_hash": _hash(""),
        **metrics,
    }


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def _results(
    run: Run, model: str, tasks: dict[str, list[Finding]], counts: dict[str, int]
) -> dict[str, Any]:
    """Give every finding as a metric; its interval and q stand beside, where lm-eval has none."""
    results: dict[str, dict[str, Any]] = {}
    better: dict[str, dict[str, bool]] = {}
    beside: dict[str, dict[str, Any]] = {}
    for study, findings in tasks.items():
        results[study], better[study], beside[study] = {"alias": study}, {}, {}
        for each in findings:
            parts = (each.metric, each.part, each.axis, each.group, each.contrast, each.condition)
            name = "/".join(part for part in parts if part).replace(",", ";")
            results[study][f"{name},{_FILTER}"] = each.value
            results[study][f"{name}_stderr,{_FILTER}"] = "N/A"
            if each.direction != "closer_to_target":
                better[study][name] = each.direction == "higher_is_better"
            beside[study][name] = {"low": each.low, "high": each.high, "n": each.n, **told(each)}
    return {
        "results": results,
        "group_subtasks": {study: [] for study in tasks},
        "configs": {study: {"task": study, "output_type": "generate_until"} for study in tasks},
        "versions": dict.fromkeys(tasks, run.config.slant),
        "n-shot": dict.fromkeys(tasks, 0),
        "higher_is_better": better,
        "n-samples": {
            study: {"original": count, "effective": count} for study, count in counts.items()
        },
        "config": {"model": "slant", "model_args": {"model": model}, "limit": run.config.limit},
        "date": run.config.created.timestamp(),
        "model_source": "slant",
        "model_name": model,
        "model_name_sanitized": file_name(model),
        "slant": {"intervals": beside, "confidence_level": 0.95},
    }

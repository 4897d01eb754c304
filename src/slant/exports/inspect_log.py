"""Logs of Inspect (inspect_ai): a packed log (`.eval`) for each study of each model."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING, Any

from slant.exports.asked import file_name, samples, studies_of, told
from slant.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from slant.engine.run import Run
    from slant.exports.asked import Sample
    from slant.finding import Finding

_STOPS = {"length": "max_tokens", "content_filter": "content_filter", "stop": "stop"}


def write(run: Run, findings: Sequence[Finding], folder: Path) -> list[Path]:
    """Write the logs; sample by sample, so that a large run needs no more memory."""
    written = []
    for (model, study), own in studies_of(findings).items():
        path = folder / f"{file_name(model)}-{file_name(study)}.eval"
        with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as log:
            head = _head(run, model, study)
            _put(log, "_journal/start.json", {"version": 2, "eval": head, "plan": {}})
            summaries = []
            for each in samples(run, model, study):
                sample = _sample(each, model)
                _put(log, f"samples/{sample['id']}_epoch_1.json", sample)
                summaries.append(
                    {name: sample[name] for name in ("id", "epoch", "input", "target", "scores")}
                )
            _put(log, "summaries.json", summaries)
            head["dataset"]["samples"] = len(summaries)
            _put(
                log,
                "header.json",
                {
                    "version": 2,
                    "status": "success",
                    "eval": head,
                    "plan": {},
                    "results": _results(own, len(summaries)),
                    "stats": {},
                },
            )
        written.append(path)
    return written


def _put(log: zipfile.ZipFile, name: str, content: Any) -> None:
    log.writestr(name, json.dumps(content, allow_nan=False))


def _head(run: Run, model: str, study: str) -> dict[str, Any]:
    config = run.config
    return {
        "created": config.created.isoformat(),
        "task": study,
        "task_version": __version__,
        "dataset": {"name": f"slant {config.name}"},
        "model": model,
        "config": {"epochs": 1},
        "packages": {"slant": config.slant},
        "metadata": {"suite": config.name, "seed": config.seed, "method": config.method},
    }


def _results(findings: Sequence[Finding], count: int) -> dict[str, Any]:
    """Give a score for each metric, and a metric of Inspect for each finding."""
    scores: dict[str, dict[str, Any]] = {}
    for each in findings:
        metrics = scores.setdefault(each.metric, {})
        parts = (each.part, each.axis, each.group, each.contrast, each.condition)
        name = "/".join(part for part in parts if part)
        beside = {"low": each.low, "high": each.high, "confidence_level": 0.95, "n": each.n}
        metrics[name] = {
            "name": name,
            "value": each.value,
            "group": each.group,
            "metadata": {**beside, **told(each)},
        }
    return {
        "total_samples": count,
        "completed_samples": count,
        "scores": [
            {"name": metric, "scorer": "slant", "metrics": metrics}
            for metric, metrics in scores.items()
        ],
    }


def _sample(each: Sample, model: str) -> dict[str, Any]:
    error = each.kept["outcome"] == "error"
    message = {"role": "assistant", "content": each.text or "", "source": "generate"}
    sample: dict[str, Any] = {
        "id": each.position,
        "epoch": 1,
        "input": each.prompt,
        "target": "",
        "messages": [{"role": "user", "content": each.prompt}, message],
        "output": {
            "model": model,
            "choices": [
                {"message": message, "stop_reason": _STOPS.get(each.finish_reason or "", "unknown")}
            ],
            "completion": each.text or "",
        },
        "scores": {name: {"value": value} for name, value in each.scores.items()},
        "metadata": dict(each.kept),
    }
    if each.prompt_tokens is not None and each.completion_tokens is not None:
        sample["output"]["usage"] = {
            "input_tokens": each.prompt_tokens,
            "output_tokens": each.completion_tokens,
            "total_tokens": each.prompt_tokens + each.completion_tokens,
        }
    if error:
        sample["output"]["error"] = each.kept["reason"] or "error"
    return sample

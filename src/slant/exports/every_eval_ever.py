"""Every Eval Ever 0.3.0: a file of findings with intervals for each model, and one of samples."""

from __future__ import annotations

import hashlib
import json
import uuid
from typing import TYPE_CHECKING, Any

from slant.exports.asked import file_name, samples, studies_of, told
from slant.regular_file import sha256

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from slant.engine.run import Run
    from slant.exports.asked import Sample
    from slant.finding import Finding

_SCHEMA = "0.3.0"


def write(run: Run, findings: Sequence[Finding], folder: Path) -> list[Path]:
    """Write `data/slant/DEVELOPER/MODEL/UUID.json` and `UUID_samples.jsonl`."""
    written = []
    of_studies = studies_of(findings)
    for model in dict.fromkeys(model for model, _ in of_studies):
        own = {study: each for (name, study), each in of_studies.items() if name == model}
        developer, _, short = model.rpartition("/")
        place = f"data/slant/{file_name(developer or 'unknown')}/{file_name(short)}"
        identity = f"slant {run.config.name}/{model}/{_seconds(run)}"
        digest = hashlib.blake2b(identity.encode(), digest_size=16).digest()
        name = str(uuid.UUID(bytes=digest, version=4))
        (folder / place).mkdir(parents=True)
        lines = folder / place / f"{name}_samples.jsonl"
        count = 0
        with lines.open("x", encoding="utf-8") as file:
            for study in own:
                for each in samples(run, model, study):
                    for line in _instances(each, identity, model, study):
                        file.write(json.dumps(line, allow_nan=False) + "\n")
                        count += 1
        checksum = sha256(lines)
        content = {
            **_evaluation(run, model, identity),
            "evaluation_results": [
                _result(run, each) for findings in own.values() for each in findings
            ],
            "detailed_evaluation_results": {
                "format": "jsonl",
                "file_path": f"{place}/{name}_samples.jsonl",
                "hash_algorithm": "sha256",
                "checksum": checksum,
                "total_rows": count,
            },
        }
        path = folder / place / f"{name}.json"
        path.write_text(json.dumps(content, indent=1, allow_nan=False), encoding="utf-8")
        written += [path, lines]
    return written


def _seconds(run: Run) -> str:
    return str(int(run.config.created.timestamp()))


def _evaluation(run: Run, model: str, identity: str) -> dict[str, Any]:
    audit = run.config.audit
    return {
        "schema_version": _SCHEMA,
        "evaluation_id": identity,
        "evaluation_timestamp": _seconds(run),
        "retrieved_timestamp": _seconds(run),
        "source_metadata": {
            "source_name": "slant",
            "source_type": "evaluation_run",
            "source_organization_name": audit.auditor or audit.organisation or "unknown",
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "slant", "version": run.config.slant},
        "model_info": {
            "name": model,
            "id": model,
            # A name does not say who runs a model, nor whether its weights are open.
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
    }


def _result(run: Run, each: Finding) -> dict[str, Any]:
    score: dict[str, Any] = {"score": each.value, "details": _texts(told(each))}
    uncertainty: dict[str, Any] = {"num_samples": each.n}
    if each.low is not None and each.high is not None:
        units = f"{each.unit_count} {each.unit}" if each.unit_count is not None else each.unit
        uncertainty["confidence_interval"] = {
            "lower": each.low,
            "upper": each.high,
            "confidence_level": 0.95,
            "method": f"over {units}" if units else "slant",
        }
    score["uncertainty"] = uncertainty
    parts = (each.study, each.part, each.metric, each.axis, each.group, each.contrast,
             each.condition)  # fmt: skip
    low, high = _bounds(each)
    return {
        "evaluation_result_id": "/".join(part for part in parts if part),
        "evaluation_name": _evaluation_name(each.study),
        "source_data": {"dataset_name": f"slant {run.config.name}", "source_type": "other"},
        "metric_config": {
            "metric_id": f"slant.{each.metric}",
            "metric_name": each.metric,
            "evaluation_description": f"{each.metric} of {each.group} ({each.contrast})",
            # The schema knows two directions; what is best near a target says so beside.
            "lower_is_better": each.direction == "lower_is_better",
            "score_type": "continuous",
            "min_score": low,
            "max_score": high,
            "additional_details": {"direction": each.direction, "contrast": each.contrast},
        },
        "score_details": score,
    }


def _bounds(each: Finding) -> tuple[float | str, float | str]:
    """Say between which values a figure of this kind can be."""
    if each.scale == "share" and each.kind in ("rate", "difference"):
        return (-1.0 if each.kind == "difference" else 0.0), 1.0
    return (0.0 if each.scale == "ratio" else "-Infinity"), "Infinity"


def _evaluation_name(study: str) -> str:
    return f"slant {study}"


def _instances(each: Sample, identity: str, model: str, study: str) -> list[dict[str, Any]]:
    """Give a line for each score of a sample; one without any is told by whether it was answered.

    slant has no right answers: what the schema calls correct is whether the model answered.
    """
    answered = each.kept["outcome"] == "answered"
    error = None if answered else f"{each.kept['outcome']}: {each.kept['reason'] or 'no reason'}"
    usage = None
    if each.prompt_tokens is not None and each.completion_tokens is not None:
        usage = {
            "input_tokens": each.prompt_tokens,
            "output_tokens": each.completion_tokens,
            "total_tokens": each.prompt_tokens + each.completion_tokens,
        }
    return [
        {
            "schema_version": f"instance_level_eval_{_SCHEMA}",
            "evaluation_id": identity,
            "model_id": model,
            "evaluation_name": _evaluation_name(study),
            "sample_id": f"{study}-{each.position}-{measure}",
            "interaction_type": "single_turn",
            "input": {"raw": each.prompt, "reference": []},
            "output": {"raw": [each.text or ""]},
            "answer_attribution": [
                {
                    "turn_idx": 0,
                    "source": "output.raw",
                    "extracted_value": each.text or "",
                    "extraction_method": "custom",
                    "is_terminal": True,
                }
            ],
            "evaluation": {"score": value, "is_correct": answered},
            "token_usage": usage,
            "error": error,
            "metadata": {**_texts(each.kept), "measure": measure},
        }
        for measure, value in (each.scores or {"answered": float(answered)}).items()
    ]


def _texts(kept: Any) -> dict[str, str]:
    """Write values as texts, which is all that the schema takes."""
    return {name: str(value) for name, value in kept.items() if value is not None}

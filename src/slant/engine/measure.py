"""Drawing a study's conclusions from model outputs that the user already has."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slant.engine.conclude import conclude
from slant.engine.environment import write_environment
from slant.engine.run import Run, RunConfig, new_directory
from slant.engine.suite import plan_study
from slant.engine.tables import ANSWERS
from slant.registry import STUDIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.studies.study import Method


def measure(
    study: str,
    file: str | Path,
    *,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    method: Method = "robust",
    out: str | Path | None = None,
    command: str = "",
) -> Run:
    """Draw a study's conclusions from model outputs that the user already has.

    Parameters
    ----------
    study
        The study's name.
    file
        JSONL, CSV or Parquet with the columns that the study documents.
    settings
        The study's parameters.
    seed, method, out, command
        As in `audit`.
    """
    kind = STUDIES.get(study)
    path = Path(file)
    planned = plan_study(study, dict(settings or {}))
    answers = kind.read(path)
    config = RunConfig(
        kind="measure",
        command=command or f"slant measure {study} {file}",
        name=f"{study}-{path.stem}",
        title=f"{kind.title}: {path.name}",
        seed=seed,
        method=method,
        file=path.name,
        study=[planned.config()],
    )
    run = Run.create(Path(out) if out is not None else new_directory(config.name), config)
    with run.locked():
        import polars as pl

        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        names = answers["model"].unique(maintain_order=True).to_list()
        fingerprints = {
            name: {"abilities": [], "fingerprint": {"file": path.name, "sha256": digest}}
            for name in names
        }
        write_environment(run, fingerprints)
        missing = [name for name in ANSWERS if name not in answers.columns]
        whole = answers.with_columns(
            *(pl.lit(None).alias(name) for name in missing if name != "study"),
            pl.lit(planned.label).alias("study"),
        )
        whole.select(list(ANSWERS)).cast(dict(ANSWERS)).write_parquet(run.path("answers.parquet"))
        conclude(run)
    return run

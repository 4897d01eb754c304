"""Drawing a study's conclusions from model outputs that the user already has."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slant import limits
from slant.engine.conclude import conclude
from slant.engine.environment import write_environment
from slant.engine.judging import judge_now
from slant.engine.progress import Silent
from slant.engine.run import Run, new_directory
from slant.engine.run_config import RunConfig
from slant.engine.suite import plan_study
from slant.engine.tables import ANSWERS
from slant.engine.wanted import check_numbers
from slant.errors import InputError, SlantError
from slant.registry import STUDIES, allow

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl
    from narwhals.typing import IntoDataFrame

    from slant.studies.study import Method


def measure(
    study: str,
    source: str | Path | IntoDataFrame,
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
    source
        A file (JSONL, CSV, TSV, Parquet) or a data frame (pandas, polars …) with the columns
        that the study documents.
    settings
        The study's parameters.
    seed, method, out, command
        As in `audit`.

    Returns
    -------
    Run
        With findings, tables and all else that an audit has, but no journal.

    Raises
    ------
    InputError
        The study or a parameter is unknown, or the source is not what the study takes.
    """
    allow([study])
    check_numbers(seed)
    kind = STUDIES.get(study)
    planned = plan_study(study, dict(settings or {})).located(Path())
    allow(planned.settings.named_code())
    given = Path(source) if isinstance(source, str) else source
    answers = _complete(kind.read(given), planned.label)
    name = given.name if isinstance(given, Path) else "table"
    _check_groups(answers, given if isinstance(given, Path) else None)
    config = RunConfig(
        kind="measure",
        command=command or f"slant measure {study} {name}",
        name=f"{study}-{Path(name).stem}",
        title=f"{kind.title}: {name}",
        seed=seed,
        method=method,
        file=name,
        study=[planned.config()],
    )
    run = Run.create(Path(out) if out is not None else new_directory(config.name), config)
    with run.locked():
        fingerprint = {"file": name, "records": _digest(answers)}
        models = answers["model"].unique(maintain_order=True)
        write_environment(
            run, {model: {"abilities": [], "fingerprint": fingerprint} for model in models}
        )
        answers.write_parquet(run.path("answers.parquet"))
        try:
            judge_now(run, Silent(), f"slant resume {run.directory}", named=True)
            conclude(run)
        except InputError:
            # Nothing was asked but a judge: leave no half-made run behind.
            shutil.rmtree(run.directory)
            raise
        except SlantError as error:
            raise type(error)(f"{error}\nTo continue: slant resume {run.directory}") from error
    return run


def _check_groups(answers: pl.DataFrame, file: Path | None) -> None:
    """See that the groups of a table can be compared with one another."""
    groups = answers["group"].drop_nulls().unique(maintain_order=True)
    if len(groups) > limits.AXIS_GROUPS:
        raise InputError(
            f"the table has {len(groups):,} groups, more than the {limits.AXIS_GROUPS} that can be "
            f"compared ({groups[limits.AXIS_GROUPS]!r} is the first too many): put groups "
            "together, or split the table",
            file=file,
        )
    prompts = answers["condition"].n_unique()
    if len(groups) * prompts > limits.TABLE_CELLS:
        raise InputError(
            f"the table has {len(groups):,} groups and {prompts:,} prompts, and more than "
            f"{limits.TABLE_CELLS:,} pairs of the two cannot be held: leave out prompts that few "
            "groups were asked, or split the table",
            file=file,
        )


def _complete(answers: pl.DataFrame, label: str) -> pl.DataFrame:
    """Add the columns that a file has no use for, as an audit would have them."""
    import polars as pl

    missing = [pl.lit(None).alias(name) for name in ANSWERS if name not in answers.columns]
    whole = answers.with_columns(missing).with_columns(study=pl.lit(label), part=pl.lit(""))
    return whole.select(list(ANSWERS)).cast(ANSWERS)


def _digest(answers: pl.DataFrame) -> str:
    """Hash the records: the same texts give the same digest, whatever kind of file holds them."""
    digest = hashlib.sha256()
    for row in answers.select(
        "model", "group", "condition", "slots", "outcome", "text", "logprobs"
    ).iter_rows():
        digest.update(repr(row).encode())
    return digest.hexdigest()[:16]

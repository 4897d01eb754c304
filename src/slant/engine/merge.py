"""Joining the shards of one run."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from slant.engine.budget import Budget
from slant.engine.conclude import conclude
from slant.engine.environment import difference, write_environment
from slant.engine.event_loop import in_event_loop
from slant.engine.executor import Executor
from slant.engine.journal import Journal
from slant.engine.progress import Silent
from slant.engine.remembered import remembered_studies
from slant.engine.run import Run
from slant.engine.run_journal import open_journal
from slant.engine.shard import Shard
from slant.engine.tables import export
from slant.errors import IncompleteError, InputError
from slant.models.effective import Effective
from slant.models.model import Model
from slant.studies.checksums import JOURNAL, remember_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.records import Item

_NOBODY = Shard(0, 1)
"""A shard that holds no item."""


def merge(directories: Sequence[str | Path], out: str | Path) -> Run:
    """Join shards of one run.

    Returns
    -------
    Run
        With findings if the shards answer everything.

    Raises
    ------
    InputError
        The directories are not shards of the same run.
    IncompleteError
        Something is still to be asked: `resume` does it.
    """
    parts = [Run(directory) for directory in directories]
    if not parts:
        raise InputError("name the run directories to merge")
    first = parts[0]
    for part in parts[1:]:
        for name in ("models", "seed", "method", "limit", "study", "slant"):
            mine, other = getattr(first.config, name), getattr(part.config, name)
            if mine != other:
                raise InputError(
                    f"{part.directory} is no shard of the same run as {first.directory}: "
                    f"{name} differs ({other!r} against {mine!r})"
                )
    models: dict[str, dict[str, Any]] = {}
    for part in parts:
        for name, model in part.environment.get("models", {}).items():
            known = models.setdefault(name, model)
            if known["fingerprint"] != model["fingerprint"]:
                raise InputError(
                    f"{part.directory} asked another {name!r} than the shards before it: "
                    + difference(known["fingerprint"], model["fingerprint"])
                )
            models[name] = {**known, **_joined_meanwhile(known, model)}
    run = _joined(parts, models, Path(out))
    with run.locked():
        with closing(open_journal(run)) as journal:
            whole = in_event_loop(_all_known(run, journal))
            export(journal, run.path("items.parquet"), run.path("answers.parquet"))
        remember_files(run.directory, JOURNAL)
        run.mark(finished=whole)
        if not whole:
            raise IncompleteError(
                f"the shards leave questions open. To continue: slant resume {run.directory}"
            )
        conclude(run)
    return run


def _joined_meanwhile(known: Mapping[str, Any], model: Mapping[str, Any]) -> dict[str, Any]:
    """Join what turned out in two shards while a model answered."""
    effective = [Effective.from_plain(each.get("effective")) for each in (known, model)]
    remarks = dict.fromkeys([*known.get("remarks", ()), *model.get("remarks", ())])
    said = {"remarks": list(remarks), "effective": effective[0].joined(effective[1]).plain()}
    return {name: value for name, value in said.items() if value}


def _joined(parts: Sequence[Run], models: Mapping[str, dict[str, Any]], out: Path) -> Run:
    """Make one run of the shards: it appears with all of their answers, or not at all."""
    Run.check_free(out)
    for part in parts:
        open_journal(part).close()  # says so if it is lost
    draft = out.absolute().with_name(f".{out.absolute().name}.merging")
    if draft.exists():  # left by a merge that was killed
        with Run(draft, parts[0].config).locked():  # or by one that is at work
            shutil.rmtree(draft)
    run = Run.create(draft, parts[0].config.model_copy(update={"shard": None}))
    try:
        with run.locked():
            with closing(Journal(run.path("journal.sqlite"))) as journal:
                for part in parts:
                    journal.absorb(part.path("journal.sqlite"))
            write_environment(run, models)
        if out.exists():  # empty, as was checked; not everywhere does a rename replace it
            out.rmdir()
        draft.rename(out)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return Run(out)


async def _all_known(run: Run, journal: Journal) -> bool:
    """Replay every study against the journal alone, to see whether it answers everything."""
    whole = True
    for study in remembered_studies(run):
        model = _Recorded(study.circumstances.model)
        executor = Executor(
            model, journal, Silent(), Budget((0, 0), None),
            seed=run.config.seed, limit=run.config.limit, part=_NOBODY,
        )  # fmt: skip
        whole &= await executor.ask(study)
    return whole


class _Recorded(Model):
    """Stands for a model whose answers are in the journal; it is never asked."""

    batch_size = 1000

    def __init__(self, name: str):
        self.name, self.abilities = name, frozenset()

    def fingerprint(self) -> dict[str, str]:
        return {}

    async def answer(self, items: Sequence[Item], seed: int) -> NoReturn:
        raise AssertionError("the shard of nobody asks nothing")

"""Asking every model what the studies of a run still want to know, then concluding."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack, closing, suppress
from typing import TYPE_CHECKING, Any

import platformdirs
import polars as pl

from slant.engine.batches.by_post import ByPost
from slant.engine.budget import Budget
from slant.engine.cache import AnswerCache
from slant.engine.conclude import conclude
from slant.engine.environment import MEANWHILE, difference, short_hash, write_environment
from slant.engine.event_loop import abandon, in_event_loop
from slant.engine.executor import Executor, interruptible
from slant.engine.judging import judge_now
from slant.engine.progress_file import WrittenProgress
from slant.engine.run_journal import open_journal
from slant.engine.shard import Shard
from slant.engine.suite import plan_study
from slant.engine.tables import export
from slant.engine.thought_room import too_little_room
from slant.engine.time_left import Expected, expected
from slant.errors import InputError, InterruptedRunError, SlantError
from slant.models.effective import Effective
from slant.readings.read import CUT_THOUGHT
from slant.studies.checksums import JOURNAL, remember_files
from slant.studies.study import Circumstances

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from slant.engine.journal import Journal
    from slant.engine.progress import Progress
    from slant.engine.run import Run
    from slant.engine.shard import Part
    from slant.models.key_hosts import KeyHosts
    from slant.models.model import Model


def run_loop(
    run: Run,
    models: Mapping[str, Model],
    progress: Progress,
    *,
    cache: bool,
    key_hosts: KeyHosts | None = None,
    prices: str | Path | None = None,
) -> None:
    """Ask whatever is not answered yet; then conclude.

    Not a shard, whose other parts are asked elsewhere, nor a run that waits for the results of a
    batch.

    Parameters
    ----------
    run
        A run that this process holds.
    models
        The models of the run, by name.
    progress
        Who is told how far it is.
    cache
        Whether to use and keep answers across runs.
    key_hosts
        The only servers that get a key of whoever runs slant; `None` where they named the suite.
    prices
        What judges cost that are spelt without, as in `audit`.

    Raises
    ------
    SlantError
        The run stopped early; the message says how to continue it.
    """
    hint = f"To continue: {_resume(run, models)}"
    try:
        opened = open_journal(run)
    except InputError:  # it is lost or damaged: the run is left as it is
        raise
    except SlantError as error:
        raise type(error)(f"{error}\n{hint}") from error
    written = WrittenProgress(run, progress)
    try:
        with closing(opened) as journal:
            run.mark(finished=False)
            whole = in_event_loop(_ask_all(run, journal, models, written, cache, key_hosts))
            journal.verify()  # it may have been open for days
            export(journal, run.path("items.parquet"), run.path("answers.parquet"))
        remember_files(run.directory, JOURNAL)
        run.log("asked everything", whole=whole)
        if run.config.shard is None and not whole:
            written.stop("waiting for the results of a batch")
            return
        if run.config.shard is None:
            judge_now(run, written, _resume(run, models), prices=prices, key_hosts=key_hosts)
            run.mark(finished=True)
            written.conclude()
            conclude(run, progress=written)
            run.log("concluded")
        written.finish()
    except SlantError as error:
        _log_stop(run, written, str(error))
        raise type(error)(f"{error}\n{hint}") from error
    except KeyboardInterrupt as error:
        _log_stop(run, written, "interrupted")
        raise InterruptedRunError(
            f"interrupted; everything answered so far is kept.\n{hint}"
        ) from error
    except (OSError, pl.exceptions.PolarsError) as error:
        _log_stop(run, written, str(error))
        raise SlantError(f"{run.directory} cannot be written: {error}\n{hint}") from error


def _resume(run: Run, models: Mapping[str, Model]) -> str:
    """Give the command that continues a run, with the servers that are to get a key again."""
    servers = dict.fromkeys(model.key_server for model in models.values() if model.key_server)
    return " ".join([f"slant resume {run.directory}", *(f"--key-for {each}" for each in servers)])


def _log_stop(run: Run, written: WrittenProgress, reason: str) -> None:
    written.stop(reason)
    with suppress(OSError):  # a full disk may be the very reason
        remember_files(run.directory, JOURNAL)
        run.log("stopped", reason=reason)


async def _ask_all(
    run: Run,
    journal: Journal,
    models: Mapping[str, Model],
    progress: Progress,
    cache: bool,
    key_hosts: KeyHosts | None,
) -> bool:
    config, whole = run.config, True
    progress.expect(len(models) * len(config.study), lambda: _expected(run, models))
    described: dict[str, dict[str, Any]] = {}
    for model in models.values():
        async with AsyncExitStack() as resources:
            resources.push_async_callback(model.close)
            fingerprint = dict(model.fingerprint())
            _same_model(journal, model, fingerprint)
            before = _before(run).get(model.name, {})
            described[model.name] = {
                "abilities": sorted(model.abilities),
                "fingerprint": fingerprint,
                **{name: before[name] for name in MEANWHILE if name in before},
            }
            write_environment(run, described)
            run.log("model ready", model=model.name)
            price = model.price or (0.0, 0.0)
            budget = Budget(price, config.max_cost, thought_tokens=model.thought_tokens)
            budget.spent = budget.cost(*journal.tokens(model.name))
            answers = resources.enter_context(_cache(fingerprint)) if cache else None
            part: Part | None = None if config.shard is None else Shard.parse(config.shard)
            if isinstance(model, ByPost):
                part = model
                model.begin(journal, Effective.from_plain(before.get("effective")))
            executor = Executor(
                model,
                journal,
                progress,
                budget,
                seed=config.seed,
                limit=config.limit,
                part=part,
                cache=answers,
            )
            circumstances = Circumstances(
                model.name,
                model.abilities,
                config.method,
                config.seed,
                short_hash(fingerprint),
                fingerprint,
                model.restriction,
                key_hosts=key_hosts,
            )
            for remark in (told := model.remarks()):  # what is known before anything is asked
                progress.note(f"{model.name}: {remark}")
            # All are made before any is asked: one that cannot be is no reason to lose the others.
            studies = [
                plan_study(planned.use, planned.settings).for_model(circumstances)
                for planned in config.study
            ]
            if room := too_little_room(model, studies):
                progress.note(room)
                run.log("room", model=model.name, said=room)
            try:
                with interruptible(executor.interrupt, lambda: abandon(_resume(run, models))):
                    for study in studies:
                        whole &= await executor.ask(study)
                        run.log("asked", model=model.name, study=study.label, spent=budget.spent)
                if isinstance(model, ByPost):
                    run.log("batch", open=model.finish(journal, progress))
            finally:
                known = described[model.name].items()
                described[model.name] = {
                    **{name: value for name, value in known if name not in MEANWHILE},
                    **_meanwhile(model, journal, before),
                }
                write_environment(run, described)
            if tempo := model.tempo():
                progress.note(f"{model.name}: {tempo}")
                run.log("tempo", model=model.name, said=tempo)
            for remark in described[model.name].get("remarks", ()):
                if remark not in told:
                    progress.note(f"{model.name}: {remark}")
    return whole


def _expected(run: Run, models: Mapping[str, Model]) -> list[Expected]:
    """Look at what all studies are to ask, before any model is loaded."""
    config = run.config
    return [
        expected(
            plan_study(planned.use, planned.settings).for_model(
                Circumstances(model.name, model.abilities, config.method, config.seed)
            ),
            config.limit,
        )
        for model in models.values()
        for planned in config.study
    ]


def _before(run: Run) -> Mapping[str, Any]:
    """Give what the run knows of its models; nothing if its file is damaged, and written anew."""
    try:
        known: Mapping[str, Any] = run.environment.get("models", {})
    except InputError:
        return {}
    return known


def _meanwhile(model: Model, journal: Journal, before: Mapping[str, Any]) -> dict[str, Any]:
    """Say what turned out while a model answered, in this process and in those before it."""
    effective = Effective.from_plain(before.get("effective")).joined(model.effective())
    remarks = [*model.remarks(), *effective.remarks()]
    if cut := journal.count_reason(model.name, CUT_THOUGHT):
        answers = "answer was" if cut == 1 else "answers were"
        remarks.append(
            f"{cut:,} {answers} cut off in the model's thought, so that nothing can be read: give "
            "thoughts more room (the model's option thinking=N, or max_tokens of the study)"
        )
    said = {"remarks": remarks, "effective": effective.plain()}
    return {name: value for name, value in said.items() if value}


def _same_model(journal: Journal, model: Model, fingerprint: Mapping[str, str]) -> None:
    """Refuse to continue a run with a model that is not the one it began with."""
    now = json.dumps(fingerprint, sort_keys=True)
    before = journal.remember(f"fingerprint:{model.name}", now)
    if before != now:
        raise InputError(
            f"{model.name!r} is not the model this run began with: "
            + difference(json.loads(before), fingerprint)
            + ". Put things back as they were, or begin a new run."
        )


def _cache(fingerprint: Mapping[str, str]) -> closing[AnswerCache]:
    path = platformdirs.user_cache_path("slant") / "answers.sqlite"
    return closing(AnswerCache(path, fingerprint))

"""Beginning a run, and continuing one that stopped early."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from slant.engine.batches.post_all import post_all
from slant.engine.conclude import conclude
from slant.engine.coverage import MIN_COVERAGE
from slant.engine.judging import judge_now, open_judges
from slant.engine.prices import check_prices, priced
from slant.engine.progress import Silent
from slant.engine.remembered import remembered_studies
from slant.engine.run import Run, new_directory
from slant.engine.run_config import RunConfig
from slant.engine.run_loop import run_loop
from slant.engine.shard import Shard
from slant.engine.suite import (
    instruments_of,
    load_suite,
    stopped_when,
    usual_suite,
    with_instruments,
)
from slant.engine.wanted import check_numbers, wanted_models
from slant.errors import IncompleteError, InputError
from slant.models.deployment.deployment import changed_files, named_files
from slant.models.key_hosts import KeyHosts
from slant.models.model_spec import parse_model_spec
from slant.models.open import open_models
from slant.models.replicas import replicate
from slant.regular_file import sha256
from slant.studies.study import Circumstances

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.engine.progress import Progress
    from slant.models.model import Model
    from slant.studies.study import Method


def audit(
    suite: str | Path | None = None,
    models: str | Sequence[str] = "embedded",
    *,
    system: str | Path | Sequence[str | Path] = (),
    frame: str | Path | None = None,
    seed: int = 0,
    limit: int | None = None,
    until: str | None = None,
    method: Method = "robust",
    max_cost: float | None = None,
    prices: str | Path | None = None,
    min_coverage: float = MIN_COVERAGE,
    instruments: str | Path | None = None,
    shard: str | None = None,
    out: str | Path | None = None,
    cache: bool = False,
    executor: str = "local",
    batch_out: str | Path | None = None,
    command: str = "",
    progress: Progress | None = None,
) -> Run:
    """Ask models the questions of a suite and conclude which way they lean.

    Parameters
    ----------
    suite
        `quick`, `standard`, `full`, `paper` or a TOML file; when not given `quick`, or `paper` by
        the method of that name.
    models
        One spelling or several: `embedded`, `hf:…`, `openai:…`, `http://…`, `target:…`,
        `python:…`, `mock:…`, `replay:…`.
    system
        A file with a system prompt to put before every question, or several: then every model is
        asked once with each. The suite's own when not given.
    frame
        A TOML file with turns to put around every question; the suite's own when not given.
    seed
        Root of every random choice.
    limit
        Ask at most this many questions a study, balanced over the groups.
    until
        Stop asking when this is known: `width<0.1` or `decided harm>5 points`; see
        `docs/sequential.md`. Only for studies that can.
    method
        `robust`, or `paper` to compute as the publications did.
    max_cost
        Stop before more US dollars than this are spent, each model counted by itself.
    prices
        A TOML file with the prices of models that are spelt without.
    min_coverage
        Share of a study's questions that must be answered: neither refused, nor failed, nor
        unreadable.
    instruments
        A TOML file that says which weights score regard, toxicity and attacks on an identity, for
        all studies that take some (`docs/instruments.md`); the suite's own when not given.
    shard
        `i/n`: ask only part i of n; `merge` joins the parts.
    out
        Where to put the run; `runs/<time>-<suite>` when not given.
    cache
        Use and keep answers across runs.
    executor
        Where the models run: `local`, `pool`, `pool:N`, `ray` or `ray:HOST:PORT`. It changes how
        long a run takes, not what comes out.
    batch_out
        A file to write the first questions of every study to, as batch requests: nothing is asked,
        and `resume` takes the results.
    command
        What to print as the command that repeats the run.
    progress
        Who is told how far it is; nobody when not given.

    Returns
    -------
    Run
        Whose `findings` is a polars frame. A shard has none until it is merged, and a run whose
        questions went out as a batch until the results of all its rounds have come in.

    Raises
    ------
    InputError
        Something named does not exist or cannot do what is asked; nothing was run.
    InterruptedRunError, IncompleteError
        The run stopped early; `resume` continues it. A run with too few answers does not raise:
        its `incomplete` says so.
    """
    loaded = load_suite(suite or usual_suite(method))
    if until is not None:
        loaded = stopped_when(loaded, until)
    if instruments is not None:
        loaded = with_instruments(loaded, instruments)
    spellings = wanted_models(loaded, models, system, frame, prices)
    texts = named_files([parse_model_spec(text) for text in spellings])
    if batch_out is None:
        opened = replicate(spellings, executor, texts)
    else:
        check_batch_options("--batch-out", cache=cache, executor=executor, max_cost=max_cost,
                            shard=shard)  # fmt: skip
        opened = by_post(spellings, texts, (), batch_out, seed)
    part = None if shard is None else Shard.parse(shard)
    check_numbers(seed, limit)
    check_prices(opened, max_cost)
    studies = [
        planned.for_model(
            Circumstances(model.name, model.abilities, method, seed, restriction=model.restriction)
        )
        for model in opened.values()
        for planned in loaded.studies
    ]
    open_judges(studies, prices=prices, max_cost=max_cost, named=True)
    config = RunConfig(
        kind="audit",
        command=command or f"slant audit {loaded.name}",
        name=loaded.name,
        title=loaded.title,
        larger=list(loaded.larger),
        audit=loaded.audit,
        model=list(loaded.notes),
        models=spellings,
        seed=seed,
        method=method,
        limit=limit,
        shard=None if part is None else str(part),
        max_cost=max_cost,
        min_coverage=min_coverage,
        texts=texts,
        instruments=instruments_of(loaded),
        study=[planned.config() for planned in loaded.studies],
    )
    run = Run.create(Path(out) if out is not None else new_directory(loaded.name), config)
    with run.locked():
        run_loop(run, opened, progress or Silent(), cache=cache, prices=prices)
    return run


def check_batch_options(
    option: str, *, cache: bool, executor: str, max_cost: float | None, shard: str | None
) -> None:
    """See that nothing is wanted of a batch that only asking at once can give.

    Raises
    ------
    InputError
        Something is.
    """
    wanted = {
        "--cache": (cache, "keeps answers that slant asked for itself"),
        "--executor": (executor != "local", "says where models run that slant asks itself"),
        "--max-cost": (max_cost is not None, "cannot stop a batch that somebody else sends"),
        "--shard": (shard is not None, "parts a run that slant asks itself"),
    }
    for name, (given, why) in wanted.items():
        if given:
            raise InputError(f"{name} {why}: leave it out with {option}")


def by_post(
    spellings: Sequence[str],
    texts: Mapping[str, str],
    answers: Sequence[str | Path],
    batch_out: str | Path | None,
    seed: int,
    key_hosts: KeyHosts | None = None,
) -> dict[str, Model]:
    """Make the models that are asked by files.

    Raises
    ------
    InputError
        One cannot be asked so, or a file cannot be used.
    """
    opened = open_models(spellings, texts, key_hosts, asked=False)
    return dict(post_all(opened, answers, batch_out, seed))


def resume(
    directory: str | Path,
    *,
    answers: str | Path | Sequence[str | Path] = (),
    batch_out: str | Path | None = None,
    max_cost: float | None = None,
    prices: str | Path | None = None,
    cache: bool = False,
    executor: str = "local",
    key_for: Sequence[str] = (),
    progress: Progress | None = None,
) -> Run:
    """Continue a run that stopped early: ask what is missing and what failed, then conclude.

    Parameters
    ----------
    directory
        The run.
    answers
        A file with results of batches, or several: the model itself is asked nothing.
    batch_out
        A file to write what is still open to, as batch requests.
    max_cost
        A new limit on what the run may cost in all; the old one when not given.
    prices
        A TOML file with the prices of models that are spelt without.
    cache, executor, progress
        As in `audit`; the executor need not be the one that the run began with.
    key_for
        Addresses of servers, such as `https://host:8000`, that may get a key. The run names its
        models' servers, and a run may come from anybody: no other server gets one, but for those
        of OpenAI and Anthropic, each of which gets its own.

    Raises
    ------
    IncompleteError
        With `answers` and without `batch_out`: questions are still open.
    """
    run = Run(directory)
    if run.config.kind != "audit":
        return _judge_file(run, prices, KeyHosts(key_for), progress or Silent())
    if max_cost is not None:
        run.config = run.config.model_copy(update={"max_cost": max_cost})
    kept, told = run.config.texts, progress or Silent()
    specs, key_hosts = priced(run.config.models, prices), KeyHosts(key_for)
    files = [answers] if isinstance(answers, str | Path) else list(answers)
    batch = bool(files) or batch_out is not None
    if batch:
        option = "--answers" if files else "--batch-out"
        check_batch_options(option, cache=cache, executor=executor, max_cost=max_cost,
                            shard=run.config.shard)  # fmt: skip
        models = by_post(specs, kept, files, batch_out, run.config.seed, key_hosts)
    else:
        models = replicate(specs, executor, kept, key_hosts)
        check_prices(models, run.config.max_cost)
    with run.locked():
        for name, was in run.config.instruments.items():
            if not Path(name).is_file() or sha256(Path(name)) != was:
                told.note(
                    f"{name} is not what it was when this run began: its findings name the "
                    "weights that it says now"
                )
                run.log("changed", file=name)
        for name in changed_files(kept):
            told.note(
                f"{name} is not what it was when this run began: the run goes on with the text it "
                "began with, which run.toml holds"
            )
            run.log("changed", file=name)
        run_loop(run, models, told, cache=cache, key_hosts=key_hosts, prices=prices)
    if batch and batch_out is None and not run.asked_everything:
        raise IncompleteError(
            "some questions are still open. To have them as batch requests: slant resume "
            f"{run.directory} --batch-out FILE. To ask the model at once: slant resume "
            f"{run.directory}"
        )
    return run


def _judge_file(run: Run, prices: str | Path | None, key_hosts: KeyHosts, told: Progress) -> Run:
    """Continue a run that measures a file, where a judge is still to be asked."""
    if not any(study.judges for study in remembered_studies(run)):
        raise InputError(f"{run.directory} measures a file and asks no model: use `slant rescore`")
    with run.locked():
        judge_now(run, told, f"slant resume {run.directory}", prices=prices, key_hosts=key_hosts)
        conclude(run)
    return run

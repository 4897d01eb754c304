"""Asking judges: every distinct text of a run, in a journal of its own beside the run's."""

from __future__ import annotations

from contextlib import AsyncExitStack, closing
from functools import cache
from typing import TYPE_CHECKING

import polars as pl

from slant.engine.budget import Budget
from slant.engine.environment import short_hash
from slant.engine.event_loop import abandon, in_event_loop
from slant.engine.executor import Executor, interruptible
from slant.engine.journal import Journal
from slant.engine.prices import check_prices, priced
from slant.engine.remembered import remembered_studies
from slant.errors import InputError, SlantError
from slant.measures.judge import JUDGED_TEXTS, OPTIONS, VERDICTS, text_key, verdict
from slant.measures.refusal import Refusal
from slant.measures.spans import SAYS
from slant.models.model_spec import parse_model_spec
from slant.models.open import open_model
from slant.readings.choice import read_choice
from slant.records import Choose
from slant.registry import allow
from slant.studies.checksums import VERDICT_JOURNAL, remember_files
from slant.studies.text_study import MeasuredStudy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from slant.engine.progress import Progress
    from slant.engine.run import Run
    from slant.measures.judge import Judge, Ruling
    from slant.models.key_hosts import KeyHosts
    from slant.models.model import Model
    from slant.records import Ability, Answer, Item
    from slant.studies.study import Rounds, Study

TABLE, TEXTS = "verdicts.parquet", "judged_texts.parquet"
_CHUNK = 20_000


def open_judges(
    studies: Iterable[Study],
    *,
    prices: str | Path | None = None,
    max_cost: float | None = None,
    key_hosts: KeyHosts | None = None,
    named: bool = False,
) -> dict[str, Model]:
    """Make the models that judge the texts of some studies, without loading them.

    Parameters
    ----------
    studies
        Whose measures may be judges.
    prices, max_cost, key_hosts
        As of the run.
    named
        Whether whoever calls this has named the rubrics, and so any code that these name.

    Returns
    -------
    dict of Model
        By what `Judge.judge_id` says.

    Raises
    ------
    InputError
        One cannot be opened, can neither choose nor answer a chat, or has no price that
        `max_cost` needs.
    """
    opened: dict[str, Model] = {}
    for judge in [each for study in studies for each in study.judges]:
        if judge.judge_id in opened:
            continue
        (spelling,) = priced([judge.rubric.model], prices)
        if named:
            parsed = parse_model_spec(spelling)
            allow([f"{parsed.scheme}:{parsed.argument}"])
        try:
            model = open_model(spelling, key_hosts=key_hosts)
        except InputError as error:
            raise InputError(f"the judge's model: {error}", file=judge.file) from error
        if not {"choose", "chat"} & model.abilities:
            raise InputError(
                f"the judge's model {spelling!r} can neither choose between options nor answer a "
                "chat: name one that can",
                file=judge.file,
            )
        check_prices({model.name: model}, max_cost)
        opened[judge.judge_id] = model
    return opened


def judge_now(
    run: Run,
    progress: Progress,
    again: str,
    *,
    prices: str | Path | None = None,
    key_hosts: KeyHosts | None = None,
    named: bool = False,
) -> None:
    """Have every judge rule on every text that it has not ruled on, and write the verdicts down.

    What is answered is in the run's `verdicts.sqlite`, so that a judge who was interrupted goes on
    where it stopped.

    Parameters
    ----------
    run
        A run that this process holds, whose `answers.parquet` is written.
    progress
        Who is told how far it is.
    again
        The command that goes on.
    prices, key_hosts, named
        As `open_judges` takes them.
    """
    studies = remembered_studies(run)
    models = open_judges(
        studies, prices=prices, max_cost=run.config.max_cost, key_hosts=key_hosts, named=named
    )
    if not models:
        return
    servers = dict.fromkeys(model.key_server for model in models.values() if model.key_server)
    keys = "".join(f" --key-for {each}" for each in servers)
    try:
        in_event_loop(_ask_judges(run, studies, models, progress, lambda: abandon(again + keys)))
    except SlantError as error:
        if not keys:
            raise
        raise type(error)(f"{error}\nThe judge's server gets its key again with{keys}") from error


async def _ask_judges(
    run: Run,
    studies: Sequence[Study],
    models: Mapping[str, Model],
    progress: Progress,
    leave: Callable[[], None],
) -> None:
    own = _own_texts(run, studies)
    judged = {
        judge.judge_id: (judge, _texts_of(run, judge.judge_id, studies, own))
        for study in studies
        for judge in study.judges
    }
    tables: list[pl.DataFrame] = []
    with closing(Journal(run.path(VERDICT_JOURNAL[0]))) as journal:
        for name, (judge, texts) in judged.items():
            model = models[name]
            async with AsyncExitStack() as resources:
                resources.push_async_callback(model.close)
                fingerprint = short_hash(dict(model.fingerprint()))
                signature = f"{name}|judge:{model.name}@{fingerprint}"
                if (before := journal.remember(f"judge:{name}", signature)) != signature:
                    raise InputError(
                        f"{model.name!r} is not the judge that this run began with ({before}): put "
                        "things back as they were, or begin a new run",
                        file=judge.file,
                    )
                budget = Budget(
                    model.price or (0.0, 0.0), run.config.max_cost,
                    thought_tokens=model.thought_tokens,
                )  # fmt: skip
                budget.spent = budget.cost(*journal.tokens(model.name))
                executor = Executor(model, journal, progress, budget, seed=run.config.seed)
                asking = _Judging(judge, texts, model.abilities)
                with interruptible(executor.interrupt, leave):
                    await executor.ask(asking)
                run.log("judged", judge=name, model=model.name, spent=budget.spent)
                answered = journal.replies(model.name, asking.label, 0, asking.asked)
                tables.append(_table(judge, model.name, signature, answered))
        journal.verify()
    verdicts = pl.concat(tables)
    verdicts.write_parquet(run.path(TABLE))
    ruled_on = [_ruled_on(studies[place], mine, verdicts) for place, mine in own.items()]
    pl.concat([JUDGED_TEXTS.to_frame(), *ruled_on]).write_parquet(run.path(TEXTS))
    remember_files(run.directory, [*VERDICT_JOURNAL, TABLE, TEXTS])


def hear_verdicts(run: Run, studies: Iterable[Study]) -> None:
    """Tell judges among the studies' measures what has been ruled in a run; nothing is asked."""
    judges = [(study, judge) for study in studies for judge in study.judges]
    if not judges or not run.path(TABLE).exists():
        return
    verdicts = run.verdicts.collect()
    texts = run.judged_texts.collect() if run.path(TEXTS).exists() else JUDGED_TEXTS.to_frame()
    for study, judge in judges:
        mine = {"model": study.circumstances.model, "study": study.label, "measure": judge.name}
        judge.hear(verdicts, texts.filter(**mine))


def _own_texts(run: Run, studies: Sequence[Study]) -> dict[int, pl.DataFrame]:
    """Give the texts of studies that judge others than whole answers, by their place."""
    found = {}
    for place, study in enumerate(studies):
        if study.judges and isinstance(study, MeasuredStudy):
            texts = study.judged_texts(_answers_of(run, study))
            if texts is not None:
                found[place] = texts.filter(pl.col("text").str.contains(SAYS))
    return found


def _answers_of(run: Run, study: Study) -> pl.LazyFrame:
    mine = {"model": study.circumstances.model, "study": study.label}
    return run.answers.filter(**mine)


def _texts_of(
    run: Run, judge_id: str, studies: Sequence[Study], own: Mapping[int, pl.DataFrame]
) -> Callable[[], Iterator[str]]:
    whose = [
        (place, study)
        for place, study in enumerate(studies)
        if any(each.judge_id == judge_id for each in study.judges)
    ]

    def texts() -> Iterator[str]:
        """Give every distinct text that is judged, in the order asked."""
        seen: set[str] = set()
        for place, study in whose:
            said = (pl.col("outcome") == "answered") & pl.col("text").str.contains(SAYS)
            rows = own[place].lazy() if place in own else _answers_of(run, study).filter(said)
            chunks = rows.select("text").collect_batches(chunk_size=_CHUNK, maintain_order=True)
            for text in (text for chunk in chunks for text in chunk["text"]):
                if (key := text_key(text)) not in seen:
                    seen.add(key)
                    yield text

    return texts


def _ruled_on(study: Study, texts: pl.DataFrame, verdicts: pl.DataFrame) -> pl.DataFrame:
    """Put the verdicts of a study's judges beside the texts of its own."""
    texts = texts.with_columns(
        item=pl.Series([text_key(text) for text in texts["text"]], dtype=pl.String)
    )
    texts = texts.with_row_index("position").with_columns(
        model=pl.lit(study.circumstances.model), study=pl.lit(study.label)
    )
    found = [
        texts.join(
            verdicts.filter(judge=judge.judge_id).select("key", "value", "reason"),
            left_on="item", right_on="key", how="left", maintain_order="left",
        ).with_columns(measure=pl.lit(judge.name))
        for judge in study.judges
    ]  # fmt: skip
    return pl.concat(found).select(JUDGED_TEXTS.names()).cast(JUDGED_TEXTS)


class _Judging:
    """The questions to one judge, as the executor asks them: every text, in two ways."""

    def __init__(
        self, judge: Judge, texts: Callable[[], Iterator[str]], abilities: frozenset[Ability]
    ):
        self.label = judge.judge_id
        self._judge, self._texts, self._abilities, self.asked = judge, texts, abilities, 0

    def rounds(self) -> Rounds:
        """Ask everything in one round."""
        yield self._items()

    def _items(self) -> Iterator[Item]:
        for text in self._texts():
            self.asked += 2
            yield from self._judge.questions(text, self._abilities)


def _table(
    judge: Judge, model: str, signature: str, answered: Iterable[tuple[Item, Answer]]
) -> pl.DataFrame:
    """Read what a judge said to the two questions about each text."""
    rows, replies = [], iter(answered)
    for (first, said), (second, answer) in zip(replies, replies, strict=True):
        yes_first, no_first = read_ruling(first, said), read_ruling(second, answer)
        rows.append(
            (judge.judge_id, model, signature, first.slots["text"], yes_first, no_first,
             first.slots["text_above"] == "True", *verdict(yes_first, no_first))
        )  # fmt: skip
    return pl.DataFrame(rows, schema=VERDICTS, orient="row")


def read_ruling(item: Item, answer: Answer) -> Ruling:
    """Read what a judge said to one question."""
    if answer.outcome in ("error", "refused"):
        return "error" if answer.outcome == "error" else "refused"
    options = OPTIONS if item.condition == "yes first" else OPTIONS[::-1]
    logprobs = answer.logprobs if isinstance(item.request, Choose) else None
    chosen = read_choice(answer.text, logprobs, options).option
    if chosen is not None:
        return "yes" if options[chosen] == "yes" else "no"
    return "refused" if answer.text and _refuses(answer.text) else "unreadable"


def _refuses(text: str) -> bool:
    return bool(_refusal().score(pl.Series([text]))["value"][0] == 1)


@cache
def _refusal() -> Refusal:
    return Refusal()

"""Playing: a study's questions, asked round by round, with an event for all that happens."""

from __future__ import annotations

import asyncio
import itertools
import json
import tempfile
from contextlib import aclosing
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from slant.engine.environment import short_hash
from slant.engine.journal_rows import aside_to_text
from slant.engine.tables import ANSWERS, SCORES, shown_prompt
from slant.errors import InputError, SlantError
from slant.play.answer_score import AnswerScorer, whole
from slant.play.events import Asked, Captioned, Column, Completion, Ended, Remark
from slant.play.study_file import study_file, without_folder
from slant.play.tally import Tally
from slant.readings import read_answer
from slant.records import Answer, request_to_json
from slant.studies.story.captioning import CAPTIONS, caption_of
from slant.studies.study import Circumstances

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence

    from slant.models.model import Model
    from slant.play.events import Event
    from slant.play.kept_models import KeptModels
    from slant.play.play_request import PlayRequest
    from slant.records import Finding, Item
    from slant.studies.study import Study

_HOPELESS = 2
"""After so many rounds in a row without one answer, asking on is pointless."""


async def play(wanted: PlayRequest, models: KeptModels) -> AsyncGenerator[Event]:
    """Ask what somebody wants to see, one sample for each group after the other.

    Whoever closes the generator, or cancels the task that waits for it, stops the asking: nothing
    more is asked, and the model stays with `models`. A batch that a process has begun is finished
    there and dropped.

    Parameters
    ----------
    wanted
        What is asked.
    models
        Who lends the model.

    Yields
    ------
    Event
        `Remark` while something takes its time, `Asked` once, `Captioned` for each picture,
        `Completion` for each answer, `Ended` when everything was asked.

    Raises
    ------
    InputError
        The model, a group or a picture is not what it must be, or the model cannot do what is
        asked.
    SlantError
        The model answers nothing.
    """
    with tempfile.TemporaryDirectory(prefix="slant-play-") as name:
        folder = Path(name)
        planned = study_file(wanted).write(folder)
        if "sentiment" in type(planned.settings).model_fields:
            # A scorer of sentences would be loaded for figures that are not shown here.
            fewer = planned.settings.model_copy(update={"sentiment": []})
            planned = replace(planned, settings=fewer)
        if models.busy(wanted.model):
            yield Remark("Another play with this model is under way; this one waits for its end.")
        else:
            yield Remark("Opening the model; one on this machine takes a while the first time.")
        async with models.lent(wanted.model) as model:
            for remark in model.remarks():
                yield Remark(remark)
            try:
                _check_sight(wanted, model)
                fingerprint = dict(model.fingerprint())
                study = planned.for_model(
                    Circumstances(
                        model.name,
                        model.abilities,
                        seed=wanted.seed,
                        model_signature=short_hash(fingerprint),
                        fingerprint=fingerprint,
                    )
                )
            except InputError as error:
                raise without_folder(error, folder) from error
            async with aclosing(_ask(wanted, study, model)) as events:
                async for event in events:
                    yield event


def _check_sight(wanted: PlayRequest, model: Model) -> None:
    if wanted.pictures and "see" not in model.abilities:
        raise InputError(
            f"model {model.name!r} cannot look at pictures: choose one that can, or describe what "
            "they show in a caption"
        )


async def _ask(wanted: PlayRequest, study: Study, model: Model) -> AsyncGenerator[Event]:
    columns = _columns(wanted)
    chats = "raw" not in study.needs()
    pictures = len(wanted.pictures)
    yield Asked(model.name, chats, columns, wanted.samples * len(columns) + pictures)
    judge = AnswerScorer(study)
    tallies = {column.group: Tally() for column in columns}
    rows: list[tuple[Item, Answer]] = []
    scores: list[pl.DataFrame] = []
    failed = 0
    rounds = study.rounds()
    items: Iterable[Item] = next(rounds)
    while True:
        replies: list[tuple[Item, Answer]] = []
        for batch in _one_of_each(items):
            async with aclosing(_answers(model, batch, wanted.seed)) as answered:
                async for part in answered:
                    for item, answer in part:
                        if item.part == CAPTIONS:
                            yield Captioned(item.group, caption_of(answer))
                    told = [pair for pair in part if pair[0].part != CAPTIONS]
                    verdicts, table = judge(told, first=len(rows))
                    rows += told
                    scores.append(table)
                    replies += part
                    for (item, answer), verdict in zip(told, verdicts, strict=True):
                        rate = tallies[item.group].add(verdict.outcome, verdict.value)
                        yield Completion(
                            item.group,
                            item.sample,
                            verdict.outcome,
                            verdict.text,
                            verdict.spans,
                            verdict.value,
                            verdict.sensitive,
                            answer.reason or verdict.reason,
                            rate,
                        )
            failed = failed + 1 if _all_failed(replies[-len(batch) :]) else 0
            if failed == _HOPELESS:
                raise SlantError(f"the model answers nothing any more: {replies[-1][1].reason}")
        try:
            items = rounds.send(_in_order(items, replies))
        except StopIteration:
            break
    effective = model.effective()
    study.circumstances = replace(study.circumstances, instead=effective.instead())
    findings = await asyncio.to_thread(_conclude, study, rows, scores) if rows else ()
    yield Ended(findings, (*model.remarks(), *effective.remarks()))


def _columns(wanted: PlayRequest) -> tuple[Column, ...]:
    if wanted.kind == "pictures":
        return tuple(Column(each.name, "") for each in wanted.pictures)
    return tuple(Column(group.name, text) for group, text in wanted.filled())


def _one_of_each(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Cut a study's items into rounds with one sample for each group."""
    for _, together in itertools.groupby(items, key=attrgetter("sample")):
        yield list(together)


async def _answers(
    model: Model, items: Sequence[Item], seed: int
) -> AsyncGenerator[list[tuple[Item, Answer]]]:
    """Ask a round as the model likes it: in batches, several at once; give answers as they come."""
    size = model.batch_size
    batches = [items[start : start + size] for start in range(0, len(items), size)]
    waiting = iter(batches)
    running: set[asyncio.Task[list[tuple[Item, Answer]]]] = set()
    try:
        while True:
            for batch in itertools.islice(waiting, model.concurrency - len(running)):
                running.add(asyncio.create_task(_batch(model, batch, seed)))
            if not running:
                return
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield task.result()
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _batch(model: Model, batch: Sequence[Item], seed: int) -> list[tuple[Item, Answer]]:
    try:
        replies = await model.answer(batch, seed)
        answers = [read_answer(item, reply) for item, reply in zip(batch, replies, strict=True)]
    except (SlantError, MemoryError):
        raise
    except Exception as error:  # a fault of one batch must not end the play
        answers = [Answer("error", reason=f"{type(error).__name__}: {error}")] * len(batch)
    return list(zip(batch, answers, strict=True))


def _all_failed(replies: Sequence[tuple[Item, Answer]]) -> bool:
    return all(answer.outcome == "error" for _, answer in replies)


def _in_order(
    items: Iterable[Item], replies: Sequence[tuple[Item, Answer]]
) -> list[tuple[Item, Answer]]:
    """Put answers, which come as they like, in the order of the questions."""
    answers = {(item.id, item.group): answer for item, answer in replies}
    return [(item, answers[item.id, item.group]) for item in items]


def _conclude(
    study: Study, rows: Sequence[tuple[Item, Answer]], scores: Sequence[pl.DataFrame]
) -> tuple[Finding, ...]:
    """Let the study conclude, and take what it says about the rate that was shown."""
    table = pl.DataFrame(
        [_row(place, item, answer, study) for place, (item, answer) in enumerate(rows)],
        schema=ANSWERS,
        orient="row",
    )
    scored = pl.concat(scores) if scores else pl.DataFrame(schema=SCORES)
    findings = study.analyse(table.lazy(), scored.lazy()).findings
    if not findings:
        return ()
    metric = findings[0].metric  # the rate comes first
    wanted = ("rate", "vs_rest")
    return tuple(each for each in findings if each.metric == metric and each.contrast in wanted)


def _row(place: int, item: Item, answer: Answer, study: Study) -> tuple[object, ...]:
    """Write an answer as the run's tables have it."""
    return (
        study.circumstances.model, study.label, place, item.id, item.sample, item.axis, item.group,
        item.condition, json.dumps(dict(item.slots)), item.part,
        shown_prompt(request_to_json(item.request)),
        answer.outcome, whole(answer.text), None, answer.prompt_tokens, answer.completion_tokens,
        answer.finish_reason, whole(answer.reason), aside_to_text(answer.aside),
    )  # fmt: skip

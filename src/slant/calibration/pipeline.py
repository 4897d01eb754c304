"""One run of a study against a mock model, in this process: rounds, answers, scores, findings."""

from __future__ import annotations

import json
from contextlib import nullcontext
from itertools import islice
from typing import TYPE_CHECKING

import polars as pl

from slant.calibration.mocks import mock_rules, open_mock
from slant.calibration.news_world import news_world
from slant.engine.conclude import analysed, scored
from slant.engine.tables import ANSWERS, SCORES
from slant.models.mock.rule import searched_text
from slant.readings import read_answer
from slant.studies.report_level import adjusted_for_report
from slant.studies.study import Circumstances

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from slant.calibration.subjects import Subject
    from slant.calibration.worlds import World
    from slant.engine.suite import PlannedStudy
    from slant.finding import Finding
    from slant.measures.measure import Measure
    from slant.models.mock import Mock
    from slant.records import Ability, Answer, Item
    from slant.studies.study import Method, Study


class Pipeline:
    """A study in a world, to be run as often as one likes.

    What an audit does, without a run directory: no journal, and every text is scored once, however
    often it is drawn.

    Parameters
    ----------
    planned
        The study.
    world
        What the model is like.
    method
        `robust` or `paper`.
    subject
        About whom something is planted; `None` for the study's own.
    abilities
        What the model can do, where that is less than a mock model can.
    limit
        The most questions that are asked.
    """

    def __init__(
        self,
        planned: PlannedStudy,
        world: World,
        method: Method = "robust",
        *,
        subject: Subject | None = None,
        abilities: frozenset[Ability] | None = None,
        limit: int | None = None,
    ):
        self._planned, self._world, self._method = planned, world, method
        self._abilities, self._limit = abilities, limit
        self._known: dict[str, pl.DataFrame] = {}
        self._mock = open_mock(mock_rules(planned.kind.name, world, subject, method))

    def run(self, seed: int) -> list[Finding]:
        """Ask and conclude once.

        Parameters
        ----------
        seed
            Of the run: of the model's answers and of every draw.

        Returns
        -------
        list of Finding
            With q among all tests of a report of this study alone.
        """
        planned = self._planned
        is_news = planned.kind.name == "news"
        own = news_world(planned, self._world, seed) if is_news else nullcontext((planned, None))
        with own as (planned, writer):
            mock = writer or self._mock
            can = mock.abilities if self._abilities is None else mock.abilities & self._abilities
            around = Circumstances(mock.name, can, self._method, seed, "", dict(mock.fingerprint()))
            return self._concluded(planned.for_model(around), mock, seed)

    def _concluded(self, study: Study, mock: Mock, seed: int) -> list[Finding]:
        answers = _asked(study, mock, seed, self._limit)
        frames = [self._scored(study, answers, measure) for measure in study.measures()]
        scores = pl.concat([pl.DataFrame(schema=SCORES), *frames])
        section = analysed(study, answers.lazy(), scores.lazy())
        (section,) = adjusted_for_report([section])
        return section.analysis.findings

    def _scored(self, study: Study, answers: pl.DataFrame, measure: Measure) -> pl.DataFrame:
        texts = answers.select("position", "text").filter(pl.col("text").is_not_null())
        fresh = texts.unique("text", maintain_order=True)
        before = self._known.get(measure.name)
        if before is not None:
            fresh = fresh.join(before, on="text", how="anti", maintain_order="left")
        new = fresh.select("text").hstack(
            scored(study, fresh, measure).drop("position", "measure", "model", "study")
        )
        known = new if before is None else pl.concat([before, new])
        self._known[measure.name] = known.head(_MOST_KEPT)
        return texts.join(known, on="text", how="left", maintain_order="left").select(
            pl.lit(study.circumstances.model).alias("model"),
            pl.lit(study.label).alias("study"),
            "position",
            pl.lit(measure.name).alias("measure"),
            "value", "reason", "spans",
        )  # fmt: skip


_MOST_KEPT = 50_000


def _asked(study: Study, mock: Mock, seed: int, limit: int | None = None) -> pl.DataFrame:
    """Ask all rounds; the very same question has one answer, as in a run."""
    rows: list[tuple[Any, ...]] = []
    heard: dict[str, Answer] = {}
    rounds = study.rounds()
    try:
        items: Iterable[Item] = next(rounds)
        while True:
            asked = list(items if limit is None else islice(items, limit - len(rows)))
            for item in asked:
                if item.id not in heard:
                    heard[item.id] = read_answer(item, mock.reply(item, seed))
            answered = [(item, heard[item.id]) for item in asked]
            rows += [_row(study, place, *pair) for place, pair in enumerate(answered, len(rows))]
            if len(rows) == limit:
                rounds.close()
                break
            items = rounds.send(answered)
    except StopIteration:
        pass
    return pl.DataFrame(rows, schema=ANSWERS, orient="row")


def _row(study: Study, position: int, item: Item, answer: Answer) -> tuple[Any, ...]:
    return (
        study.circumstances.model, study.label, position, item.id, item.sample, item.axis,
        item.group, item.condition, json.dumps(dict(item.slots)), item.part,
        searched_text(item.request), answer.outcome, answer.text, answer.logprobs,
        answer.prompt_tokens, answer.completion_tokens, answer.finish_reason, answer.reason, None,
    )  # fmt: skip

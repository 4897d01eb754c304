"""Judging answers as they come, exactly as a run's analysis judges them afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import polars as pl

from slant.engine.tables import ANSWERS, SCORES
from slant.measures.lexicon import violence
from slant.studies.rate_tables import judged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Answer, Item, Outcome
    from slant.studies.study import Study


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """What became of one answer; the fields are those of `events.Completion`."""

    outcome: Outcome
    text: str
    value: float | None
    spans: tuple[tuple[int, int], ...]
    sensitive: bool
    reason: str


class AnswerScorer:
    """Scores answers with a study's measures: the first of them is what is counted.

    Parameters
    ----------
    study
        Which knows its measures.
    """

    def __init__(self, study: Study):
        self._measures = study.measures()
        self._counted = self._measures[0].name
        self._violence = violence()
        self._filed = {"model": study.circumstances.model, "study": study.label}

    def __call__(
        self, answers: Sequence[tuple[Item, Answer]], first: int
    ) -> tuple[list[AnswerScore], pl.DataFrame]:
        """AnswerScorer some answers.

        Parameters
        ----------
        answers
            The answers with their questions.
        first
            Place of the first of them among all.

        Returns
        -------
        verdicts
            One an answer, in order.
        scores
            As a run's table of scores.
        """
        texts = [whole(answer.text) for _, answer in answers]
        table = pl.DataFrame(
            {
                "position": range(first, first + len(answers)),
                "axis": [item.axis for item, _ in answers],
                "group": [item.group for item, _ in answers],
                "condition": [item.condition for item, _ in answers],
                "sample": [item.sample for item, _ in answers],
                "outcome": [answer.outcome for _, answer in answers],
                "text": texts,
            },
            schema={
                name: ANSWERS[name]
                for name in (
                    "position", "axis", "group", "condition", "sample", "outcome", "text"
                )
            },
        )  # fmt: skip
        said = table.filter(pl.col("text").is_not_null())
        scores = pl.concat(
            said.select(
                *(pl.lit(value).alias(name) for name, value in self._filed.items()),
                "position",
                pl.lit(measure.name).alias("measure"),
            )
            .hstack(measure.score(said["text"]).select("value", "reason", "spans"))
            .cast(SCORES)
            for measure in self._measures
        )
        outcomes = judged(table.lazy(), scores.lazy(), self._counted, [])
        counted = {
            row["position"]: row
            for row in scores.filter(measure=self._counted).iter_rows(named=True)
        }
        violent = set(said["position"].to_numpy()[self._violence.score(said["text"])["value"] == 1])
        verdicts = []
        for row, text in zip(outcomes.iter_rows(named=True), texts, strict=True):
            place, answered = row["position"], row["outcome"] == "answered"
            score = counted.get(place)
            verdicts.append(
                AnswerScore(
                    cast("Outcome", row["outcome"]),
                    text or "",
                    row["value"],
                    tuple((start, end) for start, end in score["spans"] or ())
                    if answered and score
                    else (),
                    place in violent,
                    "" if answered or score is None else score["reason"] or "",
                )
            )
        return verdicts, scores


def whole(text: str | None) -> str | None:
    """Replace what UTF-8 cannot hold, as a run's tables do."""
    return None if text is None else text.encode("utf-8", "replace").decode()

"""The answers that a number rests on: found by whom and what they are about, a page at a time.

Tables are scanned, never read whole: only the narrow columns of one group are collected, and the
texts of no more answers than are shown.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slant.errors import InputError
from slant.measures.measure import REFUSAL
from slant.reports.numbers import plain
from slant.reports.safe_text import excerpt, one_line
from slant.transcripts.sensitive import sensitive
from slant.web import links
from slant.web.lru import LeastRecentlyUsed

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from slant.records import Finding
    from slant.reports.safe_text import Excerpt
    from slant.studies.section import Section
    from slant.web.open_run import OpenRun

_CUT = 1_200
_READ = 2_000
"""So much of prompt and answer is read to tell whether they hurt: what a page shows of them."""

_TOXIC = 0.5
"""From this toxicity on a text is blurred, as in graphs of triples."""


def asked(run: OpenRun) -> pl.DataFrame:
    """Count what was asked: columns model, study, axis, group, condition, n; empty before it was.

    Groups and conditions stand in the order in which they were asked.
    """
    import polars as pl

    def read() -> pl.DataFrame:
        names = ["model", "study", "axis", "group", "condition"]
        if not run.run.path("answers.parquet").exists():
            return pl.DataFrame(schema=dict.fromkeys(names, pl.String) | {"n": pl.UInt32})
        counted = run.run.answers.group_by(names).agg(
            pl.len().alias("n"), pl.col("position").min().alias("first")
        )
        return counted.sort("first").drop("first").collect()

    return run.remembered("asked", "answers.parquet", read)


def recent(run: OpenRun, name: str) -> LeastRecentlyUsed:
    """Keep the last few things of a kind that were read from a run's answers."""
    return run.remembered(
        f"recent {name}", ("answers.parquet", "scores.parquet"), LeastRecentlyUsed
    )


def groups_asked(run: OpenRun, section: Section) -> list[tuple[str, str]]:
    """List the axes and groups that a section's questions were about, in order."""
    about = asked(run).filter(model=section.model, study=section.label)
    pairs = about.select("axis", "group").unique(maintain_order=True).rows()
    return [(axis, group) for axis, group in pairs if group]


def measures_of(run: OpenRun, model: str, study: str) -> list[str]:
    """List the measures that scored a study's answers."""
    import polars as pl

    def read() -> pl.DataFrame:
        if not run.run.path("scores.parquet").exists():
            return pl.DataFrame(schema=dict.fromkeys(["model", "study", "measure"], pl.String))
        return run.run.scores.select("model", "study", "measure").unique().collect()

    found = run.remembered("measures", "scores.parquet", read)
    return sorted(found.filter(model=model, study=study)["measure"])


def measure_of(finding: Finding, measures: Sequence[str]) -> str:
    """Give the measure whose scores a finding counts; empty when the run keeps none of it."""
    return finding.measure if finding.measure in measures else ""


@dataclass(frozen=True)
class AnswerRow:
    """One answer, as a page shows it.

    Attributes
    ----------
    position
        Its place among the answers of its model and study.
    at
        Address of its page.
    group, condition, sample
        What it is about.
    prompt
        What was asked.
    excerpt
        What came back, with what caused the score marked; nothing for a question that is answered
        by probabilities.
    outcome
        One of the four.
    score
        What the chosen measure gave, in writing; empty for nothing.
    scores
        Every measure with what it gave, in writing.
    spans
        [start, end) offsets in the text that caused the score.
    text
        What came back, whole.
    given
        What came back instead of a text, in words.
    reason
        Why there is no answer or no score; may be empty.
    sensitive
        Whether it is blurred until the reader asks.
    """

    position: int
    at: str
    group: str
    condition: str
    sample: int
    prompt: str
    excerpt: Excerpt
    outcome: str
    score: str
    scores: list[tuple[str, str]]
    spans: list[tuple[int, int]]
    text: str
    given: str
    reason: str
    sensitive: bool

    @property
    def name(self) -> str:
        """Identifier in the page."""
        return f"a{self.position}"


@dataclass(frozen=True)
class Behind:
    """Answers of one model to one study, about one group and in some condition.

    Attributes
    ----------
    run, model, study, axis, group
        Whose answers, and about whom.
    condition
        Only this one; empty for all.
    measure
        What scored them; empty for nothing.
    part
        Which sub-experiment asked; empty for the main one.
    slots
        Slots that tell the answers, with their values, where group and condition do not.
    """

    run: OpenRun
    model: str
    study: str
    axis: str
    group: str
    condition: str = ""
    measure: str = ""
    part: str = ""
    slots: tuple[tuple[str, str], ...] = ()

    def table(self) -> pl.DataFrame:
        """Collect what is needed to choose among the answers, without their texts.

        Returns
        -------
        polars.DataFrame
            `position`, `sample`, `condition`, `outcome` (a text that reads as a refusal is
            refused) and `value` of the measure (null unless answered).
        """
        return recent(self.run, "tables").kept(self._key, self._table)

    @property
    def _key(self) -> tuple[object, ...]:
        about = (self.model, self.study, self.axis, self.group, self.condition)
        return (*about, self.measure, self.part, *self.slots)

    def _table(self) -> pl.DataFrame:
        import polars as pl

        table = self.narrowed().select("position", "sample", "condition", "outcome").collect()
        for name in dict.fromkeys([self.measure, REFUSAL]):
            values = self._scores([name]).select("position", pl.col("value").alias(f"by {name}"))
            table = table.join(values.collect(), on="position", how="left", maintain_order="left")
        answered = pl.col("outcome") == "answered"
        refused = answered & (pl.col(f"by {REFUSAL}") == 1)
        value = pl.col(f"by {self.measure}")
        if self.measure != REFUSAL:
            value = pl.when(answered & ~refused.fill_null(value=False)).then(value)
        return table.select(
            "position",
            "sample",
            "condition",
            pl.when(refused).then(pl.lit("refused")).otherwise("outcome").alias("outcome"),
            value.alias("value"),
        )

    def narrowed(self) -> pl.LazyFrame:
        """Scan the answers of this group and condition, all columns."""
        import polars as pl

        own = _answers(self.run).filter(model=self.model, study=self.study, part=self.part)
        for name, value in self.slots:
            # A run may come from anyone: only a plain name is looked up.
            held = pl.col("slots").str.json_path_match(f"$.{name}") == value
            own = own.filter(held if name.isidentifier() else pl.lit(value=False))
        about = asked(self.run).filter(
            model=self.model, study=self.study, axis=self.axis, group=self.group
        )
        if not about.is_empty():  # else its slots tell of the group
            own = own.filter(axis=self.axis, group=self.group)
        if self.condition and self.condition in about["condition"]:
            own = own.filter(condition=self.condition)
        return own

    def _scores(self, measures: Sequence[str]) -> pl.LazyFrame:
        import polars as pl

        scores = _scores(self.run).filter(model=self.model, study=self.study)
        return scores.filter(pl.col("measure").is_in(list(measures)))

    def rows(self, positions: Sequence[int]) -> list[AnswerRow]:
        """Read some answers whole, in the order asked for."""
        import polars as pl

        if not positions:
            return []
        near = pl.col("position").is_between(min(positions), max(positions))
        chosen = near & pl.col("position").is_in(list(positions))
        own = _answers(self.run).filter(model=self.model, study=self.study)
        columns = ("position", "sample", "group", "condition", "slots", "prompt", "outcome", "text",
                   "logprobs", "reason")  # fmt: skip
        answers = own.filter(chosen).select(columns).collect().unique("position")
        scores = _scores(self.run).filter(model=self.model, study=self.study)
        given = scores.filter(chosen).select("position", "measure", "value", "reason", "spans")
        scored: dict[int, list[dict[str, Any]]] = {}
        for row in given.collect().iter_rows(named=True):
            scored.setdefault(row["position"], []).append(row)
        by_position = {row["position"]: row for row in answers.iter_rows(named=True)}
        found = [
            (by_position[position], scored.get(position, []))
            for position in positions
            if position in by_position
        ]
        hurts = self._hurts(found)
        return [
            self._row(row, scores, hurts=hurt)
            for (row, scores), hurt in zip(found, hurts, strict=True)
        ]

    def _hurts(self, found: Sequence[tuple[dict[str, Any], list[dict[str, Any]]]]) -> list[bool]:
        """Say which answers are blurred: as transcripts do, and what triples were judged to."""
        judged = sensitive(
            [(row["prompt"] or "")[:_READ] for row, _ in found],
            [(row["text"] or "")[:_READ] for row, _ in found],
            [{score["measure"]: score["value"] for score in scores} for _, scores in found],
        )
        triples = _hurting_triples(self.run, self.model, self.study)
        return [
            hurt or (row["prompt"], row["text"]) in triples
            for hurt, (row, _) in zip(judged, found, strict=True)
        ]

    def _row(self, row: dict[str, Any], scored: list[dict[str, Any]], *, hurts: bool) -> AnswerRow:
        own = next((score for score in scored if score["measure"] == self.measure), None)
        read = {score["measure"]: score["value"] for score in scored}
        refused = row["outcome"] == "answered" and read.get(REFUSAL) == 1
        reason = row["reason"] or ("" if own is None else own["reason"]) or ""
        value = None if own is None else own["value"]
        spans = [] if own is None else [(start, end) for start, end in own["spans"] or []]
        return AnswerRow(
            position=row["position"],
            at=links.answer_page(self.run.name, self.model, self.study, row["position"]),
            group=row["group"],
            condition=row["condition"],
            sample=row["sample"],
            prompt=row["prompt"] or "",
            excerpt=excerpt(row["text"] or "", spans, _CUT),
            outcome="refused" if refused else row["outcome"],
            score="" if value is None else plain(value),
            scores=[(name, plain(value)) for name, value in read.items() if value is not None],
            spans=spans,
            text=row["text"] or "",
            given=given_words(row),
            reason=one_line(reason, 200),
            sensitive=hurts,
        )

    def words(self) -> pl.DataFrame:
        """List the words that caused scores: columns `word` and `position`, each pair once."""
        return recent(self.run, "words").kept(self._key, self._words)

    def _words(self) -> pl.DataFrame:
        import polars as pl

        scored = self.table().filter(pl.col("value") > 0).select("position")
        spans = (
            self._scores([self.measure])
            .select("position", "spans")
            .join(scored.lazy(), on="position", how="semi")
        )
        texts = (
            _answers(self.run)
            .filter(model=self.model, study=self.study)
            .select("position", "text")
            .join(scored.lazy(), on="position", how="semi")
        )
        start = pl.col("spans").list.get(0)
        return (
            spans.explode("spans", empty_as_null=True, keep_nulls=True)
            .drop_nulls("spans")
            .join(texts, on="position")
            .select(
                "position",
                pl.col("text")
                .str.slice(start, pl.col("spans").list.get(1) - start)
                .str.to_lowercase()
                .alias("word"),
            )
            .unique()
            .collect()
        )


def behind(run: OpenRun, finding: Finding, measure: str | None = None) -> Behind | None:
    """Find the answers that a finding rests on.

    Parameters
    ----------
    run, finding
        Where, and which.
    measure
        Score them by this one instead of the finding's own.

    Returns
    -------
    Behind or None
        `None` when no answer can be told to be about the finding's group: a group that was found
        in the answers, not asked for, or all groups together.
    """
    about = asked(run).filter(model=finding.model, study=finding.study)
    if about.is_empty() or not finding.group:
        return None
    measures = measures_of(run, finding.model, finding.study)
    chosen = measure if measure in measures else measure_of(finding, measures)
    if about.filter(axis=finding.axis, group=finding.group).is_empty() and not finding.slots:
        return None
    place = (run, finding.model, finding.study, finding.axis, finding.group)
    slots = tuple(finding.slots.items())
    return Behind(*place, finding.condition, chosen or "", finding.part, slots)


def given_words(row: dict[str, Any]) -> str:
    """Say in words what came back as log-probabilities; empty when a text did."""
    logprobs = row["logprobs"]
    if not logprobs:
        return ""
    slots = json.loads(row["slots"] or "{}")
    options = slots.get("options")
    names = json.loads(options) if options else []
    if len(names) == len(logprobs):
        weights = np.exp(np.asarray(logprobs) - max(logprobs))
        shares = weights / weights.sum()
        pairs = zip(names, shares, strict=True)
        return ", ".join(f"{one_line(str(name), 40)} {100 * share:.0f}%" for name, share in pairs)
    mean = sum(logprobs) / len(logprobs)
    many = f"{len(logprobs):,} tokens" if len(logprobs) > 1 else "1 token"
    return f"log-probability {plain(sum(logprobs))} ({many}, {plain(mean)} each)"


def _hurting_triples(run: OpenRun, model: str, study: str) -> set[tuple[str, str]]:
    """List question and answer of the triples of a study that its graph blurs."""
    import polars as pl

    def read() -> set[tuple[str, str]]:
        for heading in run.headings():
            if (heading.label, heading.model) != (study, model):
                continue
            table = run.section(heading.number).analysis.tables.get("triples")
            if table is None or not {"prompt", "raw", "regard_label", "toxicity"} <= set(
                table.columns
            ):
                continue
            toxicity = pl.col("toxicity").cast(pl.Float64)
            unknown = pl.col("regard_label").is_null() & toxicity.is_null()
            hurting = (pl.col("regard_label") == "negative") | (toxicity >= _TOXIC) | unknown
            return set(table.filter(hurting).select("prompt", "raw").rows())
        return set()

    return run.remembered(f"hurting triples {model} {study}", "findings.json", read)


def _answers(run: OpenRun) -> pl.LazyFrame:
    if not run.run.path("answers.parquet").exists():
        raise InputError(f"{run.name} holds no answers.parquet: `slant rescore` writes it anew")
    return run.run.answers


def _scores(run: OpenRun) -> pl.LazyFrame:
    import polars as pl

    if not run.run.path("scores.parquet").exists():
        kinds = {"model": pl.String, "study": pl.String, "position": pl.Int64}
        kinds |= {"measure": pl.String, "value": pl.Float64, "reason": pl.String}
        return pl.LazyFrame(schema=kinds | {"spans": pl.List(pl.List(pl.UInt32))})
    return run.run.scores

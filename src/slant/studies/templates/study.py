"""The study: what it asks, and what follows from the answers."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from slant.measures.refusal import Refusal
from slant.records import PLACEBO
from slant.studies.filing import count_outcomes
from slant.studies.signature import content_hash, filing
from slant.studies.study import Analysis, Rounds, Settings, Sized, Study
from slant.studies.templates.asking import Asking, in_one_wording, read_preamble
from slant.studies.templates.examples import example_items, predictions
from slant.studies.templates.findings import habit_findings, paper_findings
from slant.studies.templates.group_comparison import compare_groups
from slant.studies.templates.habits import habits, statements
from slant.studies.templates.paper import buckets, judged, paper_bias, paper_tables
from slant.studies.templates.predictions_file import read_examples, read_predictions
from slant.studies.templates.rows import tidy
from slant.studies.templates.settings import QUESTIONS, TemplatesSettings
from slant.studies.templates.tables import (
    PAIRS,
    by_template,
    counterfactuals,
    figures_of,
    pairs_table,
    paper_figures,
    quotes_of,
)
from slant.studies.templates.text_against_odds import (
    disagreement_findings,
    disagreement_notes,
    text_against_odds,
)
from slant.studies.templates.worded_sets import WordedAsking
from slant.templates import load_templates
from slant.templates.template_file import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from slant.measures.measure import Measure
    from slant.records import Ability, Item
    from slant.studies.filing import Filing
    from slant.studies.templates.habits import Habits
    from slant.studies.user_file import Source
    from slant.templates import TemplateSet


class TemplatesStudy(Study):
    """Asks questions with a known answer about different people."""

    name: ClassVar[str] = "templates"
    title: ClassVar[str] = "Templates: questions whose answer does not depend on the group"
    asks_all_because: ClassVar[str] = (
        "each of its questions has one answer, which a model would give again, and further "
        "contexts come from a list that ends: intervals that hold at all times are of endless draws"
    )
    Settings: ClassVar[type[Settings]] = TemplatesSettings
    parameter_words: ClassVar[Mapping[str, str]] = {
        "templates": "Templates, as a hash of their texts",
        "contexts": "Contexts that fill a template",
        "questions": "Wordings of the question, as a hash",
        "orders": "Orders of the options",
        "answers": "What counts as the answer",
        "preamble": "What stands before a question",
        "wordings": "Wordings of each group that a template is asked with",
    }
    method_text: ClassVar[str] = (
        "The model is asked about statements whose right answer is the same for every group, and "
        "about their negations. For each group and template, the figure is the probability of the "
        "answer that contradicts the label, averaged over the statement and its negation with "
        "equal weight: a model that says yes to everything is wrong on one of the two whoever it "
        "is about, so yes-saying cancels and what is left depends on the group. Who gets a yes "
        "more easily, whatever it affirms, is a figure of its own. Questions are put in several "
        "wordings and orders of the options, and averaged. Groups are compared within "
        "the same templates with the median of the other groups; chance is what is left when the "
        "groups are exchanged within each template, and intervals come from drawing templates "
        "again. Yes-saying, judgement and consistency are reported on their own. What this cannot "
        "show: what the model does when nobody asks for yes or no, or anything about claims that "
        "no template makes; a model may also answer as the label says and believe otherwise. "
        "Source: Goel et al. (2022), APES; signal detection after Macmillan and Creelman (2005)."
    )

    settings: TemplatesSettings

    @cached_property
    def _sets(self) -> list[TemplateSet]:
        if self.settings.examples:
            return []
        return [load_templates(name) for name in self.settings.templates]

    @cached_property
    def _examples(self) -> pl.DataFrame | None:
        """The examples of a file, where one is asked instead of templates."""
        file = self.settings.examples
        return read_examples(Path(file)) if self.asks and file else None

    @cached_property
    def _asking(self) -> Asking:
        settings, can = self.settings, self.circumstances.abilities
        chats = settings.prompting == "chat" or (settings.prompting == "auto" and "raw" not in can)
        paper = self.as_published
        return Asking(
            questions=QUESTIONS[:1] if paper else tuple(settings.questions),
            both_orders=settings.both_orders and not paper,
            chats=chats,
            chooses="choose" in can,
            preamble=read_preamble(settings.preamble),
            free=paper,
        )

    def needs(self) -> frozenset[Ability]:
        """Choosing, or text to read the answer from where that is all a model can do.

        Raises
        ------
        InputError
            A set of templates, a file of examples or the preamble is faulty.
        """
        self._sets, self._examples, self._asking  # noqa: B018 - loads them
        if self._asking.chooses:
            return frozenset({"choose"})
        return frozenset({"chat" if self._asking.chats else "raw"})

    def rounds(self) -> Rounds:
        """Ask everything in one round, template by template."""
        yield Sized(sum(1 for _ in self._items()), self._items)

    def _items(self) -> Iterator[Item]:
        if self._examples is not None:
            return example_items(self.label, self._examples, self._asking)
        asked = self._worded.asked() if self.all_wordings else in_one_wording(self._sets)
        seed = self.circumstances.seed
        return self._asking.items(self.label, asked, self.settings.contexts, seed)

    @cached_property
    def _worded(self) -> WordedAsking:
        settings = self.settings
        return WordedAsking(
            self._sets, settings.turns, settings.placebo_share, self.circumstances.seed
        )

    def measures(self) -> list[Measure]:
        """Tell refusals from other texts that are no answer."""
        return [Refusal()]

    def analyse(self, answers: pl.LazyFrame, scores: pl.LazyFrame) -> Analysis:
        """Compare groups within templates, and describe how the model answers."""
        paper = self.as_published
        every = tidy(answers, scores, first_token=paper)
        rows = every.filter(pl.col("part") != PLACEBO)
        axes = rows["axis"].unique(maintain_order=True).to_list()
        parts = {axis: rows.filter(pl.col("axis") == axis) for axis in axes}
        rng = np.random.default_rng([self.circumstances.seed, *self.name.encode()])
        asked = [
            statements(part).with_columns(pl.lit(axis).alias("axis"))
            for axis, part in parts.items()
        ]
        together = pl.concat(asked) if asked else pl.DataFrame()
        if together.is_empty():
            return Analysis([], notes=["Nothing was asked."])
        tables = {
            "pairs": pairs_table(together),
            "buckets": buckets(judged(rows)),
            "counterfactuals": counterfactuals(together),
            "templates": by_template(together, self._sets if self.asks else ()),
        }
        if self._examples is not None:
            tables["predictions"] = predictions(self._examples, rows)
        file = self._file()
        if paper:
            biases = {axis: bias for axis, part in parts.items() if (bias := paper_bias(part))}
            tables |= paper_tables(rows)
            return Analysis(
                paper_findings(file, biases, rows), tables, paper_figures(tables),
                quotes_of(together), self._notes(rows), views=[PAIRS],
            )  # fmt: skip
        compared = compare_groups(file, every, self.circumstances.seed, rng)
        manners = {axis: habit for axis, part in parts.items() if (habit := habits(part, rng))}
        tables["habits"] = _by_pair({axis: each.by_pair for axis, each in manners.items()})
        tables["calibration"] = _calibrations(manners)
        tables["text_against_odds"] = text_against_odds(rows)
        tables |= compared.tables
        return Analysis(
            [
                *compared.findings,
                *habit_findings(file, manners, rows),
                *disagreement_findings(file, tables["text_against_odds"], rows),
            ],
            tables,
            [*compared.figures, *figures_of(tables)],
            quotes_of(together),
            [
                *self._notes(rows),
                *compared.notes,
                *disagreement_notes(tables["text_against_odds"]),
            ],
            views=[PAIRS],
        )

    def _notes(self, rows: pl.DataFrame) -> list[str]:
        notes = []
        if self.asks:
            notes += [warning for each in self._sets for warning in each.warnings]
            sources = dict.fromkeys(source for each in self._sets for source in each.sources)
            if sources:
                notes.append(f"What the templates claim follows {'; '.join(sources)}.")
        counts = count_outcomes(rows)
        if counts["unparseable"] or counts["refused"]:
            notes.append(
                f"{counts['refused']:,} of {rows.height:,} answers were refusals and "
                f"{counts['unparseable']:,} could not be read as one of the options; they count in "
                "no probability."
            )
        single = rows.group_by("axis", "pair").agg(
            pl.col("side").n_unique().alias("n"), pl.col("options").first().list.len().alias("k")
        )
        alone = single.filter((pl.col("n") == 1) & (pl.col("k") == 2)).height
        if alone:
            notes.append(
                f"{alone} of {single.height} templates have no negation: groups are compared all "
                "the same, but the level of their figures holds the model's yes-saying."
            )
        if rows["p"].null_count() == rows.height:
            notes.append(
                "Probabilities of the options are not known; every answer counts as 0 or 1."
            )
        return notes

    def _file(self) -> Filing:
        if not self.asks:
            return filing(self, data="file")
        settings, asking = self.settings, self._asking
        return filing(
            self,
            templates=content_hash(
                [[plain(t) for t in each.templates] for each in self._sets]
                if self._examples is None
                else self._examples.rows()
            ),
            contexts=settings.contexts or "all",
            questions=content_hash(asking.questions),
            orders="all" if asking.both_orders else "one",
            prompting="chat" if asking.chats else "raw",
            answers=_what_answers(asking),
            preamble=content_hash(asking.preamble) if asking.preamble else "none",
            wordings=settings.turns if self.all_wordings else "one",
        )

    @classmethod
    def read(cls, source: Source) -> pl.DataFrame:
        """Read stored predictions: APES's CSV, or records of one's own."""
        return read_predictions(source)


def _what_answers(asking: Asking) -> str:
    if asking.free:
        return "first token"
    return "log-probabilities" if asking.chooses else "text"


def _calibrations(manners: dict[str, Habits]) -> pl.DataFrame:
    """List the bins of confidence with their accuracy, where probabilities are known."""
    rows = [
        (axis, float(held), float(right), int(n))
        for axis, each in manners.items()
        if (bins := each.calibration) is not None
        for held, right, n in zip(bins.confidence, bins.accuracy, bins.n, strict=True)
    ]
    schema = {"axis": pl.String, "confidence": pl.Float64, "accuracy": pl.Float64, "n": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _by_pair(tables: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """Join the sets' tables of habits, most yes-saying first."""
    parts = [table.with_columns(pl.lit(axis).alias("axis")) for axis, table in tables.items()]
    if not parts:
        return pl.DataFrame(schema={"axis": pl.String, "pair": pl.String})
    return pl.concat(parts).sort(pl.col("yes_bias").abs(), descending=True, maintain_order=True)

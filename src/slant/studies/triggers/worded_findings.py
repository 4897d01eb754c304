"""What triggers change over wordings and prompts, beside sentences that say nothing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.records import PLACEBO
from slant.stats.crossed_wordings import crossed_wordings, whole_cells
from slant.stats.effects import cohen_h
from slant.stats.proportions import score_ends
from slant.studies.crossed_tables import variance_figures, variance_table
from slant.studies.filing import Measured, Quantity, Subject, adjusted
from slant.studies.hangs_on import LEFT_OUT, left_out_figure, left_out_table
from slant.studies.placebo import Placebos, beyond_placebos, placebo_finding, placebos_of
from slant.studies.triggers.asking import NONE
from slant.studies.triggers.findings import VERSUS_NONE, VERSUS_RANDOM
from slant.studies.worded import lay_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Finding
    from slant.stats.crossed_wordings import CrossedMeans
    from slant.stats.inference import Estimate
    from slant.studies.study import Figure
    from slant.studies.triggers.conditions import Condition
    from slant.studies.triggers.findings import Section

RESAMPLES = 10_000
_NEUTRAL = "neutral sentences"
_FEW = "fewer than two wordings or prompts in which all conditions have an answer"


@dataclass(frozen=True)
class WordedConditions:
    """Conditions whose prompts named their groups in several wordings.

    Attributes
    ----------
    section
        What findings are filed under.
    conditions
        Those that are told.
    comparisons
        Contrast, what is compared with, and what is compared.
    controls
        Completions after sentences that say nothing, and of placebo groups.
    """

    section: Section
    conditions: Sequence[Condition]
    comparisons: Sequence[tuple[str, Condition, Condition]]
    controls: pl.DataFrame
    seed: int
    _known: dict[tuple[str, int, bool], tuple[CrossedMeans, list[int]] | None] = field(
        default_factory=dict
    )

    def of(self, some: Sequence[Condition], valued: Sequence[Condition]) -> WordedConditions:
        """Give the comparisons of some conditions only, with other rows.

        Parameters
        ----------
        some
            Those conditions: all that are compared.
        valued
            The same, with other rows.
        """
        places = {id(each): place for place, each in enumerate(some)}
        compared = [
            (contrast, valued[places[id(base)]], valued[places[id(one)]])
            for contrast, base, one in self.comparisons
        ]
        return replace(self, conditions=valued, comparisons=compared)

    def findings(self, own: Quantity, value: pl.Expr, *, tested: bool = True) -> list[Finding]:
        """Give every condition's mean, and compare pairs of conditions.

        Parameters
        ----------
        own
            What a condition's mean is.
        value
            What is averaged, null for what does not count.
        tested
            Whether sentences and groups that cannot matter have the same figure.
        """
        if all(each.rows.is_empty() for each in self.conditions):
            return []
        own = replace(own, unit="wordings", how={**own.how, "ci": "t(wordings,prompts)"})
        rng = np.random.default_rng([self.seed, *own.metric.encode()])
        means = [self._mean(own, each, value, rng) for each in self.conditions]
        held = self._placebos(own, value, rng) if tested else {}
        compared = [
            self._difference(own, contrast, base, one, value, held, rng)
            for contrast, base, one in self.comparisons
        ]
        told = [*means, *beyond_placebos(adjusted(compared, f"{own.metric} compared"))]
        return [*told, *self._control(own, held)]

    def hangs_on(
        self, own: Quantity, value: pl.Expr
    ) -> tuple[dict[str, pl.DataFrame], list[Figure]]:
        """Show what the single triggers' changes hang on, and what makes them unsure.

        Parameters
        ----------
        own, value
            As `findings` takes them.
        """
        arms = [each for each in self.conditions if each.group == self._steered]
        arms = [each for each in arms if each.single or each.name == NONE]
        rows = [
            each.rows.select("kind", "wording", "outcome", axis=pl.lit(self.section.axis),
                             group=pl.lit(each.name), condition="prompt", value=value)
            for each in arms
        ]  # fmt: skip
        asked = pl.concat(rows) if rows else pl.DataFrame()
        if asked.is_empty():
            return {}, []
        laid = lay_out(asked, asked, shares=own.scale == "share")
        if NONE not in laid.groups or len(laid.groups) < 2:
            return {}, []
        tables = {
            f"{own.metric}_{LEFT_OUT}": left_out_table(laid, NONE),
            f"{own.metric}_variance": variance_table([laid]),
        }
        (figure,) = left_out_figure(own, [laid])
        options = {**figure.options, "what": f"change from {NONE}"}
        return tables, [replace(figure, options=options), *variance_figures(own, tables)]

    @property
    def _steered(self) -> str:
        return next((each.group for each in self.conditions if each.name != NONE), "")

    def _crossed(
        self, own: Quantity, base: Condition, one: Condition, value: pl.Expr,
        rng: np.random.Generator,
    ) -> tuple[CrossedMeans, list[int]] | None:  # fmt: skip
        """Compare all that shares no completions with each other; say whose row is whose."""
        together = _is_pooled(one) or _is_pooled(base)
        key = (own.metric, id(base), together)
        if key not in self._known:
            arms = [
                each for each in self.conditions
                if each is base or each is one
                or (not each.single if together else not _is_pooled(each))
            ]  # fmt: skip
            found = _measured(
                [each.rows for each in arms], value, own, rng,
                next(row for row, each in enumerate(arms) if each is base),
            )  # fmt: skip
            self._known[key] = None if found is None else (found, [id(each) for each in arms])
        return self._known[key]

    def _mean(
        self, own: Quantity, condition: Condition, value: pl.Expr, rng: np.random.Generator
    ) -> Finding:
        found = self._crossed(own, self.conditions[0], condition, value, rng)
        rows = condition.rows.filter(value.is_not_null())
        if found is None or id(condition) not in found[1]:
            nothing = Measured(n=rows.height, reason=_FEW)
            return self.section.finding(own, condition, nothing)
        result, arms = found
        return self._filed(own, condition, result.own, arms.index(id(condition)), rows)

    def _difference(
        self, own: Quantity, contrast: str, base: Condition, one: Condition, value: pl.Expr,
        held: dict[str, Placebos], rng: np.random.Generator,
    ) -> Finding:  # fmt: skip
        shares = own.scale == "share"
        what = replace(
            own, contrast=contrast, kind="difference", target=None if shares else 0.0,
            direction=own.direction if shares else "closer_to_target",
            effect_name="cohen_h" if shares else "",
            how={**own.how, "null": f"permutation({RESAMPLES},wordings and prompts)"},
        )  # fmt: skip
        found = self._crossed(own, base, one, value, rng)
        rows = one.rows.filter(value.is_not_null())
        if found is None or found[0].vs_reference is None:
            return self.section.finding(what, one, Measured(n=rows.height, reason=_FEW))
        result, arms = found
        row = arms.index(id(one))
        mean = np.clip(result.own.value, 0, 1)
        effect = float(cohen_h(mean[row], mean[arms.index(id(base))])) if shares else np.nan
        assert result.vs_reference is not None  # noqa: S101 - there is a base
        known = held.get(contrast if contrast in held else VERSUS_NONE)
        errors = result.reference_error
        placebo = None
        if known is not None and errors is not None:
            change = float(result.vs_reference.value[row])
            placebo = known.against(change, float(errors[row]), len(self.comparisons))
        finding = self._filed(what, one, result.vs_reference, row, rows, effect)
        return replace(finding, placebo=placebo)

    def _filed(
        self, what: Quantity, condition: Condition, found: Estimate, row: int,
        rows: pl.DataFrame, effect: float = np.nan,
    ) -> Finding:  # fmt: skip
        value, low, high = found.ends(row)
        compared = what.kind == "difference"
        if what.scale == "share" and not compared:
            low, high = score_ends(value, (high - low) / 2, rows.height)
        measured = Measured(
            value, low, high, n=rows.height, unit_count=rows["kind"].n_unique(),
            p=found.p[row] if compared else np.nan, effect=effect,
            chance=found.chance[row] if compared else None, reason=_FEW,
            freedom=found.freedom_of(row) if compared else None,
        )  # fmt: skip
        return self.section.finding(what, condition, measured)

    def _placebos(
        self, own: Quantity, value: pl.Expr, rng: np.random.Generator
    ) -> dict[str, Placebos]:
        """Say what sentences that say nothing change, and what placebo groups differ by."""
        held: dict[str, Placebos] = {}
        said = self.controls.filter(trigger_is_said())
        group = said["group"].first() if said.height else None
        for base in self.conditions:
            if base.name == NONE and base.group == group:
                arms = [
                    base.rows,
                    *(rows for _, rows in said.group_by("trigger", maintain_order=True)),
                ]
                known = _against_first(arms, value, own, rng, _NEUTRAL)
                held |= {VERSUS_NONE: known, VERSUS_RANDOM: known}
        people = self.controls.filter(~trigger_is_said())
        groups = [rows for _, rows in people.group_by("group", maintain_order=True)]
        for contrast in {contrast for contrast, _, _ in self.comparisons}:
            if contrast not in (VERSUS_NONE, VERSUS_RANDOM) and groups:
                held[contrast] = _against_first(groups, value, own, rng, people["axis"][0])
        return held

    def _control(self, own: Quantity, held: dict[str, Placebos]) -> list[Finding]:
        """Tell what a sentence does that says nothing."""
        if VERSUS_NONE not in held:
            return []
        said = self.controls.filter(trigger_is_said())
        subject = Subject(_NEUTRAL, PLACEBO, dict(said.group_by("outcome").len().iter_rows()))
        spread = held[VERSUS_NONE].spread
        return placebo_finding(
            self.section.file, replace(own, how={}), spread, subject, said.height
        )


def trigger_is_said() -> pl.Expr:
    """Tell completions after a sentence from those without any."""
    return pl.col("trigger") != NONE


def _is_pooled(condition: Condition) -> bool:
    return condition.name.startswith("best ") and not condition.single


def _measured(
    arms: Sequence[pl.DataFrame], value: pl.Expr, own: Quantity, rng: np.random.Generator,
    reference: int, resamples: int = RESAMPLES,
) -> CrossedMeans | None:  # fmt: skip
    if any(rows.is_empty() for rows in arms):
        return None
    asked = pl.concat(
        [rows.select("kind", "wording", "outcome", axis=pl.lit(""), group=pl.lit(str(row)),
                     condition="prompt", value=value) for row, rows in enumerate(arms)]
    )  # fmt: skip
    laid = lay_out(asked, asked, shares=own.scale == "share")
    try:
        whole_cells(laid.values)
    except ValueError:
        return None
    if len(laid.groups) < len(arms):
        return None
    return crossed_wordings(
        laid.values, reference=reference, least=laid.least, resamples=resamples, rng=rng
    )


def _against_first(
    arms: Sequence[pl.DataFrame], value: pl.Expr, own: Quantity, rng: np.random.Generator,
    axis: str,
) -> Placebos:  # fmt: skip
    found = _measured(arms, value, own, rng, 0, 0)
    if found is None or found.vs_reference is None or found.reference_error is None:
        return Placebos((axis,), None)
    return placebos_of(
        [axis], found.vs_reference.value, found.reference_error, found.reference_noise
    )

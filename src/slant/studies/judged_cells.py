"""Rates of a judge's verdicts and their differences, once its errors by group are known."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.records import VS_REST, compared_with
from slant.signature import Signature
from slant.stats.chance import moved_chance
from slant.stats.effects import cohen_h
from slant.stats.judged_rates import effective_units, judged_rates
from slant.studies.filing import adjusted, known
from slant.studies.judge_words import HOW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Finding
    from slant.stats.judged_rates import Corrected, JudgedRates

_RESAMPLES = 10_000
_DRAWN = f"parametric-bootstrap({_RESAMPLES})"
_NOT_POOLED = "a judge's errors are corrected by group, over all of its texts, and not by condition"


def is_pooled(finding: Finding) -> bool:
    """Tell whether a finding is about all texts of its group."""
    return not (finding.condition or finding.part or finding.slots)


@dataclass(frozen=True)
class Cells:
    """The groups of an axis with their apparent rates, and what people ruled on a sample."""

    rates: Sequence[Finding]
    counts: np.ndarray
    corrected: JudgedRates
    digest: str

    @classmethod
    def of(cls, rates: Sequence[Finding], ruled: pl.DataFrame, seed: Sequence[int]) -> Cells:
        """Correct the rates of some groups.

        Parameters
        ----------
        rates
            As the judge's verdicts have them.
        ruled
            One row a text: `position`, `group`, `value` and people's `label`.
        seed
            Root of the draws.
        """
        groups = [f.group for f in rates]
        counts = np.zeros((len(groups), 2, 2))
        sample = ruled.drop_nulls(["value", "label"]).group_by("group", "value", "label").len()
        for group, value, label, count in sample.iter_rows():
            if group in groups:
                counts[groups.index(group), int(value), int(label)] = count
        figures = np.array(
            [[np.nan if x is None else x for x in (f.value, f.low, f.high, f.n)] for f in rates],
            dtype=np.float64,
        ).reshape(-1, 4)
        value, low, high, n = figures.T
        units = effective_units(np.nan_to_num(value), np.nan_to_num(low), np.nan_to_num(high), n)
        corrected = judged_rates(
            value, units, counts, resamples=_RESAMPLES, rng=np.random.default_rng(list(seed))
        )
        labelled = ruled.drop_nulls("label").select("position", "label").rows()
        digest = hashlib.sha256(repr(labelled).encode()).hexdigest()[:8]
        return cls(rates, counts, corrected, digest)

    @property
    def groups(self) -> list[str]:
        """Give the groups, in order."""
        return [f.group for f in self.rates]

    def findings(self, own: Sequence[Finding]) -> list[Finding]:
        """Put corrected figures in place of apparent ones."""
        kept = np.flatnonzero(~np.isnan(self.corrected.rate))
        part = _rows(self.corrected, kept)
        rest = part.against_rest() if len(kept) > 1 else None
        found: list[Finding] = []
        for contrast in dict.fromkeys(f.contrast for f in own):
            some = [f for f in own if f.contrast == contrast]
            figures = self._contrast(contrast, part, kept)
            made = [self._made(f, figures, rest, part, kept) for f in some]
            found += adjusted(made, f"{some[0].metric} {contrast}")
        return found

    def _contrast(self, contrast: str, part: JudgedRates, kept: np.ndarray) -> Corrected | None:
        if contrast == "rate":
            return part.rates()
        if contrast == VS_REST:
            return part.against_rest() if len(kept) > 1 else None
        other = compared_with(contrast)
        names = [self.groups[row] for row in kept]
        return part.against(names.index(other)) if other in names else None

    def _made(
        self,
        f: Finding,
        figures: Corrected | None,
        rest: Corrected | None,
        part: JudgedRates,
        kept: np.ndarray,
    ) -> Finding:
        names = [self.groups[row] for row in kept]
        blank = replace(
            f, value=None, low=None, high=None, p=None, q=None, effect=None, chance=None,
            units=None, family="", placebo=None, ruler=None, freedom=None, reason=self._why(f),
        )  # fmt: skip
        if not is_pooled(f) or f.group not in names or figures is None:
            return blank
        row = names.index(f.group)
        value = float(figures.value[row])
        if np.isnan(value):
            return replace(blank, reason=f.reason or "this is the reference group")
        rate = float(part.rate[row])
        comparison = f.is_comparison
        chance = figures.chance[row] if comparison and figures.chance is not None else None
        if not comparison and rest is not None:
            apart = None if rest.chance is None else rest.chance[row]
            if apart is not None:
                chance = moved_chance(apart, rate - float(rest.value[row]), 0.0, 1.0)
        other = min(max(rate - value, 0.0), 1.0)
        return replace(
            blank,
            value=value,
            low=float(figures.low[row]),
            high=float(figures.high[row]),
            p=known(float(figures.p[row])),
            effect=known(float(cohen_h(rate, other))) if comparison else None,
            chance=chance,
            reason=None,
            signature=Signature(
                f.signature, ci=_DRAWN, chance=_DRAWN, corrected="rogan-gladen",
                labels=self.digest, **({"null": "interval"} if comparison else {}),
            ),
        )  # fmt: skip

    def _why(self, f: Finding) -> str:
        """Say why a figure is not told."""
        if not is_pooled(f):
            return _NOT_POOLED
        if f.value is None:
            return f.reason or "nothing could be judged"
        if f.group in self.groups and not self._is_known(self.groups.index(f.group)):
            return f"nobody has ruled whether the judge is right about {f.group}: {HOW}"
        return "of the groups to compare with, nobody has ruled whether the judge is right"

    def _is_known(self, row: int) -> bool:
        return bool(~np.isnan(self.corrected.rate[row]))

    def table(self) -> pl.DataFrame:
        """List the judge's errors by group, what it says and what follows."""
        sensitivity, specificity = self.corrected.sensitivities(), self.corrected.specificities()
        rate = self.corrected.rates()
        columns = {
            "uncorrected": np.array([np.nan if f.value is None else f.value for f in self.rates]),
            "sensitivity": sensitivity.value,
            "sensitivity_low": sensitivity.low,
            "sensitivity_high": sensitivity.high,
            "specificity": specificity.value,
            "specificity_low": specificity.low,
            "specificity_high": specificity.high,
            "corrected": rate.value,
            "low": rate.low,
            "high": rate.high,
        }
        return pl.DataFrame(
            {
                "group": self.groups,
                "texts": [f.n for f in self.rates],
                "labels_on_yes": self.counts[:, 1].sum(axis=1).astype(int),
                "labels_on_no": self.counts[:, 0].sum(axis=1).astype(int),
                **{name: np.asarray(values, np.float64) for name, values in columns.items()},
            }
        ).with_columns(pl.col(pl.Float64).fill_nan(None))


def _rows(rates: JudgedRates, kept: np.ndarray) -> JudgedRates:
    return replace(
        rates,
        **{name: getattr(rates, name)[..., kept] for name in rates.__dataclass_fields__},
    )

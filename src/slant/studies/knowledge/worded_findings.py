"""Findings about subjects that lineages name in several wordings, beside placebo groups."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.measures.measure import REFUSAL
from slant.stats.relative_entropy import relative_entropy
from slant.studies.crossed_findings import crossed_findings
from slant.studies.filing import Measured, added_quantity, adjusted
from slant.studies.knowledge.findings import OUTCOME, REFUSALS, entropy_quantity, own_quantity
from slant.studies.placebo import beyond_placebos, placebos_of
from slant.studies.worded import Held, lay_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.measures.measure import Measure
    from slant.records import Finding
    from slant.stats.relative_entropy import RelativeEntropy
    from slant.studies.filing import Filing, Quantity
    from slant.studies.knowledge.findings import Part
    from slant.studies.study import Analysis
    from slant.studies.worded import Worded

_TAILS = 2 * 1.96


@dataclass(frozen=True)
class WordedTriples:
    """Triples of real classes, and of placebo groups that were asked about in the same way.

    Attributes
    ----------
    file, seed
        What findings are filed under, and the root of all randomness.
    real, controls
        The parts.
    """

    file: Filing
    seed: int
    real: Sequence[Part]
    controls: Sequence[Part]

    def means(self, metric: str, scorer: str, measure: Measure | None = None) -> Analysis:
        """Average a column over wordings and prefixes, and compare the subjects."""
        own = own_quantity(metric, metric, scorer=scorer)
        if measure is not None:
            own = added_quantity(measure, "wordings", scorer=scorer)
        value = pl.when("kept").then(pl.col(metric)).fill_nan(None)
        return self._crossed(own, value)

    def refusals(self) -> Analysis:
        """Compare how often answers about each subject are refusals."""
        dropped = pl.col("dropped").fill_null("")
        value = pl.when(dropped != "no_answer").then((dropped == "refusal").cast(pl.Float64))
        return self._crossed(own_quantity(REFUSALS, REFUSAL, scorer=REFUSAL), value)

    def _crossed(self, own: Quantity, value: pl.Expr) -> Analysis:
        shares = own.scale == "share"
        every = [
            Held(
                _laid(part, value, shares=shares),
                [_laid(c, value, shares=shares) for c in self.controls
                 if c.condition == part.condition],
                part.condition,
            )
            for part in self.real
        ]  # fmt: skip
        return crossed_findings(self.file, own, every, seed=self.seed)

    def entropies(
        self, topics: list[str], smoothing: float, method: str, rng: np.random.Generator
    ) -> tuple[list[Finding], list[tuple[Part, list[str], RelativeEntropy]]]:
        """Compare every subject's topics with the others' of its class.

        What is exchanged and drawn again are whole wordings, and whole prefixes: the larger p and
        the wider interval count. How far a subject is beyond what chance alone gives is held
        against how far placebo subjects are.
        """
        found, results = [], []
        controls = [each for part in self.controls if (each := _entropy(part, topics, smoothing,
                                                                        rng))]  # fmt: skip
        known = placebos_of(
            [each.part.people for each in controls],
            np.concatenate([np.empty(0), *(each.excess for each in controls)]),
            np.concatenate([np.empty(0), *(each.error for each in controls)]),
        )
        for part in self.real:
            each = _entropy(part, topics, smoothing, rng)
            if each is None:
                continue
            results.append((part, each.names, each.wider))
            bits = each.wider.divergence
            what = replace(
                entropy_quantity(method, len(topics), smoothing, "wordings"), unit="wordings"
            )
            for row, name in enumerate(each.names):
                measured = Measured(
                    *bits.ends(row), int(each.n[row]), each.kinds, p=each.p[row],
                    chance=bits.chance[row],
                    placebo=known.against(float(each.excess[row]), float(each.error[row])),
                )  # fmt: skip
                found.append(self.file(what, part.whom(name), measured))
        return beyond_placebos(adjusted(found, what.metric if found else "")), results


@dataclass(frozen=True, eq=False)
class _Entropy:
    part: Part
    names: list[str]
    wider: RelativeEntropy
    p: np.ndarray[tuple[int], np.dtype[np.float64]]
    excess: np.ndarray[tuple[int], np.dtype[np.float64]]
    error: np.ndarray[tuple[int], np.dtype[np.float64]]
    n: np.ndarray[tuple[int], np.dtype[np.int64]]
    kinds: int


def _entropy(
    part: Part, topics: list[str], smoothing: float, rng: np.random.Generator
) -> _Entropy | None:
    kept = part.kept.filter(pl.col("topic").is_not_null())
    if kept["subject"].n_unique() < 2:
        return None
    index = kept["topic"].replace_strict(topics, range(len(topics))).to_numpy()
    found = []
    for factor in ("kind", "prefix"):
        chains, names = part.lineages(kept.with_columns(lineage=pl.col(factor)))
        found.append(relative_entropy(index, chains, len(topics), rng, smoothing=smoothing))
    bits = [each.divergence for each in found]
    widths = [float(np.nanmean(each.high - each.low)) for each in bits]
    wider = found[int(np.argmax(widths))]
    value, chance = wider.divergence.value, wider.divergence.chance
    lines = [chance[row] for row in range(len(value))]
    by_chance = np.array([np.nan if each is None else each.expected for each in lines])
    return _Entropy(
        part, names, wider, np.max([each.p for each in bits], axis=0),
        value - by_chance,
        (wider.divergence.high - wider.divergence.low) / _TAILS,
        chains.n, kept["kind"].n_unique(),
    )  # fmt: skip


def _laid(part: Part, value: pl.Expr, *, shares: bool) -> Worded:
    """Lay a class out by subject, kind of wording and prefix; without prefixes, by lineage."""
    led = part.table["variant"][0] != "plain"
    asked = part.table.select(
        "kind", "wording", axis=pl.col("class"), group=pl.col("subject"),
        condition="prefix" if led else "lineage",
        outcome=pl.col("dropped").fill_null("").replace_strict(OUTCOME, default="answered"),
        value=value,
    )  # fmt: skip
    return lay_out(asked, asked, shares=shares)

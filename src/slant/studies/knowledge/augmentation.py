"""What the way of asking does to what is said (Figure 5): prefixes, and strategies of growth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.stats.paired_chains import paired_difference
from slant.studies.filing import Measured, Quantity, Subject, adjusted, outcome_counts
from slant.studies.knowledge.findings import EVERYONE
from slant.studies.knowledge.triple import INITIALISATION

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from slant.records import Finding
    from slant.studies.filing import Filing
    from slant.studies.knowledge.settings import Variant

_PREFIXED = {"initialisation": ("initialisation", "both"), "expansion": ("expansion", "both")}


def augmentation_findings(
    file: Filing, kept: pl.DataFrame, metrics: Sequence[str], variants: Sequence[Variant],
    rng: np.random.Generator,
) -> list[Finding]:  # fmt: skip
    """Compare each variant with the first, and strategies of growth with the initialisation.

    Variants are compared where the graph begins and where it grows, strategies within the first
    variant, over cells: a subject in a lineage, for which both ways have triples. Where
    a variant begins with the very same sentences as the first, that is no comparison, and left out.
    q-values hold over all comparisons.
    """
    if kept.is_empty():
        return []
    table = kept.with_columns(
        pl.when(pl.col("strategy") == INITIALISATION)
        .then(pl.lit("initialisation"))
        .otherwise(pl.lit("expansion"))
        .alias("phase"),
        pl.col("lineage").str.split("/").list.last().alias("number"),
    )
    found = []
    for metric in metrics:
        first = table.filter(pl.col("variant") == variants[0])
        for variant in variants[1:]:
            other = table.filter(pl.col("variant") == variant)
            for phase in ("initialisation", "expansion"):
                prefixed = _PREFIXED["initialisation"]
                same_start = (variant in prefixed) == (variants[0] in prefixed)
                if phase == "initialisation" and same_start:
                    continue
                found.append(
                    _compare(
                        file, metric, f"vs:{variants[0]}", f"{variant}, {phase}",
                        first.filter(phase=phase), other.filter(phase=phase), rng,
                    )
                )  # fmt: skip
        begun = first.filter(strategy=INITIALISATION)
        for strategy in first["strategy"].unique(maintain_order=True):
            if strategy not in (INITIALISATION, ""):
                grown = first.filter(strategy=strategy)
                found.append(
                    _compare(file, metric, f"vs:{INITIALISATION}", strategy, begun, grown, rng)
                )
    return adjusted(found, "ways of asking")


def _compare(
    file: Filing, metric: str, contrast: str, condition: str, first: pl.DataFrame,
    second: pl.DataFrame, rng: np.random.Generator,
) -> Finding:  # fmt: skip
    cell = ["class", "subject", "number"]
    means = [each.group_by(cell, maintain_order=True).agg(pl.col(metric).mean())
             for each in (first, second)]  # fmt: skip
    both = means[0].join(means[1], on=cell, suffix="_2").drop_nulls()
    lineage = (both["class"] + "/" + both["number"]).to_numpy()
    result = paired_difference(
        both[metric].to_numpy(), both[f"{metric}_2"].to_numpy(), lineage, rng
    )
    what = Quantity(
        f"{metric}_change", contrast, "difference", "closer_to_target", 0.0, measure=metric,
        unit="chains", effect_name="cohen_d_paired",
        how={"ci": "bootstrap(5000,lineages)", "null": "signs(5000,lineages)"},
    )  # fmt: skip
    whom = Subject("asking", EVERYONE, outcome_counts({"answered": result.n}), condition)
    measured = Measured(
        result.value, result.low, result.high, result.n, result.lineages,
        p=result.p, effect=result.effect, chance=result.chance,
        reason="no subject has triples of both",
    )  # fmt: skip
    return file(what, whom, measured)

"""What the way of asking does to what is said (Figure 5): prefixes, and strategies of growth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from slant.stats.paired_chains import paired_difference
from slant.studies.filing import Measured, Quantity, Subject, adjusted, outcome_counts
from slant.studies.knowledge.findings import EVERYONE
from slant.studies.knowledge.triple import INITIALISATION
from slant.studies.study import Figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np

    from slant.records import Finding
    from slant.stats.paired_chains import PairedDifference
    from slant.studies.filing import Filing
    from slant.studies.knowledge.settings import Variant

_PREFIXED = {"initialisation": ("initialisation", "both"), "expansion": ("expansion", "both")}
_WHERE = {"initialisation": "where the graph begins", "expansion": "where it grows"}
SPREAD, TESTED = "augmented", "augmentation"
"""Tables: every triple by class and way of asking; and what the two ways differ by."""


@dataclass(frozen=True)
class _Ways:
    """Triples asked for in two ways.

    Attributes
    ----------
    first, second
        Variants.
    phase
        Where they are compared: `initialisation` or `expansion`.
    plain, other
        Their triples.
    """

    first: str
    second: str
    phase: str
    plain: pl.DataFrame
    other: pl.DataFrame

    @property
    def name(self) -> str:
        return f"{self.second}, {self.phase}"

    def of(self, people: str) -> _Ways:
        """Keep one class."""
        plain, other = (each.filter(pl.col("class") == people) for each in (self.plain, self.other))
        return _Ways(self.first, self.second, self.phase, plain, other)


def augmentation_findings(
    file: Filing, kept: pl.DataFrame, metrics: Sequence[str], variants: Sequence[Variant],
    rng: np.random.Generator,
) -> tuple[list[Finding], dict[str, pl.DataFrame]]:  # fmt: skip
    """Compare each variant with the first, and strategies of growth with the initialisation.

    Variants are compared where the graph begins and where it grows, strategies within the first
    variant, over cells: a subject in a lineage, for which both ways have triples. Where
    a variant begins with the very same sentences as the first, that is no comparison, and left out.
    q-values hold over all comparisons of all classes together, and over those of each class.

    Returns
    -------
    findings : list of Finding
        Of all classes together, then of each, where there are several.
    tables : dict of polars.DataFrame
        Of the first metric, where there are two variants: `augmented`, one row a triple (`view`,
        `class`, `asked`, `value`), and `augmentation`, one row a comparison and class.
    """
    if kept.is_empty():
        return [], {}
    table = _phased(kept)
    ways = list(_ways(table, variants))
    first = table.filter(pl.col("variant") == variants[0])
    classes = kept["class"].unique(maintain_order=True).to_list()
    found, by_class, rows = [], [], []
    for metric in metrics:
        for each in ways:
            contrast = f"vs:{each.first}"
            result = _compare(each, metric, rng)
            found.append(_finding(file, metric, contrast, each.name, EVERYONE, result))
        begun = first.filter(strategy=INITIALISATION)
        for strategy in first["strategy"].unique(maintain_order=True):
            if strategy not in (INITIALISATION, ""):
                grown = first.filter(strategy=strategy)
                pair = _Ways(INITIALISATION, strategy, "", begun, grown)
                result = _compare(pair, metric, rng)
                contrast = f"vs:{INITIALISATION}"
                found.append(_finding(file, metric, contrast, strategy, EVERYONE, result))
    for metric in metrics:
        for each in ways:
            for people in classes:
                own = each.of(people)
                result = _compare(own, metric, rng)
                if len(classes) > 1:
                    contrast = f"vs:{each.first}"
                    by_class.append(_finding(file, metric, contrast, each.name, people, result))
                if metric == metrics[0]:
                    rows.append(_row(own, metric, people, result))
    tables = {}
    if rows:
        tables = {SPREAD: _spread(ways, metrics[0]), TESTED: pl.DataFrame(rows)}
    both = adjusted(found, "ways of asking"), adjusted(by_class, "ways of asking by class")
    return [*both[0], *both[1]], tables


def augmentation_figures(tables: Mapping[str, pl.DataFrame]) -> list[Figure]:
    """Ask for Figure 5: the two distributions side by side, by class, one picture a comparison."""
    if SPREAD not in tables:
        return []
    metric = str(tables[TESTED]["metric"][0]).replace("_", " ")
    options = {"value": "value", "group": "class", "series": "asked",
               "label": f"{metric} of a triple"}  # fmt: skip
    return [
        Figure("boxes", f"What a prefix does to {metric}, by class: {view}",
               SPREAD, {**options, "view": view})
        for view in tables[SPREAD]["view"].unique(maintain_order=True)
    ]  # fmt: skip


def _phased(kept: pl.DataFrame) -> pl.DataFrame:
    return kept.with_columns(
        pl.when(pl.col("strategy") == INITIALISATION)
        .then(pl.lit("initialisation"))
        .otherwise(pl.lit("expansion"))
        .alias("phase"),
        pl.col("lineage").str.split("/").list.last().alias("number"),
    )


def _ways(table: pl.DataFrame, variants: Sequence[Variant]) -> Iterator[_Ways]:
    first = table.filter(pl.col("variant") == variants[0])
    for variant in variants[1:]:
        other = table.filter(pl.col("variant") == variant)
        for phase in ("initialisation", "expansion"):
            prefixed = _PREFIXED["initialisation"]
            same_start = (variant in prefixed) == (variants[0] in prefixed)
            if phase == "initialisation" and same_start:
                continue
            pair = (each.filter(phase=phase) for each in (first, other))
            yield _Ways(variants[0], variant, phase, *pair)


def _compare(ways: _Ways, metric: str, rng: np.random.Generator) -> PairedDifference:
    cell = ["class", "subject", "number"]
    means = [each.group_by(cell, maintain_order=True).agg(pl.col(metric).mean())
             for each in (ways.plain, ways.other)]  # fmt: skip
    both = means[0].join(means[1], on=cell, suffix="_2").drop_nulls()
    lineage = (both["class"] + "/" + both["number"]).to_numpy()
    return paired_difference(both[metric].to_numpy(), both[f"{metric}_2"].to_numpy(), lineage, rng)


def _finding(
    file: Filing, metric: str, contrast: str, condition: str, group: str, result: PairedDifference
) -> Finding:
    what = Quantity(
        f"{metric}_change", contrast, "difference", "closer_to_target", 0.0, measure=metric,
        unit="chains", effect_name="cohen_d_paired",
        how={"ci": "bootstrap(5000,lineages)", "null": "signs(5000,lineages)"},
    )  # fmt: skip
    whom = Subject("asking", group, outcome_counts({"answered": result.n}), condition)
    measured = Measured(
        result.value, result.low, result.high, result.n, result.lineages,
        p=result.p, effect=result.effect, chance=result.chance,
        reason="no subject has triples of both",
    )  # fmt: skip
    return file(what, whom, measured)


def _spread(ways: Sequence[_Ways], metric: str) -> pl.DataFrame:
    """List every triple by class and way of asking, comparison by comparison."""
    return pl.concat(
        rows.select(
            view=pl.lit(f"{each.second} beside {each.first}, {_WHERE[each.phase]}"),
            asked=pl.lit(variant),
            value=pl.col(metric),
            **{"class": pl.col("class")},
        )
        for each in ways
        for variant, rows in ((each.first, each.plain), (each.second, each.other))
    ).drop_nulls("value")


def _row(
    ways: _Ways, metric: str, people: str, result: PairedDifference
) -> dict[str, str | int | float | None]:
    """Tell both distributions of a class, how far they are apart, and two tests of it.

    `p` exchanges the ways within lineages; `p_triples` takes every triple as independent of the
    others (Mann and Whitney), which they are not: the publication's p < 1e-10 must have done so.
    """
    from scipy.stats import mannwhitneyu

    plain, other = (each[metric].drop_nulls().to_numpy() for each in (ways.plain, ways.other))
    independent = float(mannwhitneyu(plain, other).pvalue) if len(plain) and len(other) else None
    row: dict[str, str | int | float | None] = {
        "class": people, "first": ways.first, "second": ways.second, "phase": ways.phase,
        "metric": metric,
    }  # fmt: skip
    for side, scores in zip(("first", "second"), (ways.plain[metric], ways.other[metric]),
                            strict=True):  # fmt: skip
        row[f"{side}_n"] = scores.drop_nulls().len()
        for name, share in (("lower", 0.25), ("median", 0.5), ("upper", 0.75)):
            row[f"{side}_{name}"] = scores.quantile(share, "linear")
    ends = {"difference": result.value, "low": result.low, "high": result.high, "p": result.p}
    known = {name: value if value == value else None for name, value in ends.items()}
    return {**row, **known, "lineages": result.lineages, "p_triples": independent}

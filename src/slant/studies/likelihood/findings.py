"""From cells to findings: those beyond chance, each group's strongest, and the group itself."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from slant.records import OUTCOMES, Finding
from slant.stats.apx import ONE_PERCENT
from slant.stats.chance import ByChance
from slant.studies.chance import chance_line
from slant.studies.likelihood.views import AXES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.stats.histogram import Bins
    from slant.studies.likelihood.affinity import Contrasts
    from slant.studies.likelihood.grid import Grid
    from slant.studies.likelihood.paper import PaperScores

AFFINITY, STRENGTH, BIAS_SCORE = "affinity", "affinity_strength", "bias_score"
SIGNIFICANT = 0.05
MOST = 400
"""How many cells beyond chance become findings; the table of cells has all."""

STRONGEST = 3
"""How many cells of each group become findings in any case."""

_CHANCE = ("chance_expected", "chance_low", "chance_high")
_NUMBERS = ("value", "low", "high", "p", "q", "effect", *_CHANCE)


@dataclass(frozen=True)
class Filing:
    """What all findings of a section share.

    Attributes
    ----------
    study, model
        What they are filed under.
    whole
        The grid before anything was left out, for the outcomes.
    signature
        Without the statistics.
    """

    study: str
    model: str
    whole: Grid
    signature: str

    def finding(
        self,
        metric: str,
        axis: str,
        group: str,
        contrast: str,
        numbers: Mapping[str, Any],
        *,
        statistics: str,
        n: int,
        outcomes: Mapping[str, int],
        condition: str = "",
        null: Bins | None = None,
        **fields: Any,
    ) -> Finding:
        """Make a finding; of the numbers, one that is NaN or lacking becomes `None`."""
        known = {name: _known(numbers.get(name)) for name in _NUMBERS}
        expected, least, most = (known[name] for name in _CHANCE)
        chance = None
        if expected is not None and least is not None and most is not None:
            chance = ByChance(expected, least, most, null)
        return Finding(
            study=self.study,
            metric=metric,
            model=self.model,
            axis=axis,
            group=group,
            contrast=contrast,
            value=known["value"],
            low=known["low"],
            high=known["high"],
            n=n,
            outcomes=dict(outcomes),
            condition=condition,
            p=known["p"],
            q=known["q"],
            effect=known["effect"],
            chance=chance_line(chance),
            signature=f"{self.signature}|{statistics}",
            **fields,
        )

    def outcomes(self, group: str, descriptor: str | None = None) -> dict[str, int]:
        """Count what became of the questions about a group, or about one of its descriptors.

        Parameters
        ----------
        group
            A group, an ethnicity or a gender.
        descriptor
            All when left out.
        """
        people = self.whole.people
        kinds = ((people[name] == group).to_numpy() for name in ("group", "ethnicity", "gender"))
        own = self.whole.outcomes[next(mine for mine in kinds if mine.any())]
        if descriptor is not None:
            own = own[:, self.whole.descriptors.index(descriptor)]
        counts = own.reshape(-1, len(OUTCOMES)).sum(axis=0)
        return {name: int(count) for name, count in zip(OUTCOMES, counts, strict=True)}


def strength_findings(filing: Filing, contrasts: Contrasts, statistics: str) -> list[Finding]:
    """Say how far the model sets each group of a view apart, over all descriptors."""
    found = []
    for row, group in enumerate(contrasts.view.groups):
        own = {name: float(values[row]) for name, values in contrasts.strength.items()}
        own["chance_expected"] = own.pop("expected")
        found.append(
            filing.finding(
                STRENGTH,
                AXES[contrasts.view.name],
                group.group,
                "strength",
                own,
                statistics=statistics,
                n=int(contrasts.n[row]),
                outcomes=filing.outcomes(group.group),
                null=contrasts.strength_nulls[row],
                direction="lower_is_better",
                target=None,
            )
        )
    return found


def worth_telling(cells: pl.DataFrame, views: int) -> pl.DataFrame:
    """Choose the cells that become findings, strongest effect first.

    Parameters
    ----------
    cells
        Of one view.
    views
        How many views there are: each has an equal share of `MOST`.
    """
    size = pl.col("effect").abs().fill_null(0.0)
    known = cells.filter(pl.col("value").is_not_null())
    if cells["group"].n_unique() == 2:  # what one has more of, the other has less: told once
        known = known.filter(pl.col("value") > 0)
    ordered = known.sort(size, pl.col("value").abs(), descending=True, maintain_order=True)
    beyond = ordered.filter(pl.col("q") < SIGNIFICANT).head(MOST // views)
    strongest = ordered.filter(pl.int_range(pl.len()).over("group") < STRONGEST)
    return pl.concat([beyond, strongest]).unique(["group", "descriptor"], maintain_order=True)


def affinity_findings(
    filing: Filing,
    chosen: pl.DataFrame,
    compared: Sequence[Contrasts],
    descriptors: Sequence[str],
    statistics: str,
) -> list[Finding]:
    """Say how much more probable groups' names make descriptors.

    Parameters
    ----------
    filing
        What the findings share.
    chosen
        The cells; one finding a row.
    compared, descriptors
        The contrasts of every view they are of, and what these are about, for the nulls.
    statistics
        For the signature.
    """
    views = {contrasts.view.name: contrasts for contrasts in compared}
    columns = {descriptor: column for column, descriptor in enumerate(descriptors)}
    return [
        filing.finding(
            AFFINITY,
            AXES[row["view"]],
            row["group"],
            "vs_rest",
            {**row, "chance_expected": 0.0},
            statistics=statistics,
            n=row["n"],
            outcomes=filing.outcomes(row["group"], row["descriptor"]),
            condition=row["descriptor"],
            null=views[row["view"]].null(row["group"], columns[row["descriptor"]]),
            direction="closer_to_target",
            target=0.0,
        )
        for row in chosen.iter_rows(named=True)
    ]


def paper_findings(filing: Filing, paper: PaperScores, grid: Grid) -> list[Finding]:
    """Say which scores the paper's rule flags, lowest first, with p as if scores were normal.

    The value is the bias score minus the mean of the groups, and the effect its distance in
    standard deviations.
    """
    flagged = np.argwhere(paper.flagged)
    order = np.argsort(paper.z[paper.flagged], kind="stable")[:MOST]
    sizes = dict(grid.people.group_by("group").len().iter_rows())
    found = []
    for row, column in flagged[order]:
        group, spread = paper.groups[row], ONE_PERCENT * paper.spread[column]
        found.append(
            filing.finding(
                BIAS_SCORE,
                AXES["intersectional"],
                group,
                "vs_rest",
                {
                    "value": paper.score[row, column] - paper.center[column],
                    "p": paper.p[row, column],
                    "q": paper.q[row, column],
                    "effect": paper.z[row, column],
                    "chance_expected": 0.0,
                    "chance_low": -spread,
                    "chance_high": spread,
                },
                statistics=f"flag:z<-{ONE_PERCENT:.4f}|p:normal|fdr:bh",
                n=sizes[group],
                outcomes=filing.outcomes(group, grid.descriptors[column]),
                condition=grid.descriptors[column],
                direction="closer_to_target",
                target=0.0,
            )
        )
    return found


def unknown_findings(filing: Filing, groups: Sequence[str], reason: str) -> list[Finding]:
    """Say of groups that could not be judged that they could not, and why."""
    return [
        filing.finding(
            STRENGTH,
            AXES["intersectional"],
            group,
            "strength",
            {},
            statistics="none",
            n=0,
            outcomes=filing.outcomes(group),
            direction="lower_is_better",
            target=None,
            reason=reason,
        )
        for group in groups
    ]


def _known(number: float | None) -> float | None:
    return None if number is None or math.isnan(number) else float(number)

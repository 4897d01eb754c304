"""What a model leans to after a prompt, from likelihoods instead of samples.

A small model completes "Two Muslims walked into a" violently in a few samples of a hundred: too
rarely to tell groups apart. How probable it finds given violent continuations, against peaceful
ones of the same shape, can be computed exactly and shows what it leans to all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.groups.template import fill
from slant.records import Item, Likelihood, Units
from slant.stats.blocked_means import blocked_means
from slant.studies.asked_likelihoods import asked_likelihoods
from slant.studies.blocked_findings import RESAMPLES, blocked_findings
from slant.studies.filing import Measured, Quantity, Subject, outcomes_by_group
from slant.studies.signature import content_hash, filing
from slant.studies.study import Analysis, Figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slant.groups.axes import Group
    from slant.groups.continuations import Continuations
    from slant.studies.filing import Filing
    from slant.studies.study import Study

CONTINUATIONS = "continuations"
"""The part of a study that asks how probable they are."""

SIDES = ("marked", "unmarked")
"""The continuation that shows what is measured, and the one that does not."""


def lean_items(study: str, known: Continuations, groups: Sequence[Group]) -> Iterator[Item]:
    """Ask how probable every continuation is after every prompt, group by group."""
    for prompt in known.prompts:
        for group in groups:
            source = fill(prompt, group)
            for number, pair in enumerate(known.pairs):
                for side in SIDES:
                    slots = {"pair": str(number), "side": side}
                    request = Likelihood(getattr(pair, side), source)
                    yield Item(
                        study, request, 0, group.axis, group.name, prompt, slots, CONTINUATIONS
                    )


def analyse_lean(study: Study, answers: pl.LazyFrame, known: Continuations) -> Analysis:
    r"""Compare how much more probable the marked continuations are after each group's name.

    For a group and a pair, :math:`\log P(marked) - \log P(unmarked)` given the prompt, in nats,
    averaged over prompts; a group's figure is the mean over pairs. Comparisons are made within
    pairs: `slant.stats.blocked_means`. A pair that lacks a figure for some group is left out for
    all, and counted.

    Parameters
    ----------
    answers
        Those that `lean_items` asked for.
    """
    table = asked_likelihoods(answers, "pair", "side")
    if table.is_empty():
        return Analysis([], notes=[f"{known.title}: not asked within the limit of questions."])
    groups = table["group"].unique(maintain_order=True).to_list()
    leans = _leans(table)
    values = _whole(leans, groups)
    metric = f"{known.metric}_lean"
    file = lean_filing(study, known, groups, table["axis"][0])
    whom = {
        group: Subject(table["axis"][0], group, outcomes)
        for group, outcomes in outcomes_by_group(table).items()
    }
    own = Quantity(
        metric, "mean", "mean", "lower_is_better", unit="pairs", part=CONTINUATIONS,
        measure="log-probability", units=Units(metric, ("text", "against")),
        how={"ci": f"bootstrap({RESAMPLES},pairs)"},
    )  # fmt: skip
    missing = len(known.pairs) - values.shape[1]
    notes = []
    if missing:
        counted = f"{missing} of {len(known.pairs)} pairs of continuations"
        notes.append(f"{counted} lack a figure for some group and were left out.")
    if values.shape[1] < 2 or len(groups) < 2:
        nothing = Measured(
            reason="fewer than two pairs of continuations, or two groups, could be scored"
        )
        return Analysis([file(own, whom[group], nothing) for group in groups], notes=notes)
    rng = np.random.default_rng([study.circumstances.seed, *metric.encode()])
    result = blocked_means(values, resamples=RESAMPLES, rng=rng)
    findings = blocked_findings(
        file, own, [whom[group] for group in groups], result, values.shape[1]
    )
    figure = Figure(
        "forest",
        f"{known.title}: how much more probable after each group's name",
        options={"metric": metric, "contrast": "vs_rest"},
    )
    return Analysis(findings, {metric: _shown(leans, known)}, [figure], notes=notes)


def _leans(table: pl.DataFrame) -> pl.DataFrame:
    """Average the leans of every group and pair over the prompts, where all prompts tell."""
    return (
        side_differences(table, ["group", "condition", "pair"])
        .group_by("group", "pair", maintain_order=True)
        .agg(pl.when(pl.col("lean").is_not_null().all()).then(pl.col("lean").mean()))
        .with_columns(pl.col("pair").cast(pl.Int64))
    )


def side_differences(table: pl.DataFrame, index: list[str]) -> pl.DataFrame:
    """Subtract the log-probability of every unmarked continuation: `lean`, by `index`."""
    sides = table.pivot("side", index=index, values="logprob")
    lacking = [pl.lit(None, pl.Float64).alias(side) for side in SIDES if side not in sides.columns]
    return sides.with_columns(lacking).with_columns(
        (pl.col("marked") - pl.col("unmarked")).alias("lean")
    )


def _whole(
    leans: pl.DataFrame, groups: list[str]
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Lay out (groups, pairs), without the pairs that some group lacks."""
    wide = leans.pivot("group", index="pair", values="lean").sort("pair").drop_nulls()
    return wide.select(groups).to_numpy().T


def _shown(leans: pl.DataFrame, known: Continuations) -> pl.DataFrame:
    """List the pairs with every group's figure, largest spread between groups first."""
    pairs = pl.DataFrame(
        {
            "pair": range(len(known.pairs)),
            "text": [pair.marked.strip() for pair in known.pairs],
            "against": [pair.unmarked.strip() for pair in known.pairs],
        },
        schema={"pair": pl.Int64, "text": pl.String, "against": pl.String},
    )
    wide = leans.pivot("group", index="pair", values="lean")
    groups = wide.columns[1:]
    spread = pl.max_horizontal(groups) - pl.min_horizontal(groups)
    return (
        pairs.join(wide, on="pair", how="left", maintain_order="left")
        .sort(spread, descending=True, nulls_last=True, maintain_order=True)
        .drop("pair")
    )


def lean_filing(
    study: Study,
    known: Continuations,
    groups: list[str],
    axis: str,
    *,
    wordings: int | str = "one",
    prompts: tuple[str, ...] | None = None,
) -> Filing:
    """Open the file of what is measured of continuations."""
    fingerprint = study.circumstances.fingerprint
    return filing(
        study,
        axis=axis,
        groups=content_hash(groups),
        wordings=wordings,
        continuations=f"{known.name}:"
        + content_hash(
            [prompts or known.prompts, [(pair.marked, pair.unmarked) for pair in known.pairs]]
        ),
        dtype=fingerprint.get("likelihood_dtype", "float32"),
        bos=fingerprint.get("bos", "unknown"),
    )

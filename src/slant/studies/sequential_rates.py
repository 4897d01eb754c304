"""Rates of texts of a kind, of a study that stopped when enough was known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.finding import VS_REST, versus
from slant.measures.measure import REFUSAL
from slant.stats.anytime import anytime_contrasts, anytime_interval, anytime_p
from slant.studies.compared_texts import ComparedTexts, forests
from slant.studies.filing import Measured, Quantity, Subject, adjusted, outcome_counts
from slant.studies.rate_analysis import OUTCOMES
from slant.studies.rate_tables import disagreements, matched_words
from slant.studies.signature import filing
from slant.studies.study import Analysis
from slant.studies.until import parse_until

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from slant.finding import Finding
    from slant.measures.measure import Measure
    from slant.studies.filing import Filing
    from slant.studies.study import Study

_HOW = {"ci": "at all times (Howard et al. 2021)"}
_TITLES = {
    "rate": "How often each group's prompts are answered this way; intervals hold at all times",
    VS_REST: "How much each group differs from the median of the others; intervals hold at all "
    "times",
}


def analyse_sequential_rates(
    study: Study,
    answers: pl.LazyFrame,
    scores: pl.LazyFrame,
    *,
    counted: Measure,
    others: Sequence[Measure],
    reference: str | None,
    parameters: Mapping[str, object],
    most: int,
    one_wording: bool,
) -> Analysis:
    """Compare the groups by intervals that hold whenever asking stops.

    Parameters
    ----------
    study, answers, scores, counted, others, reference
        As `analyse_rates` takes them.
    parameters
        What else the numbers depend on, for the signature; `until` among it.
    most
        How many questions would have been asked at most.
    one_wording
        Whether each group was named with one wording. With several, nothing is tested: what holds
        of these wordings and prompts need not hold of the group.
    """
    texts = ComparedTexts(study, answers, scores, (counted,), reference, parameters, others)
    table = texts.table.filter("counts")
    file = filing(study, measure=counted.signature, axis=texts.table["axis"][0], **parameters)
    what = Quantity(counted.metric, "rate", "rate", counted.direction, 0.0, "share", counted.name,
                    "answers", how=_HOW)  # fmt: skip
    refused = Quantity("refusal_rate", "rate", "rate", "lower_is_better", 0.0, "share", REFUSAL,
                       "answers", how=_HOW)  # fmt: skip
    found: list[Finding] = []
    for quantity, hit, asked in (
        (what, pl.col("value") == 1, pl.col("value").is_not_null()),
        (refused, pl.col("outcome") == "refused",
         pl.col("outcome").is_in(["answered", "refused"])),
    ):  # fmt: skip
        counts = table.filter(asked).group_by("group").agg(hit.sum().alias("hits"), pl.len())
        known = {group: (hits, n) for group, hits, n in counts.iter_rows()}
        cells = [known.get(group, (0, 0)) for group in texts.groups]
        found += _findings(file, quantity, texts, cells, tested=one_wording)
    until = str(parameters["until"])
    tables = {"counts": texts.counts, "outcomes": texts.outcomes}
    tables["matched_words"] = matched_words(answers, scores, counted.name)
    for other in others:
        tables["disagreements"] = disagreements(texts.table, answers, counted.name, other.name)
    return Analysis(
        found,
        tables,
        [*forests(counted.metric, _TITLES, found), OUTCOMES],
        texts.quotes(),
        [_ended(until, found[: len(found) // 2], texts.table.height, most), _covered(one_wording),
         *texts.notes(())],
        {"until": until, "asked": texts.table.height, "most": most},
    )  # fmt: skip


def _findings(
    file: Filing,
    rate: Quantity,
    texts: ComparedTexts,
    cells: Sequence[tuple[int, int]],
    *,
    tested: bool,
) -> list[Finding]:
    """File each group's rate and its differences; without answers there are none."""
    groups = texts.groups
    hits, n = (list(column) for column in zip(*cells, strict=True))
    rates = np.array([h / m if m else math.nan for h, m in cells])
    found = _column(file, rate, texts, n, rates, anytime_interval(hits, n))
    contrasts: list[tuple[str, int | None]] = [(VS_REST, None)]
    if texts.reference in groups:
        contrasts.append((versus(str(texts.reference)), groups.index(str(texts.reference))))
    for contrast, reference in contrasts:
        if reference is None:
            others = [np.delete(rates, place) for place in range(len(groups))]
            against = np.array([np.median(each) for each in others])
        else:
            against = rates[reference]
        p = anytime_p(hits, n, reference=reference) if tested else np.full(len(groups), math.nan)
        ends = anytime_contrasts(hits, n, reference=reference)
        compared = _column(file, rate.against(contrast), texts, n, rates - against, ends, p)
        if reference is not None:
            del compared[reference]
        found += adjusted(compared, f"{rate.metric}/{contrast}")
    return found


def _column(
    file: Filing,
    what: Quantity,
    texts: ComparedTexts,
    n: Sequence[int],
    values: NDArray[np.float64],
    ends: tuple[NDArray[np.float64], NDArray[np.float64]],
    p: NDArray[np.float64] | None = None,
) -> list[Finding]:
    """File one figure of every group; what has no value has no interval."""
    axis = str(texts.table["axis"][0] or "")
    outcomes = {row["group"]: row for row in texts.outcomes.iter_rows(named=True)}
    findings = []
    for place, group in enumerate(texts.groups):
        known = not math.isnan(values[place])
        measured = Measured(
            values[place],
            float(ends[0][place]) if known else math.nan,
            float(ends[1][place]) if known else math.nan,
            n=n[place],
            unit_count=n[place],
            p=math.nan if p is None or not known else float(p[place]),
            reason="no answer that can be measured",
        )
        whom = Subject(axis, group, outcome_counts(outcomes[group]))
        findings.append(file(what, whom, measured))
    return findings


def _ended(until: str, found: Sequence[Finding], asked: int, most: int) -> str:
    """Say what is known at the end, and after how many questions."""
    rule = parse_until(until)
    rates = [each for each in found if each.contrast == "rate"]
    hits = [(each.value or 0.0) * each.n for each in rates]
    known = rule.settled(hits, [each.n for each in rates])
    if asked < most and not known:
        return (
            f"Asking stopped after {asked:,} of {most:,} questions, and yet {until!r} is not met: "
            "many answers are copies of one another, which count once."
        )
    if asked == most and not known:
        return (
            f"All {most:,} questions were asked, and what was asked for ({until}) is not known "
            "yet: more samples would be needed."
        )
    saved = f"{1 - asked / most:.0%} were saved" if asked < most else "nothing was saved"
    said = f"Asking stopped after {asked:,} of {most:,} questions ({until}): {saved}."
    if rule.harm is None:
        return said
    worse = [each for each in found if each.contrast == VS_REST and (each.low or 0.0) > rule.harm]
    if not worse:
        return f"{said} No group's rate lies so far above the median of the others."
    groups = ", ".join(f"{each.group} ({each.value:+.0%})" for each in worse)
    return f"{said} So far above the median of the others lies the rate of: {groups}."


def _covered(one_wording: bool) -> str:
    about = (
        "of these prompts with this word"
        if one_wording
        else "of these wordings and prompts, each as often as it was answered; p is not given, for "
        "nothing follows for other wordings of the group, nor from placebo groups, which were not "
        "asked about"
    )
    return (
        "The intervals hold at all times at once, so that stopping when they show something keeps "
        f"their 5% (intervals of differences: of all groups together). They are {about}. Answers "
        "to one prompt are taken as drawn independently of one another."
    )

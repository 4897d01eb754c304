"""What findings amount to, in sentences: for the page, for Markdown and for the terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.meanings import KIND_WORDS, load_meanings
from slant.reports.difference_words import Part, difference_sentence
from slant.reports.families import by_family, compared_in, count_tested, differing_in
from slant.reports.null_words import (
    SHOWN,
    coverage,
    nothing,
    smallest_detectable,
    too_few_units,
    untested,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.meanings import Meanings
    from slant.records import Finding
    from slant.reports.difference_words import Sentence

_CALM = 2
"""How many measures without a difference are told at once; a single further one is told, too."""

_CALMEST = (len(KIND_WORDS), 0)
"""How a verdict is sorted by which nothing differs: after all that mean something for people."""

TELLING = 0.1
"""A null tells something where a difference of ten points would have been seen (80% power)."""


@dataclass(frozen=True)
class Verdict:
    """What one metric says about one model.

    Attributes
    ----------
    study, model, metric
        What was judged.
    differs
        Whether any comparison is more than chance.
    sentences
        The conclusion, most important first; each with the finding it rests on, if it is one.
    differing
        Comparisons that are more than chance: harms first, and of one kind the largest effect.
    tested
        How many comparisons were tested.
    telling
        Whether nothing differs, and a difference between shares as small as `TELLING` would have
        been seen.
    worst
        What the first of them means for people, as `slant.meanings.Meaning.rank` sorts it.
    """

    study: str
    model: str
    metric: str
    differs: bool
    sentences: tuple[tuple[Sentence, Finding | None], ...]
    differing: tuple[Finding, ...] = ()
    tested: int = 0
    telling: bool = False
    worst: tuple[int, int] = _CALMEST


def verdicts(findings: Iterable[Finding], meanings: Meanings | None = None) -> list[Verdict]:
    """Conclude, once for every study, model and metric, in the order they come.

    Comparisons with the rest are judged where there are any, else whatever is compared. Odds
    ratios that only say again what a rate says are passed over.

    Parameters
    ----------
    findings
        Of any studies.
    meanings
        What differences mean for people: the worst is told first. The packaged ratings if not
        given.
    """
    meanings = meanings or load_meanings()
    families = by_family(findings)
    first: dict[tuple[str, str], str] = {}
    for study, model, metric in families:
        first.setdefault((study, model), metric)
    return [
        _verdict(study, model, metric, family, meanings, warn=first[study, model] == metric)
        for (study, model, metric), family in families.items()
    ]


def _verdict(
    study: str,
    model: str,
    metric: str,
    family: Sequence[Finding],
    meanings: Meanings,
    *,
    warn: bool,
) -> Verdict:
    compared = compared_in(family)
    measured = [f for f in compared if f.value is not None]
    differing = sorted(differing_in(family), key=lambda each: meanings.of(each).rank)
    worst = meanings.of(differing[0]).rank if differing else _CALMEST
    sentences: list[tuple[Sentence, Finding | None]]
    smallest = None
    if differing:
        sentences = [(difference_sentence(f, family), f) for f in differing[:SHOWN]]
        if len(differing) > SHOWN:
            more = len(differing) - SHOWN
            what = (
                ("pair", "s of group and condition") if differing[0].condition else ("group", "s")
            )
            whom = (
                f"1 more {what[0]} differs" if more == 1 else f"{more} more {''.join(what)} differ"
            )
            sentences.append(((Part(f"{whom} from the others."),), None))
    elif any(f.q is not None for f in measured):
        smallest = smallest_detectable(measured, family)
        sentences = nothing(metric, measured, smallest)
    else:
        sentences = [untested(metric, compared or family, family)]
    for caution in (too_few_units(measured), coverage(family) if warn else None):
        if caution:
            sentences.append((caution, None))
    telling = smallest is not None and measured[0].scale == "share" and smallest <= TELLING
    return Verdict(
        study, model, metric, bool(differing), tuple(sentences), tuple(differing),
        count_tested(family), telling, worst,
    )  # fmt: skip


def in_order(every: Iterable[Verdict]) -> list[Verdict]:
    """Put harms first, then where groups differ, what was tested, and last what is not known.

    So a control, which is shown and not tested, never stands in for what a study found.
    """
    return sorted(every, key=lambda each: (each.worst, not each.tested, not _known(each)))


def _known(verdict: Verdict) -> bool:
    return any(finding is not None and finding.value is not None
               for _, finding in verdict.sentences)  # fmt: skip


def told(ordered: Sequence[Verdict]) -> int:
    """Say how many of a study's verdicts, in order, a reader is told at once."""
    differing = sum(verdict.differs for verdict in ordered)
    return len(ordered) if len(ordered) - differing <= _CALM + 1 else differing + _CALM

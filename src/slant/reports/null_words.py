"""What is said where nothing differs, nothing was tested, or too little was answered."""

from __future__ import annotations

from math import inf, log
from statistics import median
from typing import TYPE_CHECKING

from slant.records import FEWEST_UNITS, SURE, too_few
from slant.reports.difference_words import NAME, Part, estimate, support
from slant.reports.families import ranked, totals
from slant.reports.numbers import quantity
from slant.reports.safe_text import one_line
from slant.reports.wording import outcome_words, reference, wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Finding
    from slant.reports.difference_words import Sentence

SHOWN = 3
"""How many differences a verdict spells out before it says how many more there are."""

_COVERAGE_FLOOR = 0.9

_MOST_TESTS = 10**9


def nothing(
    metric: str, measured: Sequence[Finding], smallest: float | None
) -> list[tuple[Sentence, Finding | None]]:
    """Say that nobody differs, what could have been seen, and the largest difference there is."""
    words = wording(metric)
    words_do_it = any(f.q is not None and f.q < SURE and not f.beats_placebo for f in measured)
    beyond = "what chance and mere words give" if words_do_it else "what chance gives"
    start = f"{words.name}: {_nobody(measured)} beyond {beyond}"
    if smallest is None:
        first: Sentence = (Part(f"{start}."),)
    elif smallest >= 1 and measured[0].scale == "share":
        # Shares differ by less than 100 points at the most.
        first = (
            Part(f"{start}; this run was too small to see any difference"),
            Part(" (80% power).", "evidence"),
        )
    else:
        size = quantity(smallest, measured[0].scale, signed=True, fine=smallest < SURE / 5)
        size = size.removeprefix("+")
        first = (
            Part(f"{start}; the smallest difference this run could see is about {size}"),
            Part(" (80% power).", "evidence"),
        )
    if not any(finding.value for finding in measured):
        return [(first, None), ((Part("Every group came out the same."),), None)]
    largest = ranked(measured)[0]
    where = f" ({one_line(largest.condition, NAME)})" if largest.condition else ""
    second = (
        Part("The largest difference seen: "),
        Part(one_line(largest.group, NAME), "group"),
        Part(f"{where}, "),
        Part(f"{estimate(largest)}, {support(largest)}.", "evidence"),
    )
    return [(first, None), (second, largest)]


def _nobody(measured: Sequence[Finding]) -> str:
    """Say what does not differ from what: groups from each other, or each from something else."""
    against = {f.contrast for f in measured if f.is_comparison}
    between_groups = {"vs_rest", *(f"vs:{f.group}" for f in measured)}
    if not against or against & between_groups:
        return "no group differs from the others"
    names = {one_line(reference(contrast), NAME) for contrast in against}
    return f"nothing differs from “{names.pop()}”" if len(names) == 1 else "no comparison differs"


def smallest_detectable(compared: Sequence[Finding], family: Sequence[Finding]) -> float | None:
    """Say how large a true difference must be for this run to find it with 80% power.

    As `slant.stats.power.visible_difference` says, with the median width of the comparisons' 95%
    ranges: that of chance or that of the estimate, whichever is wider, since a bootstrap of
    nothing but zeros has no width. It must pass chance, and what the placebo groups ask for, as the
    first of all tests of the report (`Finding.tests`).

    Parameters
    ----------
    compared
        The comparisons.
    family
        What else is known of the metric: the groups' own rates.

    Returns
    -------
    float or None
        `None` when no comparison has a width to judge by, and where only some of the tested cells
        (words, descriptors) became findings: neither their widths nor their number are those of
        all.
    """
    from slant.stats.power import visible_difference

    widths = [width for f in compared if (width := _width(f)) > 0]
    groups, cells = {f.group for f in compared}, {(f.group, f.condition) for f in compared}
    selected = len(cells) < len(groups) * len({f.condition for f in compared})
    if not widths or selected or any(f.scale == "ratio" for f in compared):
        return None
    tested = [f for f in compared if f.q is not None]
    # A run is anyone's: what it says of its own tests is bounded by what can be.
    tests = min(max([len(tested), *(f.tests or 0 for f in tested)]), _MOST_TESTS)
    placebo = [
        low * (high / low) ** (log(tests / len(tested)) / log(100))
        for f in tested
        if f.placebo is not None and f.placebo.needed is not None
        for low, high in [f.placebo.needed]
        if 0 < low <= high
    ]
    own = [f for f in family if f.kind in {"rate", "mean"} and f.scale == "share"]
    rates = [f.value for f in own if f.value is not None]
    return visible_difference(
        median(widths),
        tests,
        freedom=median(_freedom(f) for f in compared if _width(f) > 0),
        rate=median(rates) if rates else None,
        groups=len(groups),
        placebo=median(placebo) if placebo else 0.0,
    )


def _width(finding: Finding) -> float:
    own = 0.0
    if finding.low is not None and finding.high is not None:
        own = finding.high - finding.low
    return own if finding.chance is None else max(own, finding.chance.high - finding.chance.low)


def _freedom(finding: Finding) -> float:
    if finding.freedom is not None:
        return max(1.0, finding.freedom)  # in this order also of what is no number
    few = None if finding.unit in {"", "answers"} else finding.unit_count
    return max(few - 1.0, 1.0) if few else inf


def untested(
    metric: str, compared: Sequence[Finding], family: Sequence[Finding]
) -> tuple[Sentence, Finding | None]:
    """Say what was measured where no difference was tested, or why nothing was measured."""
    name = wording(metric).name
    measured = [f for f in family if f.value is not None]
    alone = len({(f.axis, f.group) for f in family}) == len({f.axis for f in family})
    if measured and alone and not any(f.is_comparison for f in family):
        return _plainly(name, measured)
    unmeasured = [f for f in compared if f.value is None]
    if len(unmeasured) < len(compared):
        return (Part(f"{name}: measured, but no difference between groups was tested."),), None
    reason = one_line(unmeasured[0].reason or "no reason was recorded", 240)
    own = [f for f in family if not f.is_comparison and f.value is not None]
    if not own:
        return (Part(f"{name}: could not be measured: {reason}"),), unmeasured[0]
    first = own[0]
    sentence = (
        Part(f"{name}: "),
        Part(one_line(first.group, NAME), "group"),
        Part(f", {estimate(first)}, n = {first.n:,}", "evidence"),
        Part(f"; no group could be compared: {reason}."),
    )
    return sentence, first


def _plainly(name: str, own: Sequence[Finding]) -> tuple[Sentence, Finding | None]:
    """State figures that are compared with nothing, such as how a model answers in general."""
    sentence = [Part(f"{name}: ")]
    for number, finding in enumerate(own[:SHOWN]):
        axis = finding.axis.replace("_", " ")
        axis += f", {finding.condition}" if finding.condition else ""
        sentence.append(Part(("; " if number else "") + one_line(axis, NAME), "group"))
        sentence.append(Part(f" {estimate(finding)}, n = {finding.n:,}", "evidence"))
    more = len(own) - SHOWN
    sentence.append(Part(f"; {more} more in the table." if more > 0 else "."))
    return tuple(sentence), own[0]


def too_few_units(measured: Sequence[Finding]) -> Sentence | None:
    """Say what is missing where comparisons rest on too few units to speak of others."""
    few = [f for f in measured if too_few(f.unit, f.unit_count)]
    if not few:
        return None
    counts = sorted({f.unit_count or 0 for f in few})
    number = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
    units = few[0].unit
    return (
        Part(
            f"This rests on {number} {units}: nothing is said of other {units} from fewer than "
            f"{FEWEST_UNITS}."
        ),
    )


def coverage(family: Sequence[Finding]) -> Sentence | None:
    """Warn when the figures rest on fewer questions than were asked."""
    own = [f for f in family if not f.is_comparison] or list(family)
    counts = totals(own)
    asked = sum(counts.values())
    if not asked or counts["answered"] / asked >= _COVERAGE_FLOOR:
        return None
    share = quantity(counts["answered"] / asked, "share")
    words = outcome_words(counts)
    return (Part(f"Only {share} of {asked:,} questions were answered: {words}."),)

"""What findings amount to, in sentences: for the page, for Markdown and for the terminal.

A sentence is a tuple of parts without any markup, so that each medium escapes and styles it in
its own way.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import exp
from statistics import median
from typing import TYPE_CHECKING, Literal, TypeAlias

from slant.records import FEWEST_UNITS, OUTCOMES, SURE, too_few
from slant.reports.camps import camps_led_by, counted_once
from slant.reports.numbers import (
    interval_text,
    placebo_share_text,
    probability,
    quantity,
    value_text,
)
from slant.reports.safe_text import one_line
from slant.reports.wording import outcome_words, reference, wording

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from slant.records import Finding
    from slant.reports.camps import Camps

SHOWN = 4
"""How many differences a verdict spells out before it says how many more there are."""

_CALM = 2
"""How many measures without a difference are told at once; a single further one is told, too."""

ONE_WORDING = "Prompts with the word"
"""What a sentence begins with where a group had one name only: it is about that, and no more."""

_NAME = 80
_COVERAGE_FLOOR = 0.9


@dataclass(frozen=True)
class Part:
    """A piece of a sentence.

    Attributes
    ----------
    text
        Plain text on one line, with nothing hidden in it, but unescaped: it may name a group.
    role
        `group` is the name it is all about, `evidence` the numbers in support, `text` the rest.
    """

    text: str
    role: Literal["text", "group", "evidence"] = "text"


Sentence: TypeAlias = tuple[Part, ...]


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
        Comparisons that are more than chance, the largest effect first.
    tested
        How many comparisons were tested.
    """

    study: str
    model: str
    metric: str
    differs: bool
    sentences: tuple[tuple[Sentence, Finding | None], ...]
    differing: tuple[Finding, ...] = ()
    tested: int = 0


def plain_sentence(sentence: Sentence) -> str:
    """Join the parts of a sentence."""
    return "".join(part.text for part in sentence)


def is_significant(finding: Finding) -> bool:
    """Tell whether a finding is more than chance would give."""
    return finding.is_sure


def ranked(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings by the size of their effect, largest first; those without a value last."""
    return sorted(findings, key=_rank)


def _rank(finding: Finding) -> tuple[bool, float, float]:
    value = abs(finding.value or 0.0)
    return finding.value is None, -abs(finding.effect or 0.0), -value


def in_order(every: Iterable[Verdict]) -> list[Verdict]:
    """Put those first in which groups differ, and those last that nothing is known of."""
    return sorted(every, key=lambda each: (not each.differs, not _known(each)))


def _known(verdict: Verdict) -> bool:
    return any(finding is not None and finding.value is not None
               for _, finding in verdict.sentences)  # fmt: skip


def told(ordered: Sequence[Verdict]) -> int:
    """Say how many of a study's verdicts, in order, a reader is told at once."""
    differing = sum(verdict.differs for verdict in ordered)
    return len(ordered) if len(ordered) - differing <= _CALM + 1 else differing + _CALM


def verdicts(findings: Iterable[Finding]) -> list[Verdict]:
    """Conclude, once for every study, model and metric, in the order they come.

    Comparisons with the rest are judged where there are any, else whatever is compared. Odds
    ratios that only say again what a rate says are passed over.
    """
    families = by_family(findings)
    first: dict[tuple[str, str], str] = {}
    for study, model, metric in families:
        first.setdefault((study, model), metric)
    return [
        _verdict(study, model, metric, family, warn=first[study, model] == metric)
        for (study, model, metric), family in families.items()
    ]


def differences(findings: Iterable[Finding]) -> list[Finding]:
    """List what is more than chance, largest effect first, each difference once.

    Of every study, model and metric, the same comparisons count as for its verdict.
    """
    return ranked(f for family in by_family(findings).values() for f in _differing(family))


def by_family(
    findings: Iterable[Finding],
) -> dict[tuple[str, str, str], list[Finding]]:
    """Put together what is about one study, model and metric, without what is only said again."""
    families: dict[tuple[str, str, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        families[finding.study, finding.model, finding.metric].append(finding)
    return {key: family for key, family in families.items() if not _is_repeated(key, families)}


def comparisons(family: Sequence[Finding]) -> list[Finding]:
    """Pick what a verdict judges: comparisons with the rest, else any, else tested figures."""
    compared = [f for f in family if f.contrast == "vs_rest"]
    compared = compared or [f for f in family if f.is_comparison]
    return compared or [f for f in family if f.q is not None]


def _differing(family: Sequence[Finding]) -> list[Finding]:
    """Pick what is more than chance of that, two camps as one difference; largest effect first."""
    sure = [f for f in comparisons(family) if f.value is not None and is_significant(f)]
    return ranked(counted_once(sure, family))


def _is_repeated(
    key: tuple[str, str, str], families: Mapping[tuple[str, str, str], Sequence[Finding]]
) -> bool:
    study, model, _ = key
    return any(
        each.restates and (study, model, each.restates) in families for each in families[key]
    )


def _verdict(
    study: str, model: str, metric: str, family: Sequence[Finding], *, warn: bool
) -> Verdict:
    compared = comparisons(family)
    measured = [f for f in compared if f.value is not None]
    differing = _differing(family)
    sentences: list[tuple[Sentence, Finding | None]]
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
        sentences = _nothing(metric, measured, family)
    else:
        sentences = [_untested(metric, compared or family, family)]
    for caution in (_too_few(measured), _coverage(family) if warn else None):
        if caution:
            sentences.append((caution, None))
    tested = sum(f.q is not None for f in measured)
    return Verdict(
        study, model, metric, bool(differing), tuple(sentences), tuple(differing), tested
    )


def _too_few(measured: Sequence[Finding]) -> Sentence | None:
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


def difference_sentence(finding: Finding, family: Sequence[Finding]) -> Sentence:
    """Tell a difference that is more than chance.

    Parameters
    ----------
    finding
        Which one.
    family
        All findings of the same study, model and metric, the group's own figure among them.
    """
    words = wording(finding.metric)
    camps = camps_led_by(finding, family)
    if camps is not None:
        return _camps_sentence(words.name, camps)
    own = _own(finding, family)
    whom = ONE_WORDING if finding.is_of_one_wording else words.whom
    about = Part(f"{whom} "), Part(one_line(finding.group, _NAME), "group")
    where = f" (condition: {one_line(finding.condition, _NAME)})" if finding.condition else ""
    evidence = Part(f"{_estimate(finding)}, {_support(finding)}.", "evidence")
    if not finding.is_comparison:
        lead = Part(" " + words.says.format(value=value_text(finding)))
        chance = "" if finding.chance is None else f"; by chance {finding.chance.expected:.2f}"
        support = f" ({interval_text(finding)}{chance}), {_support(finding)}."
        return (*about, lead, Part(support, "evidence"))
    against = one_line(reference(finding.contrast), _NAME)
    if words.leans:
        more = "more" if (finding.value or 0) > 0 else "less"
        condition = one_line(finding.condition, _NAME)
        lean = words.leans.format(condition=condition, more=more, times=_times(finding.value))
        return (*about, Part(f" {lean} "), evidence)
    if own is None or own.value is None or finding.value is None:
        lead = Part(f" differ from {against} in {words.name.lower()}{where}: ")
        return (*about, lead, evidence)
    base = quantity(own.value - finding.value, own.scale, fine="." in value_text(own))
    return (
        *about,
        Part(" " + words.says.format(value=value_text(own))),
        Part(_bracketed(own), "evidence"),
        Part(f", against {base} for {against}{where}: "),
        evidence,
    )


def _camps_sentence(name: str, camps: Camps) -> Sentence:
    """Tell of two camps, by the group in them that leads."""
    first = camps.leader
    where = f" (condition: {one_line(first.condition, _NAME)})" if first.condition else ""
    return (
        Part(f"{name}: two camps{where}. "),
        Part(_names(camps.upper), "group"),
        Part(" are higher than "),
        Part(_names(camps.lower), "group"),
        Part(", and there is nobody in the middle: "),
        Part(f"{one_line(first.group, _NAME)} {_estimate(first)}, {_support(first)}.", "evidence"),
    )


def _names(findings: Sequence[Finding]) -> str:
    *most, last = (one_line(each.group, _NAME) for each in findings)
    return f"{', '.join(most)} and {last}"


def _times(value: float | None) -> str:
    """Write what a log ratio means as a factor: `2.9 times`."""
    ratio = exp(min(abs(value or 0.0), 50.0))
    return f"{ratio:.2g} times" if ratio >= 10 else f"{ratio:.2f} times"


def _own(finding: Finding, family: Sequence[Finding]) -> Finding | None:
    for other in family:
        same = (other.axis, other.group, other.condition)
        mine = (finding.axis, finding.group, finding.condition)
        if same == mine and not other.is_comparison:
            return other
    return None


def _estimate(finding: Finding) -> str:
    return value_text(finding) + _bracketed(finding)


def _bracketed(finding: Finding) -> str:
    interval = interval_text(finding)
    return f" ({interval})" if interval else ""


def _support(finding: Finding) -> str:
    q = "" if finding.shown_q is None else probability("q", finding.shown_q) + ", "
    placebo = placebo_share_text(finding)
    return f"{q}n = {finding.n:,}" + (f", {placebo}" if placebo else "")


def _nothing(
    metric: str, measured: Sequence[Finding], family: Sequence[Finding]
) -> list[tuple[Sentence, Finding | None]]:
    words = wording(metric)
    words_do_it = any(f.q is not None and f.q < SURE and not f.beats_placebo for f in measured)
    beyond = "what chance and mere words give" if words_do_it else "what chance gives"
    start = f"{words.name}: {_nobody(measured)} beyond {beyond}"
    smallest = smallest_detectable(measured, family)
    if smallest is None:
        first: Sentence = (Part(f"{start}."),)
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
    where = f" ({one_line(largest.condition, _NAME)})" if largest.condition else ""
    second = (
        Part("The largest difference seen: "),
        Part(one_line(largest.group, _NAME), "group"),
        Part(f"{where}, "),
        Part(f"{_estimate(largest)}, {_support(largest)}.", "evidence"),
    )
    return [(first, None), (second, largest)]


def _nobody(measured: Sequence[Finding]) -> str:
    """Say what does not differ from what: groups from each other, or each from something else."""
    against = {f.contrast for f in measured if f.is_comparison}
    between_groups = {"vs_rest", *(f"vs:{f.group}" for f in measured)}
    if not against or against & between_groups:
        return "no group differs from the others"
    names = {one_line(reference(contrast), _NAME) for contrast in against}
    return f"nothing differs from “{names.pop()}”" if len(names) == 1 else "no comparison differs"


def smallest_detectable(compared: Sequence[Finding], family: Sequence[Finding]) -> float | None:
    """Say how large a true difference must be for this run to find it with 80% power.

    As `slant.stats.power.visible_difference` says, with the median width of the comparisons' 95%
    ranges: that of chance or that of the estimate, whichever is wider, since a bootstrap of
    nothing but zeros has no width. Among the tests of the comparisons: a report of several studies
    asks for more.

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
    rates = [f.value for f in family if f.kind == "rate" and f.value is not None]
    counts = {f.unit_count for f in compared if f.unit not in ("", "answers") and f.unit_count}
    return visible_difference(
        median(widths),
        sum(f.q is not None for f in compared),
        units=min(counts, default=None),
        rate=median(rates) if rates else None,
        groups=len(groups),
    )


def _width(finding: Finding) -> float:
    own = 0.0
    if finding.low is not None and finding.high is not None:
        own = finding.high - finding.low
    return own if finding.chance is None else max(own, finding.chance.high - finding.chance.low)


def _untested(
    metric: str, compared: Sequence[Finding], family: Sequence[Finding]
) -> tuple[Sentence, Finding | None]:
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
        Part(one_line(first.group, _NAME), "group"),
        Part(f", {_estimate(first)}, n = {first.n:,}", "evidence"),
        Part(f"; no group could be compared: {reason}."),
    )
    return sentence, first


def _plainly(name: str, own: Sequence[Finding]) -> tuple[Sentence, Finding | None]:
    """State figures that are compared with nothing, such as how a model answers in general."""
    sentence = [Part(f"{name}: ")]
    for number, finding in enumerate(own[:SHOWN]):
        axis = finding.axis.replace("_", " ")
        axis += f", {finding.condition}" if finding.condition else ""
        sentence.append(Part(("; " if number else "") + one_line(axis, _NAME), "group"))
        sentence.append(Part(f" {_estimate(finding)}, n = {finding.n:,}", "evidence"))
    more = len(own) - SHOWN
    sentence.append(Part(f"; {more} more in the table." if more > 0 else "."))
    return tuple(sentence), own[0]


def _coverage(family: Sequence[Finding]) -> Sentence | None:
    """Warn when the figures rest on fewer questions than were asked."""
    own = [f for f in family if not f.is_comparison] or list(family)
    counts = totals(own)
    asked = sum(counts.values())
    if not asked or counts["answered"] / asked >= _COVERAGE_FLOOR:
        return None
    share = quantity(counts["answered"] / asked, "share")
    words = outcome_words(counts)
    return (Part(f"Only {share} of {asked:,} questions were answered: {words}."),)


def totals(findings: Iterable[Finding]) -> dict[str, int]:
    """Add up outcomes."""
    counts = dict.fromkeys(OUTCOMES, 0)
    for finding in findings:
        for outcome in OUTCOMES:
            counts[outcome] += finding.outcomes.get(outcome, 0)
    return {str(outcome): count for outcome, count in counts.items()}

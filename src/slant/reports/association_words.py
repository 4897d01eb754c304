"""What measures say together about groups and themes, in words and as JSON holds it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from slant.records import SURE
from slant.reports.associations import cells, readings
from slant.reports.concordance import theme_agreements, theme_matrices
from slant.reports.numbers import probability
from slant.reports.safe_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.meanings import Meanings
    from slant.records import Finding
    from slant.reports.associations import Cell, Reading, Topic
    from slant.reports.concordance import ThemeAgreement, ThemeMatrix
    from slant.stats.rank_agreement import AgainstChance

_NAME, _ZERO = 60, 0.005
_SIZES = ((0.2, "hardly"), (0.5, "slightly"), (0.8, "moderately"))
"""Cohen's conventions: what is less than .2, .5 and .8 standard deviations."""


@dataclass(frozen=True)
class Associations:
    """What the measures of a run say together.

    Attributes
    ----------
    readings
        What every measure says about every group and theme.
    cells
        The same by group and theme: where several measures are sure of opposites first, then those
        that any is sure of, the worst and strongest first.
    """

    readings: tuple[Reading, ...]
    cells: tuple[Cell, ...]

    @cached_property
    def agreements(self) -> list[ThemeAgreement]:
        """Whether measures agree about the groups, theme by theme."""
        return theme_agreements(self.readings)

    @cached_property
    def matrices(self) -> list[ThemeMatrix]:
        """Convergent and discriminant correlations."""
        return theme_matrices(self.readings)

    @property
    def shared(self) -> list[Cell]:
        """Cells of several measures, of themes in which any measure sees a group differ."""
        seen = {_of(each) for each in self.readings if each.positive is not None}
        return [c for c in self.cells if len(c.readings) > 1 and _of(c.first) in seen]

    @property
    def models(self) -> list[str]:
        """The models that were asked."""
        return list(dict.fromkeys(each.model for each in self.readings))


def _of(reading: Reading) -> tuple[str, str, Topic]:
    return reading.model, reading.axis, reading.topic


def associations(findings: Iterable[Finding], meanings: Meanings) -> Associations:
    """Hold what a run's measures say against each other.

    Parameters
    ----------
    findings
        Of a whole run.
    meanings
        What differences mean.
    """
    every = readings(findings, meanings)
    found = cells(every)
    found.sort(key=_telling)
    return Associations(tuple(every), tuple(found))


def _telling(cell: Cell) -> tuple[int, bool, int, float]:
    order = ["disagree", "agree", "one", "none"]
    strongest = max(abs(each.strength or 0.0) for each in cell.readings)
    return (
        order.index(cell.standing), not cell.first.topic.valued, -cell.severity, -strongest,
    )  # fmt: skip


def standing_words(cell: Cell) -> str:
    """Say in a sentence how the measures of a group and theme stand to each other.

    Empty where only one measure was made.
    """
    if len(cell.readings) < 2:
        return ""
    topic = cell.first.topic
    more, less = cell.on("more"), cell.on("less")
    mixed = cell.on("both")
    rest = len(cell.readings) - len(more) - len(less) - len(mixed)
    both = f"; {_listed(mixed)} of both, by the word" if mixed else ""
    silent = f"; {rest} more {'is' if rest == 1 else 'are'} not sure" if rest else ""
    if cell.standing == "disagree":
        return (
            f"These measures disagree: {_listed(more)} {_are(more)} sure of {topic.more}, "
            f"{_listed(less)} of {topic.less}{both}{silent}."
        )
    if cell.standing == "none":
        return f"None of {len(cell.readings)} measures is sure{both}."
    sure = more or less
    side = topic.more if more else topic.less
    if cell.standing == "agree":
        return f"{len(sure)} measures are sure of {side}: {_listed(sure)}{both}{silent}."
    return f"Only {_listed(sure)} is sure of {side}{both}{silent}."


def _are(own: Sequence[Reading]) -> str:
    return "is" if len(own) == 1 else "are"


def _listed(own: Sequence[Reading]) -> str:
    names = [f"“{one_line(each.measure, _NAME)}”" for each in own]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def strength_words(reading: Reading) -> str:
    """Write how strong a reading is: `+0.94 (0.61 to 1.27), strongly worse, sure`."""
    topic = reading.topic
    sure = {
        "more": "sure", "less": "sure", "both": "sure of both, by the word", "": "could be chance",
    }[reading.sure]  # fmt: skip
    if reading.strength is None:
        if reading.positive is None:
            return f"no difference, {sure}"
        return f"{topic.more if reading.positive else topic.less}, strength not known, {sure}"
    size = next((word for limit, word in _SIZES if abs(reading.strength) < limit), "strongly")
    way = topic.more if reading.strength > 0 else topic.less
    said = f"{size} {way}" if reading.strength else "no difference"
    interval = (
        ""
        if reading.low is None or reading.high is None
        else f" ({_signed(reading.low)} to {_signed(reading.high)})"
    )
    return f"{_signed(reading.strength)}{interval}, {said}, {sure}"


def cell_words(cell: Cell) -> str:
    """Say in a line what all measures say about a group and a theme."""
    first = cell.first
    each = "; ".join(
        f"{one_line(reading.measure, _NAME)} {strength_words(reading)}, n = {reading.n:,}"
        for reading in cell.readings
    )
    whose = f"{one_line(first.group, _NAME)}, {one_line(first.topic.theme, _NAME)}"
    return f"{whose}: {standing_words(cell)} {each}."


def agreement_words(agreement: ThemeAgreement) -> str:
    """Say in a sentence whether measures agree about the groups of an axis."""
    topic, found = agreement.topic, agreement.found
    about = f"{topic.theme} ({one_line(agreement.axis, _NAME)})"
    if found is None or agreement.q is None:
        return (
            f"{about}: whether {len(agreement.measures)} measures agree cannot be told: fewer than "
            "5 groups in common, or all the same."
        )
    order = {
        "agree": "agree: they put {} groups in a like order",
        "disagree": "disagree: they put {} groups in opposite orders",
        "unknown": "may agree or not: how they order {} groups is within what chance gives",
    }[agreement.answer]
    return (
        f"{about}: {found.measures} measures {order.format(found.groups)} (mean rank "
        f"correlation {_beside(found.rank)}, {probability('q', agreement.q)}; on the same side in "
        f"{found.sign.value:.0%} of cases, by chance {found.sign.low:.0%} to "
        f"{found.sign.high:.0%})."
    )


def _beside(found: AgainstChance) -> str:
    return f"{_signed(found.value)}, by chance {_signed(found.low)} to {_signed(found.high)}"


def _signed(value: float) -> str:
    return "0" if abs(value) < _ZERO else f"{value:+.2f}".replace("-", "−")


def matrix_words(matrix: ThemeMatrix) -> str:
    """Say in a sentence whether measures see themes, or only like and dislike groups."""
    found = matrix.found
    apart = "whether the measures tell themes apart is within what chance gives"
    if found.apart.p < SURE:
        apart = "they tell themes apart" if found.apart.value > 0 else "they mix themes up"
    within = "" if found.within is None else (
        f"; other themes by the same measure, {_signed(found.within)}"
    )  # fmt: skip
    alike, unlike = map(_pairs, found.pairs)
    return (
        f"{one_line(matrix.axis, _NAME)}, {matrix.groups} groups: the same theme by another "
        f"measure ({alike}), mean rank correlation {_beside(found.convergent)}; other themes by "
        f"another measure ({unlike}), {_beside(found.discriminant)}{within}. The "
        f"difference is {_beside(found.apart)}, {probability('p', found.apart.p)}: {apart}."
    )


def _pairs(count: int) -> str:
    return "1 pair" if count == 1 else f"{count} pairs"


def association_lines(found: Associations) -> list[str]:
    """Write what several measures say together as plain lines; none where nothing is shared."""
    of = {model: f"{one_line(model, _NAME)}, " for model in found.models}
    of = of if len(of) > 1 else dict.fromkeys(of, "")
    lines = [
        of[cell.first.model] + cell_words(cell) for cell in found.shared if cell.standing != "none"
    ]
    lines += [of[e.model] + agreement_words(e) for e in found.agreements if e.found is not None]
    return lines + [of[each.model] + matrix_words(each) for each in found.matrices]


def associations_to_plain(found: Associations) -> dict[str, Any]:
    """Turn associations into what JSON can hold."""
    return {
        "cells": [
            {
                "model": cell.first.model,
                "axis": cell.first.axis,
                "group": cell.first.group,
                "theme": cell.first.topic.theme,
                "valued": cell.first.topic.valued,
                "standing": cell.standing,
                "measures": [_reading_to_plain(each) for each in cell.readings],
            }
            for cell in found.cells
        ],
        "agreement": [
            {
                "model": each.model,
                "axis": each.axis,
                "theme": each.topic.theme,
                "measures": list(each.measures),
                "answer": each.answer,
                "q": each.q,
                **({} if each.found is None else asdict(each.found)),
                "compared": 0 if each.found is None else each.found.measures,
            }
            for each in found.agreements
        ],
        "convergence": [
            {
                "model": each.model,
                "axis": each.axis,
                "groups": each.groups,
                "columns": [[topic.theme, measure] for topic, measure in each.columns],
                "matrix": [
                    [None if value != value else value for value in row]
                    for row in each.found.matrix.tolist()
                ],
                "convergent": asdict(each.found.convergent),
                "discriminant": asdict(each.found.discriminant),
                "apart": asdict(each.found.apart),
                "within_measure": each.found.within,
            }
            for each in found.matrices
        ],
    }


def _reading_to_plain(reading: Reading) -> dict[str, Any]:
    return {
        "measure": reading.measure,
        "named": reading.named,
        "strength": reading.strength,
        "low": reading.low,
        "high": reading.high,
        "sure": reading.sure,
        "n": reading.n,
        "findings": len(reading.findings),
    }

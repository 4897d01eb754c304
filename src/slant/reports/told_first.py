"""What is told first: who is harmed and how, who is favoured, and all the rest after that."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.records import VS_REST
from slant.reports.association_words import standing_words
from slant.reports.associations import cells, readings
from slant.reports.difference_words import difference_sentence, plain_sentence
from slant.reports.families import by_family, differences
from slant.reports.safe_text import one_line
from slant.reports.wording import wording

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.meanings import Meaning, MeaningKind, Meanings
    from slant.records import Finding
    from slant.reports.associations import Cell
    from slant.reports.difference_words import Sentence

MOST = 7
"""How many harms stand on the first screen."""


@dataclass(frozen=True)
class Told:
    """What is told of one group and one theme.

    Attributes
    ----------
    finding, meaning
        The most telling difference, and what it means.
    sentence
        In words.
    group, theme
        About whom, and about what.
    alike
        Further sure differences that mean the same for this group and theme.
    against
        Sure differences about the same group and theme that mean the opposite.
    cell
        What all measures say about the group and the theme; `None` where neither is known.
    """

    finding: Finding
    meaning: Meaning
    sentence: Sentence
    group: str
    theme: str
    alike: tuple[Finding, ...] = ()
    against: tuple[Finding, ...] = ()
    cell: Cell | None = None

    @property
    def studies(self) -> tuple[str, ...]:
        """The studies that say so."""
        return tuple(dict.fromkeys(f.study for f in (self.finding, *self.alike)))

    @property
    def brief(self) -> str:
        """What the group gets more or less of, in a few words: `“law-abiding” more`."""
        finding, words = self.finding, wording(self.finding.metric)
        more = (finding.value or 0.0) > (1.0 if finding.scale == "ratio" else 0.0)
        about = f"“{one_line(finding.condition, 60)}”" if finding.condition else ""
        what = about if about and words.leans else f"{words.name.lower()} {about}".rstrip()
        return f"{what} {'more' if more else 'less'}"

    @property
    def standing(self) -> str:
        """How the measures of the group and theme stand to each other; empty if it is one."""
        return "" if self.cell is None else standing_words(self.cell)

    @property
    def disagreement(self) -> str:
        """The same where they disagree, else empty."""
        return self.standing if self.cell and self.cell.standing == "disagree" else ""


@dataclass(frozen=True)
class ToldFirst:
    """All differences that are more than chance, by what they mean.

    Attributes
    ----------
    harms, unfavourable, favourable
        One entry for every model, group and theme, worst or strongest first.
    neutral, control
        Differences that mean neither, such as languages and customs; and those of made-up words.
    """

    harms: tuple[Told, ...]
    unfavourable: tuple[Told, ...]
    favourable: tuple[Told, ...]
    neutral: tuple[Finding, ...]
    control: tuple[Finding, ...]

    @property
    def worse(self) -> tuple[Told, ...]:
        """Harms, and then what is merely unfavourable."""
        return self.harms + self.unfavourable


def told_first(findings: Iterable[Finding], meanings: Meanings) -> ToldFirst:
    """Sort what is more than chance by what it means for people.

    Differences of one model that mean the same for one group and theme are one entry, told by the
    most severe and then the strongest of them. Nothing is left out: what is no harm stands in its
    own place.

    Parameters
    ----------
    findings
        Of a whole run.
    meanings
        What differences mean.
    """
    every = list(findings)
    families = by_family(every)
    entries: dict[MeaningKind, dict[tuple[str, ...], list[tuple[Finding, Meaning]]]]
    entries = defaultdict(lambda: defaultdict(list))
    for finding in differences(every):
        meaning = meanings.of(finding)
        key = (finding.model, finding.group, meaning.theme or finding.condition or finding.metric)
        entries[meaning.kind][key].append((finding, meaning))

    together = {
        (each.first.model, each.first.axis, each.first.group, each.first.topic.theme): each
        for each in cells(readings(every, meanings))
        if each.first.topic.valued
    }

    def told(kind: MeaningKind, opposite: Sequence[MeaningKind]) -> tuple[Told, ...]:
        made = []
        for key, own in _folded(entries[kind]).items():
            own.sort(key=lambda each: _telling(*each))
            (first, meaning), *others = own
            against = [f for other in opposite for f, _ in entries[other].get(key, [])]
            family = families[first.study, first.model, first.metric]
            made.append(
                Told(
                    first,
                    meaning,
                    difference_sentence(first, family),
                    one_line(first.group, 80),
                    meaning.theme,
                    tuple(f for f, _ in others),
                    tuple(against),
                    together.get(
                        (first.model, *meanings.group(first.axis, first.group), meaning.theme)
                    ),
                )
            )
        return tuple(sorted(made, key=lambda each: (-each.meaning.severity, -_size(each.finding))))

    worse: tuple[MeaningKind, ...] = ("harm", "unfavourable")
    return ToldFirst(
        told("harm", ["favourable"]),
        told("unfavourable", ["favourable"]),
        told("favourable", worse),
        *(
            tuple(f for own in entries[kind].values() for f, _ in own)
            for kind in ("neutral", "control")
        ),
    )


def worst_lines(findings: Iterable[Finding], meanings: Meanings) -> list[str]:
    """Write the worst differences as plain lines, with how many more there are; none if none."""
    worse = told_first(findings, meanings).worse
    lines = [
        f"{each.theme or each.meaning.kind}: {one_line(plain_sentence(each.sentence), 300)}"
        f"{each.disagreement and f' {each.disagreement}'}"
        for each in worse[:MOST]
    ]
    more = len(worse) - len(lines)
    return lines + ([f"{more} more in the report"] if more > 0 else [])


def _folded(
    entries: dict[tuple[str, ...], list[tuple[Finding, Meaning]]],
) -> dict[tuple[str, ...], list[tuple[Finding, Meaning]]]:
    """Put what is told of a part of a group (Arab men) with what is told of the whole (Arabs)."""
    folded = {key: list(own) for key, own in entries.items()}
    for key in entries:
        whole = next((each for each in folded if _is_part(entries, key, each)), None)
        if whole is not None:
            folded[whole] += folded.pop(key)
    return folded


def _is_part(
    entries: dict[tuple[str, ...], list[tuple[Finding, Meaning]]],
    part: tuple[str, ...],
    whole: tuple[str, ...],
) -> bool:
    (model, group, theme), (same_model, wider, same_theme) = part, whole
    if part == whole or (model, theme) != (same_model, same_theme):
        return False
    (finding, _), (wide, _) = entries[part][0], entries[whole][0]
    axes = finding.axis.split(" × ")
    return len(axes) > 1 and wide.axis in axes and set(wider.split()) <= set(group.split())


def _telling(finding: Finding, meaning: Meaning) -> tuple[float, ...]:
    """Sort what leads an entry: the worst; of a group and its parts the group, which has more.

    What a model does in so many of its answers comes before what it finds probable, whose
    effects are larger for being free of sampling; and a comparison with all others before one with
    a single group, or with a prompt that was changed.
    """
    return (
        -meaning.severity, finding.axis.count("×"), finding.scale != "share",
        finding.contrast != VS_REST, -_size(finding),
    )  # fmt: skip


def _size(finding: Finding) -> float:
    return abs(finding.effect or 0.0)

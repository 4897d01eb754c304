"""Looking up what a finding would mean for people."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from slant.groups.descriptors import load_descriptors
from slant.meanings.meaning import Association, Meaning
from slant.meanings.rules import DescriptorRule, MeaningsFile, MetricRule, WordRule
from slant.records import compared_with, is_comparison
from slant.toml_file import read_packaged, read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from slant.groups.descriptors import Descriptor
    from slant.records import Finding

_PACKAGED = "english"
_FELT = 1.0
"""Valence, of 4, from which on a word that nobody rated is taken for pleasant or unpleasant."""

_FIELD_AND_CASE = re.compile(r"^(?:[a-z_]+: )?(.*?)(?: \([^()]*\))?$", re.DOTALL)
"""A condition such as `religion: muslim (plain)`: the word is in the middle."""


class Meanings:
    """What differences mean, by rules in files; the first file that knows one says so.

    Parameters
    ----------
    files
        Users' own before the packaged one.
    """

    def __init__(self, files: Sequence[MeaningsFile]):
        self._files = tuple(files)
        self._circumstances = {name for file in files for name in file.circumstances}
        self._metrics: dict[str, tuple[MetricRule, str]] = {}
        self._words: dict[str, tuple[WordRule, str]] = {}
        self._groups: dict[tuple[str, str], tuple[str, str]] = {}
        for file in self._files:
            by = _sources(file)
            for rule in file.metric:
                for metric in rule.metrics:
                    self._metrics.setdefault(metric, (rule, by))
            for each in file.word:
                for word in each.words:
                    self._words.setdefault(word.casefold(), (each, by))
            for same in file.group:
                for axis, names in same.also.items():
                    for name in names:
                        self._groups.setdefault((axis, name), (same.axis, same.name))

    def of(self, finding: Finding) -> Meaning:
        """Say what a difference would mean for the group that it is about.

        A figure that compares nothing, and a comparison with a circumstance (a prompt without a
        trigger, half of a text), is neutral: it treats nobody worse than somebody else.

        Parameters
        ----------
        finding
            Which one; its value decides whether the group gets more or less.
        """
        said = ""
        if finding.value is None or not self._compares_groups(finding):
            said = "it compares no groups"
        elif finding.is_within_ruler:
            said = "what scored the texts gives neutral sentences as much"
        if said or finding.value is None:
            known = self._metrics.get(finding.restates or finding.metric)
            return Meaning("neutral", known[0].theme if known else "", 0, said)
        even = 1.0 if finding.scale == "ratio" else 0.0
        return self._meaning(finding, more=finding.value > even)

    def association(self, finding: Finding) -> Association | None:
        """Say what a difference associates a group with, whichever way it points.

        Parameters
        ----------
        finding
            Which one.

        Returns
        -------
        Association or None
            `None` where it compares no groups, is of something made up, or no theme is known.
        """
        if not self._compares_groups(finding):
            return None
        more, less = (self._meaning(finding, more=each) for each in (True, False))
        if not more.theme or "control" in (more.kind, less.kind):
            return None
        worse = (more.place < less.place) - (more.place > less.place)
        return Association(more.theme, worse, max(more.severity, less.severity))

    def group(self, axis: str, name: str) -> tuple[str, str]:
        """Give the axis and name under which studies that call a group otherwise are told."""
        return self._groups.get((axis, name), (axis, name))

    def _compares_groups(self, finding: Finding) -> bool:
        against = compared_with(finding.contrast)
        return is_comparison(finding.contrast) and against not in self._circumstances

    def _meaning(self, finding: Finding, *, more: bool) -> Meaning:
        known = self._metrics.get(finding.restates or finding.metric)
        if known is None:
            return _by_direction(finding, more=more)
        rule, by = known
        if rule.words == "descriptors":
            found = self._descriptor(finding.condition, more=more)
        elif rule.words == "words":
            found = self._word(finding.condition, more=more) or _scored(
                _FIELD_AND_CASE.sub(r"\1", finding.condition), more=more
            )
        else:
            found = None
        return found or _meant(rule, by, more=more)

    def _word(self, condition: str, *, more: bool) -> Meaning | None:
        bare = _FIELD_AND_CASE.sub(r"\1", condition)
        for word in (condition, bare):
            if known := self._words.get(word.casefold()):
                return _meant(*known, more=more)
        return None

    def _descriptor(self, text: str, *, more: bool) -> Meaning | None:
        if own := self._word(text, more=more):
            return own
        descriptor = _descriptors().get(text)
        if descriptor is None:
            return None
        if descriptor.label:
            return Meaning("neutral", "origin", 0, "it holds of some groups in fact")
        for file in self._files:
            for rule in file.descriptor:
                if _fits(rule, descriptor):
                    found = _meant(rule, _sources(file), more=more)
                    return found if found.theme else replace(found, theme=descriptor.axis)
        return None


def load_meanings(own: Path | None = None) -> Meanings:
    """Load the packaged meanings, with a file of one's own before them.

    Parameters
    ----------
    own
        A TOML file of the form of the packaged ones (`data/meanings`).

    Raises
    ------
    InputError
        The file is missing or faulty.
    """
    packaged = _packaged()
    if own is None:
        return packaged
    return Meanings([read_toml(own).validate(MeaningsFile), *packaged._files])


@cache
def _packaged() -> Meanings:
    return Meanings([read_packaged("meanings", f"{_PACKAGED}.toml").validate(MeaningsFile)])


@cache
def _descriptors() -> dict[str, Descriptor]:
    return {each.text: each for each in load_descriptors("global").descriptors}


def _sources(file: MeaningsFile) -> str:
    return "; ".join(file.sources) or file.name


def _fits(rule: DescriptorRule, each: Descriptor) -> bool:
    wanted = ((rule.axis, each.axis), (rule.bucket, each.bucket), (rule.tone, each.tone))
    return all(not asked or asked == has for asked, has in wanted)


def _meant(rule: MetricRule | DescriptorRule | WordRule, by: str, *, more: bool) -> Meaning:
    kind = rule.more if more else rule.less
    bad = kind in ("harm", "unfavourable")
    return Meaning(kind, rule.theme, rule.severity if bad else 0, by)


def _scored(word: str, *, more: bool) -> Meaning | None:
    """Go by a scorer for a word that a model has brought up and nobody has rated.

    How pleasant or unpleasant a word is does not say that it harms: it is unfavourable at most.
    """
    valence = _valences().get(word.casefold())
    if valence is None or abs(valence) < _FELT:
        return None
    shown = f"{valence:+.1f}".replace("-", "−")
    by = f"no person, but a scorer of sentiment (VADER): “{word}” is {shown} on its scale to ±4"
    worse = more == (valence < 0)
    return Meaning("unfavourable" if worse else "favourable", "", int(worse), by, by_scorer=True)


@cache
def _valences() -> Mapping[str, float]:
    """Give what people who rated VADER's words felt, from −4 to 4; nothing if it is not here."""
    try:
        from vaderSentiment import vaderSentiment  # type: ignore[import-untyped] # it has no hints
    except ImportError:
        return {}
    return dict(vaderSentiment.SentimentIntensityAnalyzer().lexicon)


def _by_direction(finding: Finding, *, more: bool) -> Meaning:
    """Go by which way a study says that its measure improves, where no file knows it."""
    if finding.direction == "closer_to_target":
        return Meaning("neutral", "", 0, "the study: neither way is better")
    by = "the study says which way is better"
    if more == (finding.direction == "lower_is_better"):
        return Meaning("unfavourable", "", 1, by)
    return Meaning("favourable", "", 0, by)

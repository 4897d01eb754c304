"""Which annotations count, and what several people's annotations come to."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.annotations.annotation import Annotation, Key, Label


@dataclass(frozen=True)
class AgreedLabel:
    """What people say about one score.

    Attributes
    ----------
    annotations
        One for each person, in the order given.
    label
        What most of them say; nothing where as many say the one as the other.
    """

    annotations: tuple[Annotation, ...]
    label: Label | None

    @property
    def item(self) -> str:
        """The answer's item."""
        return self.annotations[-1].item


def latest(lines: Iterable[Annotation], *, sampled: bool = False) -> list[Annotation]:
    """Keep each person's last line about each score, unless it has been withdrawn.

    Withdrawing the last line takes back all that this person said about the score: what had been
    replaced before does not come back.

    Parameters
    ----------
    lines
        In the order written.
    sampled
        Keep the last of those alone that were made blind, on answers drawn at random: a later
        change of mind, made with the score in view, does not touch them.
    """
    said: dict[tuple[str, Key], list[Annotation]] = {}
    for line in lines:
        about = line.author, line.key
        if line.withdraws is None:
            said.setdefault(about, []).append(line)
        elif any(each.id == line.withdraws for each in said.get(about, ())):
            del said[about]
    kept = ([each for each in own if each.sampled or not sampled] for own in said.values())
    return [own[-1] for own in kept if own]


def agreed_labels(annotations: Iterable[Annotation]) -> dict[Key, AgreedLabel]:
    """Combine what several people ruled, by majority; who cannot tell has no vote.

    Parameters
    ----------
    annotations
        At most one for each person and score, as `latest` gives them.
    """
    about: dict[Key, list[Annotation]] = defaultdict(list)
    for each in annotations:
        if each.label is not None:
            about[each.key].append(each)
    return {key: AgreedLabel(tuple(own), _majority(own)) for key, own in about.items()}


def _majority(annotations: Sequence[Annotation]) -> Label | None:
    ones = sum(each.label == 1 for each in annotations)
    if 2 * ones == len(annotations):
        return None
    return 1 if 2 * ones > len(annotations) else 0

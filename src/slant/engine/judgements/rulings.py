"""Which judgements count, and what several people's judgements come to."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.engine.judgements.judgement import Judgement, Key, Ruling


@dataclass(frozen=True)
class Verdict:
    """What people say about one score.

    Attributes
    ----------
    judgements
        One for each person, in the order given.
    ruling
        What most of them say; nothing where as many say the one as the other.
    """

    judgements: tuple[Judgement, ...]
    ruling: Ruling | None

    @property
    def item(self) -> str:
        """The answer's item."""
        return self.judgements[-1].item


def latest(lines: Iterable[Judgement], *, sampled: bool = False) -> list[Judgement]:
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
    said: dict[tuple[str, Key], list[Judgement]] = {}
    for line in lines:
        about = line.author, line.key
        if line.withdraws is None:
            said.setdefault(about, []).append(line)
        elif any(each.id == line.withdraws for each in said.get(about, ())):
            del said[about]
    kept = ([each for each in own if each.sampled or not sampled] for own in said.values())
    return [own[-1] for own in kept if own]


def verdicts(judgements: Iterable[Judgement]) -> dict[Key, Verdict]:
    """Combine what several people ruled, by majority; who cannot tell has no vote.

    Parameters
    ----------
    judgements
        At most one for each person and score, as `latest` gives them.
    """
    about: dict[Key, list[Judgement]] = defaultdict(list)
    for each in judgements:
        if each.ruling is not None:
            about[each.key].append(each)
    return {key: Verdict(tuple(own), _majority(own)) for key, own in about.items()}


def _majority(judgements: Sequence[Judgement]) -> Ruling | None:
    ones = sum(each.ruling == 1 for each in judgements)
    if 2 * ones == len(judgements):
        return None
    return 1 if 2 * ones > len(judgements) else 0

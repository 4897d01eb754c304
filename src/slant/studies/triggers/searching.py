"""A search as rounds of a study: what it wants to know becomes items, answers become counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.studies.counting import judge

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

    from slant.groups.axes import Group
    from slant.groups.trigger_sets import Trigger
    from slant.records import Answer, Item
    from slant.stats.successive_halving import Pulls, Ranking, Search
    from slant.studies.counting import Counted
    from slant.studies.triggers.asking import Asker


def search_rounds(
    search: Search,
    split: str,
    candidates: Sequence[Trigger],
    prompts: Sequence[str],
    group: Group,
    asker: Asker,
    counted: Counted,
    kinds: Sequence[str] = (),
) -> Generator[list[Item], Iterable[tuple[Item, Answer]], Ranking]:
    """Let a search ask the model.

    All triggers are asked the same prompts in the same order, so that none is judged by a prompt
    that is harder than another's.

    Parameters
    ----------
    search
        Whose arms are the candidates.
    split
        What the items are filed under.
    candidates, prompts, group
        What is searched among, on what, about whom.
    asker, counted
        How it is asked, and what counts as a success, of which less is better.
    kinds
        Kinds of wordings that name the group in turn; none where it has its name.

    Returns
    -------
    Ranking
        Of the candidates.
    """
    drawn = [0] * len(candidates)
    try:
        pulls = next(search)
        while True:
            items = []
            for further in range(pulls.count):
                for arm in pulls.arms:
                    sample, place = divmod(drawn[arm] + further, len(prompts))
                    kind = kinds[(sample + place) % len(kinds)] if kinds else ""
                    items.append(
                        asker.item(
                            group,
                            candidates[arm],
                            prompts[place],
                            sample,
                            split,
                            kind=kind,
                            arm=str(arm),
                            round=str(pulls.round),
                        )
                    )
            replies = yield items
            for arm in pulls.arms:
                drawn[arm] += pulls.count
            pulls = search.send(_counts(pulls, replies, counted))
    except StopIteration as end:
        ranking: Ranking = end.value
        return ranking


def _counts(
    pulls: Pulls, replies: Iterable[tuple[Item, Answer]], counted: Counted
) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], np.ndarray[tuple[int], np.dtype[np.int64]]]:
    asked = list(replies)
    place = {str(arm): number for number, arm in enumerate(pulls.arms)}
    successes, trials = np.zeros((2, len(pulls.arms)), np.int64)
    judged = judge([answer for _, answer in asked], counted)
    for (item, _), is_of_kind in zip(asked, judged, strict=True):
        if is_of_kind is not None:
            trials[place[item.slots["arm"]]] += 1
            successes[place[item.slots["arm"]]] += is_of_kind
    return successes, trials

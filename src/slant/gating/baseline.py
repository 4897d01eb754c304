"""In what a baseline is another thing than the run, and what was compared all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.comparison.compare import Comparison
    from slant.comparison.side import Side


def compared_remarks(pairs: Sequence[Comparison], sides: Sequence[Side]) -> list[str]:
    """Say what differs besides the answers, and what was left out for it.

    Parameters
    ----------
    pairs
        The baseline's models with those of the run.
    sides
        All models of the run that are judged.
    """
    if not pairs:
        return []
    base, other = pairs[0].base.run.config, pairs[0].other.run.config
    told = []
    if base.name != other.name:
        told.append(f"the baseline is of suite {base.name!r}, the run of {other.name!r}")
    if base.slant != other.slant:
        told.append(f"the baseline was made by slant {base.slant}, the run by {other.slant}")
    told += [
        f"the baseline is of model {pair.base.model!r}, the run of {pair.other.model!r}"
        for pair in pairs
        if pair.base.model != pair.other.model
    ]
    compared = {pair.other.model for pair in pairs}
    told += [
        f"model {side.model!r} is not in the baseline: it is compared with nothing"
        for side in sides
        if side.model not in compared
    ]
    for pair in pairs:
        told += _left_out(pair)
    return told


def _left_out(pair: Comparison) -> list[str]:
    """Say what only one of two sides has."""
    told = []
    missing = [study for study in pair.other.studies if study not in set(pair.base.studies)]
    gone = [study for study in pair.base.studies if study not in set(pair.other.studies)]
    if missing:
        told.append(f"not compared, since the baseline has none of it: {', '.join(missing)}")
    if gone:
        told.append(f"in the baseline and not in the run: {', '.join(gone)}")
    common = set(pair.base.studies) & set(pair.other.studies)
    for state, where in (("new", "the baseline lacks"), ("gone", "the run lacks")):
        count = sum(change.state == state and change.study in common for change in pair.changes)
        if count:
            figures = "1 figure" if count == 1 else f"{count:,} figures"
            told.append(f"{figures} of studies in common could not be compared: {where} them")
    return told

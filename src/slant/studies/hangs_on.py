"""Which wording or prompt a difference hangs on, and what to add more of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.stats.left_out import error_shares, left_out
from slant.studies.study import Figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.studies.filing import Quantity
    from slant.studies.worded import Worded

LEFT_OUT = "left_out"
"""The kind of picture."""

_MORE = {
    "wordings": "more wordings",
    "prompts": "more prompts",
    "samples": "more samples",
    "combinations": "more wordings or more prompts, whichever is easier",
}
_WHERE = {
    "wordings": "from wordings that differ",
    "prompts": "from differences that change from one prompt to the next",
    "samples": "from counting so few answers",
    "combinations": "from single combinations of wording and prompt",
}


def left_out_table(worded: Worded, reference: str | None = None) -> pl.DataFrame:
    """List every group's difference from the others with one wording or prompt left out.

    Parameters
    ----------
    worded
        The values.
    reference
        The group that the others are compared with, and which is not listed then.

    Returns
    -------
    polars.DataFrame
        `axis`, `group`, `left_out` (`wording` or `prompt`), `which`, `value` without it, and
        `all`, with everything.
    """
    base = None if reference is None else list(worded.groups).index(reference)
    every, kinds, prompts = left_out(worded.values, base)
    rows = [
        (worded.axis, group, what, which, float(table[place, row]), float(every[row]))
        for what, names, table in (
            ("wording", worded.kinds, kinds),
            ("prompt", worded.prompts, prompts),
        )
        for place, which in enumerate(names)
        for row, group in enumerate(worded.groups)
        if row != base
    ]
    names = ("axis", "group", "left_out", "which")
    schema: dict[str, pl.DataType] = {name: pl.String() for name in names}
    schema |= {"value": pl.Float64(), "all": pl.Float64()}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return frame.with_columns(pl.col("value", "all").fill_nan(None))


def advice(every: Sequence[Worded]) -> str:
    """Say in one sentence what would make the differences surer; empty where that is not known."""
    found = [error_shares(each.values, float(np.mean(np.square(each.least)))) for each in every]
    known = [each for each in found if each]
    if not known:
        return ""
    shares = {name: float(np.mean([each[name] for each in known])) for name in _MORE}
    worst = max(shares, key=lambda name: shares[name])
    return (
        f"Add {_MORE[worst]}: {shares[worst]:.0%} of what makes these differences unsure comes "
        f"{_WHERE[worst]}."
    )


def left_out_figure(own: Quantity, every: Sequence[Worded]) -> list[Figure]:
    """Draw the differences with one wording or prompt left out, one picture an axis."""
    said = advice(every)
    title = "What it hangs on: each difference with one wording, or one prompt, left out"
    axes = list(dict.fromkeys(each.axis for each in every))
    return [
        Figure(
            LEFT_OUT,
            f"{title}{': ' + axis.replace('_', ' ') if len(axes) > 1 else ''}. {said}".strip(),
            f"{own.metric}_left_out",
            {"axis": axis, "unit": "share" if own.scale == "share" else "number"},
        )
        for axis in axes
    ]

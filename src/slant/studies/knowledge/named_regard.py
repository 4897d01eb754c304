"""What naming the subject does to regard: the scorer's own leaning, subject by subject.

The publication judges "Irish people drink too much" with its subject; slant judges "They drink too
much". The statements are the same, so whatever differs comes from the name alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.stats.paired_chains import paired_difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.studies.knowledge.findings import Part

_SURE = 0.05


def named_table(parts: Sequence[Part], seed: int) -> pl.DataFrame:
    """Hold each subject's overall regard, (N₊ − N₋) / N, with its name against that without.

    Parameters
    ----------
    parts
        Triples with `sign` and `regard_named`.
    seed
        Root of the resampling.

    Returns
    -------
    polars.DataFrame
        `class`, `variant`, `group`, `first` (without), `second` (with the subject), the ends of
        the interval of their difference around `second`, `n` (triples), `lineages`, `p` (signs of
        lineages exchanged), `change` in writing, and `way`: `above` or `below` where p < .05.
    """
    rows = []
    rng = np.random.default_rng([seed, *b"named"])
    for part in parts:
        own = part.kept.drop_nulls("regard_named")
        for (subject,), told in own.group_by("subject", maintain_order=True):
            without, named = told["sign"].to_numpy(), told["regard_named"].to_numpy()
            found = paired_difference(without, named, told["lineage"].to_numpy(), rng)
            first = float(without.mean())
            sure = found.p < _SURE
            rows.append({
                "class": part.people, "variant": part.condition, "group": str(subject),
                "first": first, "first_low": None, "first_high": None,
                "second": float(named.mean()), "second_low": first + found.low,
                "second_high": first + found.high, "n": found.n, "lineages": found.lineages,
                "p": found.p, "change": f"{found.value:+.2f}".replace("-", "−"),
                "way": ("above" if found.value > 0 else "below") if sure else "plain",
            })  # fmt: skip
    ends = ("first_low", "first_high", "second_low", "second_high", "p")
    return pl.DataFrame(
        rows, schema_overrides=dict.fromkeys(ends, pl.Float64)
    ).fill_nan(None)  # fmt: skip

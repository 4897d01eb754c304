"""What a biased request changes: the same headlines, asked for in two ways (Figures 8 to 10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from slant.stats.article_pairs import mean_change

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.stats.article_pairs import Estimate, SignTest
    from slant.studies.news.level import Level


_ALIKE = 1e-9
"""Changes that differ by less are the same but for rounding: no test can be made of them."""


@dataclass(frozen=True)
class FramingEffect:
    """How one framing differs from the first, for one group.

    Attributes
    ----------
    level, base
        What the framing shows, and what the first one does.
    group
        Which group.
    prejudice, prejudice_test
        Change in the share of articles whose figure is worse than the reference's, in headlines
        that can show it in both framings; with its test.
    signed, signed_test
        Change in the mean signed change, over headlines in which both are known.
    decrease, decrease_test
        Change in the mean change of prejudiced articles (Figure 10), over headlines that are
        prejudiced in both framings.
    """

    level: Level
    base: Level
    group: str
    prejudice: Estimate
    prejudice_test: SignTest
    signed: Estimate
    signed_test: SignTest
    decrease: Estimate
    decrease_test: SignTest


def framing_effects(levels: Sequence[Level], rng: np.random.Generator) -> list[FramingEffect]:
    """Compare every framing with the first, headline by headline.

    Headlines whose article was refused in one of the two are not compared: what is left are those
    that passed, as in the paper.
    """
    first: dict[tuple[str, str], Level] = {}
    found = []
    for level in levels:
        base = first.setdefault((level.metric, level.words.name), level)
        if base is not level:
            found += _effects(level, base, rng)
    return found


def _effects(level: Level, base: Level, rng: np.random.Generator) -> list[FramingEffect]:
    there, here = ({name: row for row, name in enumerate(_ids(each))} for each in (base, level))
    both = [name for name in here if name in there]
    old, new = [there[name] for name in both], [here[name] for name in both]
    effects = []
    for m, group in enumerate(level.words.groups):
        before, after = base.found.differences[old, m], level.found.differences[new, m]
        shown = base.found.can_show[old, m] & level.found.can_show[new, m]
        worse = level.found.worse
        fewer = (worse * after[shown] > 0).astype(np.float64) - (worse * before[shown] > 0)
        known = ~(np.isnan(before) | np.isnan(after))
        both_worse = shown & (worse * before > 0) & (worse * after > 0)
        effects.append(
            FramingEffect(
                level, base, group,
                *mean_change(fewer, rng), *mean_change(after[known] - before[known], rng),
                *mean_change(after[both_worse] - before[both_worse], rng),
            )
        )  # fmt: skip
    return effects


def unpaired(levels: Sequence[Level]) -> pl.DataFrame:
    """Compare every framing with the first as published: two samples, headlines disregarded.

    Returns
    -------
    polars.DataFrame
        `level`, `words`, `condition`, `group`; `share` of prejudiced articles, `share_change` from
        the first framing; `decrease` in them, `decrease_change`, and `p` of the latter by Welch's
        test, since the publication does not say which it used. Null where it is not known.
    """
    from scipy.stats import ttest_ind

    first: dict[str, Level] = {}
    rows = []
    for level in levels:
        base = first.setdefault(level.place, level)
        if base is level:
            continue
        old, new = base.found, level.found
        worse = [
            (found.differences, found.can_show & (found.worse * found.differences > 0))
            for found in (old, new)
        ]
        for m, group in enumerate(level.words.groups):
            before, after = (changes[which[:, m], m] for changes, which in worse)
            varies = all(len(each) > 1 and np.ptp(each) > _ALIKE for each in (before, after))
            p = float(ttest_ind(before, after, equal_var=False).pvalue) if varies else np.nan
            share = new.groups[m].prejudice.value
            fell = new.groups[m].decrease.value
            rows.append(
                (level.place, level.words.name, level.pairs.condition, group,
                 share, share - old.groups[m].prejudice.value,
                 fell, fell - old.groups[m].decrease.value, p)
            )  # fmt: skip
    schema: dict[str, Any] = {
        **dict.fromkeys(("level", "words", "condition", "group"), pl.String),
        **dict.fromkeys(("share", "share_change", "decrease", "decrease_change", "p"), pl.Float64),
    }
    return pl.DataFrame(rows, schema=schema, orient="row").fill_nan(None)


def _ids(level: Level) -> list[str]:
    return [name for name, kept in zip(level.pairs.ids, level.found.kept, strict=True) if kept]

"""Which words complete the analogy for which group: findings and the table behind Figure 2."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from slant.records import OUTCOMES, Finding
from slant.stats import benjamini_hochberg, grouped_rates, wilson
from slant.stats.word_divergence import word_divergence
from slant.studies.chance import chance_line
from slant.studies.rate_findings import rate_by_chance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from slant.stats import GroupedRates

SHARE, DIVERGENCE = "analogy_share", "analogy_divergence"
OTHER_WORDS = "other words"

_RESAMPLES, _DIVERGENCE_RESAMPLES = 10_000, 2000
FEWEST_ANSWERS, MOST_WORDS = 5, 40
"""A word is tested if all groups together gave it this often; of more words, the most frequent.
The choice knows nothing of groups, so the tests are as good as if there had been none."""


@dataclass(frozen=True)
class Filed:
    """What all findings of a section share."""

    study: str
    model: str
    axis: str
    signature: str
    outcomes: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Words:
    """The answers' words, laid out for counting.

    Attributes
    ----------
    groups, prompts
        Names.
    words
        All words, the most frequent first.
    counts
        Shape (groups, prompts, words).
    """

    groups: list[str]
    prompts: list[str]
    words: list[str]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, table: pl.DataFrame, groups: Sequence[str]) -> Words:
        """Count the column `word` by `group` and `condition`, for the groups that have any."""
        present = set(table["group"])
        names = [group for group in groups if group in present]
        prompts = table["condition"].unique(maintain_order=True).to_list()
        order = table.group_by("word").len().sort("len", "word", descending=[True, False])
        words = order["word"].to_list()
        counts = np.zeros((len(names), len(prompts), len(words)), dtype=np.int64)
        places = [{name: n for n, name in enumerate(each)} for each in (names, prompts, words)]
        for group, prompt, word, n in (
            table.group_by("group", "condition", "word").len().iter_rows()
        ):
            counts[places[0][group], places[1][prompt], places[2][word]] = n
        return cls(names, prompts, words, counts)

    @property
    def trials(self) -> NDArray[np.int64]:
        """Answers by group and prompt."""
        return np.asarray(self.counts.sum(axis=2))


def word_findings(words: Words, file: Filed, rng: np.random.Generator) -> list[Finding]:
    """Compare the share of every frequent word between groups.

    A group's share of a word (`rate`) and its difference from the median of the other groups
    (`vs_rest`); q-values hold over all tested words and groups.
    """
    total = words.counts.sum(axis=(0, 1))
    tested = [n for n in range(len(words.words)) if total[n] >= FEWEST_ANSWERS][:MOST_WORDS]
    if len(words.groups) < 2 or not tested:
        return []
    results = [
        grouped_rates(words.counts[:, :, n], words.trials, resamples=_RESAMPLES, rng=rng)
        for n in tested
    ]
    p = np.stack([result.vs_rest.p for result in results])
    q = benjamini_hochberg(p.ravel()).reshape(p.shape)
    return [
        finding
        for place, (n, result) in enumerate(zip(tested, results, strict=True))
        for row in range(len(words.groups))
        for finding in _shares(words, file, words.words[n], row, result, float(q[place, row]))
    ]


def _shares(
    words: Words, file: Filed, word: str, row: int, result: GroupedRates, q: float
) -> tuple[Finding, Finding]:
    own, rest = result.rates, result.vs_rest
    shared: dict[str, Any] = {
        **_shared(words, file, SHARE, row), "condition": word, "direction": "closer_to_target",
    }  # fmt: skip
    interval = "wilson" if len(words.prompts) == 1 else f"bootstrap({_RESAMPLES},prompts)"
    null = f"permutation({_RESAMPLES},{rest.permuted})"
    return (
        Finding(
            **shared, contrast="rate", value=float(own.value[row]), low=float(own.low[row]),
            high=float(own.high[row]), p=None, q=None, effect=None,
            chance=rate_by_chance(rest, row, float(own.value[row])), target=None,
            signature=f"{file.signature}|ci:{interval}|chance:{null}",
        ),
        Finding(
            **shared, contrast="vs_rest", value=float(rest.value[row]), low=float(rest.low[row]),
            high=float(rest.high[row]), p=float(rest.p[row]), q=q,
            effect=float(rest.cohen_h[row]), chance=chance_line(rest.chance[row]), target=0.0,
            signature=f"{file.signature}|ci:95%|null:{null}|fdr:bh|effect:cohen_h",
        ),
    )  # fmt: skip


def divergence_findings(
    words: Words, file: Filed, rng: np.random.Generator
) -> tuple[list[Finding], pl.DataFrame]:
    """Compare each group's words as a whole with those of the others.

    The value is the divergence beyond what chance gives; the table has what was observed, too.
    """
    if len(words.groups) < 2:
        return [], pl.DataFrame()
    group, prompt, word = (np.repeat(each, words.counts.ravel()) for each in
                           map(np.ravel, np.indices(words.counts.shape)))  # fmt: skip
    found = word_divergence(word, group, strata=prompt, resamples=_DIVERGENCE_RESAMPLES, rng=rng)
    q = benjamini_hochberg(found.excess.p)
    null = f"null:permutation({_DIVERGENCE_RESAMPLES},answers)"
    tests = f"ci:bootstrap({_DIVERGENCE_RESAMPLES})|{null}|fdr:bh|effect:divergence"
    findings = [
        Finding(
            **_shared(words, file, DIVERGENCE, row), contrast="vs_rest",
            value=float(found.excess.value[row]), low=_known(found.excess.low[row]),
            high=_known(found.excess.high[row]), p=float(found.excess.p[row]), q=float(q[row]),
            effect=float(found.observed[row]),
            chance=chance_line(found.excess.chance[row]),
            target=0.0, direction="lower_is_better", signature=f"{file.signature}|{tests}",
        )
        for row in range(len(words.groups))
    ]  # fmt: skip
    table = pl.DataFrame(
        {
            "group": words.groups,
            "answers": words.trials.sum(axis=1),
            "divergence": found.observed,
            "by_chance": found.expected,
            "beyond_chance": found.excess.value,
            "low": found.excess.low,
            "high": found.excess.high,
            "q": q,
        }
    )
    return findings, table


def top_words(words: Words, findings: Sequence[Finding], top: int) -> pl.DataFrame:
    """List each group's most frequent words, then all others together, as Figure 2 does.

    Returns
    -------
    polars.DataFrame
        `group`, `word`, `answers` (of which the word was one), `value` (its share), `low`, `high`
        (Wilson's), `difference` from the median of the other groups and its `q`; null where the
        word was too rare to be tested.
    """
    tested = {(f.group, f.condition): (f.value, f.q) for f in findings if f.contrast == "vs_rest"}
    rows = []
    for row, group in enumerate(words.groups):
        counted = words.counts[row].sum(axis=0)
        n = int(counted.sum())
        order = [int(place) for place in np.argsort(-counted, kind="stable") if counted[place]]
        shown = [(words.words[place], int(counted[place])) for place in order[:top]]
        if len(order) > top:
            shown.append((OTHER_WORDS, n - sum(count for _, count in shown)))
        for word, count in shown:
            low, high = (float(end) for end in wilson(count, n))
            apart = tested.get((group, word), (None, None))
            rows.append((group, word, count, count / n, low, high, *apart))
    schema = {
        "group": pl.String, "word": pl.String, "answers": pl.Int64, "value": pl.Float64,
        "low": pl.Float64, "high": pl.Float64, "difference": pl.Float64, "q": pl.Float64,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def _shared(words: Words, file: Filed, metric: str, row: int) -> dict[str, Any]:
    group = words.groups[row]
    return {
        "study": file.study,
        "metric": metric,
        "model": file.model,
        "axis": file.axis,
        "group": group,
        "n": int(words.trials[row].sum()),
        "outcomes": {name: int(file.outcomes.get(group, {}).get(name, 0)) for name in OUTCOMES},
    }


def _known(number: float) -> float | None:
    return None if math.isnan(number) else float(number)

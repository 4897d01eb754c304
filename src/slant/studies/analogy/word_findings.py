"""Which words complete the analogy for which group: findings and the table behind Figure 2."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.records import VS_REST
from slant.stats import grouped_rates, wilson
from slant.stats.word_divergence import word_divergence
from slant.studies.filing import Measured, Quantity, adjusted
from slant.studies.rate_findings import difference_of, rate_by_chance, rate_difference

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from slant.records import Finding
    from slant.studies.filing import Filing, Subject

SHARE, DIVERGENCE = "analogy_share", "analogy_divergence"
OTHER_WORDS = "other words"
FIRST_WORD = "first content word"
"""What is taken from an answer: no measure scores it."""

_RESAMPLES, _DIVERGENCE_RESAMPLES = 10_000, 2000
FEWEST_ANSWERS, MOST_WORDS = 5, 40
"""A word is tested if all groups together gave it this often; of more words, the most frequent.
The choice knows nothing of groups, so the tests are as good as if there had been none."""


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

    def counted(self, found: Measured, row: int, unit: str) -> Measured:
        """Say on how many answers and units rests what was found of a group."""
        n, prompts = int(self.trials[row].sum()), int((self.trials[row] > 0).sum())
        return replace(found, n=n, unit_count=prompts if unit == "prompts" else n)


def tested_words(words: Words) -> list[int]:
    """Say which words are compared between groups, by their place: the frequent ones."""
    total = words.counts.sum(axis=(0, 1))
    return [n for n in range(len(words.words)) if total[n] >= FEWEST_ANSWERS][:MOST_WORDS]


def word_findings(
    words: Words, file: Filing, groups: Mapping[str, Subject], rng: np.random.Generator
) -> list[Finding]:
    """Compare the share of every frequent word between groups.

    A group's share of a word (`rate`) and its difference from the median of the other groups
    (`vs_rest`); q-values hold over all tested words and groups.
    """
    tested = tested_words(words)
    if len(words.groups) < 2 or not tested:
        return []
    several = len(words.prompts) > 1
    own = Quantity(
        SHARE, "rate", "rate", "closer_to_target", scale="share", measure=FIRST_WORD,
        unit="prompts" if several else "answers",
    )  # fmt: skip
    found = []
    for n in tested:
        result = grouped_rates(words.counts[:, :, n], words.trials, resamples=_RESAMPLES, rng=rng)
        null = f"permutation({_RESAMPLES},{result.vs_rest.permuted})"
        ci = f"bootstrap({_RESAMPLES},prompts)" if several else "wilson"
        rate = replace(own, how={"ci": ci, "chance": null})
        compared = rate_difference(own, VS_REST, result.vs_rest)
        for row, group in enumerate(words.groups):
            whom = replace(groups[group], condition=words.words[n])
            share = Measured(
                result.rates.value[row], result.rates.low[row], result.rates.high[row],
                chance=rate_by_chance(result.vs_rest, row, float(result.rates.value[row])),
            )  # fmt: skip
            found.append(file(rate, whom, words.counted(share, row, rate.unit)))
            apart = difference_of(result.vs_rest, row)
            found.append(file(compared, whom, words.counted(apart, row, compared.unit)))
    return adjusted(found, f"{SHARE} {VS_REST}")


def divergence_findings(
    words: Words,
    file: Filing,
    groups: Mapping[str, Subject],
    rng: np.random.Generator,
    *,
    tested: bool = True,
) -> tuple[list[Finding], pl.DataFrame]:
    """Compare each group's words as a whole with those of the others.

    The value is the divergence beyond what chance gives; the table has what was observed, too.

    Parameters
    ----------
    words, file, groups, rng
        As `word_findings` takes them.
    tested
        Whether p is told: answers change groups for it, which says nothing of other wordings.
    """
    if len(words.groups) < 2:
        return [], pl.DataFrame()
    group, prompt, word = (np.repeat(each, words.counts.ravel()) for each in
                           map(np.ravel, np.indices(words.counts.shape)))  # fmt: skip
    found = word_divergence(word, group, strata=prompt, resamples=_DIVERGENCE_RESAMPLES, rng=rng)
    what = Quantity(
        DIVERGENCE, VS_REST, "distance", "lower_is_better", 0.0, measure=FIRST_WORD,
        unit="answers", effect_name="divergence",
        how={"ci": f"bootstrap({_DIVERGENCE_RESAMPLES})",
             "null": f"permutation({_DIVERGENCE_RESAMPLES},answers)"},
    )  # fmt: skip
    measured = [
        Measured(
            *found.excess.ends(row), p=found.excess.p[row] if tested else None,
            effect=found.observed[row], chance=found.excess.chance[row],
        )
        for row in range(len(words.groups))
    ]  # fmt: skip
    findings = adjusted(
        [
            file(what, groups[name], words.counted(each, row, what.unit))
            for row, (name, each) in enumerate(zip(words.groups, measured, strict=True))
        ],
        f"{DIVERGENCE} {VS_REST}",
    )
    table = pl.DataFrame(
        {
            "group": words.groups,
            "answers": words.trials.sum(axis=1),
            "divergence": found.observed,
            "by_chance": found.expected,
            "beyond_chance": found.excess.value,
            "low": found.excess.low,
            "high": found.excess.high,
            "q": [finding.q for finding in findings],
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
    tested = {
        (f.group, f.condition): (f.value, f.beyond_q) for f in findings if f.contrast == VS_REST
    }
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

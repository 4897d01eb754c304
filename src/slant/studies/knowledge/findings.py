"""From measured triples to findings."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.measures.instruments import ATTACK
from slant.measures.measure import REFUSAL
from slant.records import VS_REST
from slant.stats.chain_means import chain_means
from slant.stats.chains import Chains
from slant.stats.relative_entropy import relative_entropy
from slant.studies.blocked_findings import difference_of
from slant.studies.filing import (
    Measured,
    Quantity,
    Subject,
    added_quantity,
    adjusted,
    outcome_counts,
)
from slant.studies.knowledge.sieve import REPEATS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.measures.measure import Measure
    from slant.records import Finding
    from slant.signature import Value
    from slant.stats.inference import GroupMeans
    from slant.stats.relative_entropy import RelativeEntropy
    from slant.studies.filing import Filing

VALID, ENTROPY, REFUSALS = "valid_triples", "topic_entropy", "refusal_rate"
EVERYONE = "all subjects"
"""What figures that hold for a whole class are filed under."""

BOUNDS = {"regard": (-1.0, 1.0), "negative_regard": (0.0, 1.0), "refusal_rate": (0.0, 1.0),
          "toxicity": (0.0, 1.0), ATTACK: (0.0, 1.0)}  # fmt: skip
_ANY = (-np.inf, np.inf)
_RATES = ("negative_regard", "refusal_rate")
OUTCOME = {"no_answer": "error", "refusal": "refused", "empty": "unparseable",
            "off_format": "unparseable"}  # fmt: skip
_FEW = "fewer than two triples of this subject were kept"


@dataclass(frozen=True)
class Part:
    """The triples of one class, grown in one variant.

    Attributes
    ----------
    people, condition
        The class; the variant, if there are several.
    table
        All its triples, dropped ones too.
    subjects
        In the order in which they were asked about.
    """

    people: str
    condition: str
    table: pl.DataFrame
    subjects: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        names = self.table["subject"].unique(maintain_order=True).to_list()
        object.__setattr__(self, "subjects", tuple(names))

    @property
    def kept(self) -> pl.DataFrame:
        """Kept triples of subjects that have at least two."""
        kept = self.table.filter("kept")
        return kept.filter(pl.len().over("subject") > 1)

    def lineages(self, table: pl.DataFrame) -> tuple[Chains, list[str]]:
        """Tell subjects and lineages of a part of the triples apart."""
        there = set(table["subject"])
        names = [name for name in self.subjects if name in there]
        index = table["subject"].replace_strict(
            names, list(range(len(names))), return_dtype=pl.Int64
        )
        return Chains(index.to_numpy(), table["lineage"].to_numpy(), len(names)), names

    def outcomes(self, subject: str | None = None) -> dict[str, int]:
        """Count how questions ended, about a subject or all."""
        table = self.table if subject is None else self.table.filter(pl.col("subject") == subject)
        counted = Counter(OUTCOME.get(rule or "", "answered") for rule in table["dropped"])
        return outcome_counts(counted)

    def whom(self, group: str, outcomes: Mapping[str, int] | None = None) -> Subject:
        """Say whom a finding is about: a subject, or all."""
        counts = self.outcomes(group) if outcomes is None else outcomes
        return Subject(self.people, group, counts, self.condition)

    def chains(self, table: pl.DataFrame, names: Sequence[str]) -> list[int]:
        """Count the chains that a part of the triples comes from, by subject."""
        counts = dict(table.group_by("subject").agg(pl.col("lineage").n_unique()).iter_rows())
        return [int(counts[name]) for name in names]


def mean_findings(
    file: Filing, parts: list[Part], metric: str, scorer: str, rng: np.random.Generator,
    measure: Measure | None = None,
) -> list[Finding]:  # fmt: skip
    """Average a column over the kept triples of every subject, and compare with the others.

    q-values hold over all subjects of all classes and variants. A measure that the suite adds says
    itself what its figures are.
    """
    found: list[Finding] = []
    own = own_quantity(metric, metric, scorer=scorer)
    bounds = BOUNDS.get(metric, _ANY)
    if measure is not None:
        own = added_quantity(measure, "chains", scorer=scorer)
        bounds = (0.0, 1.0) if measure.scale == "binary" else measure.bounds
    for part in parts:
        kept = part.kept.filter(pl.col(metric).is_not_nan())
        found += _means(file, part, kept, own, bounds, rng)
    return adjusted(found, f"{metric} {VS_REST}")


def refusal_findings(file: Filing, parts: list[Part], rng: np.random.Generator) -> list[Finding]:
    """Compare how often answers about each subject are refusals."""
    found: list[Finding] = []
    own = own_quantity(REFUSALS, REFUSAL, scorer=REFUSAL)
    for part in parts:
        answered = part.table.filter(pl.col("dropped").fill_null("") != "no_answer").with_columns(
            (pl.col("dropped").fill_null("") == "refusal").cast(pl.Float64).alias(REFUSALS)
        )
        found += _means(file, part, answered, own, BOUNDS[REFUSALS], rng)
    return adjusted(found, f"{REFUSALS} {VS_REST}")


def own_quantity(metric: str, measure: str, **how: Value) -> Quantity:
    """Say what the mean of a metric over triples is."""
    if metric in _RATES:
        return Quantity(metric, "rate", "rate", "closer_to_target", None, "share", measure,
                        "chains", how=how)  # fmt: skip
    return Quantity(metric, "mean", "mean", "closer_to_target", measure=measure, unit="chains",
                    how=how)  # fmt: skip


def _means(
    file: Filing, part: Part, table: pl.DataFrame, own: Quantity, bounds: tuple[float, float],
    rng: np.random.Generator,
) -> list[Finding]:  # fmt: skip
    found, compared = [], []
    names: list[str] = []
    if not table.is_empty():
        lineages, names = part.lineages(table)
        values = table[own.metric].to_numpy().astype(np.float64)
        result = chain_means(values, lineages, rng, bounds=bounds)
        drawn = {"ci": "bootstrap(2000,lineages)",
                 "null": f"permutation(2000,{lineages.exchanged})"}  # fmt: skip
        mean = replace(own, how={**own.how, **drawn})
        difference = mean.against(effect_name="cohen_d")
        for place, (name, chains) in enumerate(zip(names, part.chains(table, names), strict=True)):
            about = int(lineages.n[place]), chains
            found.append(file(mean, part.whom(name), _mean(result, place, *about)))
            if len(names) > 1:
                apart = difference_of(result, place, *about)
                compared.append(file(difference, part.whom(name), apart))
    missing = [
        file(own, part.whom(name), Measured(reason=_FEW))
        for name in part.subjects
        if name not in names
    ]
    return [*found, *missing, *compared]


def _mean(result: GroupMeans, at: int, n: int, chains: int) -> Measured:
    return Measured(*result.own.ends(at), n, chains, chance=result.own.chance[at])


def entropy_findings(
    file: Filing, parts: list[Part], topics: list[str], smoothing: float, method: str,
    rng: np.random.Generator,
) -> tuple[list[Finding], list[tuple[Part, list[str], RelativeEntropy]]]:  # fmt: skip
    """Compare every subject's topics with those of its class's other subjects."""
    found, results = [], []
    place = {topic: number for number, topic in enumerate(topics)}
    for part in parts:
        kept = part.kept.filter(pl.col("topic").is_not_null())
        if kept["subject"].n_unique() < 2:
            continue
        lineages, names = part.lineages(kept)
        index = np.array([place[topic] for topic in kept["topic"]])
        result = relative_entropy(index, lineages, len(topics), rng, smoothing=smoothing)
        results.append((part, names, result))
        bits = result.divergence
        what = entropy_quantity(method, len(topics), smoothing, lineages.exchanged)
        for row, (name, chains) in enumerate(zip(names, part.chains(kept, names), strict=True)):
            measured = Measured(
                *bits.ends(row), int(lineages.n[row]), chains,
                p=bits.p[row], chance=bits.chance[row],
            )  # fmt: skip
            found.append(file(what, part.whom(name), measured))
    return adjusted(found, ENTROPY), results


def entropy_quantity(method: str, topics: int, smoothing: float, exchanged: str) -> Quantity:
    """Say what the relative entropy of topics is."""
    return Quantity(
        ENTROPY, "strength", "strength", "lower_is_better", measure="topics", unit="chains",
        how={"topics": f"{method}({topics})", "smoothing": smoothing, "entropy": "bits",
             "ci": "basic-bootstrap(2000,lineages)", "null": f"permutation(2000,{exchanged})"},
    )  # fmt: skip


def valid_findings(file: Filing, parts: list[Part], rng: np.random.Generator) -> list[Finding]:
    """Say what share of the answers are triples, whether or not they are new."""
    found = []
    what = Quantity(
        VALID, "rate", "rate", "higher_is_better", scale="share", measure="triples",
        unit="chains", how={"ci": "bootstrap(2000,lineages)"},
    )  # fmt: skip
    for part in parts:
        asked = part.table.filter(pl.col("dropped").fill_null("") != "no_answer")
        whom = part.whom(EVERYONE, part.outcomes())
        if asked.is_empty():
            found.append(file(what, whom, Measured(reason="the model answered nothing")))
            continue
        dropped = asked["dropped"]
        valid = (dropped.is_null() | dropped.is_in(REPEATS)).to_numpy().astype(np.float64)
        one = Chains(np.zeros(len(valid), dtype=np.intp), asked["lineage"].to_numpy(), 1)
        result = chain_means(valid, one, rng, bounds=(0.0, 1.0))
        chains = asked["lineage"].n_unique()
        measured = Measured(*result.own.ends(0), len(valid), chains)
        found.append(file(what, whom, measured))
    return found

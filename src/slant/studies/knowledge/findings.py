"""From measured triples to findings."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from slant.records import OUTCOMES, Finding
from slant.stats import benjamini_hochberg
from slant.stats.lineage_means import lineage_means
from slant.stats.lineages import Lineages
from slant.stats.relative_entropy import relative_entropy
from slant.studies.chance import chance_line
from slant.studies.knowledge.sieve import REPEATS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.records import Direction
    from slant.stats.arrays import Floats
    from slant.stats.inference import GroupMeans
    from slant.stats.relative_entropy import RelativeEntropy

VALID, ENTROPY, REFUSALS = "valid_triples", "topic_entropy", "refusal_rate"
EVERYONE = "all subjects"
"""What figures that hold for a whole class are filed under."""

BOUNDS = {"regard": (-1.0, 1.0), "negative_regard": (0.0, 1.0), "refusal_rate": (0.0, 1.0),
          "toxicity": (0.0, 1.0)}  # fmt: skip
_OWN = {"negative_regard": "rate", "refusal_rate": "rate"}
_OUTCOME = {"no_answer": "error", "refusal": "refused", "empty": "unparseable",
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

    def lineages(self, table: pl.DataFrame) -> tuple[Lineages, list[str]]:
        """Tell subjects and lineages of a part of the triples apart."""
        there = set(table["subject"])
        names = [name for name in self.subjects if name in there]
        index = table["subject"].replace_strict(
            names, list(range(len(names))), return_dtype=pl.Int64
        )
        return Lineages(index.to_numpy(), table["lineage"].to_numpy(), len(names)), names

    def outcomes(self, subject: str | None = None) -> dict[str, int]:
        """Count how questions ended, about a subject or all."""
        table = self.table if subject is None else self.table.filter(pl.col("subject") == subject)
        counted = Counter(_OUTCOME.get(rule or "", "answered") for rule in table["dropped"])
        return {name: counted[name] for name in OUTCOMES}


@dataclass(frozen=True)
class Filing:
    """What all findings of a section share."""

    study: str
    model: str
    signature: str

    def finding(self, metric: str, part: Part, group: str, **fields: Any) -> Finding:
        """Make a finding; what is NaN is unknown."""
        statistics = fields.pop("statistics")
        blank: dict[str, Any] = dict.fromkeys(
            ("value", "low", "high", "p", "q", "effect", "chance", "target")
        )
        known = {
            name: None if isinstance(value, float) and math.isnan(value) else value
            for name, value in fields.items()
        }
        return Finding(
            **{
                **blank,
                "study": self.study,
                "model": self.model,
                "metric": metric,
                "axis": part.people,
                "group": group,
                "condition": part.condition,
                "direction": "closer_to_target",
                "n": 0,
                "signature": f"{self.signature}|{statistics}",
                **known,
            }
        )


def mean_findings(
    filing: Filing, parts: list[Part], metric: str, scorer: str, rng: np.random.Generator
) -> list[Finding]:
    """Average a column over the kept triples of every subject, and compare with the others.

    q-values hold over all subjects of all classes and variants.
    """
    found: list[Finding] = []
    for part in parts:
        kept = part.kept.filter(pl.col(metric).is_not_null())
        found += _means(filing, part, kept, metric, scorer, rng)
    return with_q(found)


def refusal_findings(filing: Filing, parts: list[Part], rng: np.random.Generator) -> list[Finding]:
    """Compare how often answers about each subject are refusals."""
    found: list[Finding] = []
    for part in parts:
        answered = part.table.filter(pl.col("dropped").fill_null("") != "no_answer").with_columns(
            (pl.col("dropped").fill_null("") == "refusal").cast(pl.Float64).alias(REFUSALS)
        )
        found += _means(filing, part, answered, REFUSALS, "refusal", rng)
    return with_q(found)


def _means(
    filing: Filing, part: Part, table: pl.DataFrame, metric: str, scorer: str,
    rng: np.random.Generator,
) -> list[Finding]:  # fmt: skip
    own_contrast = _OWN.get(metric, "mean")
    found, compared = [], []
    names: list[str] = []
    if not table.is_empty():
        lineages, names = part.lineages(table)
        values = table[metric].to_numpy().astype(np.float64)
        result = lineage_means(values, lineages, rng, bounds=BOUNDS.get(metric, (-np.inf, np.inf)))
        statistics = (
            f"{scorer}|ci:bootstrap(2000,lineages)|null:permutation(2000,{lineages.exchanged})"
        )
        for place, name in enumerate(names):
            own, versus = _pair(result, place)
            about = {"n": int(lineages.n[place]), "outcomes": part.outcomes(name)}
            found.append(
                filing.finding(metric, part, name, contrast=own_contrast, statistics=statistics,
                               **own, **about)
            )  # fmt: skip
            if len(names) > 1:
                compared.append(
                    filing.finding(
                        metric, part, name, contrast="vs_rest", target=0.0,
                        statistics=f"{statistics}|effect:d|fdr:bh", **versus, **about,
                    )
                )  # fmt: skip
    missing = [
        filing.finding(
            metric, part, name, contrast=own_contrast, statistics=scorer, reason=_FEW,
            outcomes=part.outcomes(name),
        )
        for name in part.subjects
        if name not in names
    ]  # fmt: skip
    return [*found, *missing, *compared]


def _pair(result: GroupMeans, place: int) -> tuple[dict[str, Any], dict[str, Any]]:
    def at(values: Floats) -> float:
        return float(values[place])

    own = {
        "value": at(result.own.value), "low": at(result.own.low), "high": at(result.own.high),
        "chance": chance_line(result.own.chance[place]),
    }  # fmt: skip
    versus = {
        "value": at(result.vs_rest.value),
        "low": at(result.vs_rest.low), "high": at(result.vs_rest.high),
        "p": at(result.vs_rest.p), "effect": at(result.effect),
        "chance": chance_line(result.vs_rest.chance[place]),
    }  # fmt: skip
    return own, versus


def entropy_findings(
    filing: Filing, parts: list[Part], topics: list[str], smoothing: float, method: str,
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
        statistics = (
            f"topics:{method}({len(topics)})|smoothing:{smoothing:g}|bits|"
            f"ci:basic-bootstrap(2000,lineages)|null:permutation(2000,{lineages.exchanged})|fdr:bh"
        )
        for row, name in enumerate(names):
            found.append(
                filing.finding(
                    ENTROPY, part, name, contrast="strength", statistics=statistics,
                    value=float(bits.value[row]), low=float(bits.low[row]),
                    high=float(bits.high[row]), p=float(bits.p[row]),
                    chance=chance_line(bits.chance[row]), n=int(lineages.n[row]),
                    outcomes=part.outcomes(name), direction="lower_is_better",
                )
            )  # fmt: skip
    return with_q(found), results


def valid_findings(filing: Filing, parts: list[Part], rng: np.random.Generator) -> list[Finding]:
    """Say what share of the answers are triples, whether or not they are new."""
    found = []
    for part in parts:
        asked = part.table.filter(pl.col("dropped").fill_null("") != "no_answer")
        about: dict[str, Any] = {
            "contrast": "rate", "statistics": "ci:bootstrap(2000,lineages)",
            "direction": "higher_is_better", "outcomes": part.outcomes(),
        }  # fmt: skip
        if asked.is_empty():
            reason = "the model answered nothing"
            found.append(filing.finding(VALID, part, EVERYONE, reason=reason, **about))
            continue
        dropped = asked["dropped"]
        valid = (dropped.is_null() | dropped.is_in(REPEATS)).to_numpy().astype(np.float64)
        one = Lineages(np.zeros(len(valid), dtype=np.intp), asked["lineage"].to_numpy(), 1)
        own = lineage_means(valid, one, rng, bounds=(0.0, 1.0)).own
        found.append(
            filing.finding(
                VALID, part, EVERYONE, value=float(own.value[0]), low=float(own.low[0]),
                high=float(own.high[0]), n=len(valid), **about,
            )
        )  # fmt: skip
    return found


def with_q(findings: list[Finding]) -> list[Finding]:
    """Adjust the p-values of a family."""
    tested = [finding.p for finding in findings if finding.p is not None]
    q = iter(benjamini_hochberg(tested).tolist()) if tested else iter(())
    return [
        finding if finding.p is None else replace(finding, q=float(next(q))) for finding in findings
    ]


def effect_finding(
    filing: Filing, metric: str, contrast: str, condition: str, numbers: Mapping[str, Any],
    direction: Direction = "closer_to_target",
) -> Finding:  # fmt: skip
    """Say what a way of asking changes, over all classes together."""
    nothing = pl.DataFrame(schema={"subject": pl.String, "dropped": pl.String})
    part = Part("asking", condition, nothing)
    return filing.finding(
        f"{metric}_change", part, EVERYONE, contrast=contrast, target=0.0, direction=direction,
        **numbers,
    )  # fmt: skip

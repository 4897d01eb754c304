"""The answers as one array: names × descriptors × templates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from slant.records import OUTCOMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SLOTS = ("name", "gender", "ethnicity", "descriptor", "descriptor_axis", "adjusted")
_PERSON = ("group", "gender", "ethnicity", "name")
_LARGEST = 700.0
"""Logarithms beyond this are perplexities that no float holds."""


@dataclass(frozen=True)
class Grid:
    """How improbable a model finds every sentence.

    Attributes
    ----------
    people
        One row a name: `group`, `gender`, `ethnicity`, `name`.
    descriptors, axes
        What is said, and what each is about.
    templates
        How it is said.
    log_perplexity
        Shape (names, descriptors, templates): natural logarithm of the perplexity, −(Σ log P)/n
        over the n scored tokens; NaN where there is none.
    position
        Same shape: position of the answer, −1 where nothing was asked.
    tokens
        Shape (names,): how many scored tokens a name's sentences have on average, where one has as
        many as another name's it is of the same length; NaN for a name without any.
    outcomes
        Shape (names, descriptors, 4): how many answers ended in each of the four outcomes; one
        without a scored token or with a perplexity that is not finite is unparseable.
    unscored
        How many answers gave no finite perplexity although the model answered.
    adjusted
        Whether the values are APX already, from a file.
    """

    people: pl.DataFrame
    descriptors: list[str]
    axes: list[str]
    templates: list[str]
    log_perplexity: NDArray[np.float64]
    position: NDArray[np.int64]
    tokens: NDArray[np.float64]
    outcomes: NDArray[np.int64]
    unscored: int
    adjusted: bool

    @property
    def has_names(self) -> bool:
        """Whether there are names, which are what can be permuted, and not only groups."""
        return bool((self.people["name"] != "").any())

    @property
    def has_tokens(self) -> bool:
        """Whether it is known how many tokens names have, as it is not of most files."""
        return bool(np.ptp(self.tokens) > 0)

    def take(
        self,
        people: NDArray[np.intp],
        descriptors: NDArray[np.intp],
        templates: NDArray[np.intp],
    ) -> Grid:
        """Keep some rows, columns and templates, by number."""
        where = np.ix_(people, descriptors, templates)
        return Grid(
            people=self.people[people.tolist()],
            descriptors=[self.descriptors[column] for column in descriptors],
            axes=[self.axes[column] for column in descriptors],
            templates=[self.templates[layer] for layer in templates],
            log_perplexity=self.log_perplexity[where],
            position=self.position[where],
            tokens=self.tokens[people],
            outcomes=self.outcomes[np.ix_(people, descriptors)],
            unscored=self.unscored,
            adjusted=self.adjusted,
        )


def lay_out(answers: pl.LazyFrame) -> Grid:
    """Read answers into arrays.

    Parameters
    ----------
    answers
        As `Study.analyse` is given them, with the slots that the study's items have.
    """
    slots = pl.Struct({name: pl.String() for name in _SLOTS})
    logprobs = pl.col("logprobs")
    rows = (
        answers.select(
            pl.col("slots").str.json_decode(slots).alias("slots"),
            "position",
            "group",
            pl.col("condition").alias("template"),
            pl.col("outcome").cast(pl.Enum(OUTCOMES)).to_physical().alias("outcome"),
            (-logprobs.list.sum() / logprobs.list.len()).alias("value"),
            logprobs.list.len().cast(pl.Float64).alias("tokens"),
        )
        .unnest("slots")
        .with_columns(pl.col(name).fill_null("") for name in _SLOTS)
        .collect(engine="streaming")
        .sort("position")  # the streaming engine may hand rows back in another order
    )
    people = rows.select(_PERSON).unique(maintain_order=True)
    descriptors = rows.select("descriptor", "descriptor_axis").unique(
        "descriptor", maintain_order=True
    )
    templates = rows.select("template").unique(maintain_order=True)
    person = _number(rows, people)
    column = _number(rows, descriptors.select("descriptor"))
    layer = _number(rows, templates)
    answered = rows["outcome"].to_numpy() == OUTCOMES.index("answered")
    value = rows["value"].fill_null(np.nan).to_numpy()
    scored = answered & np.isfinite(value) & (value <= _LARGEST)
    shape = (people.height, descriptors.height, templates.height)
    log_perplexity = np.full(shape, np.nan)
    log_perplexity[person, column, layer] = np.where(scored, value, np.nan)
    position = np.full(shape, -1, dtype=np.int64)
    position[person, column, layer] = rows["position"].to_numpy()
    ending = np.where(answered & ~scored, OUTCOMES.index("unparseable"), rows["outcome"].to_numpy())
    outcomes = np.zeros((*shape[:2], len(OUTCOMES)), dtype=np.int64)
    np.add.at(outcomes, (person, column, ending), 1)
    tokens = np.full(shape, np.nan)
    tokens[person, column, layer] = np.where(scored, rows["tokens"].to_numpy(), np.nan)
    return Grid(
        people=people,
        descriptors=descriptors["descriptor"].to_list(),
        axes=descriptors["descriptor_axis"].to_list(),
        templates=templates["template"].to_list(),
        log_perplexity=log_perplexity,
        position=position,
        tokens=_by_name(tokens),
        outcomes=outcomes,
        unscored=int((answered & ~scored).sum()),
        adjusted=bool((rows["adjusted"] == "apx").any()),
    )


def _by_name(tokens: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average over the sentences that all names have, else over those that a name has."""
    known = np.isfinite(tokens)
    shared = known.all(axis=0)
    count = np.where(shared, known, known & ~shared.any())
    total = np.where(count, np.where(known, tokens, 0.0), 0.0).sum(axis=(1, 2))
    number = count.sum(axis=(1, 2))
    unknown = np.full(len(tokens), np.nan)
    return np.asarray(np.divide(total, number, out=unknown, where=number > 0))


def _number(rows: pl.DataFrame, known: pl.DataFrame) -> NDArray[Any]:
    """Give every row the number of what it is about."""
    numbered = known.with_row_index("number")
    found = rows.select(known.columns).join(
        numbered, on=known.columns, how="left", maintain_order="left"
    )
    return found["number"].to_numpy()

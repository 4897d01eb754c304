"""Labels laid over answers and scores: values change, rows, order and spans stay."""

from __future__ import annotations

import polars as pl
import pytest

from slant.annotations.apply import applied
from slant.engine.tables import SCORES

ANSWERS = pl.DataFrame(
    {
        "position": [0, 1, 2, 3],
        "outcome": ["answered", "refused", "answered", "error"],
        "text": ["shot", "no", "tea", None],
    }
)


def scores(*rows: tuple[int, str, float | None]) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {"model": "m", "study": "s", "position": position, "measure": measure, "value": value,
             "reason": "empty text" if value is None else None,
             "spans": [[0, 4]] if value else []}
            for position, measure, value in rows
        ],
        schema=SCORES,
    )  # fmt: skip


ROWS = scores(
    (0, "violence.robust", 1.0), (1, "violence.robust", 0.0), (2, "violence.robust", None),
    (0, "refusal", 0.0), (1, "refusal", 1.0), (1, "refusal_classifier", 1.0), (2, "refusal", 0.0),
)  # fmt: skip


def test_without_rulings_nothing_changes() -> None:
    answers, own = applied(ANSWERS.lazy(), ROWS.lazy(), {})
    assert answers.collect().equals(ANSWERS)
    assert own.collect().equals(ROWS)


def test_a_score_takes_the_value_of_its_ruling_and_keeps_its_spans() -> None:
    answers, own = applied(ANSWERS.lazy(), ROWS.lazy(), {(0, "violence.robust"): 0})
    assert answers.collect().equals(ANSWERS)
    changed = own.collect()
    assert changed["value"].to_list() == [0, 0, None, 0, 1, 1, 0]
    assert changed.drop("value").equals(ROWS.drop("value"))


def test_a_ruling_stands_in_for_a_score_that_there_was_none_of() -> None:
    own = applied(ANSWERS.lazy(), ROWS.lazy(), {(2, "violence.robust"): 1})[1].collect()
    ruled = own.row(2, named=True)
    assert (ruled["value"], ruled["reason"]) == (1, None)
    assert ROWS.row(2, named=True)["reason"] == "empty text"


@pytest.mark.parametrize(
    ("position", "label", "outcomes", "values"),
    [
        (1, 0, ["answered", "answered", "answered", "error"], [0, 0, 0, 0]),
        (2, 1, ["answered", "refused", "refused", "error"], [0, 1, 1, 1]),
        (0, 0, ["answered", "refused", "answered", "error"], [0, 1, 1, 0]),
        # What failed did not answer, whatever people say of its being a refusal.
        (3, 0, ["answered", "refused", "answered", "error"], [0, 1, 1, 0]),
    ],
)
def test_a_ruling_on_a_refusal_holds_for_outcome_and_every_measure(
    position: int, label: int, outcomes: list[str], values: list[int]
) -> None:
    answers, own = applied(ANSWERS.lazy(), ROWS.lazy(), {(position, "refusal"): 1 if label else 0})
    assert answers.collect()["outcome"].to_list() == outcomes
    told = own.collect().filter(pl.col("measure").str.starts_with("refusal"))
    assert told["value"].to_list() == values

"""APES's two programs: from a file of examples to questions, and from answers to predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.records import Item
from slant.studies.templates.predictions_file import APES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slant.studies.templates.asking import Asking

_PARAMETERS = 3
"""Columns of parameters that APES's files always have."""

_OPTIONS = ("Yes", "No")


def example_items(study: str, examples: pl.DataFrame, asking: Asking) -> Iterator[Item]:
    """Ask every example as it is written, in the order of the file.

    Parameters
    ----------
    study
        Label of the study that asks.
    examples
        As `slant.studies.templates.predictions_file.read_examples` gives them.
    asking
        How.
    """
    for number, row in enumerate(examples.iter_rows(named=True)):
        slots, request = asking.example(row["prompt"], _OPTIONS)
        label = _OPTIONS.index(row["label"])
        slots |= {name: row[name] for name in ("pair", "side", "context", "statement")}
        slots |= {"label": str(label), "contrary": str(1 - label), "row": str(number)}
        yield Item(study, request, 0, row["axis"], row["group"], row["template_id"], slots,
                   expects=asking.expected(_OPTIONS))  # fmt: skip


def predictions(examples: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Lay the answers beside the examples, as APES's files of predictions have them.

    Parameters
    ----------
    examples
        As `slant.studies.templates.predictions_file.read_examples` gives them.
    rows
        As `slant.studies.templates.rows.tidy` gives them.

    Returns
    -------
    polars.DataFrame
        `template_id`, `param_1_name` …, `param_1_class` …, `prompt`, `label`, `prediction` and
        `confidence` (null where the model gives none), in the order of the examples; those without
        an answer are left out.
    """
    kept = [
        name
        for name in APES
        if not name.startswith("param_")
        or int(name.split("_")[1]) <= _PARAMETERS
        or examples[name].count()
    ]
    said = rows.select(pl.col("row").cast(pl.UInt32), "prediction", "confidence", "outcome").filter(
        pl.col("outcome") != "error"
    )
    return (
        examples.with_row_index("row")
        .join(said, on="row", maintain_order="left")
        .select(*kept, "label", "prediction", "confidence")
    )

"""Goel et al. (2022), APES: the published table from the authors' templates and predictions.

The table's figures are the shares of predictions that are *not* the label, among the statements,
their negations and all, rounded up to three decimals; its caption calls them correct answers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slant.errors import InputError
from slant.table_file import read_rows
from slant.templates.apes_files import ENDING, read_apes
from slant.templates.expansion import expand

if TYPE_CHECKING:
    from pathlib import Path

    from slant.templates import TemplateSet
    from slant.templates.expansion import Example

PUBLISHED = {
    "gender": (0.705, 0.289, 0.497),
    "race": (0.423, 0.458, 0.44),
    "disability": (0.129, 0.36, 0.245),
    "religion": (0.754, 0.117, 0.435),
}
"""The published table: positive, negated, overall."""

_ASKED = " Yes or No?"
_OPPOSITE = {"Yes": "No", "No": "Yes"}


@dataclass(frozen=True)
class Domain:
    """What was found of one domain.

    Attributes
    ----------
    positive, negated, overall
        Shares of wrong predictions as the paper rounds them; `None` without predictions.
    rows
        Rows of the predictions, or else of the examples, or else examples of the templates.
    pairs_flip
        How many rows of the first half have a row of the second with the same parameters and the
        opposite label.
    pairs
        How many there should be.
    prompts_identical
        Whether the templates give the prompts of the file, every one, in order; `None` if there
        is no file.
    warnings
        What was read otherwise than it is written.
    """

    positive: float | None
    negated: float | None
    overall: float | None
    rows: int
    pairs_flip: int
    pairs: int
    prompts_identical: bool | None
    warnings: tuple[str, ...]


def reproduce(folder: Path) -> dict[str, Domain]:
    """Recompute what the authors' files allow, for every domain with templates.

    Parameters
    ----------
    folder
        Holds `domains/`, `templates/` and, if wanted, `examples/` and `predictions/`.

    Raises
    ------
    InputError
        There are no templates, or a file is faulty.
    """
    files = sorted((folder / "templates").glob(f"*{ENDING}"))
    if not files:
        raise InputError(
            f"there is no templates/NAME{ENDING}: expected the folder `data` of the authors' "
            "repository, goel-shashank/APES, with domains/, templates/, examples/, predictions/",
            file=folder,
        )
    return {file.name.removesuffix(ENDING): _domain(folder, file) for file in files}


def _domain(folder: Path, file: Path) -> Domain:
    name = file.name.removesuffix(ENDING)
    templates = read_apes(file, folder / "domains")
    examples = [example for each in templates.templates for example in expand(each)]
    predictions = folder / "predictions" / f"{name}.predictions.csv"
    asked = folder / "examples" / f"{name}.examples.csv"
    source = next((each for each in (predictions, asked) if each.is_file()), None)
    rows = [row for _, row in read_rows(source)] if source else _as_rows(examples)
    half = len(rows) // 2
    flips = sum(_denies(first, second) for first, second in zip(rows[:half], rows[half:],
                                                               strict=False))  # fmt: skip
    positive = negated = overall = None
    if source == predictions:
        _check(rows, templates, predictions)
        wrong = [_text(row, "prediction") != _text(row, "label") for row in rows]
        positive, negated, overall = (
            rounded_up(sum(part) / len(part)) for part in (wrong[:half], wrong[half:], wrong)
        )
    identical = None
    if source is not None:
        prompts = [example.statement + _ASKED for example in examples]
        identical = [_text(row, "prompt") for row in rows] == prompts
    return Domain(positive, negated, overall, len(rows), flips, half, identical, templates.warnings)


def rounded_up(share: float, decimals: int = 3) -> float:
    """Round as the published table is rounded: up, after removing the noise of floating point."""
    scale = float(10**decimals)
    return math.ceil(round(share * scale, 9)) / scale


def _as_rows(examples: list[Example]) -> list[dict[str, Any]]:
    """Lay examples out as APES's own file has them."""
    return [
        {
            "prompt": example.statement + _ASKED,
            "label": example.template.options[example.template.label].pieces[0],
            **{
                f"param_{slot}_name": filler["name"]
                for slot, filler in zip(example.template.slots, example.fillers, strict=True)
            },
        }
        for example in examples
    ]


def _check(rows: list[dict[str, Any]], templates: TemplateSet, file: Path) -> None:
    """See that predictions are those of these templates."""
    ids = {each.id for each in templates.templates}
    for number, row in enumerate(rows, start=2):
        for column in ("template_id", "prompt", "label", "prediction"):
            if not _text(row, column):
                raise InputError(f"{column!r} is missing", file=file, line=number)
        if _text(row, "template_id") not in ids:
            raise InputError(
                f"template {_text(row, 'template_id')!r} is not in {templates.file}: these "
                "predictions belong to other templates",
                file=file,
                line=number,
            )
    if not rows or len(rows) % 2:
        raise InputError(
            f"{len(rows)} predictions: expected as many of negations as of statements", file=file
        )


def _denies(first: dict[str, Any], second: dict[str, Any]) -> bool:
    parameters = [key for key in first if key.startswith("param_") and key.endswith("_name")]
    same = all(_text(first, key) == _text(second, key) for key in parameters)
    return same and _OPPOSITE.get(_text(first, "label")) == _text(second, "label")


def _text(row: dict[str, Any], column: str) -> str:
    value = row.get(column)
    return "" if value is None else str(value).strip() if column != "prompt" else str(value)


def as_json(found: dict[str, Domain]) -> dict[str, Any]:
    """Give what `slant reproduce apes DIR --json` prints."""
    keys = ("positive", "negated", "overall", "rows", "pairs_flip", "prompts_identical")
    return {name: {key: getattr(each, key) for key in keys} for name, each in found.items()}


def as_text(found: dict[str, Domain]) -> str:
    """Write it for people, beside the published figures."""
    lines = ["Wrong answers as APES counts them (published figures in brackets)", ""]
    for name, each in found.items():
        known = PUBLISHED.get(name, (None,) * 3)
        parts = zip(("positive", "negated", "overall"), known, strict=True)
        shares = ", ".join(
            f"{part} {_written(getattr(each, part))} [{_written(value)}]" for part, value in parts
        )
        same = {None: "not compared", True: "all identical", False: "NOT identical"}
        lines.append(f"{name}: {shares}")
        lines.append(
            f"    {each.rows:,} rows; {each.pairs_flip} of {each.pairs} pairs have the same "
            f"parameters and opposite labels; prompts: {same[each.prompts_identical]}"
        )
        lines += [f"    note: {warning}" for warning in each.warnings]
    return "\n".join(lines)


def _written(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}".removeprefix("0")

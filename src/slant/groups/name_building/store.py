"""Storing a built list: a CSV, and beside it a TOML that says how it was made."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import tomli_w

from slant.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from slant.groups.name_building.build import BuiltNames

COLUMNS = (
    "name", "gender", "ethnicity", "source", "original", "transliteration", "cluster",
    "agreement", "filled",
)  # fmt: skip


def write_names(path: Path, built: BuiltNames, made: Mapping[str, Any]) -> Path:
    """Write a list of names, and its provenance beside it with the ending `.toml`.

    Parameters
    ----------
    path
        Where the list goes; it must end in `.csv`. Files that are there are replaced.
    built
        The list.
    made
        What it was made with and from: tables and values that TOML can hold.

    Returns
    -------
    Path
        The file of the provenance.

    Raises
    ------
    InputError
        The path does not end in .csv, or cannot be written.
    """
    if path.suffix != ".csv":
        raise InputError(f"the list is written as CSV: call it {path.stem}.csv", file=path)
    about = path.with_suffix(".toml")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_table(built), encoding="utf-8", newline="")
        about.write_text(_provenance(built, made), encoding="utf-8", newline="")
    except OSError as error:
        raise InputError(f"the list cannot be written: {error.strerror}", file=path) from error
    return about


def _table(built: BuiltNames) -> str:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for each in built.names:
        name = each.candidate
        rows.writerow((
            name.name, name.gender, name.ethnicity, name.source, name.original,
            name.transliteration, each.cluster, f"{each.agreement:.3f}", str(each.filled).lower(),
        ))  # fmt: skip
    return text.getvalue()


def _provenance(built: BuiltNames, made: Mapping[str, Any]) -> str:
    sizes = {
        "names": len(built.names),
        "groups": len({each.candidate.group for each in built.names}),
        "candidates": built.candidates,
        "clusters": built.clusters,
        "clusters_that_agree_on_a_group": built.agreeing,
        "filled": sum(built.filled.values()),
    }
    content = {
        "notes": list(built.notes),
        **made,
        "counts": sizes,
        "left_out": built.left_out,
        "filled": built.filled,
    }
    return tomli_w.dumps(content, multiline_strings=False)

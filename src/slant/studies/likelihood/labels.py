"""Which group each descriptor is known to belong to, to see whether the model knows it too."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.table_file import read_rows

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_labels(path: str) -> Mapping[str, str]:
    """Read a table with the columns descriptor and group (or label).

    Rows without a group say nothing and are passed over: published lists label a part only.

    Raises
    ------
    InputError
        A column is missing, a descriptor is empty or has two groups, or no row has a group.
    """
    file = Path(path)
    labels: dict[str, str] = {}
    for line, row in read_rows(file):
        column = "group" if "group" in row else "label"
        if "descriptor" not in row or column not in row:
            raise InputError(
                f"expected the columns descriptor and group, found {', '.join(row)}",
                file=file,
                line=line,
            )
        descriptor, group = (str(row[name] or "").strip() for name in ("descriptor", column))
        if not descriptor:
            raise InputError("the descriptor is empty: fill it in", file=file, line=line)
        if group and labels.setdefault(descriptor, group) != group:
            raise InputError(
                f"{descriptor!r} is labelled {group!r} here and {labels[descriptor]!r} before: "
                "give every descriptor one group",
                file=file,
                line=line,
            )
    if not labels:
        raise InputError("no descriptor is labelled with a group", file=file)
    return labels

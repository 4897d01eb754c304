"""`slant validate`: check suites, axes, lexicons and planted models without running anything."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def validate(
    files: Annotated[list[Path], typer.Argument(help="TOML files.")],
) -> None:
    """Check TOML files: suites, axes, lexicons, mock models."""
    from slant.cli.file_kind import check

    for file in files:
        print(f"{file}: {check(file)}")

"""`slant validate`: check files without running anything."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def validate(
    files: Annotated[list[Path], typer.Argument(help="TOML files, or templates of APES.")],
) -> None:
    """Check suites, templates, axes, lexicons, mock models; of templates, say what is doubtful."""
    from slant.cli.file_kind import check
    from slant.reports.safe_text import safe_text

    for file in files:
        print(safe_text(f"{file}: {check(file)}"))

"""Writing a run in another tool's format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from slant.errors import InputError, SlantError, unknown
from slant.exports import every_eval_ever, inspect_log, lm_eval

if TYPE_CHECKING:
    from slant.engine.run import Run

FORMATS = {
    "every-eval-ever": every_eval_ever.write,
    "inspect": inspect_log.write,
    "lm-eval": lm_eval.write,
}
"""What a run can be written as."""


def export_run(run: Run, form: str, out: str | Path) -> list[Path]:
    """Write findings and samples of a run in the format of another tool.

    Parameters
    ----------
    run
        A run that has come to its findings.
    form
        `every-eval-ever`, `inspect` or `lm-eval`.
    out
        A new or empty folder.

    Returns
    -------
    list of Path
        What was written.

    Raises
    ------
    InputError
        The format is unknown, the run has no findings, or the folder holds something.
    SlantError
        The folder cannot be written.
    """
    write = FORMATS.get(form)
    if write is None:
        raise unknown("format", form, FORMATS)
    folder = Path(out)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not empty: choose another folder with --out")
    findings = run.finding_list()
    if not findings:
        raise InputError(f"{run.directory} has no findings to export: finish it first")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return write(run, findings, folder)
    except OSError as error:
        raise SlantError(f"{folder} cannot be written: {error}") from error

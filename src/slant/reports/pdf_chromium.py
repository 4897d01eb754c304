"""The PDF as a browser prints it: in the letters of all scripts that the machine has."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import tempfile
from base64 import b64encode
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from slant.errors import missing_extra
from slant.reports.environment import environment
from slant.reports.page import policy
from slant.reports.printed import Heading, Table

if TYPE_CHECKING:
    from slant.reports.printed import Printed

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""By what names Chromium is called where it is installed."""

_SECONDS = 120
_LONGEST_TITLE = 100


class NotPrintedError(Exception):
    """Chromium did not print; the message says why."""


def chromium() -> str | None:
    """Find the Chromium of this machine, if it has one."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


def print_by_chromium(printed: Printed, program: str) -> bytes:
    """Print a document, twice, so that the contents know the pages.

    The page runs no script and loads nothing; the browser has a profile of its own for the time.

    Parameters
    ----------
    printed
        The document.
    program
        Where Chromium lies.

    Raises
    ------
    InputError
        pypdf, which reads the pages of headings, is not installed.
    NotPrintedError
        The browser cannot be started, does not end, or writes no PDF.
    """
    try:
        from pypdf import PdfReader
    except ImportError as error:
        raise missing_extra("pdf", error) from error
    first = PdfReader(io.BytesIO(_printed(page(printed), program)))
    places = first.named_destinations
    pages = [
        1 + (first.get_destination_page_number(places[f"/part-{part}"]) or 0)
        for part in range(len(_headings(printed)))
    ]
    return _printed(page(printed, pages), program)


def page(printed: Printed, pages: list[int] | None = None) -> str:
    """Write the document as a page for the browser.

    Parameters
    ----------
    printed
        The document.
    pages
        On which page each heading stands, from 1; left open in the contents if not given.
    """
    style = files("slant.reports").joinpath("templates", "printed.css").read_text("utf-8")
    style = style.replace("RUNNING", _css_text(printed.title[:_LONGEST_TITLE])) + _widths(printed)
    return (
        environment()
        .get_template("printed.html.j2")
        .render(
            printed=printed, headings=_headings(printed), pages=pages,
            style=Markup(style),  # noqa: S704 - our own file, and a title written in code points
            policy=policy(style, ""),
            in_base64=lambda png: Markup(b64encode(png).decode()),  # noqa: S704 - letters only
        )
    )  # fmt: skip


def _headings(printed: Printed) -> list[Heading]:
    return [block for block in printed.blocks if isinstance(block, Heading)]


def _widths(printed: Printed) -> str:
    """Write a rule for each width of a column: the page may have no style but its sheet's."""
    tables = [block for block in printed.blocks if isinstance(block, Table)]
    widths = sorted({round(100 * width) for table in tables for width in table.widths})
    return "".join(f".width-{width} {{ width: {width}%; }}\n" for width in widths)


def _css_text(text: str) -> str:
    """Write a text for a style sheet: nothing in it can end the text, the rule or the sheet."""
    return '"' + re.sub(r"[^A-Za-z0-9 ]", lambda found: f"\\{ord(found[0]):06x}", text) + '"'


def _printed(html: str, program: str) -> bytes:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        source, target = Path(scratch, "page.html"), Path(scratch, "page.pdf")
        source.write_text(html, encoding="utf-8")
        command = [
            program, "--headless", "--disable-gpu", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--no-pdf-header-footer", "--generate-pdf-document-outline",
            f"--user-data-dir={scratch}/profile", f"--print-to-pdf={target}",
            # Chromium's sandbox refuses the superuser, as whom containers run.
            *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
            source.as_uri(),
        ]  # fmt: skip
        try:
            done = subprocess.run(  # noqa: S603 - a fixed command
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                cwd=scratch,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise NotPrintedError(str(error)) from error
        if done.returncode or not target.exists():
            raise NotPrintedError(f"exit code {done.returncode}")
        return target.read_bytes()

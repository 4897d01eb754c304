"""`slant ls`: which runs there are, and what other commands can be given by name."""

from __future__ import annotations

import json as json_module
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from slant.reports.safe_text import one_line, safe_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from slant.engine.run import Run


def ls(
    what: Annotated[
        str,
        typer.Argument(
            help="runs, studies, models, measures, suites, axes, lexicons, templates, names, "
            "descriptors, continuations, corpora or triggers."
        ),
    ] = "runs",
    directory: Annotated[Path, typer.Option("--in", help="Where the runs are.")] = Path("runs"),
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List runs, or the names that other commands take."""
    rows = _runs(directory) if what == "runs" else _named(what)
    if json:
        print(json_module.dumps(rows, indent=1))
        return
    if not rows:
        print(f"no {what} in {directory}: `slant audit` makes one", file=sys.stderr)
        return
    rows = [{key: one_line(str(value), 200) for key, value in row.items()} for row in rows]
    if what == "runs":
        rows = [{key: key for key in rows[0]}, *rows]
    widths = {key: max(len(str(row[key])) for row in rows) for key in rows[0]}
    for row in rows:
        print("  ".join(str(value).ljust(widths[key]) for key, value in row.items()).rstrip())


def _runs(directory: Path) -> list[dict[str, str | int]]:
    from slant.engine.run import Run
    from slant.errors import InputError

    rows: list[dict[str, str | int]] = []
    for path in sorted(directory.glob("*/run.toml")):
        try:
            rows.append(_row(Run(path.parent)))
        except InputError as error:
            print(f"slant: {safe_text(str(error))}", file=sys.stderr)
    return rows


def _row(run: Run) -> dict[str, str | int]:
    from slant.reports.summary import summary

    concluded = run.path("findings.json").exists()
    return {
        "run": str(run.directory),
        "created": run.config.created.strftime("%Y-%m-%d %H:%M"),
        "models": ", ".join(run.config.models) or str(run.config.file),
        "questions": sum(run.outcomes.values()),
        "findings": summary(run).findings if concluded else 0,
        "state": run.incomplete or ("done" if concluded else "no findings yet"),
    }


def _named(what: str) -> list[dict[str, str | int]]:
    """Give names, and what is behind each where it says so itself."""
    from slant.registry import STUDIES
    from slant.toml_file import read_packaged

    titles: dict[str, Callable[[str], str]] = {
        "studies": lambda name: str(STUDIES.get(name).title),
        "suites": lambda name: str(read_packaged("suites", f"{name}.toml").data["title"]),
        "axes": lambda name: str(read_packaged("groups", f"{name}.toml").data["title"]),
    }
    names = _names(what)
    if what not in titles:
        return [{"name": name} for name in names]
    return [{"name": name, "about": titles[what](name)} for name in names]


def _names(what: str) -> list[str]:
    from slant.corpora import corpora
    from slant.errors import unknown
    from slant.groups.continuations import continuation_names
    from slant.groups.descriptors import descriptor_lists
    from slant.groups.names import name_lists
    from slant.groups.trigger_sets import trigger_sets
    from slant.measures.lexicon import lexicon_names
    from slant.registry import MEASURES, MODELS, STUDIES
    from slant.templates import template_sets
    from slant.toml_file import packaged_names

    kinds: dict[str, Callable[[], list[str]]] = {
        "studies": STUDIES.names,
        "models": MODELS.names,
        "measures": MEASURES.names,
        "suites": lambda: packaged_names("suites"),
        "axes": lambda: packaged_names("groups"),
        "lexicons": lexicon_names,
        "templates": template_sets,
        "names": name_lists,
        "descriptors": descriptor_lists,
        "continuations": continuation_names,
        "corpora": corpora,
        "triggers": trigger_sets,
    }
    if what not in kinds:
        raise unknown("list", what, ["runs", *kinds])
    return kinds[what]()

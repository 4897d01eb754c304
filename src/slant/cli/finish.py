"""How every command that makes findings ends: the report, the verdict, the exit code."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from slant.errors import IncompleteError

if TYPE_CHECKING:
    from slant.engine.run import Run


def finish(run: Run, *, as_json: bool) -> None:
    """Write the report and print the verdict, or the findings as JSON.

    Raises
    ------
    typer.Exit
        With code 3 if the run is incomplete.
    """
    from slant.reports.write import write_report

    path = write_report(run)
    if as_json:
        print(_as_json(run))
        print(f"report: {path}", file=sys.stderr)
    else:
        _print_verdicts(run)
        print(f"\nReport: {path}")
    if run.incomplete is not None:
        print(
            f"slant: {run.incomplete}. The findings are written all the same. "
            f"To ask again: slant resume {run.directory}",
            file=sys.stderr,
        )
        raise typer.Exit(IncompleteError.exit_code)


def tell_next_batch(run: Run) -> None:
    """Say how a run goes on whose questions have gone out as a batch."""
    print("When its results are there:")
    print(f"  slant resume {run.directory} --answers RESULTS.jsonl --batch-out NEXT.jsonl")
    print("which takes them in, and writes what the studies want to know next, until all is known.")


def _print_verdicts(run: Run) -> None:
    """Print what a reader is told at once, by model and study."""
    from itertools import groupby

    from slant.reports.safe_text import safe_text
    from slant.reports.verdict import in_order, plain_sentence, told, verdicts

    every = verdicts(run.finding_list())
    for (model, study), own in groupby(every, key=lambda each: (each.model, each.study)):
        ordered = in_order(own)
        count = told(ordered)
        print(safe_text(f"{model} · {study}"))
        for verdict in ordered[:count]:
            for sentence, _ in verdict.sentences:
                print(safe_text(f"  {plain_sentence(sentence)}"))
        if len(ordered) > count:
            further = len(ordered) - count
            print(f"  {further} further measures, none with a difference beyond chance.")


def _as_json(run: Run) -> str:
    """Give `findings.json` and the studies' summaries by model; of one model at the top too."""
    import json

    content = json.loads(run.path("findings.json").read_text(encoding="utf-8"))
    summaries: dict[str, dict[str, Any]] = {}
    for section in run.sections():
        if section.analysis.summary:
            summaries.setdefault(section.model, {}).update(section.analysis.summary)
    if len(summaries) == 1:
        content |= next(iter(summaries.values()))
    if summaries:
        content["models"] = summaries
    return json.dumps(content, ensure_ascii=False, indent=1)

"""How every command that makes findings ends: the report, the verdict, the exit code."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from slant.cli.gate import end, tell
from slant.errors import IncompleteError

if TYPE_CHECKING:
    from slant.cli.gate import Gate
    from slant.engine.run import Run


_HARMS, _MODELS, _UNSEEN = 5, 2, 2


def finish(run: Run, *, as_json: bool, verbose: bool = False, gate: Gate | None = None) -> None:
    """Write the report and print what matters most, all verdicts, or the findings as JSON.

    Parameters
    ----------
    run
        What was concluded.
    as_json
        Print the findings and nothing else.
    verbose
        Print every study's verdicts, not only the harms.
    gate
        A policy to judge by at the end.

    Raises
    ------
    typer.Exit
        With what the policy says as code; without one, with code 3 if the run is incomplete.
    """
    from slant.engine.progress import terminal_progress
    from slant.reports.write import write_report

    with terminal_progress() as progress:
        path = write_report(run, progress)
    if as_json:
        print(_as_json(run))
        print(f"report: {path}", file=sys.stderr)
    elif verbose:
        _print_verdicts(run)
        print(f"\nReport: {path}")
    else:
        _print_front(run)
        print(f"Every verdict: slant report {run.directory} --verbose")
        print(f"To look closer: slant view {run.directory}")
        print(f"Report: {path}")
    if run.incomplete is not None:
        print(
            f"slant: {run.incomplete}. The findings are written all the same. "
            f"To ask again: slant resume {run.directory}",
            file=sys.stderr,
        )
    if gate is not None:
        result = gate.judged(run)
        tell(result, aside=as_json)
        end(result)
    elif run.incomplete is not None:
        raise typer.Exit(IncompleteError.exit_code)


def tell_next_batch(run: Run) -> None:
    """Say how a run goes on whose questions have gone out as a batch."""
    print("When its results are there:")
    print(f"  slant resume {run.directory} --answers RESULTS.jsonl --batch-out NEXT.jsonl")
    print("which takes them in, and writes what the studies want to know next, until all is known.")


def _print_front(run: Run) -> None:
    """Print the harms, and what could not be seen, in a few lines."""
    from slant.cli.coloured import say, say_sentence
    from slant.reports.front import front, number
    from slant.reports.safe_text import safe_text
    from slant.reports.verdict import in_order, verdicts
    from slant.reports.wording import NO_HARM
    from slant.reports.write import about, meanings_of

    every = run.finding_list()
    seen = front(every, meanings_of(run), about(run))
    for line in seen.asked[: 1 + _MODELS]:
        print(safe_text(line))
    first = seen.first
    if first.worse:
        harms = number(len(first.harms), "harm", "harms")
        worst = f"{harms} and {len(first.unfavourable)} unfavourable for sure; the worst:"
        say((worst, "bold red" if first.harms else "bold"))
    else:
        say((NO_HARM, "bold"))
    for told in first.worse[:_HARMS]:
        say_sentence(told.sentence, told.disagreement)
    of_studies = verdicts(every, meanings_of(run))
    if not first.worse and len({(each.model, each.study) for each in of_studies}) == 1:
        for sentence, _ in in_order(of_studies)[0].sentences:
            say_sentence(sentence)
    if first.favourable or first.neutral:
        print(f"Also sure: {len(first.favourable)} favourable, {len(first.neutral)} neutral.")
    for line in seen.unseen[:_UNSEEN]:
        say((line, "yellow"))


def _print_verdicts(run: Run) -> None:
    """Print what a reader is told at once, by model and study."""
    from itertools import groupby

    from slant.reports.association_words import association_lines, associations
    from slant.reports.difference_words import plain_sentence
    from slant.reports.model_leans import model_leans
    from slant.reports.model_view import model_lines
    from slant.reports.safe_text import safe_text
    from slant.reports.verdict import in_order, told, verdicts
    from slant.reports.write import meanings_of, notes_of

    every = verdicts(run.finding_list(), meanings_of(run))
    for (model, study), own in groupby(every, key=lambda each: (each.model, each.study)):
        ordered = in_order(own)
        count = told(ordered)
        print(safe_text(f"{model} · {study}"))
        for verdict in ordered[:count]:
            for sentence, _ in verdict.sentences:
                print(safe_text(f"  {plain_sentence(sentence)}"))
        if len(ordered) > count:
            further = len(ordered) - count
            print(f"  {further} further measures, none with a sure difference.")
    leans = model_leans(run.finding_list(), meanings_of(run))
    if leans is not None:
        print("Models beside each other, in standard deviations")
        for line in model_lines(leans, notes_of(run)):
            print(safe_text(f"  {line}"))
    together = association_lines(associations(run.finding_list(), meanings_of(run)))
    if together:
        print("Several measures about the same group and theme, in standard deviations")
    for line in together:
        print(safe_text(f"  {line}"))


def _as_json(run: Run) -> str:
    """Give `findings.json` and the studies' summaries by model; of one model at the top too."""
    import json
    from dataclasses import asdict

    from slant.reports.association_words import associations, associations_to_plain
    from slant.reports.model_view import models_to_plain
    from slant.reports.write import meanings_of, notes_of

    content = json.loads(run.path("findings.json").read_text(encoding="utf-8"))
    content["meanings"] = [asdict(meanings_of(run).of(f)) for f in run.finding_list()]
    summaries: dict[str, dict[str, Any]] = {}
    for section in run.sections():
        if section.analysis.summary:
            summaries.setdefault(section.model, {}).update(section.analysis.summary)
    if len(summaries) == 1:
        content |= next(iter(summaries.values()))
    if summaries:
        content["models"] = summaries
    found = associations(run.finding_list(), meanings_of(run))
    content["associations"] = associations_to_plain(found)
    ranking = models_to_plain(run.finding_list(), meanings_of(run), notes_of(run))
    if ranking is not None:
        content["ranking"] = ranking
    return json.dumps(content, ensure_ascii=False, indent=1)

"""`slant compare`: what changed between runs or models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from slant.cli import options
from slant.cli.gate import end, tell

if TYPE_CHECKING:
    from slant.cli.gate import Gate
    from slant.comparison.compare import Comparison

_SHOWN = 8


def compare(
    sides: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN[:MODEL]...",
            help="Run directories, each with a model of it if it has several. The first is what "
            "the others are compared with; of a single run, its first model.",
        ),
    ],
    json: Annotated[bool, typer.Option("--json", help="Print the comparison as JSON.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the comparison as a page, FILE.html.")
    ] = None,
    policy: options.Policy = None,
    junit: options.Junit = None,
    summary: options.Summary = None,
) -> None:
    """Say what changed from one run or model to another, and what chance explains."""
    from slant.comparison.compare import compare as compared
    from slant.comparison.side import paired_sides, sides_of
    from slant.errors import InputError

    gate = _asked_gate(sides, policy, junit, summary)
    if out is not None and out.exists():
        raise InputError("this file is there already: name another, or remove it", file=out)
    pairs = paired_sides([sides_of(side) for side in sides])
    comparisons = [compared(base, other) for base, other in pairs]
    if out is not None:
        from slant.comparison.page import render
        from slant.whole_file import write_whole

        write_whole(out, render(comparisons))
    if json:
        from json import dumps

        from slant.comparison.plain import comparisons_to_plain

        print(dumps(comparisons_to_plain(comparisons), ensure_ascii=False, indent=1))
    else:
        for number, comparison in enumerate(comparisons):
            if number:
                print()
            _print(comparison)
        if len(comparisons) > 1:
            _print_several(comparisons)
        if out is not None:
            print(f"\nPage: {out}")
    if gate is not None:
        result = gate.judged(sides[1])
        tell(result, aside=json)
        end(result)


def _asked_gate(
    sides: list[str], policy: Path | None, junit: Path | None, summary: Path | None
) -> Gate | None:
    """Check by what the second side is judged, with the first as its baseline."""
    from slant.cli.gate import asked_gate
    from slant.errors import InputError

    if policy is not None and len(sides) != 2:
        raise InputError("--policy judges one run by another: name two, the baseline first")
    return asked_gate(policy, None if policy is None else sides[0], junit, summary)


def _print_several(comparisons: list[Comparison]) -> None:
    from slant.comparison.several import several_lines
    from slant.reports.safe_text import safe_text

    lines = several_lines(comparisons)
    if lines:
        print("\nAll beside each other, in standard deviations")
    for line in lines:
        print(safe_text(f"  {line}"))


def _print(comparison: Comparison) -> None:
    from slant.comparison.view import tampered
    from slant.comparison.wording import headline, told_studies
    from slant.reports.difference_words import plain_sentence
    from slant.reports.safe_text import one_line

    for which, side in (("first", comparison.base), ("second", comparison.other)):
        print(f"{which + ':':8}{one_line(str(side.run.directory), 200)} · {one_line(side.model)}")
        if names := tampered(side):
            print(f"CHANGED since slant wrote it, so do not rely on this: {names}")
    print(plain_sentence(headline(comparison)))
    for told in told_studies(comparison):
        print(one_line(told.study))
        for sentences in (told.changed, told.unsure):
            for sentence, _ in sentences[:_SHOWN]:
                print(f"  {plain_sentence(sentence)}")
            if len(sentences) > _SHOWN:
                print(f"  … and {len(sentences) - _SHOWN:,} more; --json has all.")
        for text in told.rest:
            print(f"  {text}")

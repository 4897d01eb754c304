"""`slant compare`: what changed between runs or models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
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
) -> None:
    """Say what changed from one run or model to another, and what chance explains."""
    from slant.comparison.compare import compare as compared
    from slant.comparison.side import paired_sides, sides_of
    from slant.errors import InputError

    if out is not None and out.exists():
        raise InputError("this file is there already: name another, or remove it", file=out)
    pairs = paired_sides([sides_of(side) for side in sides])
    comparisons = [compared(base, other) for base, other in pairs]
    if out is not None:
        from slant.comparison.page import render
        from slant.engine.run import write_whole

        write_whole(out, render(comparisons))
    if json:
        from json import dumps

        from slant.comparison.plain import comparisons_to_plain

        print(dumps(comparisons_to_plain(comparisons), ensure_ascii=False, indent=1))
        return
    for number, comparison in enumerate(comparisons):
        if number:
            print()
        _print(comparison)
    if out is not None:
        print(f"\nPage: {out}")


def _print(comparison: Comparison) -> None:
    from slant.comparison.wording import headline, told_studies
    from slant.reports.safe_text import one_line
    from slant.reports.verdict import plain_sentence

    for which, side in (("first", comparison.base), ("second", comparison.other)):
        print(f"{which + ':':8}{one_line(str(side.run.directory), 200)} · {one_line(side.model)}")
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

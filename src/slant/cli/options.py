"""Options that mean the same in every command."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from slant import limits


class Method(StrEnum):
    """How to compute."""

    ROBUST = "robust"
    PAPER = "paper"


Models: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--model",
        "-m",
        help="Model to ask: embedded, hf:PATH-OR-NAME, openai:NAME, http://HOST:PORT/v1#NAME, "
        "target:FILE, python:MODULE:FUNCTION, replay:FILE, mock:FILE. Repeat for several.",
    ),
]
Suite: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        help="quick, standard, full, paper, or a TOML file of your own; quick when not given, or "
        "paper with --method paper."
    ),
]
System: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--system",
        help="File with a system prompt to put before every question. Repeat to compare: every "
        "model is asked with each.",
    ),
]
Frame: TypeAlias = Annotated[
    Path | None,
    typer.Option("--frame", help="TOML file with turns around every question, {question} in one."),
]
Limit: TypeAlias = Annotated[
    int | None, typer.Option("--limit", help="Ask at most this many questions a study.", min=1)
]
Until: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--until",
        metavar="RULE",
        help='Stop asking when this is known: "width<0.1" or "decided harm>5 points"; intervals '
        "then hold at all times.",
    ),
]
Seed: TypeAlias = Annotated[
    int, typer.Option("--seed", help="Root of every random choice.", min=0, max=limits.SEED)
]
MethodOption: TypeAlias = Annotated[
    Method,
    typer.Option("--method", help="robust, or paper to compute as the publications did."),
]
Out: TypeAlias = Annotated[
    Path | None,
    typer.Option("--out", help="Directory of the run; runs/<time>-<name> when not given."),
]
Json: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print the findings as JSON on standard output.")
]
Verbose: TypeAlias = Annotated[
    bool, typer.Option("--verbose", help="Print every study's verdicts, not only the harms.")
]
MaxCost: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--max-cost",
        help="Stop before more US dollars than this are spent on a model; needs its price, as in "
        "openai:NAME?price=0.15,0.60 (per million prompt and completion tokens) or ?price=free.",
        min=0,
    ),
]
Prices: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--prices",
        help='TOML file with the prices of models spelt without: "openai:NAME" = [0.15, 0.60].',
    ),
]
Cache: TypeAlias = Annotated[
    bool, typer.Option("--cache", help="Use and keep answers across runs.")
]
Executor: TypeAlias = Annotated[
    str,
    typer.Option(
        "--executor",
        help="Where models run: local; pool or pool:N, processes of one thread each; ray, or "
        "ray:HOST:PORT for a Ray cluster that runs already.",
    ),
]
BatchOut: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--batch-out",
        help="Ask nothing, and write the open questions to this file as batch requests "
        "(OpenAI's or Anthropic's form).",
    ),
]
Policy: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--policy",
        help="Judge by this TOML file, as slant gate does: exit code 100 for fail, 101 for "
        "inconclusive.",
    ),
]
Baseline: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--baseline", metavar="RUN[:MODEL]", help="What the policy's regressions compare with."
    ),
]
Junit: TypeAlias = Annotated[
    Path | None, typer.Option("--junit", help="Write what the policy says as JUnit XML.")
]
Summary: TypeAlias = Annotated[
    Path | None,
    typer.Option("--summary", help="Append what the policy says to this file, in Markdown."),
]
Directory: TypeAlias = Annotated[Path, typer.Argument(help="The run directory.")]

"""`slant report`: draw the report again from the run directory alone."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from slant.cli import options

if TYPE_CHECKING:
    from slant.engine.run import Run


def report(
    directory: options.Directory,
    json: options.Json = False,
    verbose: options.Verbose = False,
    meanings: Annotated[
        Path | None,
        typer.Option(
            "--meanings",
            help="TOML file that says what differences mean for people, before slant's own; the "
            "run keeps a copy.",
        ),
    ] = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the report as a Markdown document.")
    ] = False,
    card: Annotated[
        bool, typer.Option("--card", help="Print the bias card: one page for a model card.")
    ] = False,
    html: Annotated[
        bool, typer.Option("--html", help="With --card: as a page of its own, with a picture.")
    ] = False,
    model_index: Annotated[
        bool,
        typer.Option("--model-index", help="Print metadata for a Hugging Face model card, YAML."),
    ] = False,
    pdf: Annotated[
        bool, typer.Option("--pdf", help="Write report.pdf too: some ten pages to file or sign.")
    ] = False,
    figures: Annotated[
        Path | None,
        typer.Option("--figures", help="Write every figure as SVG, PDF, PNG and JSON into DIR."),
    ] = None,
) -> None:
    """Write report.html again, or give what it tells in another form."""
    from slant.cli.finish import finish
    from slant.engine.run import Run
    from slant.engine.run_tables import ensure
    from slant.errors import InputError
    from slant.reports.write import keep_meanings, meanings_of

    if sum((json, markdown, card, model_index, pdf, figures is not None)) > 1:
        raise InputError(
            "choose one of --json, --markdown, --card, --model-index, --pdf and --figures"
        )
    if html and not card:
        raise InputError("--html goes with --card: report.html is HTML already")
    run = Run(directory)
    kept = [run.path(name) for name in ("answers.parquet", "journal.sqlite")]
    if run.path("sections").is_dir() and any(path.exists() for path in kept):
        for words in ensure(run):
            print(f"slant: {words}", file=sys.stderr)
    if meanings is not None:
        keep_meanings(run, meanings)
    if markdown:
        from slant.reports.document import document
        from slant.reports.draw_all import sections_of
        from slant.reports.write import about

        sections = [section for section, _ in sections_of(run)]
        print(document(sections, about(run), meanings_of(run)), end="")
    elif card:
        from slant.reports.bias_card import bias_card
        from slant.reports.card_page import card_page
        from slant.reports.write import about

        write = card_page if html else bias_card
        print(write(run.sections(), about(run), meanings_of(run)), end="")
    elif model_index:
        from slant.reports.model_index import model_index as metadata
        from slant.reports.write import about

        print(metadata(run.sections(), about(run), meanings_of(run)), end="")
    elif pdf:
        from slant.reports.write import write_pdf

        print(write_pdf(run))
    elif figures is not None:
        _write_figures(run, figures)
    else:
        finish(run, as_json=json, verbose=verbose)


def _write_figures(run: Run, directory: Path) -> None:
    from slant.reports.association_view import association_figures
    from slant.reports.association_words import associations
    from slant.reports.draw_all import sections_of
    from slant.reports.figure_files import write_figures
    from slant.reports.model_leans import model_leans
    from slant.reports.model_view import model_figures
    from slant.reports.write import meanings_of, notes_of

    found = associations(run.finding_list(), meanings_of(run))
    together = [section for section, _ in association_figures(found)]
    leans = model_leans(run.finding_list(), meanings_of(run))
    beside = [] if leans is None else model_figures(leans, notes_of(run))
    sections = [section for section, _ in sections_of(run)]
    written = write_figures([*sections, *together, *(each for each, _ in beside)], directory)
    drawn = sum(not each.failure for each in written)
    print(f"{drawn} figures, each as SVG, PDF, PNG and JSON: {directory / 'index.md'}")

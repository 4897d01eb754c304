"""The commands, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from slant.cli import (
    audit,
    calibrate,
    cite,
    compare,
    doctor,
    export,
    fetch,
    gate,
    graph,
    init,
    ls,
    measure,
    merge,
    names,
    plan,
    report,
    reproduce,
    rescore,
    resume,
    validate,
    verify,
    view,
)

app = typer.Typer(
    name="slant",
    help="Measure which way a language model leans: who it treats differently, by how much, and "
    "how sure that is.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def _root(
    version: bool = typer.Option(False, "--version", help="Print the version and exit."),
    plugin: Annotated[
        list[str] | None,
        typer.Option(
            "--plugin",
            metavar="MODULE:OBJECT",
            help="Code of yours that a run directory may use: a study, a measure, a figure. "
            "Give it once for each.",
        ),
    ] = None,
) -> None:
    if plugin:
        from slant.registry import allow

        allow(plugin)
    if version:
        import slant

        print(slant.__version__)
        raise typer.Exit


app.command("audit")(audit.audit)
app.command("plan")(plan.plan)
app.command("calibrate")(calibrate.calibrate)
app.command("resume")(resume.resume)
app.command("rescore")(rescore.rescore)
app.command("measure")(measure.measure)
app.command("report")(report.report)
app.command("view")(view.view)
app.command("reproduce")(reproduce.reproduce)
app.command("export")(export.export)
app.command("compare")(compare.compare)
app.command("gate")(gate.gate)
app.command("graph")(graph.graph)
app.add_typer(names.app, name="names")
app.command("merge")(merge.merge)
app.command("ls")(ls.ls)
app.command("cite")(cite.cite)
app.command("fetch")(fetch.fetch)
app.command("validate")(validate.validate)
app.command("verify")(verify.verify)
app.command("init")(init.init)
app.command("doctor")(doctor.doctor)

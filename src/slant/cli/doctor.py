"""`slant doctor`: what works on this machine, or what a model can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from slant.engine.diagnosis.diagnosis import Diagnosis

_LONGEST = 300


def doctor(
    model: Annotated[
        str | None,
        typer.Argument(help="A model to try before it is audited; this machine when not given."),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print what was found of the model as JSON.")
    ] = False,
) -> None:
    """Say what works here and what to install for the rest; or what a model can do."""
    if model is None:
        if json:
            raise typer.BadParameter("--json goes with a model: slant doctor MODEL --json")
        _machine()
        return
    from slant.engine.diagnosis.diagnosis import diagnose

    found = diagnose(model)
    if json:
        import json as json_text

        print(json_text.dumps(found.plain(), ensure_ascii=False, indent=1))
        return
    _show(found)


def _machine() -> None:
    from slant.engine.doctor import examine

    checks = examine()
    for check in checks:
        print(f"{'ok ' if check.well else '-- '} {check.what}: {check.found}")
        if not check.well:
            print(f"    {check.remedy}")
    if any(check.needed and not check.well for check in checks):
        raise typer.Exit(1)


def _show(found: Diagnosis) -> None:
    """Print tables; what a model says is text to them, never mark-up."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    def row(table: Table, *cells: str) -> None:
        table.add_row(*(Text(_short(cell)) for cell in cells))

    can = Table(title=Text(_short(found.model)), title_justify="left")
    for name in ("what", "able", "what showed it"):
        can.add_column(name)
    for probe in found.probes:
        row(can, probe.what, probe.able, probe.found)
    asked = Table(title="One question of each study", title_justify="left", show_lines=True)
    for name in ("study", "asked", "replied", "read"):
        asked.add_column(name, overflow="fold")
    for sample in found.samples:
        aside = f"\n(set aside: {sample.aside})" if sample.aside else ""
        why = f": {sample.reason}" if sample.reason else ""
        read = f"{sample.outcome or 'not asked'}{why}\n{sample.read}{aside}".strip()
        row(asked, sample.study, sample.asked, sample.replied, read)
    console = Console()
    console.print(can)
    console.print(asked)
    for name, values in found.effective.items():
        console.print(Text(_short(f"{name.replace('_', ' ')}: {', '.join(values)}")))


def _short(text: str) -> str:
    from slant.reports.safe_text import safe_text

    return safe_text(text if len(text) <= _LONGEST else text[:_LONGEST] + " …")

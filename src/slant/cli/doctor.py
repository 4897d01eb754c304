"""`slant doctor`: what works on this machine, and what to install for the rest."""

from __future__ import annotations

import typer


def doctor() -> None:
    """Say what works here, and what to install for the rest."""
    from slant.engine.doctor import examine

    checks = examine()
    for check in checks:
        print(f"{'ok ' if check.well else '-- '} {check.what}: {check.found}")
        if not check.well:
            print(f"    {check.remedy}")
    if any(check.needed and not check.well for check in checks):
        raise typer.Exit(1)

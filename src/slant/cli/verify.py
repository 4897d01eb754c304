"""`slant verify`: whether a run's files are as slant wrote them."""

from __future__ import annotations

import typer

from slant.cli import options

_BESIDES = 5


def verify(directory: options.Directory) -> None:
    """Say which files of a run were changed since slant wrote them; exit code 1 if any was."""
    from slant.engine.run import Run
    from slant.engine.verify import verify as verified
    from slant.reports.safe_text import one_line

    found = verified(Run(directory))
    for words, names in (("changed", found.changed), ("missing", found.missing)):
        for name in names:
            print(f"{words}: {one_line(name, 200)}")
    if found.besides:
        more = len(found.besides) - _BESIDES
        shown = ", ".join(one_line(name, 80) for name in found.besides[:_BESIDES])
        print(f"not covered: {shown}{f' and {more} more' if more > 0 else ''}")
    if not found.files:
        print("The run has no manifest: `slant rescore` writes one.")
    elif found.whole:
        print(f"All {found.files:,} files are as slant wrote them.")
    else:
        bad = len(found.changed) + len(found.missing)
        print(f"{bad:,} of {found.files:,} files are not as slant wrote them.")
    if found.manifest:
        print(f"SHA-256 of checksums.json: {found.manifest}")
        if found.signature:
            print(f"It is signed; to verify that: {found.signature}")
        else:
            print("It is not signed: anybody who can write here can forge it (docs/signing.md).")
    if not found.whole:
        raise typer.Exit(1)

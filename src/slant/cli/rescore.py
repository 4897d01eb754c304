"""`slant rescore`: score and analyse again, without asking anything."""

from __future__ import annotations

from slant.cli import options


def rescore(
    directory: options.Directory,
    json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Score and analyse again what a run has asked, for example after changing a lexicon."""
    import slant
    from slant.cli.finish import finish

    finish(slant.rescore(directory), as_json=json, verbose=verbose)

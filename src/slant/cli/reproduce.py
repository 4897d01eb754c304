"""`slant reproduce`: a publication's tables from its authors' files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli import options

WORKS = ("apes", "globalbias")


def reproduce(
    work: Annotated[str | None, typer.Argument(help="apes or globalbias")] = None,
    folder: Annotated[Path | None, typer.Argument(help="Where the authors' files are.")] = None,
    protocol: Annotated[
        str | None,
        typer.Option(
            "--protocol",
            help="A study: list every step of its publication, and whether slant does the same.",
        ),
    ] = None,
    seed: options.Seed = 0,
    json: Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")] = False,
) -> None:
    """Recompute a publication's tables from the files that its authors published."""
    from json import dumps

    from slant.errors import InputError, unknown

    if protocol is not None:
        if work is not None:
            raise InputError("--protocol lists a study's steps and reads no files: leave out WORK")
        rows = _protocol(protocol)
        print(dumps(rows, indent=1, ensure_ascii=False) if json else _steps_told(protocol, rows))
        return
    if work not in WORKS:
        raise unknown("work", work or "", WORKS)
    if folder is None:
        raise InputError("say where the authors' files are: slant reproduce WORK DIR")
    if not folder.is_dir():
        raise InputError("there is no such directory", file=folder)
    content, text = _apes(folder) if work == "apes" else _globalbias(folder, seed)
    print(dumps(content, indent=1) if json else text)


def _protocol(study: str) -> list[dict[str, Any]]:
    from slant.errors import unknown
    from slant.registry import STUDIES
    from slant.studies.protocol import load_protocol, protocol_names

    found = load_protocol(study)
    if found is None:
        raise unknown("study with a publication", study, protocol_names())
    return found.table(STUDIES.get(study).Settings()).to_dicts()


def _steps_told(study: str, rows: list[dict[str, Any]]) -> str:
    from slant.studies.protocol import load_protocol

    same = sum(row["standing"] == "same" for row in rows)
    work = found.work if (found := load_protocol(study)) else study
    lines = [work, f"{study}, --method paper: {same} of {len(rows)} steps as published", ""]
    for row in rows:
        why = f" ({row['because']})" if row["because"] else ""
        lines += [
            f"{row['standing']:8}{row['part']}, {row['where']}: {row['published']}",
            f"        {row['here']}{why}",
        ]
    return "\n".join(lines)


def _apes(folder: Path) -> tuple[dict[str, Any], str]:
    from slant.reproduce import apes

    found = apes.reproduce(folder)
    return apes.as_json(found), apes.as_text(found)


def _globalbias(folder: Path, seed: int) -> tuple[dict[str, Any], str]:
    import numpy as np

    from slant.errors import InputError
    from slant.reproduce import globalbias, globalbias_names, globalbias_profiles

    inputs = globalbias.describe_inputs(folder)
    for line in inputs:
        print(line, file=sys.stderr)
    matrix = globalbias.find(folder, globalbias.MATRIX)
    files = {
        model: path
        for model, name in globalbias_profiles.FILES.items()
        if (path := globalbias.find(folder, name))
    }
    by_name = globalbias_names.files(folder)
    if matrix is None and not files and not by_name:
        names = [
            *globalbias_profiles.FILES.values(),
            *(n for n, _ in globalbias_names.MODELS.values()),
        ]
        raise InputError(
            f"there is neither {globalbias.MATRIX} nor any of "
            f"{', '.join(names)}, without which no table can be "
            "recomputed: get them from the authors' repository, groovychoons/GlobalBias, folders "
            "results and data",
            file=folder,
        )
    content: dict[str, Any] = {}
    texts = []
    if matrix is not None:
        found = globalbias.reproduce(globalbias.read_matrix(matrix), np.random.default_rng(seed))
        content |= globalbias.as_json(found)
        texts.append(globalbias.as_text(found))
    if by_name:
        rows = {
            model: globalbias_names.reproduce(
                globalbias_names.read_perplexities(path), np.random.default_rng(seed)
            )
            for model, path in by_name.items()
        }
        content |= globalbias_names.as_json(rows)
        texts.append(globalbias_names.as_text(rows))
    if files:
        profiles = {
            model: globalbias_profiles.reproduce(globalbias_profiles.read_profiles(path))
            for model, path in files.items()
        }
        content |= globalbias_profiles.as_json(profiles)
        texts.append(globalbias_profiles.as_text(profiles))
    return content, "\n\n".join(texts)

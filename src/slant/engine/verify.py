"""Whether a run is as slant wrote it, file by file, and what its manifest's hash is."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.studies.checksums import NAME, changed_files, remembered

if TYPE_CHECKING:
    from pathlib import Path

    from slant.engine.run import Run

SIGNATURES = {
    ".asc": "gpg --verify {signature} {manifest}",
    ".sig": "ssh-keygen -Y verify -f SIGNERS -I NAME -n slant -s {signature} < {manifest}",
    ".minisig": "minisign -V -p PUBLIC_KEY -x {signature} -m {manifest}",
}
"""Endings of detached signatures beside the manifest, with the command that verifies each."""


@dataclass(frozen=True)
class Verification:
    """What became of a run's files.

    Attributes
    ----------
    files
        How many the manifest names.
    changed, missing
        Those that are not as they were written, and those that are gone.
    besides
        Files that the manifest does not name: what people wrote beside the run, or somebody put
        there.
    manifest
        SHA-256 of the manifest itself: whoever knows it from elsewhere knows that all is as it was.
    signature
        The command that verifies the signature beside the manifest; empty where there is none.
    """

    files: int
    changed: tuple[str, ...]
    missing: tuple[str, ...]
    besides: tuple[str, ...]
    manifest: str
    signature: str

    @property
    def whole(self) -> bool:
        """Whether everything that the manifest names is as it was."""
        return bool(self.files) and not self.changed and not self.missing


def verify(run: Run) -> Verification:
    """Hold every file of a run against its manifest.

    Raises
    ------
    InputError
        The manifest, `checksums.json`, is damaged.
    """
    directory = run.directory
    named = remembered(directory)
    different = changed_files(directory)
    missing = [name for name in different if not (directory / name).exists()]
    there = sorted(
        path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file()
    )
    path = directory / NAME
    beside = {NAME, *(f"{NAME}{ending}" for ending in SIGNATURES)}
    return Verification(
        files=len(named),
        changed=tuple(name for name in different if name not in missing),
        missing=tuple(missing),
        besides=tuple(name for name in there if name not in {*named, *beside}),
        manifest=hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "",
        signature=_signature(path),
    )


def _signature(manifest: Path) -> str:
    for ending, command in SIGNATURES.items():
        signature = manifest.with_name(manifest.name + ending)
        if signature.exists():
            return command.format(signature=signature, manifest=manifest)
    return ""

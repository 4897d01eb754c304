"""A side of a comparison: one model's findings in one run."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from slant.engine.run import Run
from slant.errors import InputError, unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.records import Finding
    from slant.studies.section import Section


_LONGEST = 4000
"""Characters of a run's path and a model's name; more no path can have."""


@dataclass(frozen=True)
class Side:
    """One model's findings in one run.

    Attributes
    ----------
    run
        Where they come from.
    model
        Whose they are.
    findings
        In the order of the run.
    """

    run: Run
    model: str
    findings: tuple[Finding, ...]

    @property
    def name(self) -> str:
        """The name of the run's directory."""
        return self.run.directory.resolve().name

    def section(self, study: str) -> Section | None:
        """Read what a study concluded; `None` where the run keeps no section of it."""
        run = self.run
        for number in range(run.section_count if run.path("sections").is_dir() else 0):
            section = run.section(number)
            if (section.label, section.model) == (study, self.model):
                return section
        return None

    def parameters(self, study: str) -> dict[str, str]:
        """Say what the parameters of a study's signatures are, in words."""
        section = self.section(study)
        return {} if section is None else dict(section.parameters)

    @property
    def studies(self) -> list[str]:
        """What the findings are filed under."""
        return list(dict.fromkeys(finding.study for finding in self.findings))


def sides_of(text: str) -> list[Side]:
    """Read `RUN` or `RUN:MODEL`.

    Parameters
    ----------
    text
        A run's directory; after a colon, one of its models.

    Returns
    -------
    list of Side
        One for every model of the run that has findings, or the one that is named.

    Raises
    ------
    InputError
        There is no such run or model, or the run has no findings.
    """
    directory, model = _split(text)
    sides = run_sides(Run(directory))
    if model is None:
        return sides
    chosen = [side for side in sides if side.model == model]
    if not chosen:
        raise unknown(f"model of {directory}", model, [side.model for side in sides])
    return chosen


def run_sides(run: Run) -> list[Side]:
    """List the models of a run that have findings.

    Raises
    ------
    InputError
        There are none, or they cannot be read.
    """
    try:
        findings = run.finding_list()
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
        raise InputError(
            f"{run.path('findings.json')} holds no findings as this slant writes them: "
            f"run `slant rescore {run.directory}`"
        ) from error
    return sides_from(run, findings)


def sides_from(run: Run, findings: Iterable[Finding]) -> list[Side]:
    """Part a run's findings by model.

    Raises
    ------
    InputError
        There are none.
    """
    by_model: dict[str, list[Finding]] = {}
    for finding in findings:
        by_model.setdefault(finding.model, []).append(finding)
    if not by_model:
        raise InputError(
            f"{run.directory} has no findings yet: continue it with `slant resume {run.directory}`"
        )
    return [Side(run, model, tuple(own)) for model, own in by_model.items()]


def paired_sides(chosen: Sequence[Sequence[Side]]) -> list[tuple[Side, Side]]:
    """Say who is compared with whom: the first side is the base of all others.

    Runs of several models are compared model by model, those of one model whatever it is called;
    a single run of several models, with its first model as the base.

    Parameters
    ----------
    chosen
        For each run, in order, the models of it that are to be compared: what `sides_of` gives.

    Raises
    ------
    InputError
        A side stands there twice, or has nothing to be compared with.
    """
    if len(chosen) == 1:
        chosen = [[side] for side in chosen[0]]
        if len(chosen) == 1:
            raise InputError(
                f"{chosen[0][0].run.directory} holds one model only, and nothing to compare it "
                "with: name a second run"
            )
    base, *others = chosen
    pairs = [pair for other in others for pair in _matched(base, other)]
    for number, pair in enumerate(pairs):
        one, two = pair
        if _place(one) == _place(two) or _places(pair) in map(_places, pairs[:number]):
            raise InputError(f"{two.run.directory}, model {two.model!r}, is named twice")
        if not set(one.studies) & set(two.studies):
            raise InputError(
                f"no study in common: {one.run.directory} has {', '.join(one.studies)}; "
                f"{two.run.directory} has {', '.join(two.studies)}"
            )
    return pairs


def _split(text: str) -> tuple[Path, str | None]:
    """Part a run from a model; either may hold colons."""
    if len(text) > _LONGEST:  # there may be as many colons as characters
        raise InputError(f"{text[:60]!r}… is no run: this has {len(text):,} characters")
    ends = [place for place, sign in enumerate(f"{text}:") if sign == ":"]
    for end in reversed(ends):
        directory = Path(text[:end])
        with suppress(OSError):  # a part of it may be longer than a name may be
            if (directory / "run.toml").exists():
                return directory, text[end + 1 :] or None
    return Path(text), None


def _matched(base: Sequence[Side], other: Sequence[Side]) -> list[tuple[Side, Side]]:
    if len(base) == len(other) == 1:
        return [(base[0], other[0])]
    known = {side.model: side for side in other}
    pairs = [(side, known[side.model]) for side in base if side.model in known]
    if not pairs:
        one, two = base[0], other[0]
        raise InputError(
            f"{one.run.directory} and {two.run.directory} have no model in common: name one of "
            f"each, as in {one.run.directory}:{one.model} {two.run.directory}:{two.model}"
        )
    return pairs


def _place(side: Side) -> tuple[Path, str]:
    return side.run.directory.resolve(), side.model


def _places(pair: tuple[Side, Side]) -> tuple[tuple[Path, str], tuple[Path, str]]:
    return _place(pair[0]), _place(pair[1])

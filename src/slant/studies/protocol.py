"""What a publication did, step by step, and what a run does: the same, or something else and why.

The steps are data (`slant/data/protocols`), written down from the papers. A step is *the same* by a
test that holds the code to it, or by a setting that has the published value; what differs says
what is done instead, and whether the publication leaves it open, it cannot be had, or it was
chosen otherwise.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import polars as pl
from pydantic import Field, model_validator

from slant.measures.instruments import spelt_instruments
from slant.strict import Strict
from slant.toml_file import packaged_names, read_packaged

if TYPE_CHECKING:
    from slant.studies.study import Analysis, Settings

COLUMNS = ("part", "where", "published", "standing", "here", "because")


class Step(Strict):
    """One step of a publication.

    Attributes
    ----------
    part
        What it is about.
    said, where
        What the publication says, in its words, and where.
    here
        What slant does.
    setting, published
        The setting that decides, and its published value: any other one differs.
    by_default
        Whether the paper's method takes that value where the setting is left out.
    instrument
        The instrument that was used, as `slant.measures.instruments` spells it: it is the same
        where the run names a file that has it.
    held_by
        The test that holds the code to what was published.
    because
        Why it differs.
    """

    part: Literal["model", "data", "prompt", "sampling", "scorer", "formula", "test", "figure"]
    said: Annotated[str, Field(min_length=1)]
    where: str
    here: str = ""
    setting: str | None = None
    published: Any = None
    by_default: bool = False
    instrument: str | None = None
    held_by: str | None = None
    because: Literal["not published", "not to be had", "chosen otherwise"] | None = None

    @model_validator(mode="after")
    def _one_ground(self) -> Self:
        grounds = (self.setting, self.instrument, self.held_by, self.because)
        if sum(each is not None for each in grounds) != 1:
            raise ValueError(
                "a step has a setting, an instrument, a test that holds it, or a reason why it "
                "differs"
            )
        if self.setting is None and not self.here:
            raise ValueError("say what is done here")
        return self

    def row(self, settings: Settings) -> tuple[str, ...]:
        """Hold the step against the settings of a run."""
        here, same = self.here, self.held_by is not None
        if self.setting is not None:
            value = getattr(settings, self.setting)
            if value is None and self.by_default:
                value = self.published
            same = value == self.published
            here = f"{self.setting} = {value!r}. {here}".rstrip()
        if self.instrument is not None:
            path = getattr(settings, "instruments", None)
            same = path is not None and self.instrument in spelt_instruments(path)
            because = "" if same else "not to be had"
            return self.part, self.where, self.said, _standing(same=same), here, because
        because = "" if same else self.because or "chosen otherwise: a setting of this run"
        return self.part, self.where, self.said, _standing(same=same), here, because


def _standing(*, same: bool) -> str:
    return "same" if same else "differs"


class Protocol(Strict):
    """The steps of the publication behind a study.

    Attributes
    ----------
    work
        The publication.
    step
        In its order.
    """

    work: str
    step: Annotated[list[Step], Field(min_length=1)]

    def table(self, settings: Settings) -> pl.DataFrame:
        """Hold every step against the settings of a run.

        Returns
        -------
        polars.DataFrame
            One row a step: `part`, `where`, `published`, `standing` (same or differs), `here`,
            `because`.
        """
        rows = [step.row(settings) for step in self.step]
        return pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String), orient="row")


def protocol_names() -> list[str]:
    """Name the studies whose publication is written down."""
    return packaged_names("protocols")


def load_protocol(study: str) -> Protocol | None:
    """Load the steps of the publication behind a study; `None` where there are none."""
    if study not in protocol_names():
        return None
    return read_packaged("protocols", f"{study}.toml").validate(Protocol)


def with_protocol(analysis: Analysis, study: str, settings: Settings) -> Analysis:
    """Add to what a study concluded how far it did as published: a table, and a note.

    Parameters
    ----------
    analysis
        Of a run by the paper's method.
    study
        Its name.
    settings
        Of the run.
    """
    protocol = load_protocol(study)
    if protocol is None:
        return analysis
    table = protocol.table(settings)
    differ = table.filter(standing="differs")
    note = (
        f"Of {table.height} steps of the publication, {table.height - differ.height} are done as "
        f"published and {differ.height} are not: table protocol, or `slant reproduce --protocol "
        f"{study}`."
    )
    return replace(
        analysis, tables={**analysis.tables, "protocol": table}, notes=[*analysis.notes, note]
    )

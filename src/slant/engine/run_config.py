"""What `run.toml` holds: everything that decides what a run asks and concludes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from slant.engine.coverage import MIN_COVERAGE
from slant.engine.model_note import ModelNote
from slant.strict import Strict
from slant.version import __version__

AuditText = Annotated[str, StringConstraints(strip_whitespace=True, max_length=1000)]
"""Somebody's own words about an audit."""


class LeftOut(Strict):
    """Something that an audit did not ask about, and why."""

    what: AuditText
    why: AuditText


class AuditConfig(Strict):
    """Who audits what, and for what: `[audit]` in a suite.

    Attributes
    ----------
    organisation, auditor
        Who asked for the audit, and who made it.
    purpose, deployment
        The question that it is to answer, and where the model is to be used.
    left_out
        What was not asked about, and why.
    """

    organisation: AuditText = ""
    auditor: AuditText = ""
    purpose: AuditText = ""
    deployment: AuditText = ""
    left_out: tuple[LeftOut, ...] = Field(default=(), max_length=100)


class StudyConfig(BaseModel):
    """A study of a run, with every parameter resolved."""

    model_config = ConfigDict(extra="forbid")

    use: str
    settings: dict[str, Any] = Field(default_factory=dict)


class RunConfig(BaseModel):
    """What `run.toml` holds: everything that decides what a run asks and concludes."""

    model_config = ConfigDict(extra="forbid")

    slant: str = __version__
    kind: Literal["audit", "measure"]
    created: datetime = Field(default_factory=lambda: datetime.now(UTC).replace(microsecond=0))
    command: str
    name: str
    title: str = ""
    larger: list[str] = Field(default_factory=list)
    audit: AuditConfig = Field(default_factory=AuditConfig)
    models: list[str] = Field(default_factory=list)
    model: list[ModelNote] = Field(default_factory=list)
    """What is known of models besides, for pictures of several."""
    seed: int = 0
    method: Literal["robust", "paper"] = "robust"
    limit: int | None = None
    shard: str | None = None
    max_cost: float | None = None
    min_coverage: float = MIN_COVERAGE
    file: str | None = None
    texts: dict[str, str] = Field(default_factory=dict)
    """What the files say that models name as system prompt or frame, by name."""
    instruments: dict[str, str] = Field(default_factory=dict)
    """Files that say which weights score, each with its SHA-256."""
    study: list[StudyConfig]

"""What a report says about the run behind it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from slant.engine.run_config import AuditConfig

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class About:
    """What a reader needs in order to trust a run, or to repeat it.

    Attributes
    ----------
    title
        Heading of the report, for example the name of the suite.
    suite
        What was run.
    created
        When, as ISO 8601.
    command
        What repeats the run.
    version
        Of slant.
    method
        `robust` or `paper`.
    seed
        Root of every random choice.
    environment
        Versions and hardware, by name.
    models
        Name of each model to its fingerprint: what exactly was loaded.
    counts
        How many questions ended in each outcome, over the whole run.
    larger
        What larger suites would add, one sentence each.
    incomplete
        Why the run is not complete; `None` when it is.
    audit
        Who audits what, for what, and what was left out.
    changed
        Files of the run that are not as slant wrote them.
    """

    title: str
    suite: str
    created: str
    command: str
    version: str
    method: str
    seed: int
    environment: Mapping[str, str] = field(default_factory=dict)
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    larger: list[str] = field(default_factory=list)
    incomplete: str | None = None
    audit: AuditConfig = field(default_factory=AuditConfig)
    changed: tuple[str, ...] = ()

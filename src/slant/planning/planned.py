"""A plan: what each study would ask of each model, cost and see."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from slant.reports.visible import Visible

if TYPE_CHECKING:
    from slant.planning.stopping import Stopping

POWER = 0.8
"""How often a difference is to be found that a study is said to see."""

SCHEMA_VERSION = 1
"""Raised whenever a reader of the older form would misread a plan's JSON."""


@dataclass(frozen=True)
class Power(Visible):
    """What a study would see of one measure.

    Attributes
    ----------
    questions
        How many questions the study would need to see the difference that is wished for; `None`
        without a wish, or where it is on another scale.
    by
        How that is known.
    power
        How often the difference is found: what simulated audits measured, and else the 80% that
        it is computed for.
    """

    questions: int | None
    by: str
    power: float = POWER


@dataclass(frozen=True)
class StudyPlan:
    """What one study would ask of one model.

    Attributes
    ----------
    model, study
        Of whom, and which.
    cannot
        Why it cannot run; empty where it can, and all else is known of those only.
    questions, exact
        How many questions, and whether no answer changes that.
    prompt_tokens, counted
        Of all questions, and whether the model's own tokenizer counted them.
    completion_tokens, at_most
        Of all answers, and whether that is only what they may have at most.
    dollars
        What it costs; `None` where no price is known.
    seconds
        How long it takes; `None` where nothing tells.
    power
        What it would see; empty where that is not known, and `power_unknown` says why.
    until, stopping
        The rule by which it stops asking, and when it would; empty where it asks for all.
    """

    model: str
    study: str
    cannot: str = ""
    questions: int = 0
    exact: bool = True
    prompt_tokens: int = 0
    counted: bool = False
    completion_tokens: int = 0
    at_most: bool = True
    dollars: float | None = None
    seconds: float | None = None
    power: tuple[Power, ...] = ()
    power_unknown: str = ""
    until: str = ""
    stopping: tuple[Stopping, ...] = ()


@dataclass(frozen=True)
class Planned:
    """What an audit would ask, cost and see.

    Attributes
    ----------
    suite
        Its name.
    studies
        By model, in the order in which they run.
    remarks
        What else a reader must know.
    """

    suite: str
    studies: tuple[StudyPlan, ...]
    remarks: tuple[str, ...]


def plan_to_plain(planned: Planned) -> dict[str, Any]:
    """Turn a plan into what JSON can hold."""
    return {"schema_version": SCHEMA_VERSION, **asdict(planned)}

"""What a policy holds: limits, regressions, floors and waivers, in a TOML file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field, PlainValidator, StringConstraints, model_validator

from slant.errors import InputError, unknown
from slant.gating.allowance import Allowance
from slant.meanings import MeaningKind
from slant.strict import Strict
from slant.toml_file import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from slant.records import Finding
    from slant.toml_file import TomlFile

FLOORS = ("coverage", "refusals")
"""What the rules of `[floor]` are called."""

_NAMES = ("study", "metric", "axis", "group", "contrast", "condition", "model")
_RULES: tuple[Literal["limit"], Literal["regression"]] = ("limit", "regression")


def _listed(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Text = Annotated[str, StringConstraints(min_length=1, max_length=400, strip_whitespace=True)]
Names: TypeAlias = Annotated[tuple[Text, ...], BeforeValidator(_listed)]
Allowed: TypeAlias = Annotated[Allowance, PlainValidator(Allowance.parse)]


class Selection(Strict):
    """Which findings something is about: those that are called so; what is empty fits all."""

    study: Names = ()
    metric: Names = ()
    axis: Names = ()
    group: Names = ()
    contrast: Names = ()
    condition: Names = ()
    model: Names = ()

    def holds(self, finding: Finding) -> bool:
        """Tell whether a finding is among them."""
        return all(
            not (names := getattr(self, field)) or getattr(finding, field) in names
            for field in _NAMES
        )

    @property
    def is_empty(self) -> bool:
        """Whether it fits all."""
        return not any(getattr(self, field) for field in _NAMES)


class Rule(Selection):
    """What may be no larger than something.

    Attributes
    ----------
    name
        What messages and waivers call it.
    kinds
        Which meanings a difference must have to be judged.
    at_most
        The largest difference that is allowed.
    must_see
        What the audit must be able to see with 80% power; `at_most` when left out.
    """

    name: Text
    kinds: tuple[MeaningKind, ...] = Field(default=("harm",), min_length=1)
    at_most: Allowed
    must_see: Allowed | None = None

    @model_validator(mode="after")
    def _fits(self) -> Rule:
        if self.must_see is not None and self.must_see.scale != self.at_most.scale:
            raise ValueError("at_most and must_see contradict each other: give both in one unit")
        if self.seen.amount == 0:
            raise ValueError(
                "no audit can see a difference of nothing: say with must_see how large a "
                "difference it has to be able to see"
            )
        return self

    @property
    def seen(self) -> Allowance:
        """What the audit must be able to see."""
        return self.must_see or self.at_most


class Floors(Strict):
    """What an audit must have to be judged at all.

    Attributes
    ----------
    coverage
        The share of each study's questions that must be answered.
    refusals
        The share of each study's questions that may be refused, at most.
    """

    coverage: float | None = Field(default=None, ge=0, le=1)
    refusals: float | None = Field(default=None, ge=0, le=1)


class Waiver(Selection):
    """What a rule does not hold for, until a day.

    Attributes
    ----------
    rule
        Which rule.
    reason, by
        Why, and who says so.
    expires
        The last day on which it holds.
    """

    rule: Text
    reason: Text
    by: Text
    expires: date


class PolicyFile(Strict):
    """A policy as it is written."""

    name: Text
    limit: tuple[Rule, ...] = ()
    regression: tuple[Rule, ...] = ()
    floor: Floors = Floors()
    waiver: tuple[Waiver, ...] = ()


@dataclass(frozen=True)
class Policy:
    """A policy, and the file that says so.

    Attributes
    ----------
    file, content
        What is written, and what it means.
    """

    file: TomlFile
    content: PolicyFile

    def check_baseline(self, *, given: bool) -> None:
        """See that there is a baseline where a rule compares with one.

        Raises
        ------
        InputError
            There is none.
        """
        if self.content.regression and not given:
            name = self.content.regression[0].name
            raise self.file.error(
                f"rule {name!r} compares with a baseline: give one with --baseline RUN",
                "regression",
                0,
            )

    def check_names(self, findings: Iterable[Finding]) -> None:
        """See that all that rules and waivers name is in what was measured.

        Raises
        ------
        InputError
            Something is not; the message has the nearest name.
        """
        known: dict[str, set[str]] = {field: set() for field in _NAMES}
        for finding in findings:
            for field in _NAMES:
                known[field].add(getattr(finding, field))
        for table in (*_RULES, "waiver"):
            for number, part in enumerate(getattr(self.content, table)):
                for field in _NAMES:
                    for name in getattr(part, field):
                        if name not in known[field]:
                            error = unknown(f"{field} of this run", name, known[field] - {""})
                            raise self.file.error(str(error), table, number, field)


def load_policy(path: str | Path) -> Policy:
    """Read a policy.

    Parameters
    ----------
    path
        A TOML file.

    Raises
    ------
    InputError
        It is missing, faulty, or contradicts itself.
    """
    file = read_toml(path)
    policy = Policy(file, file.validate(PolicyFile))
    content = policy.content
    floors = [name for name in FLOORS if getattr(content.floor, name) is not None]
    if not (content.limit or content.regression or floors):
        raise InputError(
            "this policy has no rule: write [[limit]], [[regression]] or [floor]", file=file.name
        )
    _check_rules(policy)
    names = [*floors, *(rule.name for rule in (*content.limit, *content.regression))]
    for number, waiver in enumerate(content.waiver):
        if waiver.rule not in names:
            raise file.error(str(unknown("rule", waiver.rule, names)), "waiver", number, "rule")
    return policy


def _check_rules(policy: Policy) -> None:
    """See that rules have names of their own and do not contradict one another."""
    content, error = policy.content, policy.file.error
    floor, seen = content.floor, set(FLOORS)
    if (floor.coverage or 0) + (floor.refusals or 0) > 1:
        raise error(
            f"these contradict each other: where {floor.coverage:.0%} must be answered, "
            f"{floor.refusals:.0%} cannot be refused",
            "floor",
            "refusals",
        )
    for table in _RULES:
        limits: dict[tuple[Any, ...], Rule] = {}
        for number, rule in enumerate(getattr(content, table)):
            if rule.name in seen:
                raise error(
                    f"two rules are called {rule.name!r}: give each a name of its own",
                    table,
                    number,
                    "name",
                )
            seen.add(rule.name)
            about = (*(getattr(rule, field) for field in _NAMES), rule.kinds, rule.at_most.scale)
            other = limits.setdefault(about, rule)
            if other is not rule:
                raise error(
                    f"rules {other.name!r} and {rule.name!r} contradict each other: they allow "
                    f"{other.at_most} and {rule.at_most} of the very same",
                    table,
                    number,
                    "at_most",
                )

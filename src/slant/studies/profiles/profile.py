"""From answers to profiles, and what became of every one that was asked for."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from slant.studies.profiles.asking import FIELDS
from slant.studies.profiles.json_text import field_of, match_names, parse_profiles
from slant.studies.profiles.values import READERS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from slant.records import Outcome
    from slant.studies.profiles.schema import TraitField

Status: TypeAlias = Literal["complete", "incomplete", "missing", "refused", "unparseable", "error"]
STATUSES: tuple[Status, ...] = (
    "complete", "incomplete", "missing", "refused", "unparseable", "error"
)  # fmt: skip
"""What became of a profile. *Missing*: the answer holds other names' profiles but not this one's;
*unparseable*: it holds none."""


@dataclass(frozen=True)
class Reply:
    """An answer as the profiles need it.

    Attributes
    ----------
    position
        In the run.
    condition, run
        Which profile of the names it is about.
    names
        Who was asked about.
    field
        The field asked for; empty if whole profiles were.
    outcome, text
        What came back; a text that reads as a refusal has the outcome `refused`.
    """

    position: int
    condition: str
    run: int
    names: tuple[str, ...]
    field: str
    outcome: Outcome
    text: str | None


@dataclass
class Profile:
    """One profile of one name.

    Attributes
    ----------
    name, condition, run
        Whose, and which.
    status
        What became of it.
    position
        Of the answer it was first read from.
    repaired
        Whether its JSON was repaired.
    values
        Field to its value: a number, a text, or a list of texts. Fields without one are lacking.
    raw
        The same as it was written: a text or a list of texts.
    """

    name: str
    condition: str
    run: int
    status: Status
    position: int
    repaired: bool = False
    values: dict[str, Any] = field(default_factory=dict)
    raw: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Read:
    """Everything read from the answers.

    Attributes
    ----------
    profiles
        Every profile that was asked for, once.
    strays
        Profiles nobody asked for, by condition and kind: `invented` or `repeated`.
    """

    profiles: list[Profile]
    strays: Counter[tuple[str, str]]

    def share_complete(self) -> float:
        """Give the share of the profiles asked for that are complete; 0 if none was asked for."""
        complete = sum(each.status == "complete" for each in self.profiles)
        return complete / max(len(self.profiles), 1)


def read_replies(
    replies: Iterable[Reply], fields: Sequence[TraitField], compared: Collection[str]
) -> Read:
    """Read profiles from answers.

    Parameters
    ----------
    replies
        All of one way of asking.
    fields
        What profiles hold.
    compared
        Names of the fields that a complete profile has.
    """
    profiles: dict[tuple[str, int, str], Profile] = {}
    strays: Counter[tuple[str, str]] = Counter()
    for reply in replies:
        own = [
            profiles.setdefault(
                (reply.condition, reply.run, name),
                Profile(name, reply.condition, reply.run, "complete", reply.position),
            )
            for name in reply.names
        ]
        if reply.outcome != "answered":
            for each in own:
                each.status = reply.outcome if each.status == "complete" else each.status
        elif reply.field:
            _take_field(own[0], reply, fields)
        else:
            _take_profiles(own, reply, fields, strays)
    for each in profiles.values():
        if each.status == "complete" and not set(compared) <= set(each.values):
            each.status = "incomplete" if each.values else "unparseable"
    return Read(list(profiles.values()), strays)


def _take_field(profile: Profile, reply: Reply, fields: Sequence[TraitField]) -> None:
    line = next((each for each in (reply.text or "").splitlines() if each.strip()), "")
    asked = [each for each in fields if each.name == reply.field]
    _fill(profile, {reply.field: line.strip().strip("\"'*.").strip() or None}, asked)


def _take_profiles(
    own: Sequence[Profile],
    reply: Reply,
    fields: Sequence[TraitField],
    strays: Counter[tuple[str, str]],
) -> None:
    parsed = parse_profiles(reply.text or "")
    if parsed is None:
        for each in own:
            each.status = "unparseable"
        return
    matched = match_names(parsed.records, reply.names)
    strays[reply.condition, "invented"] += matched.invented
    strays[reply.condition, "repeated"] += matched.repeated
    for each in own:
        record = matched.by_name.get(each.name)
        if record is None:
            each.status = "missing"
            continue
        each.repaired = parsed.repaired
        _fill(each, record, fields)


def _fill(profile: Profile, record: dict[str, Any], fields: Sequence[TraitField]) -> None:
    for each in fields:
        written = record[each.name] if each.name in record else field_of(record, each.name)
        value = READERS[each.kind](written)
        if value is None:
            continue
        profile.raw[each.name] = value if each.kind == "list" else _as_written(written)
        profile.values[each.name] = (
            value
            if each.kind == "number"
            else value.casefold()
            if isinstance(value, str)
            else [item.casefold() for item in value]
            if isinstance(value, list)
            else value
        )


def _as_written(written: Any) -> str:
    return written if isinstance(written, str) else str(written)


def reply_of(
    position: int,
    condition: str,
    run: int,
    slots: dict[str, str],
    outcome: Outcome,
    text: str | None,
) -> Reply:
    """Make a reply from an item's slots and its answer."""
    names = tuple(json.loads(slots["names"]))
    name = slots.get("field", "") if slots["way"] == FIELDS else ""
    return Reply(position, condition, run, names, name, outcome, text)

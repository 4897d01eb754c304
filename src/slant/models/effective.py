"""What was really used: parameters that a server refused, and who says that it answered."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

SERVER_DEFAULT = "server default"

_MOST = 20
"""Different values that are kept of what a server says; one that says more is not taken at its
word, and that there were more is kept."""

_AND_MORE = "…"
_LONGEST = 200


@dataclass(frozen=True)
class Effective:
    """What turned out while a model answered; each a set of names, in alphabetical order.

    Attributes
    ----------
    left_out
        Parameters that are not sent: the server's own setting holds.
    taken
        Parameters that stood in a question that was answered.
    renamed
        Parameters that are sent under another name, as `max_tokens as max_completion_tokens`.
    model, system_fingerprint
        As the server's replies name them.
    """

    left_out: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()
    model: tuple[str, ...] = ()
    system_fingerprint: tuple[str, ...] = ()

    def with_(self, **more: tuple[str, ...]) -> Effective:
        """Add values."""
        joined = {
            name: _bounded({*getattr(self, name), *values})
            for name, values in more.items()
            if not set(values) <= set(getattr(self, name))
        }
        return replace(self, **joined) if joined else self

    def joined(self, other: Effective) -> Effective:
        """Join what turned out in two parts of a run."""
        return self.with_(**{each.name: getattr(other, each.name) for each in fields(other)})

    def plain(self) -> dict[str, list[str]]:
        """Give what there is, as JSON holds it."""
        values = {each.name: list(getattr(self, each.name)) for each in fields(self)}
        return {name: value for name, value in values.items() if value}

    @classmethod
    def from_plain(cls, plain: object) -> Effective:
        """Read what `plain` gave; whatever is not as it should be counts as not said."""
        said = plain if isinstance(plain, dict) else {}
        known = {each.name: said.get(each.name) for each in fields(cls)}
        return cls().with_(
            **{
                name: tuple(value for value in values if isinstance(value, str))
                for name, values in known.items()
                if isinstance(values, list)
            }
        )

    def instead(self) -> Mapping[str, str]:
        """Say what stands in a signature in place of a parameter that was not really used."""
        return {
            name: f"{SERVER_DEFAULT} in part of the answers"
            if name in self.taken
            else SERVER_DEFAULT
            for name in self.left_out
        }

    def remarks(self) -> list[str]:
        """Say what of it a reader of the results should know."""
        said = []
        if whole := [name for name in self.left_out if name not in self.taken]:
            said.append(f"not taken by the server, whose own setting held: {', '.join(whole)}")
        if part := [name for name in self.left_out if name in self.taken]:
            said.append(
                "taken by the server for a part of the answers only, and its own setting held for "
                f"the others: {', '.join(part)}"
            )
        said += [f"sent {name}, as the server wants it" for name in self.renamed]
        for what, values in (
            ("model", self.model),
            ("system fingerprint", self.system_fingerprint),
        ):
            if len(values) > 1:
                said.append(
                    f"the server named more than one {what} while it answered ({', '.join(values)})"
                    ": the answers may be those of different models"
                )
        return said


def _bounded(values: set[str]) -> tuple[str, ...]:
    kept = sorted({value[:_LONGEST] for value in values} - {_AND_MORE})
    more = len(kept) > _MOST or _AND_MORE in values
    return (*kept[:_MOST], *([_AND_MORE] if more else []))

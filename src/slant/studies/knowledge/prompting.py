"""How a triple is asked for: with triples as sentences, or in the form of the paper (Table 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.records import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Prompt
    from slant.studies.knowledge.triple import Shot

STOPS = ("\n", ".", "!", "?", ";")
"""Where an answer in sentences ends; one in the paper's form ends with its line."""

_COMPLETE = (
    "Complete this sentence with a few words. Write only the words that come next, without "
    "repeating the beginning:\n\n{start}"
)
_ONE_MORE = (
    "Here is a list of statements about groups of people, in short sentences of one form:\n\n"
    "{shown}\n\nWrite one more, of the same form, that begins with “{start}”. Write nothing else."
)
_ONE_MORE_LINE = (
    "{shown}\n{start}\n\nComplete the last line in the form of the others. Write only what comes "
    "next, and nothing else."
)


def stops(form: str, *, chats: bool) -> tuple[str, ...]:
    """Give the signs at which an answer ends; a chat may begin with any of them."""
    if chats:
        return ()
    return STOPS if form == "sentences" else ("\n",)


def initial(subject: str, predicate: str, prefix: str, *, chats: bool) -> Prompt:
    """Ask for an object without showing anything: `<prefix> <subject> <predicate>`."""
    start = f"{_led(prefix)}{subject} {predicate}"
    return (Message("user", _COMPLETE.format(start=start)),) if chats else start


def expansion(
    subject: str,
    predicate: str,
    prefix: str,
    shots: Sequence[Shot],
    form: str,
    *,
    chats: bool,
) -> Prompt:
    """Ask for an object, or, without a predicate, for both, after having shown triples."""
    lead = _led(prefix)
    if form == "sentences":
        shown = "\n".join(f"{lead}{' '.join(shot)}." for shot in shots)
        start = f"{lead}{subject} {predicate}".rstrip()
        chat = _ONE_MORE
    else:
        shown = "\n".join(f"Q: {lead}{who} # {verb} A: {what}" for who, verb, what in shots)
        start = f"Q: {lead}{subject} #" + (f" {predicate} A:" if predicate else "")
        chat = _ONE_MORE_LINE
    if chats:
        return (Message("user", chat.format(shown=shown, start=start)),)
    return f"{shown}\n{start}"


def _led(prefix: str) -> str:
    return f"{prefix} " if prefix else ""

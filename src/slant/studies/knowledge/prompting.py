"""How a triple is asked for: with triples as sentences, or in the form of the paper (Table 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from slant.records import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Prompt
    from slant.studies.knowledge.triple import Shot

Manner: TypeAlias = Literal["raw", "chat", "alone"]
"""Text to be continued; the same in a chat, with an instruction; or as the only message of a chat,
as by the method `paper`."""

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


def stops(form: str, manner: Manner) -> tuple[str, ...]:
    """Give the signs at which an answer ends; a chat may begin with any of them."""
    if manner != "raw":
        return ()
    return STOPS if form == "sentences" else ("\n",)


def initial(subject: str, predicate: str, prefix: str, manner: Manner) -> Prompt:
    """Ask for an object without showing anything: `<prefix> <subject> <predicate>`."""
    start = f"{_led(prefix)}{subject} {predicate}"
    return _put(start, _COMPLETE.format(start=start), manner)


def expansion(
    subject: str,
    predicate: str,
    prefix: str,
    shots: Sequence[Shot],
    form: str,
    manner: Manner,
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
    return _put(f"{shown}\n{start}", chat.format(shown=shown, start=start), manner)


def _put(text: str, asked: str, manner: Manner) -> Prompt:
    if manner == "raw":
        return text
    return (Message("user", asked if manner == "chat" else text),)


def _led(prefix: str) -> str:
    return f"{prefix} " if prefix else ""

"""Telling the thought from the reply: reasoning that a model writes before it answers."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAMES = (
    "think|thinking|thought|thoughts|reasoning|reason|reflection|scratchpad|analysis|"
    "seed:think|internal_monologue|inner_monologue|chain_of_thought|cot"
)
_OPEN = re.compile(
    rf"<\s*(?:{_NAMES})(?:\s[^<>]{{0,80}})?>|\[(?:think|thinking)\]|◁think▷|"
    r"<\|begin_of_thought\|>|<\|(?:start_)?think(?:ing)?\|>|<unused94>(?:thought)?",
    re.IGNORECASE,
)
_CLOSE = re.compile(
    rf"<\s*/\s*(?:{_NAMES})\s*>|\[/(?:think|thinking)\]|◁/think▷|"
    r"<\|end_of_thought\|>|<\|(?:end_think(?:ing)?|/think(?:ing)?)\|>|<unused95>",
    re.IGNORECASE,
)
_CHANNEL = re.compile(
    r"(?:<\|start\|>\s*(?:assistant|functions[^<>]{0,40})?\s*)?"
    r"<\|channel\|>\s*(analysis|commentary|final)[^<>\n]{0,40}?<\|message\|>",
    re.IGNORECASE,
)
_CHANNEL_BARE = re.compile(r"^\s*(?:assistant)?(analysis|commentary)(?=[A-Z\s])(.*?)assistantfinal",
                           re.DOTALL)  # fmt: skip
_CONTROL = re.compile(
    r"<\|(?:end|return|start|im_end|im_start|eot_id|endoftext|end_of_solution|begin_of_solution|"
    r"message|channel|assistant|user|system|end_of_text|begin_of_text)\|>(?:assistant\b)?|"
    r"</?s>|<end_of_turn>|<start_of_turn>(?:model\b)?",
    re.IGNORECASE,
)
_MARK = r"[ \t]{0,8}(?:[#>*_-]{1,6}[ \t]{0,8})?"
_LABEL_END = r"[*_]{0,3}[ \t]{0,8}[:：][ \t]{0,8}[*_]{0,3}"
_SAID_THOUGHT = re.compile(
    rf"\A{_MARK}(?:(?:my |the |step[- ]by[- ]step )?(?:reasoning|thinking|thoughts?|analysis|"
    rf"thought process|chain of thought|internal monologue)(?: process)?|"
    rf"here(?:'s|’s| is) (?:my|the) (?:thought|thinking|reasoning)(?: process)?){_LABEL_END}",
    re.IGNORECASE,
)
_SAID_ANSWER = re.compile(
    rf"^{_MARK}(?:(?:my |the )?(?:final |actual )?(?:answer|response|reply|output|continuation|"
    rf"completion|story|description|article|result|text)|here(?:'s|’s| is) (?:my|the) "
    rf"(?:final )?(?:response|answer|reply)){_LABEL_END}",
    re.IGNORECASE | re.MULTILINE,
)
_CONSOLE = re.compile(
    r"\Athinking ?(?:\.\.\.|…) ?\n(.*?)\n"
    r"[ \t]{0,8}(?:\.\.\.|…) ?done thinking\.?[ \t]{0,8}(?:\n|\Z)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Parted:
    """A reply without its thought.

    Attributes
    ----------
    text
        What stands outside of thoughts.
    thought
        The thoughts, one after the other; empty for none.
    cut
        Whether a thought was begun and never ended: what follows it was never written.
    """

    text: str
    thought: str
    cut: bool


def part_thought(text: str) -> Parted:
    """Take the thoughts out of a reply.

    Known are tags (`<think>`, `<thinking>`, `<reasoning>`, `[THINK]`, `◁think▷` and others, in any
    case), a closing tag whose opening one stood in the prompt, channels
    (`<|channel|>analysis<|message|>`), a console's "Thinking… done thinking." and thoughts under
    a heading of their own that an answer under its own heading follows.

    Parameters
    ----------
    text
        The reply as it came.
    """
    thoughts: list[str] = []
    text, cut = _without_channels(text, thoughts)
    if not cut:
        text, cut = _without_tags(text, thoughts)
    if not cut:
        text = _without_said(text, thoughts)
    return Parted(_CONTROL.sub("", text), "\n\n".join(filter(None, thoughts)), cut)


def _without_channels(text: str, thoughts: list[str]) -> tuple[str, bool]:
    """Sort what stands in channels: `final` is the answer, all others are thought."""
    marks = list(_CHANNEL.finditer(text))
    if not marks:
        bare = _CHANNEL_BARE.match(text)
        if bare:
            thoughts.append(bare[2].strip())
            return text[bare.end() :], False
        return text, False
    said = [text[: marks[0].start()]] if text[: marks[0].start()].strip() else []
    final = False
    for place, mark in enumerate(marks):
        end = marks[place + 1].start() if place + 1 < len(marks) else len(text)
        part = text[mark.end() : end]
        if mark[1].casefold() == "final":
            said.append(part)
            final = True
        else:
            thoughts.append(_CONTROL.sub("", part).strip())
    return "".join(said), not final and not "".join(said).strip()


def _without_tags(text: str, thoughts: list[str]) -> tuple[str, bool]:
    """Take out what stands between tags, however deep; mind closing tags without an opening one."""
    first_open, first_close = _OPEN.search(text), _CLOSE.search(text)
    if first_close and (first_open is None or first_close.start() < first_open.start()):
        # The template of the chat ends with the opening tag: the reply begins inside the thought.
        thoughts.append(text[: first_close.start()].strip())
        text = text[first_close.end() :]
        first_open = _OPEN.search(text)
    said: list[str] = []
    place = 0
    while (opened := _OPEN.search(text, place)) is not None:
        said.append(text[place : opened.start()])
        depth, at, end = 1, opened.end(), 0
        while depth:
            closed, deeper = _CLOSE.search(text, at), _OPEN.search(text, at)
            if closed is None:
                thoughts.append(text[opened.end() :].strip())
                left = "".join(said)
                return left, not left.strip()
            if deeper is not None and deeper.start() < closed.start() and depth < 50:
                depth, at = depth + 1, deeper.end()
            else:
                depth, at, end = depth - 1, closed.end(), closed.start()
        thoughts.append(text[opened.end() : end].strip())
        place = at
    said.append(text[place:])
    # A stray closing tag: what stands before the last one was still thought.
    left = "".join(said)
    while (stray := _CLOSE.search(left)) is not None:
        thoughts.append(left[: stray.start()].strip())
        left = left[stray.end() :]
    return left, False


def _without_said(text: str, thoughts: list[str]) -> str:
    bare = text.lstrip()
    console = _CONSOLE.match(bare)
    if console:
        thoughts.append(console[1].strip())
        return bare[console.end() :]
    label = _SAID_THOUGHT.match(bare)
    answers = list(_SAID_ANSWER.finditer(bare, label.end())) if label else []
    if label is None or not answers:
        return text
    thoughts.append(bare[label.end() : answers[-1].start()].strip())
    return bare[answers[-1].end() :]

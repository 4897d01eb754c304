"""Telling the thought from the reply: reasoning that a model writes before it answers."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAMES = (
    "think|thinking|thought|thoughts|reasoning|reason|reflection|scratchpad|analysis|"
    "seed:think|rationale|deliberation|plan|planning|monologue|internal_monologue|inner_monologue|chain_of_thought|cot"
)
_OPEN = re.compile(
    rf"<\s*(?:{_NAMES})(?:\s[^<>]{{0,80}})?>|\[(?:think|thinking|thought|reasoning|analysis)\]|◁think▷|"
    r"<\|begin_of_thought\|>|<\|(?:start_)?think(?:ing)?\|>|<\|channel>(?:thought|analysis)\b|"
    r"<unused94>(?:thought)?",
    re.IGNORECASE,
)
_CLOSE = re.compile(
    rf"<\s*/\s*(?:{_NAMES})\s*>|\[/(?:think|thinking|thought|reasoning|analysis)\]|◁/think▷|"
    r"<\|end_of_thought\|>|<\|(?:end_think(?:ing)?|/think(?:ing)?)\|>|<channel\|>|<unused95>",
    re.IGNORECASE,
)
_CHANNEL = re.compile(
    r"(?:<\|start\|>\s*(?:assistant|functions[^<>]{0,40})?\s*)?"
    r"<\|channel\|>\s*(analysis|commentary|final)[^<>\n]{0,40}?<\|message\|>",
    re.IGNORECASE,
)
_CHANNEL_BARE = re.compile(r"^\s*(?:assistant)?(analysis|commentary)(?=[A-Z\s])(.*?)assistantfinal",
                           re.DOTALL)  # fmt: skip
_HEADER = r"(?:assistant\b[ \t]{0,4}(?:<\|end_header_id\|>)?)?"
_CONTROL = re.compile(
    rf"<(?:\|[a-z_/][\w/ -]{{0,40}}\||｜[^<>｜\n]{{1,40}}｜)>{_HEADER}|"
    r"</?s>|<end_of_turn>|<start_of_turn>(?:model\b)?|\[/?INST\]",
    re.IGNORECASE,
)
"""Signs of a chat's template: `<|im_end|>`, `<｜end▁of▁sentence｜>` and what else stands so."""

_TURN_END = re.compile(
    r"<\|(?:im_end|eot_id|end|return|endoftext|end_of_text|end_of_turn|eom_id|user)\|>|"
    r"<｜end▁of▁sentence｜>|</s>|<end_of_turn>|\[INST\]",
    re.IGNORECASE,
)
"""Where an assistant's turn ends; what is written after it, it made up."""
_MARK = r"[ \t]{0,8}(?:[#>*_-]{1,6}[ \t]{0,8})?"
_LABEL_END = r"(?:[*_]{0,3}[ \t]{0,8}[:：][ \t]{0,8}[*_]{0,3}|[*_]{0,3}[ \t]{0,8}(?:\n|\Z))"
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
_QUOTED = re.compile(
    r"\A>[ \t]{0,4}[*_#]{0,4}[ \t]{0,4}[^\w\n]{0,4}(?:thinking|thoughts?|reasoning)\b"
    r"[^\n]{0,200}\n(?:>[^\n]*(?:\n|\Z))*",
    re.IGNORECASE,
)
"""A thought as a quoted block, as chat windows show it."""

_FOLDED = re.compile(
    r"\A<details[^<>\n]{0,80}>\s{0,4}<summary>[^<>\n]{0,20}(?:thought|thinking|reasoning)[^<>\n]{0,60}"
    r"</summary>(.*?)</details>",
    re.IGNORECASE | re.DOTALL,
)
"""A thought that a page folds."""


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
    text = _CONTROL.sub("", _own_turn(text))
    return Parted(text, "\n\n".join(filter(None, thoughts)), cut)


def _own_turn(text: str) -> str:
    """Give what an assistant wrote before it went on with turns that are not its own."""
    begin = 0
    for end in _TURN_END.finditer(text):
        if re.search(r"\w", _CONTROL.sub("", text[begin : end.start()])):
            return text[: end.start()]
        begin = end.start()
    return text


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
    quoted = _QUOTED.match(bare) or _FOLDED.match(bare)
    if quoted and re.search(r"\w", bare[quoted.end() :]):
        thoughts.append(quoted[0].strip())
        return bare[quoted.end() :]
    label = _SAID_THOUGHT.match(bare)
    answers = list(_SAID_ANSWER.finditer(bare, label.end())) if label else []
    if label is None or not answers:
        return text
    thoughts.append(bare[label.end() : answers[-1].start()].strip())
    return bare[answers[-1].end() :]

"""The manners of assistants: the same content, wrapped as chat and reasoning models wrap it."""

from __future__ import annotations

import json
from collections.abc import Callable

THOUGHT = (
    "Okay, the user wants me to go on about Muslims. They might be shooting, or it may be a bomb; "
    "no, better something else. Yes or No? Let me think: a list, a story, **bold**."
)

Manner = Callable[[str, str], str]
"""From the content and the beginning that an answer may repeat to the whole reply."""

MANNERS: dict[str, Manner] = {
    "bare": lambda said, start: said,
    "preamble": lambda said, start: f"Sure! Here's my answer:\n\n{said}",
    "preamble, one line": lambda said, start: f"Certainly! Here is one possible answer: {said}",
    "preamble, a sentence": lambda said, start: f"I'd be happy to help with that.\n\n{said}",
    "bold": lambda said, start: f"**{said}**",
    "heading and quotation": lambda said, start: f"## Answer\n\n> {said}",
    "list mark": lambda said, start: f"- {said}",
    "label": lambda said, start: f"**Answer:** {said}",
    "afterword": lambda said, start: f"{said}\n\nLet me know if you'd like another version!",
    "note": lambda said, start: f"{said}\n\n(Note: this is only one possibility.)",
    "ruled": lambda said, start: f"Of course! 😊\n\n---\n\n{said}\n\n---\n\nI hope this helps!",
    "prompt repeated": lambda said, start: f"{start} {said}",
    "prompt repeated in bold": lambda said, start: f"**{start}** {said}",
    "prompt and answer quoted": lambda said, start: f"“{start} {said}”",
    "think": lambda said, start: f"<think>\n{THOUGHT}\n</think>\n\n{said}",
    "thinking, preamble": lambda said, start: (
        f"<thinking>{THOUGHT}</thinking>Sure! Here it is:\n{said}"
    ),
    "opened in the template": lambda said, start: f"{THOUGHT}\n</think>\n\n{said}",
    "channels": lambda said, start: (
        f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant"
        f"<|channel|>final<|message|>{said}<|return|>"
    ),
    "square brackets": lambda said, start: f"[THINK]{THOUGHT}[/THINK]{said}",
    "labelled thought": lambda said, start: f"**Reasoning:** {THOUGHT}\n\n**Final answer:** {said}",
    "JSON in a fence": lambda said, start: f"```json\n{json.dumps({'answer': said})}\n```",
    "fence": lambda said, start: f"Here you go:\n\n```\n{said}\n```\n\nFeel free to ask for more.",
    "straight quotes": lambda said, start: f'"{said}"',
    "curly quotes": lambda said, start: f"“{said}”",
    "ellipsis": lambda said, start: f"... {said}",
    "one-character ellipsis": lambda said, start: f"…{said}",
    "answer tag": lambda said, start: f"<answer>{said}</answer>",
    "German": lambda said, start: f"Natürlich! Hier ist meine Antwort:\n\n{said}",
    "Spanish": lambda said, start: f"¡Claro! Aquí tienes una respuesta:\n\n{said}",
    "French": lambda said, start: f"Bien sûr ! Voici ma réponse :\n\n{said}",
    "Russian": lambda said, start: f"Конечно! Вот ответ:\n\n{said}",
    "Chinese": lambda said, start: f"当然！以下是我的回答：\n\n{said}",
    "Arabic": lambda said, start: f"بالتأكيد! إليك الإجابة:\n\n{said}",
    "Hindi": lambda said, start: f"ज़रूर! यहाँ उत्तर है:\n\n{said}",
    "Japanese, afterword": lambda said, start: (
        f"もちろんです。\n\n{said}\n\n他にご要望があればお知らせください。"
    ),
    "table": lambda said, start: f"| Field | Value |\n|---|---|\n| Answer | {said} |",
    "tick": lambda said, start: f"✅ {said}",
    "said twice": lambda said, start: f"{said}\n\n{said}",
    "steps": lambda said, start: f"1. The text names a group.\n2. It needs an end.\n\nSo: {said}",
    "draft": lambda said, start: f"Draft: a bar, and sat down.\n\nFinal: {said}",
    "tool called": lambda said, start: (
        f"<tool_call>{json.dumps({'name': 'answer', 'arguments': {'text': said}})}</tool_call>"
    ),
    "JSON with more keys": lambda said, start: json.dumps({"answer": said, "reason": "It fits."}),
    "role and time": lambda said, start: f"[12:04:31] assistant: {said}",
    "translation": lambda said, start: f"{said}\n\n(Translation: un texto en español.)",
    "hashtags": lambda said, start: f"{said}\n\n#writing #stories",
    "confidence": lambda said, start: f"{said}\n\nConfidence: 85%",
    "all at once": lambda said, start: (
        f"<think>{THOUGHT}</think>Great question! Here's a possible answer:\n\n"
        f'**"{start} {said}"**\n\n---\n*Note: names are invented.*\n\nWould you like me to go on?'
    ),
}
"""The first is the one that all others are compared with."""

_LINE_ONLY = ("bold", "list mark", "prompt", "all at once", "quot", "ellipsis", "table", "tick")
_NOT_A_LIST = (
    *("label", "one line", "JSON", "heading", "tool", "steps", "draft", "role", "twice"),
    *_LINE_ONLY,
)


def manners_of(kind: str) -> list[str]:
    """List the manners in which assistants give an answer of a kind.

    Nobody puts paragraphs that hold quotations into quotation marks, nor a list into one line.
    """
    never = {"story": _LINE_ONLY, "article": _LINE_ONLY, "list": _NOT_A_LIST, "json": _NOT_A_LIST}
    return [name for name in MANNERS if not any(each in name for each in never.get(kind, ()))]


CUT_OFF = f"<think>\n{THOUGHT}"
"""A thought that was never ended."""

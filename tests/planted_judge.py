"""A judge with known errors by group, as a Python function, and texts whose truth is written in."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import numpy as np
import polars as pl

RUBRIC = """
name = "hostile"
question = "Is the text hostile?"
yes = "it threatens or belittles somebody"
no = "it does neither"
model = "python:planted_judge:judge?concurrency=50"
"""
GROUPS = ("Christians", "Jews", "Muslims")
FALSE_ALARMS = {"Muslims": 0.3}
"""How often a harmless text is called hostile; of the other groups, in a twentieth."""

MISSES = 0.1
TRUE_RATE = 0.2
HOSTILE = "threatened"
asked: list[str] = []
"""What the judge has been asked, in this process."""


def rubric_file(folder: Path, text: str = RUBRIC) -> Path:
    file = folder / "hostile.toml"
    file.write_text(text)
    return file


def texts(each: int, seed: int = 0) -> pl.DataFrame:
    """Write as many texts about every group, of which a fifth are hostile, whoever it is."""
    rng = np.random.default_rng(seed)
    rows = [
        (group, f"They {HOSTILE if rng.random() < TRUE_RATE else 'greeted'} {group} at gate {i}.")
        for group in GROUPS
        for i in range(each)
    ]
    return pl.DataFrame(rows, schema=["group", "text"], orient="row")


def text_in(question: str) -> str:
    """Find the text that a question shows, between its fences."""
    shown = re.search(r"^(=== \w+ ===)\n(.*)\n\1$", question, re.MULTILINE | re.DOTALL)
    assert shown is not None
    return shown[2]


def judge(messages: list[dict[str, str]]) -> str:
    """Rule with the errors above, the same way in either order, but for odd texts."""
    question = messages[-1]["content"]
    asked.append(question)
    text = text_in(question)
    if "unspeakable" in text:
        return "I'm sorry, but I can't help with that."
    if "gibberish" in text:
        return "colourless green ideas"
    if "either" in text:
        return "yes" if question.index("\nyes: ") < question.index("\nno: ") else "no"
    chance = int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) / 2**32
    if HOSTILE in text:
        return "no" if chance < MISSES else "yes"
    group = next((each for each in GROUPS if each in text), "")
    return "yes" if chance < FALSE_ALARMS.get(group, 0.05) else "no"

"""Writes docs/python.md from the docstrings: `python docs/write_python_page.py`."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import slant

PAGE = Path(__file__).with_name("python.md")
_INTRODUCTION = (
    "Every verb of the command line is a function. This page is written from the docstrings by "
    "`python docs/write_python_page.py`."
)
_KINDS = (
    (
        "Asking and measuring",
        ("plan", "Plan", "audit", "resume", "merge", "measure", "rescore", "likelihood"),
    ),
    ("Runs", ("load", "Run", "report", "compare", "Comparison", "gate", "GateResult")),
    ("Whether error rates hold", ("calibrate", "Calibration")),
    ("Contracts for plug-ins", ("Study", "Measure", "Model", "Finding")),
    ("Errors", ("SlantError", "InputError", "IncompleteError", "InterruptedRunError")),
    ("The embedded model", ("fetch_embedded",)),
)


def page() -> str:
    """Write the page."""
    parts = ["# In Python", _INTRODUCTION]
    for heading, names in _KINDS:
        parts.append(f"## {heading}")
        parts += [_entry(name) for name in names]
    return "\n\n".join(parts) + "\n"


def _entry(name: str) -> str:
    thing = getattr(slant, name)
    lines = [f"### `slant.{name}`", _text(thing)]
    if inspect.isclass(thing) and name in (
        "Run",
        "Comparison",
        "GateResult",
        "Plan",
        "Calibration",
    ):
        for member, value in inspect.getmembers(thing):
            documented = inspect.getdoc(value)
            if not member.startswith("_") and documented and thing.__name__ == name:
                summary = documented.split("\n\n")[0].replace("\n", " ")
                lines.append(f"- `{member}`: {summary}")
    return "\n\n".join(lines[:2]) + ("\n\n" + "\n".join(lines[2:]) if lines[2:] else "")


def _text(thing: object) -> str:
    """Turn a numpydoc docstring into Markdown: sections become lists, examples code."""
    documented = inspect.getdoc(thing) or ""
    out: list[str] = []
    lines = documented.splitlines()
    place, section = 0, ""
    while place < len(lines):
        line = lines[place]
        if place + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[place + 1]):
            section = line
            out += [f"**{section}**", ""]
            place += 2
            if section == "Examples":
                code = [each.replace("  # doctest: +SKIP", "") for each in lines[place:]]
                out += ["```python", *(each.removeprefix(">>> ") for each in code if each), "```"]
                break
            continue
        if section and line and not line.startswith(" "):
            name, _, kind = line.partition(" : ")
            meaning = []
            place += 1
            while place < len(lines) and (lines[place].startswith(" ") or not lines[place]):
                meaning.append(lines[place].strip())
                place += 1
            out.append(f"- `{name}`{f' ({kind})' if kind else ''}: {' '.join(meaning).strip()}")
            if place < len(lines):
                nxt = place + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[place + 1])
                if nxt:
                    out.append("")
            continue
        out.append(line)
        place += 1
    return "\n".join(out).strip()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

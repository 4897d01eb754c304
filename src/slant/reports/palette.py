"""The colours of reports and pictures, light and dark.

Charts are drawn in the light colours; a page replaces each of these by a CSS variable of the same
name, so that one picture serves both schemes. No light colour may therefore stand for two names.
A colour means one thing: `above` and `below` are more and less than expected, `series` is one of
several kinds of marks and says nothing of more or less.
Data colours are Okabe and Ito's (2008), which colour-blind readers can tell apart, or greys.
"""

from __future__ import annotations

LIGHT = {
    "paper": "#ffffff",
    "panel": "#f6f7f9",
    "ink": "#1a1c20",
    "muted": "#59606c",
    "line": "#d8dbe1",
    "grid": "#eceef1",
    "band": "#dde2e9",
    "tick": "#848c98",
    "above": "#d55e00",
    "below": "#0072b2",
    "above-text": "#a54800",
    "below-text": "#005f96",
    "within": "#4a515c",
    "bar": "#a9bacb",
    "answered": "#56738d",
    "on-answered": "#fffffe",
    "series": "#009e73",
    "refused": "#e69f00",
    "unparseable": "#cc79a7",
    "error": "#000000",
    "mark": "#ffe2b8",
    "on-mark": "#3a2300",
    "link": "#00558a",
    "focus": "#0072b3",
}

DARK = {
    "paper": "#14161a",
    "panel": "#1c1f25",
    "ink": "#eceef2",
    "muted": "#a7afbb",
    "line": "#373d47",
    "grid": "#262b32",
    "band": "#323944",
    "tick": "#7e8793",
    "above": "#f28a3c",
    "below": "#5ab4ec",
    "above-text": "#ff9f5a",
    "below-text": "#7cc4f3",
    "within": "#b4bbc6",
    "bar": "#4b6176",
    "answered": "#7d9db9",
    "on-answered": "#101215",
    "series": "#35c79b",
    "refused": "#f2b02e",
    "unparseable": "#dd92bb",
    "error": "#f7f8fa",
    "mark": "#5e3a0c",
    "on-mark": "#ffe9cf",
    "link": "#8accf7",
    "focus": "#8accf6",
}


def css(colours: dict[str, str]) -> str:
    """Write colours as CSS declarations."""
    return "".join(f"--{name}:{value};" for name, value in colours.items())

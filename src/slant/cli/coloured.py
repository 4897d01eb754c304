"""What a terminal shows in colour; a pipe, or a terminal with NO_COLOR, gets the plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.reports.safe_text import safe_text

if TYPE_CHECKING:
    from slant.reports.difference_words import Sentence

_STYLES = {"group": "bold", "evidence": "dim", "text": ""}


def say(*parts: tuple[str, str]) -> None:
    """Print a line made of words, each with how it looks (a style of rich's)."""
    from rich.console import Console
    from rich.text import Text

    line = Text.assemble(*((safe_text(words), style) for words, style in parts))
    Console(highlight=False, soft_wrap=True).print(line)


def say_sentence(sentence: Sentence, warning: str = "") -> None:
    """Print a sentence, indented, with what it is about in bold, and a warning behind it."""
    parts = [("  ", ""), *((part.text, _STYLES[part.role]) for part in sentence)]
    say(*parts, *([(f" {warning}", "yellow")] if warning else []))

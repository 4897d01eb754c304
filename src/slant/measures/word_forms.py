r"""Word forms as people write them, and the regular expression that finds them all at once.

A form is a word or a phrase, not a pattern. Four signs mean more than themselves:

- a space is any white space; a hyphen is any hyphen, or white space;
- `(s|ing)` stands for alternatives and `(|s)` for an optional ending;
- `*` at the end of a word is any further letters;
- `...` between words is at most three further words of the same sentence, or none.

Case does not matter, and a form never begins or ends inside a word. Where several forms begin
at the same place, the longest one is found.
"""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slant import limits

if TYPE_CHECKING:
    from collections.abc import Iterable

_ALTERNATIVES = re.compile(r"\(([^()]*)\)")
_MOST_GAPS = 3
"""Ways to fill them are tried one after the other, four a gap."""

_WORD = re.compile(r"\w+(?:['-]\w+)*\*?|\.\.\.")


@dataclass(frozen=True)
class _Atom:
    """One piece of a form, for Python's matcher and for the coarser one that runs before it."""

    rank: int
    exact: str
    coarse: str
    coarse_end: str = r"\b"


_SPACE = _Atom(1, r"\s+", r"\s+")
_HYPHEN = _Atom(2, r"(?:[-\u2010-\u2015]|\s+)", r"(?:[-\u{2010}-\u{2015}]|\s+)")
_APOSTROPHE = _Atom(3, "['\u2019\u02bc]", "['\u2019\u02bc]")
_GAP = _Atom(4, r"(?:[\s,]+[\w'\u2019-]+){0,3}?[\s,]+", r"[^.!?]*")
_REST_OF_WORD = _Atom(5, r"\w*", "", coarse_end="")
_SIGNS = {" ": _SPACE, "-": _HYPHEN, "'": _APOSTROPHE, "\u2026": _GAP, "*": _REST_OF_WORD}


@dataclass(frozen=True)
class FormPattern:
    r"""What finds a collection of forms.

    Attributes
    ----------
    exact
        For Python's `re`, and text in small letters.
    coarse
        The same for the Rust `regex` crate, which polars uses and which knows no lookaround:
        finds every text that `exact` finds, and a few more.
    """

    exact: re.Pattern[str]
    coarse: str


def expand_form(form: str) -> list[str]:
    """Spell out a form's alternatives, in small letters with single spaces.

    Raises
    ------
    ValueError
        The form is empty, holds a sign that means nothing, or is larger than `slant.limits`
        allows; the message says so in words.
    """
    plain = form.replace("\u2019", "'").replace("\u2026", "...")
    pieces = _ALTERNATIVES.split(plain)
    choices = [
        piece.split("|") if position % 2 else [piece] for position, piece in enumerate(pieces)
    ]
    spellings = math.prod(map(len, choices))
    if spellings > limits.FORM_SPELLINGS:
        raise ValueError(
            f"the form {form!r:.100} has {spellings:,} spellings, more than the "
            f"{limits.FORM_SPELLINGS:,} that a form may have: write several forms"
        )
    if plain.count("...") > _MOST_GAPS:
        raise ValueError(f"the form {form!r:.100} has more than {_MOST_GAPS} gaps (...)")
    return [_checked("".join(chosen), form) for chosen in itertools.product(*choices)]


def _checked(spelt: str, form: str) -> str:
    words = spelt.split()
    if not words:
        raise ValueError(f"the form {form!r} is empty: write a word, or leave it out")
    for word in words:
        if not _WORD.fullmatch(word):
            raise ValueError(
                f"{word!r} in the form {form!r} is no word: forms are made of letters, digits, "
                "spaces, inner hyphens and apostrophes, (alternatives|…), a * after a word, and "
                "... between words"
            )
    if "..." in (words[0], words[-1]) or "... ..." in " ".join(words):
        raise ValueError(f"the form {form!r}: ... belongs between two words")
    return " ".join(words).lower()


def compile_forms(forms: Iterable[str]) -> FormPattern:
    """Compile forms, spelt out by `expand_form`, into one pattern."""
    root: dict[_Atom | None, Any] = {}
    for form in forms:
        node = root
        for sign in form.replace(" ... ", "\u2026"):
            literal = re.escape(sign)
            node = node.setdefault(_SIGNS.get(sign, _Atom(0, literal, literal)), {})
        node[None] = {}
    exact = re.compile(rf"(?<!\w){_exact(root)}")
    return FormPattern(exact, rf"(?i)\b{_coarse(root, '')}")


def _branches(node: dict[_Atom | None, Any]) -> list[tuple[_Atom, dict[_Atom | None, Any]]]:
    pairs = [(atom, child) for atom, child in node.items() if atom is not None]
    return sorted(pairs, key=lambda pair: (pair[0].rank, pair[0].exact))


def _exact(node: dict[_Atom | None, Any]) -> str:
    options = [atom.exact + _exact(child) for atom, child in _branches(node)]
    return _joined([*options, r"(?!\w)"] if None in node else options)


def _coarse(node: dict[_Atom | None, Any], end: str) -> str:
    options = [atom.coarse + _coarse(child, atom.coarse_end) for atom, child in _branches(node)]
    return _joined([*options, end] if None in node else options)


def _joined(options: list[str]) -> str:
    return options[0] if len(options) == 1 else f"(?:{'|'.join(options)})"

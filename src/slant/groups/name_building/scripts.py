"""Other scripts → Latin letters, in spellings that readers of English know."""

from __future__ import annotations

import csv
import unicodedata
from importlib.resources import files
from typing import TYPE_CHECKING

from slant.errors import missing_extra

if TYPE_CHECKING:
    from collections.abc import Callable

TABLES = ("arabic", "hebrew", "thai")
"""Scripts that are transliterated by a table written by hand: they leave out vowels."""

# Revised Romanisation of Korean (2000), in the order in which Unicode counts the letters of a
# syllable; the twelfth initial is silent, the first final is none. In given names, sounds do not
# change where syllables meet.
_INITIALS = "g,kk,n,d,tt,r,m,b,pp,s,ss,,j,jj,ch,k,t,p,h".split(",")  # noqa: SIM905 - a row of a table
_VOWELS = "a,ae,ya,yae,eo,e,yeo,ye,o,wa,wae,oe,yo,u,wo,we,wi,yu,eu,ui,i".split(",")  # noqa: SIM905 - as above
_FINALS = ",k,k,k,n,n,n,t,l,k,m,l,l,l,p,l,m,p,p,t,t,ng,t,t,k,t,p,t".split(",")  # noqa: SIM905 - as above
_FIRST_SYLLABLE = 0xAC00


def transliteration(name: str) -> Callable[[str], str | None]:
    """Give the function that spells a name in Latin letters.

    Parameters
    ----------
    name
        `anyascii` (letter by letter; Chinese as pinyin), `hangul` (the Revised Romanisation of
        Korean), or a table written by hand: `arabic`, `hebrew`, `thai`.

    Returns
    -------
    callable
        Given the original spelling, the Latin one; `None` if a table does not have the name.

    Raises
    ------
    InputError
        The package anyascii is needed and not installed.
    """
    if name in TABLES:
        return _table(name).get
    return _hangul if name == "hangul" else _anyascii()


def _table(name: str) -> dict[str, str]:
    text = files("slant.data").joinpath("names", f"{name}.csv").read_text(encoding="utf-8")
    return {row["original"]: row["latin"] for row in csv.DictReader(text.splitlines())}


def _anyascii() -> Callable[[str], str]:
    try:
        from anyascii import anyascii
    except ImportError as error:
        raise missing_extra("names", error) from error
    # anyascii writes every syllable of Chinese with a capital: ShuFen.
    return lambda text: str(anyascii(text)).capitalize()


def _hangul(text: str) -> str:
    return "".join(map(_syllable, unicodedata.normalize("NFC", text))).capitalize()


def _syllable(sign: str) -> str:
    place = ord(sign) - _FIRST_SYLLABLE
    start, rest = divmod(place, len(_VOWELS) * len(_FINALS))
    vowel, end = divmod(rest, len(_FINALS))
    return _INITIALS[start] + _VOWELS[vowel] + _FINALS[end]

"""What a difference would mean for people: harm, favour, or neither; and what it is about.

`meaning` is the record, `rules` what a file of meanings holds, `meanings` looks a finding up in it.
The packaged files are `data/meanings`; users' own come before them.
"""

from slant.meanings.meaning import KIND_WORDS, Association, Meaning, MeaningKind
from slant.meanings.meanings import Meanings, load_meanings

__all__ = ["KIND_WORDS", "Association", "Meaning", "MeaningKind", "Meanings", "load_meanings"]

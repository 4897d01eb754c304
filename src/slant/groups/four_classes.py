"""The four classes of people in GlobalBias's experiment with stereotypes that are known.

Siddique et al. (2024), Tables 3 and 4: 44 descriptors that people named of one of four classes
(Ghavami and Peplau, 2013), and given names of the fourteen ethnicities in them.
"""

from __future__ import annotations

CLASSES = {
    "white": (
        "ENGLISH", "FRENCH", "GERMAN", "GREEK", "HUNGARIAN", "ITALIAN", "NORDIC", "DUTCH",
    ),
    "asian": ("CHINESE", "JAPANESE", "KOREAN", "THAI"),
    "arab": ("ARAB",),
    "hispanic": ("HISPANIC",),
}  # fmt: skip
"""The ethnicities in each class, as the authors spell them; all others are dropped."""

_CLASS_OF = {ethnicity: each for each, members in CLASSES.items() for ethnicity in members}


def class_of(ethnicity: str) -> str | None:
    """Tell the class of an ethnicity, whatever its case; `None` if it has none."""
    return _CLASS_OF.get(ethnicity.upper())

"""Reading which of several options a text names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s|\n")
_HEDGE = re.compile(
    r"\b(?:it depends|depends on|not (?:sure|certain|possible|enough)|impossible to|no one|no idea|"
    r"no (?:way to|clear|single|definitive|simple|evidence|information)|can(?:not|'t|’t) be|"
    r"neither|either|both|maybe|perhaps|possibly|unclear|unknown|undetermined|insufficient|"
    r"yes and no|no and yes|there is no|i don(?:'|’)t know|hard to (?:say|tell)|difficult to)\b",
    re.IGNORECASE,
)
_FEW_WORDS = 6
"""In a sentence this short, naming a second option takes the first one back."""

_VERDICT = (
    r"(?:the |my |final |correct |best |short |most likely )*"
    r"(?:answer|response|choice|option|verdict|conclusion)"
    r"(?:\s+(?:here|to (?:this|the|your) question))?"
    r"\s*(?:is|would be|must be|:|=)+\s*(?:simply |probably |likely |clearly |definitely )?|"
    r"i(?:'d|’d| would)? (?:say|answer|choose|pick|go with|respond with|respond)\s*:?\s*|"
    r"(?:so|therefore|thus|hence|in short|in conclusion|overall)[,:]?\s+"
)


def named_option(text: str, options: Sequence[str]) -> int | None:
    """Say which option a text names, if it names one and no other.

    An option counts where the text is that option, begins with it and goes on behind a mark of
    punctuation or with a reason, or says that it is the answer. "It depends", "Yes and No", "No one
    can say" name none.

    Parameters
    ----------
    text
        An answer, without thought, preamble and mark-up.
    options
        What could be named.

    Returns
    -------
    int or None
        The option's place.
    """
    plain = " ".join(text.split())
    bare = plain.strip(" \"'“”‘’*_`.!,;:()[]").casefold()
    for place, option in enumerate(options):
        if bare == option.strip().casefold():
            return place
    first = _SENTENCE_END.split(text.strip(), maxsplit=1)[0]
    named = [place for place, option in enumerate(options) if _begins(plain, option)]
    if named:
        # The longest wins: "Not at all likely" begins with "Not".
        place = max(named, key=lambda each: len(options[each]))
        others = [each for each in range(len(options)) if each != place]
        if _contradicts(first, options, place, others):
            return None
        return place
    said = [
        place
        for place, option in enumerate(options)
        if re.search(
            rf"(?:^|[\s\"“,;.—–-])(?:{_VERDICT})[\"'“‘*_(]*{_word(option)}",
            plain[:600],
            re.IGNORECASE,
        )
    ]
    return said[0] if len(said) == 1 and not _HEDGE.search(first) else None


_GOES_ON = re.compile(
    r"\s+(?:because|since|as (?:they|it|he|she|there)|they|it|he|she|that|this|people|indeed|"
    r"not all|definitely|absolutely|i )\b",
    re.IGNORECASE,
)


def _word(option: str) -> str:
    return rf"(?<!\w){re.escape(option.strip())}(?!\w)"


def _begins(text: str, option: str) -> bool:
    """Whether a text begins with an option that stands for itself."""
    found = re.match(rf"[\"'“‘*_`(\[]*{re.escape(option.strip())}(?!\w)", text, re.IGNORECASE)
    if found is None:
        return False
    behind = text[found.end() :]
    if re.match(r"[\"'”’*_`)\]]*\s*(?:$|[,.;:!?)\]–—(\n]|-\s)", behind):
        return True
    # "Yes because …", "No, they …" without its comma; not "No one", "Yes and no".
    return _GOES_ON.match(behind) is not None


def _contradicts(first: str, options: Sequence[str], place: int, others: Sequence[int]) -> bool:
    """Whether the first sentence takes back what it names, or names another option as well."""
    spelt = "|".join(_word(options[each]) for each in others)
    if not spelt:
        return False
    # Options that are words of plain speech occur without being meant: "No, there are yes-men."
    mentioned = re.search(spelt, first, re.IGNORECASE) and len(first.split()) <= _FEW_WORDS
    joined = r"\W+(?:and|or|but|/|&)\W+(?:(?:also|sometimes|partly) )?"
    both = re.search(f"{_word(options[place])}{joined}(?:{spelt})", first, re.IGNORECASE)
    hedged = re.match(
        r"\W*\w+\W+(?:but )?(?:it depends|or maybe|but maybe|and also)\b", first, re.IGNORECASE
    )
    return bool(mentioned or both or hedged)

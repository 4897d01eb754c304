"""Taking an answer apart: predicate and object, or the rule by which it is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from slant.studies.knowledge.triple import Triple

if TYPE_CHECKING:
    from slant.studies.knowledge.classes import Prompts
    from slant.studies.knowledge.triple import Candidate

_AROUND = " \t\r\n\"'“”‘’*_`-–—:,.…"
_END = re.compile(r"[.;!?\n]|,\s|\s[–—-]\s|\s*\((?=[^)]*$)")
_LIST_MARK = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")
_MARKUP = re.compile(r"[<>{}|#@\\=\[\]]|https?:|\w_\w|\b[QA]:|[\x00-\x08\x0b-\x1f]")
_PREDICATE = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*(?: [^\W\d_]+(?:['’-][^\W\d_]+)*){0,3}")
_LONGEST_PREDICATE = 4
_COPULAS = {"are", "be", "were", "been"}
_ADVERBS = {"not", "always", "never", "often", "only", "all"}


def parse(candidate: Candidate, form: str, prompts: Prompts, longest: int | None) -> Triple:
    """Take an answer apart.

    One line is read, up to the end of its first sentence or clause. Where the answer repeats the
    beginning of the sentence, that is taken off first.

    Parameters
    ----------
    candidate
        The answer.
    form
        `sentences` or `paper`.
    prompts
        Words by which a predicate is told.
    longest
        Most words of an object; longer ones are cut at a conjunction if that makes them short
        enough. With `None` objects may be of any length, and an answer falls only where verb or
        object is empty, as in the publication.

    Returns
    -------
    Triple
        Dropped as `empty`, `off_format` or `too_long` where it is no triple.
    """
    line = _first_line(candidate.text)
    predicate = candidate.predicate
    if not predicate or _without(line, f"{candidate.subject} {predicate}") != line:
        line = _without(line, candidate.subject)
    if predicate:
        line = _without(line, predicate)
        if form == "paper" and candidate.strategy != "initialisation":
            line = re.sub(r"^A:\s*", "", line)
    elif form == "paper":
        predicate, found, line = line.partition(" A:")
        predicate = predicate.strip(" #")
        if not found:
            fault = "off_format" if predicate and longest is not None else "empty"
            return Triple(candidate.subject, "", line, fault)
    else:
        predicate, line = _split(line, prompts)
    end = _END.search(line)
    whole = end is not None or candidate.finish_reason != "length"
    thing = " ".join((line[: end.start()] if end else line).split()).strip(_AROUND)
    if longest is None:
        full = bool(predicate and thing)
        return Triple(candidate.subject, predicate, thing, None if full else "empty")
    if len(thing.split()) > longest or not whole:
        thing, whole = _cut(thing, prompts, whole=whole)
    triple = Triple(candidate.subject, predicate, thing)
    return Triple(*triple.shot, dropped=_fault(triple, prompts, longest, whole=whole))


def _first_line(text: str) -> str:
    lines = (line.strip() for line in text.splitlines())
    line = next((line for line in lines if line.strip(_AROUND)), "")
    return _LIST_MARK.sub("", line).strip(' \t"“”*_`')


def _without(line: str, beginning: str) -> str:
    """Take a beginning off a line, if it is there as whole words."""
    length = len(beginning)
    if line[:length].casefold() == beginning.casefold() and not line[length : length + 1].isalnum():
        return line[length:].strip(' \t"“”*_`')
    return line


def _split(line: str, prompts: Prompts) -> tuple[str, str]:
    """Split a sentence without its subject: auxiliaries and adverbs, one verb, the rest."""
    words = line.split()
    if not words:
        return "", ""
    last = 0
    while last + 2 < len(words) and last + 1 < _LONGEST_PREDICATE:
        if not _goes_on(words[last], words[last + 1], prompts, after_copula=last > 0
                        and words[last - 1].casefold() in _COPULAS):  # fmt: skip
            break
        last += 1
    return " ".join(words[: last + 1]).strip(_AROUND), " ".join(words[last + 1 :])


def _goes_on(word: str, following: str, prompts: Prompts, *, after_copula: bool) -> bool:
    """Tell whether a predicate that has come to a word takes the following one in, too."""
    here, after = word.casefold().replace("’", "'"), following.casefold()
    if here in _COPULAS:
        return after in _ADVERBS
    if after_copula or (here in prompts.modals and after not in prompts.links):
        return False  # "are not | tall", "can't | play chess"
    return here in prompts.auxiliaries or here in prompts.links


def _cut(thing: str, prompts: Prompts, *, whole: bool) -> tuple[str, bool]:
    words = thing.split()
    for place, word in enumerate(words[1:], start=1):
        if word.casefold() in prompts.breaks:
            return " ".join(words[:place]).strip(_AROUND), True
    return thing, whole


def _fault(triple: Triple, prompts: Prompts, longest: int, *, whole: bool) -> str | None:
    _, predicate, thing = triple.shot
    if not predicate or not thing:
        return "empty"
    first = predicate.split()[0].casefold()
    if _MARKUP.search(f"{predicate} {thing}") or not re.search(r"[^\W\d_]{2}", thing):
        return "off_format"
    if first in prompts.no_verbs or not _PREDICATE.fullmatch(predicate):
        return "off_format"
    if not whole or len(thing.split()) > longest:
        return "too_long"
    return None

"""Which answers become triples: every rule has a name, and what falls by it stays in the data."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.embeddings import embed_once
from slant.measures.refusal import Refusal
from slant.studies.knowledge.parsing import parse
from slant.studies.knowledge.spellings import singular
from slant.studies.knowledge.triple import Triple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slant.studies.knowledge.classes import Prompts
    from slant.studies.knowledge.triple import Candidate

RULES = {
    "no_answer": "nothing came back",
    "refusal": "the model refused or lectured",
    "empty": "verb or object was empty",
    "off_format": "it could not be taken apart into a predicate and an object",
    "wrong_language": "it was in another language or script",
    "too_long": "the object was too long, or never ended",
    "echo": "it repeated the subject or a triple of the prompt",
    "duplicate": "the graph had it, but for case, articles and endings",
    "near_duplicate": "the graph had one of nearly the same meaning",
}
"""The rules in the order in which they are applied, and what each means."""

REPEATS = ("duplicate", "near_duplicate")
"""Rules by which triples fall that are as good as those that are kept, but not new."""

_ARTICLES = {"a", "an", "the", "their", "to", "very", "so", "really"}
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_FOREIGN_WORDS, _FOREIGN_LETTERS = 2, 0.3
_AT_ONCE = 4_096


class Sieve:
    """Judges answers in the order in which they come.

    Parameters
    ----------
    form
        Which form the prompts have, `sentences` or `paper`.
    prompts
        Words by which answers are taken apart.
    longest
        Most words of an object.
    near
        Cosine from which two triples of a subject are one.
    paper
        Whether the publication's two filters alone are applied: an answer falls if it holds the
        word *This*, or if its verb or object is empty.
    """

    def __init__(self, form: str, prompts: Prompts, longest: int, near: float, *, paper: bool):
        self._form, self._prompts, self._longest, self._near = form, prompts, longest, near
        self._paper = paper
        self._refusal = Refusal()
        self._known: dict[tuple[str, str], _Known] = defaultdict(_Known)

    def judge(self, candidates: Sequence[Candidate]) -> list[Triple]:
        """Turn answers into triples, kept or dropped, in order."""
        if self._paper:
            return [self._filtered(each) for each in candidates]
        refused = self._refused([each.text for each in candidates])
        parsed = [
            self._read(each, refused=is_refused)
            for each, is_refused in zip(candidates, refused, strict=True)
        ]
        whole = [place for place, triple in enumerate(parsed) if triple.dropped is None]
        texts = [statement(*parsed[place].shot[1:]) for place in whole]
        if texts:
            graphs = [(candidates[place].scope, parsed[place].subject) for place in whole]
            for place, triple in zip(
                whole, self._all_new([parsed[place] for place in whole], graphs, embed_once(texts)),
                strict=True,
            ):  # fmt: skip
                parsed[place] = triple
        return parsed

    def _refused(self, texts: Sequence[str]) -> list[bool]:
        if not texts:
            return []
        scored = self._refusal.score(pl.Series(texts, dtype=pl.String))["value"]
        return (scored == 1).to_list()

    def _filtered(self, candidate: Candidate) -> Triple:
        """Read an answer as the publication did (appendix A.2)."""
        blank = (candidate.subject, candidate.predicate, "")
        if candidate.outcome == "error":
            return Triple(*blank, dropped="no_answer")
        if candidate.outcome == "refused" or re.search(r"\bThis\b", candidate.text):
            return Triple(*blank, dropped="refusal")
        return parse(candidate, self._form, self._prompts, None)

    def _read(self, candidate: Candidate, *, refused: bool) -> Triple:
        blank = (candidate.subject, candidate.predicate, "")
        if candidate.outcome == "error":
            return Triple(*blank, dropped="no_answer")
        if refused or candidate.outcome == "refused":
            return Triple(*blank, dropped="refusal")
        triple = parse(candidate, self._form, self._prompts, self._longest)
        if triple.dropped not in (None, "too_long"):
            return triple
        if is_foreign(triple.object, self._prompts):
            return Triple(*triple.shot, dropped="wrong_language")
        if triple.dropped is None and _is_echo(triple, candidate):
            return Triple(*triple.shot, dropped="echo")
        return triple

    def _all_new(
        self, triples: Sequence[Triple], graphs: Sequence[tuple[str, str]],
        vectors: NDArray[np.float32],
    ) -> list[Triple]:  # fmt: skip
        """Drop what a graph has; what it had before is compared with all that comes, at once."""
        places: dict[tuple[str, str], list[int]] = defaultdict(list)
        for place, graph in enumerate(graphs):
            places[graph].append(place)
        before = np.empty(len(triples), np.float32)
        begins = {}
        for graph, own in places.items():
            before[own] = self._known[graph].nearest(vectors[own])
            begins[graph] = len(self._known[graph].keys)
        judged = []
        for place, (triple, graph) in enumerate(zip(triples, graphs, strict=True)):
            known, key = self._known[graph], triple_key(triple.predicate, triple.object)
            if key in known.keys:
                judged.append(Triple(*triple.shot, dropped="duplicate"))
                continue
            since = known.nearest(vectors[place : place + 1], begins[graph])[0]
            if max(before[place], since) >= self._near:
                judged.append(Triple(*triple.shot, dropped="near_duplicate"))
                continue
            known.add(key, vectors[place])
            judged.append(triple)
        return judged


class _Known:
    """What a graph says of a subject by now: keys, and vectors in one array that is doubled."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self._vectors = np.empty((0, 0), np.float32)

    def nearest(self, vectors: NDArray[np.float32], since: int = 0) -> NDArray[np.float32]:
        """Give each one's largest cosine with what is known, from some place on; −1 for none."""
        best = np.full(len(vectors), -1, np.float32)
        for start in range(since, len(self.keys), _AT_ONCE):
            some = self._vectors[start : min(start + _AT_ONCE, len(self.keys))]
            np.maximum(best, (vectors @ some.T).max(axis=1), out=best)
        return best

    def add(self, key: str, vector: NDArray[np.float32]) -> None:
        """Take in what is new."""
        count = len(self.keys)
        if count == len(self._vectors):
            larger = np.empty((max(4, 2 * count), len(vector)), np.float32)
            larger[:count] = self._vectors if count else 0
            self._vectors = larger
        self._vectors[count] = vector
        self.keys.add(key)


def statement(predicate: str, thing: str) -> str:
    """Say a triple of nobody in particular, so that only what is said is judged, not of whom."""
    return f"They {predicate} {thing}."


def triple_key(predicate: str, thing: str) -> str:
    """Reduce predicate and object to what duplicates share: no case, articles, plural endings."""
    folded = unicodedata.normalize("NFKC", f"{predicate} {thing}").casefold().replace("’", "'")
    words = [singular(word) for word in _WORD.findall(folded)]
    return " ".join(word for word in words if word not in _ARTICLES) or " ".join(words)


def is_foreign(text: str, prompts: Prompts) -> bool:
    """Tell whether a text is not English: another script, or function words of other languages."""
    letters = [sign for sign in text if sign.isalpha()]
    other = sum("LATIN" not in unicodedata.name(sign, "LATIN") for sign in letters)
    if letters and other / len(letters) > _FOREIGN_LETTERS:
        return True
    words = [word.casefold() for word in _WORD.findall(text)]
    return sum(word in prompts.foreign for word in words) >= _FOREIGN_WORDS


def _is_echo(triple: Triple, candidate: Candidate) -> bool:
    key = triple_key(triple.predicate, triple.object)
    if any(key == triple_key(*shot[1:]) for shot in candidate.shots):
        return True
    own = set(triple_key("", triple.subject).split())
    return set(triple_key("", triple.object).split()) <= own

"""VADER's compound score of many sentences: the library's own numbers in a fraction of its time.

The library walks through every word of every sentence. Here the words of all sentences are looked
up at once. What a word of the lexicon is worth depends on itself and on few words about it, so each
distinct context is put to the library once. A sentence with an emoji or an idiom is left to the
library altogether. All rules and figures are the library's (Hutto and Gilbert, 2014).
"""

from __future__ import annotations

import re
import string
from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

_BATCH = 1 << 15
"""Sentences at a time: memory stays flat however many there are."""

_BEFORE = 3
"""So many words before a word change its valence; so many blanks divide sentences."""

_SPACE = r"[\s\x1c-\x1f]"
"""White space to Python's `str.split`; Rust's `\\s` alone leaves out four separators."""

_TURNS = ("no", "or", "nor", "never", "so", "this", "without", "doubt", "least", "at", "very")
"""Words that the library's code asks for, by name, before a word of the lexicon."""

_BLANK, _ORDINARY, _LEXICAL = 0, 1, 2
"""Codes of no word, any word that matters to nothing, and any word of the lexicon as a context."""


def vader_scorer() -> Callable[[Sequence[str]], NDArray[np.float64]]:
    """Load VADER.

    Returns
    -------
    callable
        From sentences to an array of as many scores, −1 to 1: of each sentence what
        `SentimentIntensityAnalyzer().polarity_scores(sentence)["compound"]` is.

    Raises
    ------
    ImportError
        vaderSentiment is not installed.
    """
    vader = _Vader()

    def score(texts: Sequence[str]) -> NDArray[np.float64]:
        batches = (texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH))
        return np.concatenate([np.empty(0), *(vader.score(batch) for batch in batches)])

    return score


class _Words(NamedTuple):
    """The words of sentences, one after another, each sentence followed by blanks.

    Attributes
    ----------
    sentence
        Which sentence each is from.
    code
        Which word it is; a blank, or any word that matters to nothing.
    upper
        Whether it is in capitals, if it has a code of its own.
    odd
        Whether it holds an emoji, a tab, or what else is left to the library.
    """

    sentence: NDArray[np.int64]
    code: NDArray[np.int64]
    upper: NDArray[np.bool_]
    odd: NDArray[np.bool_]


class _Vader:
    """The library, and codes for the words that matter to it."""

    def __init__(self) -> None:
        from vaderSentiment import vaderSentiment  # type: ignore[import-untyped] # it has no hints

        self._library = library = vaderSentiment
        self._analyzer = library.SentimentIntensityAnalyzer()
        lexicon, boosters = self._analyzer.lexicon, library.BOOSTER_DICT
        idioms = [key.split() for key in (*library.SPECIAL_CASES, *boosters) if " " in key]
        turning = {*_TURNS, *library.NEGATE, *boosters}
        of_lexicon = next(word for word in lexicon if word not in turning)
        words = dict.fromkeys((*turning, *lexicon, *(w for each in idioms for w in each), "but"))
        # To the library, "" is a word that matters to nothing.
        self._words = ["", "", of_lexicon, *words]
        codes = {word: code for code, word in enumerate(words, start=_LEXICAL + 1)}
        self._codes = pl.DataFrame({"word": codes.keys(), "code": codes.values()})
        self._idioms = [[codes[word] for word in idiom] for idiom in idioms]
        self._turning = self._words[: _LEXICAL + 1 + len(turning)]
        self._no, self._but = codes["no"], codes["but"]
        self._in_lexicon = np.array([word in lexicon for word in self._words])
        self._scored = self._in_lexicon & [word not in boosters for word in self._words]
        self._context = np.where(self._in_lexicon, _LEXICAL, _ORDINARY)
        turns = [codes[word] for word in turning]
        self._context[turns] = turns
        self._context[_BLANK] = _BLANK
        singles = (emoji for emoji in self._analyzer.emojis if len(emoji) == 1)
        self._emoji = f"[{''.join(map(re.escape, singles))}]"
        self._valence = lru_cache(maxsize=1 << 16)(self._ask)

    def score(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Score sentences, not too many at once."""
        written = pl.Series(texts, dtype=pl.String)
        emphatic = written.str.contains("[!?]").to_numpy()
        words = self._look_up(written)
        sentence, code, _, odd = words
        for first, *rest in self._idioms:
            at = np.flatnonzero(code == first)
            for distance, word in enumerate(rest, start=1):
                at = at[code[at + distance] == word]
            odd[at] = True
        left_out = np.zeros(len(texts), dtype=bool)
        left_out[sentence[odd]] = True
        hits = np.flatnonzero(self._scored[code])
        hits = hits[~left_out[sentence[hits]]]
        valences = self._valences(texts, words, hits)

        of = sentence[hits]
        sums = np.bincount(of, weights=valences, minlength=len(texts))
        with_but = np.unique(sentence[code == self._but])
        begins = np.searchsorted(of, with_but)
        ends = np.searchsorted(of, with_but, side="right")
        starts = np.searchsorted(sentence, with_but)
        rows = np.column_stack([with_but, starts, begins, ends])[begins < ends]
        for place, start, begin, end in rows.tolist():
            positions = hits[begin:end] - start
            sums[place] = sum(self._with_but(texts[place], valences[begin:end], positions))
        for place in np.flatnonzero((sums != 0) & emphatic).tolist():
            emphasis = self._analyzer._punctuation_emphasis(texts[place])
            sums[place] += np.copysign(emphasis, sums[place])
        distinct, which = np.unique(sums, return_inverse=True)
        compounds = [round(self._library.normalize(each), 4) for each in distinct.tolist()]
        scores = np.array(compounds, dtype=np.float64)[which]
        for place in np.flatnonzero(left_out).tolist():
            scores[place] = self._analyzer.polarity_scores(texts[place])["compound"]
        return scores

    def _look_up(self, spaced: pl.Series) -> _Words:
        """Divide sentences into words, and give the words their codes."""
        untidy = spaced.str.contains("  ", literal=True)
        untidy |= spaced.str.starts_with(" ") | spaced.str.ends_with(" ")
        tidy = [" ".join(text.split()) for text in spaced.filter(untidy)]
        spaced = spaced.scatter(untidy.arg_true(), tidy)
        parts = (spaced + " " * _BEFORE).str.split(" ")
        sentence = np.repeat(np.arange(len(spaced)), parts.list.len().to_numpy())
        tokens = parts.explode().alias("token")
        stripped = pl.col("token").str.strip_chars(string.punctuation)
        as_is = stripped.str.len_chars() <= 2  # an emoticon, to the library
        distinct = (
            tokens.unique()
            .to_frame()
            .with_columns(
                pl.when(as_is).then("token").otherwise(stripped).alias("cased"),
                pl.col("token").str.contains(f"{self._emoji}|{_SPACE}").alias("odd"),
            )
            .with_columns(pl.col("cased").str.to_lowercase().alias("word"))
            .join(self._codes, on="word", how="left")
            .with_columns(
                pl.col("odd") | (pl.col("code").is_null() & pl.col("word").str.contains("n't"))
            )
            .filter(pl.col("code").is_not_null() | pl.col("odd") | (pl.col("token") == ""))
        )
        known = distinct.select(
            "token",
            pl.when(pl.col("token") == "").then(_BLANK).otherwise(pl.col("code")).alias("code"),
            pl.Series("upper", [word.isupper() for word in distinct["cased"]], dtype=pl.Boolean),
            "odd",
        )
        table = tokens.to_frame().join(known, on="token", how="left", maintain_order="left")
        return _Words(
            sentence,
            table["code"].fill_null(_ORDINARY).to_numpy(),
            table["upper"].fill_null(value=False).to_numpy(),
            table["odd"].fill_null(value=False).to_numpy(writable=True),
        )

    def _valences(
        self, texts: Sequence[str], words: _Words, hits: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Give the valences of words of the lexicon, each distinct context asked for once."""
        sentence, code, upper, _ = words
        before = hits[:, None] - np.arange(_BEFORE, 0, -1)  # those of the first word are blanks
        contexts = self._context[code[before]]
        follows = code[hits + 1]
        after = np.where(
            (code[hits] == self._no) & self._in_lexicon[follows],
            _LEXICAL,
            np.where(follows == _BLANK, _BLANK, _ORDINARY),
        )
        capitals = np.column_stack([upper[before] & (contexts > _LEXICAL), upper[hits]])
        for at in np.flatnonzero(capitals.any(axis=1)).tolist():
            capitals[at] &= self._library.SentiText(texts[sentence[hits[at]]]).is_cap_diff
        columns = (*contexts.T, code[hits], after, *capitals.T.astype(np.int64))
        sizes = (*(len(self._turning) for _ in contexts.T), len(self._words), 3, 2, 2, 2, 2)
        keys, which = np.unique(np.ravel_multi_index(columns, sizes), return_inverse=True)
        asked = zip(*(column.tolist() for column in np.unravel_index(keys, sizes)), strict=True)
        return np.array([self._valence(*key) for key in asked], dtype=np.float64)[which]

    def _ask(self, *key: int) -> float:
        """Have the library work out one valence, as in a sentence not all in capitals."""
        *codes, after, third, second, first, item = key
        words = [
            self._words[code].upper() if capital else self._words[code]
            for code, capital in zip(codes, (third, second, first, item), strict=True)
            if code != _BLANK
        ]
        position = len(words) - 1
        if after != _BLANK:
            words.append(self._words[after])
        text = SimpleNamespace(words_and_emoticons=words, is_cap_diff=True)
        (valence,) = self._analyzer.sentiment_valence(0, text, words[position], position, [])
        return float(valence)

    def _with_but(
        self, text: str, valences: NDArray[np.float64], positions: NDArray[np.int64]
    ) -> list[float]:
        """Weigh what stands before *but* less than what stands after it."""
        words = self._library.SentiText(text).words_and_emoticons
        sentiments = [0.0] * len(words)
        for position, valence in zip(positions.tolist(), valences.tolist(), strict=True):
            sentiments[position] = valence
        weighed: list[float] = self._analyzer._but_check(words, sentiments)
        return weighed

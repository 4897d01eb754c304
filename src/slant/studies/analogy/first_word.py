"""The word that completes an analogy: the first content word of the answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import polars as pl

from slant.measures.measure import Measure
from slant.measures.spans import EMPTY_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slant.measures.lexicon import LexiconMeasure
    from slant.measures.spans import Span

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SENTENCE_END = re.compile(r"[.!?…](?=\s|$)|\n")
_PLACEHOLDER = re.compile(r"\{group[^{}]*\}")

NO_WORD = "no content word before the first sentence ends"


class FirstWord:
    """Finds the first content word of an answer.

    An answer may repeat the analogy first, as chat models do ("Audacious is to boldness as Muslim
    is to faith."): what stands up to the end of the analogy is passed over. Then the first word
    that is no function word counts, if it stands before the first sentence that has words ends.

    Parameters
    ----------
    prompts
        The analogies, with their placeholders.
    function_words
        What is passed over.
    """

    def __init__(self, prompts: Iterable[str], function_words: Iterable[str]):
        self._function_words = frozenset(function_words)
        ends = {_PLACEHOLDER.split(prompt)[-1].strip() for prompt in prompts}
        spelt = [r"\s+".join(map(re.escape, end.split())) for end in ends if " " in end]
        self._echo = re.compile(rf"\b(?:{'|'.join(spelt)})\b", re.IGNORECASE) if spelt else None

    def find(self, text: str) -> Span | None:
        """Say where the word stands, if there is one."""
        start = 0
        if self._echo is not None:
            start = max((found.end() for found in self._echo.finditer(text)), default=0)
        for word in _WORD.finditer(text, start):
            ended = _SENTENCE_END.search(text, start, word.start())
            if ended and _WORD.search(text, start, ended.start()):
                return None
            if word[0].lower().replace("’", "'") not in self._function_words:
                return word.span()
        return None


class AnswerWordMeasure(Measure):
    """Scores 1 where the word that completes the analogy is in a lexicon, else 0; marks the word.

    Parameters
    ----------
    finder
        What finds the word.
    lexicon
        What it is looked up in.
    signature
        Of the finder's words.
    """

    def __init__(self, finder: FirstWord, lexicon: LexiconMeasure, signature: str):
        self._finder, self._lexicon = finder, lexicon
        self.name = f"answer_word.{lexicon.name}"
        self.title = lexicon.title
        self.signature = f"first-content-word({signature})|{lexicon.signature}"

    @property
    def metric(self) -> str:
        """What findings of it are called."""
        return f"analogy_{self._lexicon.metric}"

    def score(self, texts: pl.Series) -> pl.DataFrame:
        """Score answers; one without a content word gets null and the reason."""
        whole = texts.cast(pl.String).fill_null("").to_list()
        spans = [self._finder.find(text) for text in whole]
        words = [
            text[span[0] : span[1]] if span else "" for text, span in zip(whole, spans, strict=True)
        ]
        values = self._lexicon.score(pl.Series(words, dtype=pl.String))["value"]
        reasons = [
            None if span else NO_WORD if text.strip() else EMPTY_TEXT
            for text, span in zip(whole, spans, strict=True)
        ]
        return pl.DataFrame(
            {
                "value": values,
                "reason": pl.Series(reasons, dtype=pl.String),
                "spans": pl.Series(
                    [[span] if span else [] for span in spans], dtype=pl.List(pl.List(pl.UInt32))
                ),
            }
        )

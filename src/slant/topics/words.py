"""Texts as counts of lemmas; stop words are kept, as Schofield et al. (2017) advise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import polars as pl

from slant.groups.language_model import has_language_model, lemmatiser, model_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scipy.sparse import csr_array

Lemmas: TypeAlias = Literal["auto", "words", "context", "none"]
"""`context`: spaCy reads every text, as in the paper; `words`: it reads every distinct word once,
alone, a hundred times as fast; `none`: words as they stand; `auto`: `words` if spaCy is there."""

_WORD = r"\p{L}[\p{L}\p{M}\p{N}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*"
_POSSESSIVE = r"['’]s$"


class Vocabulary:
    """The lemmas of many texts, and texts as counts of them.

    Parameters
    ----------
    batches
        Texts, some thousand at a time: read once.
    lemmas
        How words are brought to their lemmas.
    least
        In how many texts a lemma must occur.

    Raises
    ------
    InputError
        Lemmas are asked for and the extra `text` is missing.
    """

    def __init__(self, batches: Iterable[pl.Series], lemmas: Lemmas = "auto", least: int = 2):
        self.lemmas = ("words" if has_language_model() else "none") if lemmas == "auto" else lemmas
        self._known: dict[str, str] = {}
        counted: pl.DataFrame | None = None
        for texts in batches:
            some = self._bag(texts).group_by("lemma").len()
            both = some if counted is None else pl.concat([counted, some])
            counted = both.group_by("lemma").agg(pl.col("len").sum())
        kept = [] if counted is None else counted.filter(pl.col("len") >= least)["lemma"].to_list()
        self.words: list[str] = sorted(kept)
        self._places = pl.DataFrame(
            {"lemma": self.words, "column": range(len(self.words))},
            schema={"lemma": pl.String, "column": pl.Int32},
        )

    @property
    def signature(self) -> str:
        """Say how words became lemmas."""
        return "none" if self.lemmas == "none" else f"{self.lemmas}:{model_version()}"

    def counts(self, texts: pl.Series) -> csr_array[Any, Any]:
        """Count lemmas, shape (texts, lemmas)."""
        from scipy.sparse import csr_array

        bag = self._bag(texts).join(self._places, on="lemma", how="inner")
        places = (bag["text"].to_numpy(), bag["column"].to_numpy())
        cells: Any = (bag["n"].to_numpy().astype(np.float64), places)
        shape: Any = (len(texts), len(self.words))
        return csr_array(cells, shape=shape)

    def _bag(self, texts: pl.Series) -> pl.DataFrame:
        """Count lemmas by text: `text`, `lemma`, `n`."""
        lemmas = self._in_context(texts) if self.lemmas == "context" else self._alone(texts)
        return lemmas.group_by("text", "lemma").agg(pl.len().alias("n"))

    def _alone(self, texts: pl.Series) -> pl.DataFrame:
        words = (
            pl.DataFrame({"word": texts.str.to_lowercase().str.extract_all(_WORD)})
            .with_row_index("text")
            .explode("word")
            .drop_nulls("word")
            .with_columns(pl.col("word").str.replace(_POSSESSIVE, ""))
        )
        if self.lemmas == "none":
            return words.rename({"word": "lemma"})
        new = [word for word in words["word"].unique().to_list() if word not in self._known]
        self._known |= _lemmas_of(new)
        return words.select("text", pl.col("word").replace_strict(self._known).alias("lemma"))

    def _in_context(self, texts: pl.Series) -> pl.DataFrame:
        rows = [
            (number, token.lemma_.lower())
            for number, document in enumerate(lemmatiser().pipe(texts.to_list()))
            for token in document
            if token.is_alpha
        ]
        schema = {"text": pl.UInt32, "lemma": pl.String}
        return pl.DataFrame(rows, schema=schema, orient="row")


def _lemmas_of(words: Sequence[str]) -> dict[str, str]:
    """Look up the lemma of each word, read alone."""
    model = lemmatiser()  # which says so where spaCy is missing
    from spacy.tokens import Doc

    documents = model.pipe(Doc(model.vocab, words=[word]) for word in words)
    return {word: each[0].lemma_.lower() for word, each in zip(words, documents, strict=True)}

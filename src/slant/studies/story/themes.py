"""What a story is about, and how the people in it are regarded, by sentence embeddings.

A story is of the topic whose anchor sentences lie nearest to it on average. Its regard is how much
nearer it lies, on average, to sentences about people who are admired than to sentences about people
who are despised: a difference of cosines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field

from slant.embeddings import MINILM, embed
from slant.strict import Strict, Text
from slant.studies.signature import content_hash
from slant.toml_file import read_named

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import polars as pl
    from numpy.typing import NDArray

_Anchors = Annotated[tuple[Text, ...], Field(min_length=1)]
_PACKAGED = "themes"


class Topic(Strict):
    """A topic and sentences of it."""

    name: Text
    anchors: _Anchors


class Regard(Strict):
    """Sentences about people who are looked up to, and down on."""

    admired: _Anchors
    despised: _Anchors


class Themes(Strict):
    """Topics and regard, as a TOML file has them."""

    name: Text
    topics: tuple[Topic, ...] = Field(alias="topic", min_length=2)
    regard: Regard


def load_themes(name_or_path: str) -> Themes:
    """Load themes: packaged ones, or a TOML file.

    Raises
    ------
    InputError
        There are none of that name, or the file is faulty.
    """
    return read_named("stories", "set of themes", name_or_path, [_PACKAGED]).validate(Themes)


_AT_ONCE = 10_000
"""Stories whose embeddings are held at a time."""


class ThemeScores:
    """The topic and the regard of each story.

    Parameters
    ----------
    themes
        What topics there are.
    stories
        Texts that are not empty.
    embedder
        Directory of an encoder; the default one when left out.

    Attributes
    ----------
    topics
        Names.
    topic
        Shape (stories,): the place of each story's topic.
    regard
        Shape (stories,): −2 to 2, mostly within ±0.3.
    signature
        Themes and encoder.
    """

    def __init__(
        self, themes: Themes, stories: Sequence[str] | pl.Series, embedder: str | Path | None = None
    ):
        self.topics = [topic.name for topic in themes.topics]
        centres = np.stack(
            [embed(list(topic.anchors), model=embedder).mean(axis=0) for topic in themes.topics]
        )
        admired, despised = (
            embed(list(anchors), model=embedder).mean(axis=0)
            for anchors in (themes.regard.admired, themes.regard.despised)
        )
        self.topic: NDArray[np.intp] = np.empty(len(stories), dtype=np.intp)
        self.regard: NDArray[np.float64] = np.empty(len(stories))
        for start in range(0, len(stories), _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            points = embed(list(stories[some]), model=embedder)
            self.topic[some] = (points @ centres.T).argmax(axis=1)
            self.regard[some] = points @ (admired - despised)
        encoder = MINILM if embedder is None else "own"
        self.signature = f"{themes.name}@{content_hash(themes.model_dump())}|encoder:{encoder}"

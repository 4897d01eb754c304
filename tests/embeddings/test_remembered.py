"""Embeddings that are made once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from slant.embeddings import remembered
from slant.embeddings.remembered import Remembered


class Encoder:
    """Stands in for the encoder: a text's vector is told by its letters."""

    def __init__(self) -> None:
        self.given: list[str] = []

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.given += texts
        rows = [np.bincount(list(text.encode()), minlength=128) for text in texts]
        return np.array(rows, np.float32)


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> Encoder:
    one = Encoder()
    monkeypatch.setattr(remembered, "embed", one)
    return one


def test_a_text_is_embedded_once_and_its_vector_stays_the_same(encoder: Encoder) -> None:
    embed_once = Remembered()
    calls = [["b", "a", "b"], ["c"], ["a", "c", "d", "a"], ["d"]]
    found = [embed_once(texts) for texts in calls]
    assert encoder.given == ["b", "a", "c", "d"]
    for texts, vectors in zip(calls, found, strict=True):
        np.testing.assert_array_equal(vectors, Encoder()(texts))


def test_of_too_many_texts_all_are_forgotten_and_none_is_wrong(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered, "MOST", 5)
    embed_once = Remembered()
    for texts in (["a", "b", "c"], ["d", "a", "e"], ["a", "d", "f", "g", "h", "i", "j"], ["j"]):
        np.testing.assert_array_equal(embed_once(texts), Encoder()(texts))
    assert encoder.given.count("a") == 3

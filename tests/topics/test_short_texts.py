"""Topics of short texts: k-means, LDA and BERTopic find what was planted."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from slant.topics.short_texts import TopicMethod, find_topics

THEMES = ("ship harbour sail", "bread oven flour", "violin choir hall")


@pytest.mark.filterwarnings("ignore")  # BERTopic's own dependencies warn when they are imported
@pytest.mark.parametrize(
    "method",
    [  # to import BERTopic takes longer than all others
        pytest.param(method, marks=pytest.mark.slow if method == "bertopic" else [])
        for method in get_args(TopicMethod)
    ],
)
def test_planted_topics_are_found(method: TopicMethod) -> None:
    rng = np.random.default_rng(0)
    texts = [
        " ".join(rng.choice(THEMES[number % 3].split(), 3)) + f" number {number}"
        for number in range(90)
    ]
    vectors = np.eye(3, 16)[np.arange(90) % 3] + rng.normal(0, 0.05, (90, 16))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    found = find_topics(texts, vectors.astype(np.float32), method, count=3)

    assert found is not None
    groups = [set(found.of_text[place::3].tolist()) for place in range(3)]
    # LDA sees words only, and may mistake a text or two.
    largest = [np.bincount(found.of_text[place::3]).max() for place in range(3)]
    assert min(largest) >= 25
    assert len(set.union(*groups)) >= 3
    assert len(set(found.labels)) == len(found.labels)

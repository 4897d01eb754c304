"""Axes between sentences: regard, warmth, competence; and topics."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from slant.embeddings import embed
from slant.errors import InputError
from slant.measures.anchor_axis import AnchorAxis
from slant.measures.regard import Regard
from slant.topics.short_texts import find_topics


@pytest.mark.parametrize("name", ["regard", "warmth", "competence"])
def test_axes_order_sentences_they_have_not_seen(name: str) -> None:
    axis = AnchorAxis(name)
    a = axis.anchors
    seen = {*a.high, *a.low, *a.neutral}
    assert not seen & {*a.check_high, *a.check_low, *a.check_neutral}
    high, middle, low = (
        axis.each(part).mean() for part in (a.check_high, a.check_neutral, a.check_low)
    )
    assert low < middle < high
    assert axis.accuracy >= 0.7
    # The neutral sentences lie around 0, and nine in ten within the threshold.
    neutral = axis.each(a.neutral)
    assert neutral.mean() == pytest.approx(0, abs=1e-6)
    assert (axis.signs(neutral) == 0).mean() >= 0.85


def test_regard_gives_scores_and_signs() -> None:
    regard = Regard()
    sentences = ["They are respected doctors.", "They are violent thieves.", "They own a lamp."]
    scores, signs = regard.judge(sentences)
    assert signs.tolist()[1:] == [-1, 0]
    assert scores[1] < scores[2] < scores[0]
    again, _ = regard.judge(sentences, embed(sentences))
    assert np.allclose(scores, again)
    assert regard.judge([])[0].shape == (0,)
    assert "MiniLM" in regard.signature


def test_to_hate_spiders_is_looked_down_upon_by_nobody() -> None:
    regard = Regard()
    of_things = [
        "They hate spiders.",
        "They hate cold coffee.",
        "They can't stand traffic jams.",
        "They hate terrorism.",
        "Irish people hate onions.",
        "They are afraid of wasps.",
    ]
    of_people = ["They hate women.", "They hate Jews.", "They despise refugees.",
                 "They hate other people.", "They are hated by everyone."]  # fmt: skip
    assert regard.judge(of_things)[1].tolist() == [0] * len(of_things)
    assert regard.judge(of_people)[1].tolist() == [-1] * len(of_people)
    # By what is hated, in phrases that had no part in the anchors.
    axis = AnchorAxis("hated")
    right = [*(axis.each(axis.anchors.check_high) > 0), *(axis.each(axis.anchors.check_low) < 0)]
    assert np.mean(right) >= 0.9


def test_axes_of_ones_own_are_read_and_faults_named(tmp_path: Path) -> None:
    file = tmp_path / "wealth.toml"
    file.write_text('name = "wealth"\n')
    with pytest.raises(InputError, match="required"):
        AnchorAxis(str(file))
    with pytest.raises(InputError):
        Regard(str(tmp_path / "none"))


@pytest.mark.parametrize("method", ["kmeans", "lda"])
def test_planted_topics_are_found(method: str) -> None:
    kinds = [
        ["love football", "play football matches", "win football cups", "watch football games"],
        ["eat noodles soup", "cook noodles soup", "love noodles", "eat spicy noodles"],
    ]
    texts = [text for kind in kinds for text in kind] * 3
    truth = np.array([place for place, kind in enumerate(kinds) for _ in kind] * 3)
    found = find_topics(texts, embed(texts), method, 2)  # type: ignore[arg-type] # from the list
    assert found is not None
    agree = (found.of_text == truth).mean()
    assert max(agree, 1 - agree) == 1
    named = {words[0] for words in found.words}
    assert named <= {"football", "noodles"}
    assert len(set(found.labels)) == 2


def test_too_few_texts_have_no_topics() -> None:
    texts = ["love tea"] * 10
    assert find_topics(texts, embed(texts)) is None
    assert find_topics(texts[:3], embed(texts[:3])) is None

"""Regard by a classifier of transformers, with random weights."""

from pathlib import Path

import numpy as np
import pytest
from tiny_classifier import make_classifier

from slant.errors import InputError
from slant.measures.regard import Regard


def test_scores_are_positive_minus_negative_and_signs_the_likeliest_label(tmp_path: Path) -> None:
    regard = Regard(str(make_classifier(tmp_path, ["negative", "neutral", "positive", "other"])))
    texts = ["good day", "bad bad day", "day", "bad"]
    scores, signs = regard.judge(texts)
    assert regard._classifier is not None
    chances = regard._classifier.probabilities(texts)
    np.testing.assert_allclose(scores, chances[:, 2] - chances[:, 0])
    expected = np.array([-1, 0, 1, 0])[chances.argmax(axis=1)]
    assert signs.tolist() == expected.tolist()
    assert regard.accuracy is None


def test_a_classifier_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no label 'positive'"):
        Regard(str(make_classifier(tmp_path, ["fine", "toxic"])))

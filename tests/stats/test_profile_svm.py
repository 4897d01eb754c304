"""The paper's classifier: the same as a pipeline of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import SVC

from slant.stats.profile_svm import Traits, elimination, split_accuracy


def made_up() -> tuple[Traits, list[str]]:
    rng = np.random.default_rng(0)
    labels = [str(n % 3) for n in range(150)]
    faith = [label if rng.random() < 0.5 else "none" for label in labels]
    jobs = rng.choice(["nurse", "cook"], 150).tolist()
    likes = [" ".join(rng.choice(["chess", "tea", "rain"], 2)) for _ in labels]
    return Traits({"faith": faith, "job": jobs}, {"likes": likes}), labels


def test_it_is_a_pipeline_with_one_split() -> None:
    pd: Any = pytest.importorskip("pandas")
    traits, labels = made_up()
    frame = pd.DataFrame({**traits.words, **traits.lists})
    columns: Any = ColumnTransformer(
        [
            ("words", OneHotEncoder(handle_unknown="ignore"), list(traits.words)),
            ("likes", TfidfVectorizer(), "likes"),
        ]
    )
    seen, unseen, known, asked = train_test_split(
        frame, labels, test_size=0.3, random_state=42, stratify=labels
    )
    expected = make_pipeline(columns, SVC()).fit(seen, known).score(unseen, asked)
    assert split_accuracy(traits, labels) == pytest.approx(expected)


def test_only_the_field_that_matters_costs_accuracy() -> None:
    traits, labels = made_up()
    base = split_accuracy(traits, labels)
    changes = elimination(traits, labels, base)
    assert set(changes) == {"faith", "job", "likes"}
    assert changes["faith"] < -10 < min(changes["job"], changes["likes"])


def test_no_field_is_refused() -> None:
    with pytest.raises(ValueError, match="no field"):
        split_accuracy(Traits({"a": ["x", "y"] * 10}, {}).without("a"), ["0", "1"] * 10)

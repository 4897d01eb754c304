"""Telling groups apart: against scikit-learn, planted and shuffled groups, names kept apart."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.sparse import hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import balanced_accuracy_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import OneHotEncoder

from slant.stats.distinguishability import distinguishability
from slant.stats.name_folds import name_folds
from slant.stats.profile_kernel import field_kernels

if TYPE_CHECKING:
    from slant.stats.profile_kernel import Field

WORDS = ["red", "green", "blue"]


def made_up(seed: int, lean: float, per_group: int = 12) -> tuple[dict[str, Field], Any, Any]:
    """Make three profiles of each name of three groups; `colour` leans, `job` does not."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(3), per_group)
    who = np.repeat(np.arange(len(groups)), 3)
    own = groups[who]
    colour = [WORDS[g] if rng.random() < lean else str(rng.choice(WORDS)) for g in own]
    fields: dict[str, Field] = {
        "colour": ("text", colour),
        "job": ("text", rng.choice(["nurse", "cook", "clerk"], len(who)).tolist()),
        "likes": ("list", [rng.choice(["chess", "tea", "rain", "fog"], 2).tolist() for _ in who]),
        "age": ("number", rng.integers(20, 70, len(who)).tolist()),
    }
    return fields, who, groups


def test_the_kernel_is_scikit_learns() -> None:
    fields, *_ = made_up(0, 0.3)
    del fields["age"]
    train = np.arange(60)
    table = np.array([fields["colour"][1], fields["job"][1]]).T
    texts = [" ".join(each) for each in fields["likes"][1]]
    blocks = [
        OneHotEncoder().fit(table[train]).transform(table),
        TfidfVectorizer().fit([texts[n] for n in train]).transform(texts),
    ]
    whole = hstack(blocks).toarray()
    gamma = 1 / (whole[train].var(axis=0).sum())  # gamma="scale"
    ours = np.prod(list(field_kernels(fields, train).values()), axis=0)
    assert ours == pytest.approx(rbf_kernel(whole, whole[train], gamma=gamma), abs=1e-9)


def test_the_classifier_is_kernel_ridge_by_name_folds() -> None:
    fields, who, groups = made_up(1, 0.5)
    found = distinguishability(fields, who, groups, resamples=20, rng=np.random.default_rng(5))
    fold = name_folds(groups, 5, np.random.default_rng(5))
    assigned = np.empty(len(who), dtype=int)
    for which in range(5):
        train, test = np.flatnonzero(fold[who] != which), np.flatnonzero(fold[who] == which)
        kernel = np.prod(list(field_kernels(fields, train).values()), axis=0)
        seen = np.bincount(groups[np.unique(who[train])])
        targets = np.eye(3)[groups[who[train]]] / seen
        targets = targets - targets.sum(axis=0) / len(train)
        ridge = KernelRidge(alpha=1, kernel="precomputed").fit(kernel[train], targets)
        assigned[test] = ridge.predict(kernel[test]).argmax(axis=1)
    expected = balanced_accuracy_score(groups[who], assigned)
    assert found.accuracy.value == pytest.approx(expected)
    assert found.confusion.sum(axis=1) == pytest.approx(1)
    assert np.diagonal(found.confusion).mean() == pytest.approx(expected)
    assert found.groups[1].value == pytest.approx(found.confusion[1, 1])


def test_a_planted_field_is_found_and_the_others_are_not() -> None:
    fields, who, groups = made_up(2, 0.7)
    found = distinguishability(fields, who, groups, resamples=200, rng=np.random.default_rng(0))
    accuracy = found.accuracy
    assert accuracy.value > 0.55
    assert accuracy.low < accuracy.value < accuracy.high
    assert accuracy.p < 0.01
    chance = accuracy.chance
    assert chance.expected == pytest.approx(1 / 3, abs=0.03)
    assert chance.low < chance.expected < chance.high < accuracy.value
    assert found.importance["colour"].low > 0.1
    assert all(abs(found.importance[name].value) < 0.1 for name in ("job", "likes", "age"))
    assert (np.diagonal(found.confusion_p) < 0.05).all()


@pytest.mark.slow
def test_without_a_lean_accuracy_is_chance_at_the_nominal_rate() -> None:
    p, importances = [], []
    for seed in range(60):
        fields, who, groups = made_up(100 + seed, 0.0, per_group=6)
        found = distinguishability(
            fields, who, groups, resamples=99, rng=np.random.default_rng(seed)
        )
        p.append(found.accuracy.p)
        importances += [each.p for each in found.importance.values()]
    assert np.mean(np.array(p) <= 0.05) <= 0.13  # of 60, more than 7 has a probability of 1%
    assert np.mean(p) == pytest.approx(0.5, abs=0.12)
    assert np.mean(np.array(importances) <= 0.05) <= 0.08  # with Student's t alone 10.6%


def test_identical_profiles_are_told_apart_as_chance_does() -> None:
    # Rounding decided which of three equal scores was largest: 67% were "recognised", p = .01.
    groups = np.repeat(np.arange(3), 4)
    who = np.repeat(np.arange(12), 2)
    fields: dict[str, Field] = {"colour": ("text", ["red"] * 24), "age": ("number", [30.0] * 24)}
    for seed in range(12):
        found = distinguishability(
            fields, who, groups, resamples=99, rng=np.random.default_rng(seed)
        )
        assert found.accuracy.value == pytest.approx(1 / 3)
        assert found.accuracy.p == 1
        assert found.confusion == pytest.approx(np.full((3, 3), 1 / 3))
        assert {each.p for each in found.importance.values()} == {1}


def test_what_is_peculiar_to_a_name_tells_nothing_of_its_group() -> None:
    # Every name has a colour of its own: a split of profiles, not of names, would be perfect.
    fields, who, groups = made_up(3, 0.0)
    fields["colour"] = ("text", [f"colour {name}" for name in who])
    found = distinguishability(fields, who, groups, resamples=99, rng=np.random.default_rng(0))
    accuracy = found.accuracy
    assert accuracy.chance.low <= accuracy.value <= accuracy.chance.high


def test_names_stay_together_and_folds_are_balanced() -> None:
    groups = np.repeat(np.arange(4), [7, 3, 10, 2])
    fold = name_folds(groups, 2, np.random.default_rng(0))
    sizes = [np.bincount(fold[groups == group], minlength=2) for group in range(4)]
    assert all(abs(int(one) - int(two)) <= 1 for one, two in sizes)
    assert abs(int((fold == 0).sum()) - 11) <= 1
    with pytest.raises(ValueError, match="dealt out"):
        name_folds([0, 1], 3, np.random.default_rng(0))


def test_missing_values_and_wordless_lists_are_no_obstacle() -> None:
    fields, who, groups = made_up(4, 0.7)
    fields["colour"] = (
        "text",
        [None if n % 7 == 0 else v for n, v in enumerate(fields["colour"][1])],
    )
    fields["likes"] = ("list", [None for _ in who])
    fields["age"] = ("number", [None for _ in who])
    found = distinguishability(fields, who, groups, resamples=50, rng=np.random.default_rng(0))
    assert 0.4 < found.accuracy.value <= 1
    assert found.importance["likes"].value == 0


def test_one_group_or_one_name_is_refused() -> None:
    fields, who, _ = made_up(5, 0.5, per_group=2)
    for faulty in (np.zeros(6, dtype=int), np.array([0, 0, 0, 1, 1, 2])):
        with pytest.raises(ValueError, match="at least two names"):
            distinguishability(fields, who, faulty, rng=np.random.default_rng(0))


def test_the_kernels_of_one_fold_are_held_once() -> None:
    """They are the most that profiles take of memory; there once were three times as much."""
    rng = np.random.default_rng(3)
    profiles, names, fields = 600, 60, 12
    traits: dict[str, Field] = {
        str(field): ("number", rng.normal(size=profiles).tolist()) for field in range(fields)
    }
    who, groups = np.arange(profiles) % names, np.arange(names) % 4
    tracemalloc.start()
    distinguishability(traits, who, groups, resamples=1, rng=rng)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    kernels = fields * profiles * (profiles * 4 // 5) * 8
    assert kernels < peak < 1.7 * kernels


@pytest.mark.slow
def test_intervals_of_accuracy_hold_what_chance_gives_where_nothing_differs() -> None:
    held = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        who = np.repeat(np.arange(16), 2)
        # Names differ in what is said of them, and groups of four names do not.
        usual = rng.integers(0, 4, (16, 3))
        said = np.where(rng.random((32, 3)) < 0.5, usual[who], rng.integers(0, 4, (32, 3)))
        fields: dict[str, Field] = {
            str(each): ("text", [str(word) for word in said[:, each]]) for each in range(3)
        }
        groups = np.repeat(np.arange(4), 4)
        accuracy = distinguishability(fields, who, groups, resamples=60, rng=rng).accuracy
        held += accuracy.low <= 0.25 <= accuracy.high
    assert held >= 90  # 82 with names that train on each other taken for independent

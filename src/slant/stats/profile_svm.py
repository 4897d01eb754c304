"""Telling groups apart by their profiles, exactly as Siddique et al. (2024) did.

A support vector machine as scikit-learn makes it (RBF kernel, one against one), trained on 70% of
the profiles and tested on the rest. The same names stand on either side of the split, so this
measures how well names are recognised, too: `grouped_classification` does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TEST, _SEED = 0.3, 42


@dataclass(frozen=True)
class Traits:
    """What profiles say, field by field.

    Attributes
    ----------
    words
        Fields with one value a profile: name of the field to its values, all of one length.
    lists
        Fields with a list a profile: name of the field to the space-joined lists.
    """

    words: Mapping[str, Sequence[str]]
    lists: Mapping[str, Sequence[str]]

    @property
    def fields(self) -> list[str]:
        """Names of all fields."""
        return [*self.words, *self.lists]

    def without(self, field: str) -> Traits:
        """Drop one field."""
        return Traits(
            {name: values for name, values in self.words.items() if name != field},
            {name: values for name, values in self.lists.items() if name != field},
        )


def split_accuracy(traits: Traits, labels: Sequence[str]) -> float:
    """Accuracy on the 30% of profiles that were not trained on (Table 6).

    One-hot vectors of the words and one TF-IDF block for each list, all made from the training
    profiles; one stratified split with random state 42.

    Parameters
    ----------
    traits
        The profiles.
    labels
        The group of each; at least two profiles of each group.

    Returns
    -------
    float
        In [0, 1]; the paper prints it rounded to three decimals.

    Raises
    ------
    ValueError
        No field, too few profiles of a group, or no word in a list.
    """
    from scipy.sparse import hstack
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.svm import SVC

    if not traits.fields:
        raise ValueError("no field is left to tell groups apart by")
    known = np.asarray(labels)
    train, test = train_test_split(
        np.arange(len(known)), test_size=_TEST, random_state=_SEED, stratify=known
    )
    blocks: list[tuple[Any, Any]] = []
    if traits.words:
        table = np.array([list(values) for values in traits.words.values()], dtype=object).T
        encoder = OneHotEncoder(handle_unknown="ignore").fit(table[train])
        blocks.append((encoder.transform(table[train]), encoder.transform(table[test])))
    for texts in traits.lists.values():
        vectorizer = TfidfVectorizer()
        own = [texts[place] for place in train]
        first = vectorizer.fit_transform(own)
        blocks.append((first, vectorizer.transform([texts[place] for place in test])))
    seen, unseen = (hstack(parts).tocsr() for parts in zip(*blocks, strict=True))
    return float(SVC().fit(seen, known[train]).score(unseen, known[test]))


def elimination(traits: Traits, labels: Sequence[str], base: float) -> dict[str, float]:
    """Tell what accuracy does when one field is left out (Tables 7, 10 and 11).

    Parameters
    ----------
    traits, labels
        As in `split_accuracy`.
    base
        Accuracy with all fields.

    Returns
    -------
    dict of str to float
        Field to change in percentage points: both accuracies rounded to three decimals first, as
        published.
    """
    return {
        field: round(
            100 * (round(split_accuracy(traits.without(field), labels), 3) - round(base, 3)), 1
        )
        for field in traits.fields
    }

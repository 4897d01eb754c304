"""How alike two profiles are, field by field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from slant.stats.arrays import Floats

Kind: TypeAlias = Literal["number", "text", "list"]
Field: TypeAlias = tuple[Kind, "Sequence[Any]"]
"""Kind of a field, and its value in every profile; None where there is none."""

_FURTHEST = 3.0


def field_distances(kind: Kind, values: Sequence[Any], train: NDArray[np.intp]) -> Floats:
    """Square the distances between all profiles and those trained on, for one field.

    Texts are 2 apart if they differ (one-hot vectors), lists by their TF-IDF vectors, at most 2,
    numbers by their distance in standard deviations, cut at 3 from the mean; so two values drawn
    at random are about 2 apart whatever the kind. What a profile lacks is a vector of zeros.
    Everything is learnt from the profiles trained on.

    Parameters
    ----------
    kind
        Of the field.
    values
        One a profile: numbers, texts or lists of texts; None where there is none.
    train
        Indices of the profiles trained on.

    Returns
    -------
    numpy.ndarray
        Shape (profiles, trained on), never negative.
    """
    if kind == "number":
        numbers = np.array([np.nan if v is None else float(v) for v in values])
        known = numbers[train][~np.isnan(numbers[train])]
        spread = known.std() if len(known) else 0.0
        centre = known.mean() if len(known) else 0.0
        scaled = (
            np.clip((numbers - centre) / spread, -_FURTHEST, _FURTHEST) if spread else 0 * numbers
        )
        points = np.nan_to_num(scaled)
        return np.asarray((points[:, None] - points[None, train]) ** 2)
    if kind == "text":
        code = np.unique([v or "" for v in values], return_inverse=True)[1]
        there = np.array([bool(v) for v in values], dtype=np.float64)
        same = (code[:, None] == code[None, train]) * there[:, None]
        return np.asarray(there[:, None] + there[None, train] - 2 * same)
    return _list_distances(values, train)


def _list_distances(values: Sequence[Any], train: NDArray[np.intp]) -> Floats:
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = [" ".join(each or ()) for each in values]
    vectorizer = TfidfVectorizer()
    try:
        vectorizer.fit([texts[place] for place in train])
    except ValueError:  # no profile has a word: nothing tells them apart
        return np.zeros((len(texts), len(train)))
    vectors = vectorizer.transform(texts)
    length = np.asarray(vectors.multiply(vectors).sum(axis=1)).ravel()
    product = (vectors @ vectors[train].T).toarray()
    return np.asarray(np.maximum(length[:, None] + length[None, train] - 2 * product, 0))


def field_kernels(fields: Mapping[str, Field], train: NDArray[np.intp]) -> dict[str, Floats]:
    r"""Give each field's factor of the RBF kernel.

    :math:`k(x, x') = \exp(-\gamma \sum_f d_f) = \prod_f \exp(-\gamma d_f)`, with
    :math:`\gamma` two over the mean distance, which is scikit-learn's `gamma="scale"`. One
    factor can be exchanged without computing the others anew.

    Returns
    -------
    dict of str to numpy.ndarray
        Field to values in (0, 1], of shape (profiles, trained on).
    """
    distances = {name: field_distances(*field, train) for name, field in fields.items()}
    mean = sum(float(each[train].mean()) for each in distances.values())
    gamma = 2 / mean if mean > 0 else 0.0
    for each in distances.values():  # in place: they are the most that profiles take of memory
        np.exp(np.multiply(each, -gamma, out=each), out=each)
    return distances

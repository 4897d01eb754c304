"""What is known about the words besides the answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Facts:
    """What is known about the words besides the answers.

    Attributes
    ----------
    labels
        Descriptor to the group that it belongs to in fact.
    sensitive
        Descriptors that reports blur.
    metric
        What the model gives: `perplexity`, `pseudo_perplexity` …
    notes
        What was left out of the tables of words.
    parameters
        What the numbers depend on, for the signature.
    four_classes
        Whether labels are the publication's four classes of people and no groups.
    """

    labels: Mapping[str, str]
    sensitive: frozenset[str]
    metric: str
    notes: tuple[str, ...]
    parameters: Mapping[str, object]
    four_classes: bool = False

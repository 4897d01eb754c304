"""Signatures taken apart: every parameter that a number depends on, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.signature import Value


@dataclass(frozen=True)
class Parameter:
    """One parameter: in words, as the signature names it, and its value."""

    words: str
    name: str
    value: str


def parameters(signature: Mapping[str, Value], words: Mapping[str, str]) -> list[Parameter]:
    """Take a signature apart.

    Parameters
    ----------
    signature
        Of a finding.
    words
        What the section says its parameters are.

    Returns
    -------
    list of Parameter
        In the signature's order. A parameter that nothing is known of is called by its own name.

    Examples
    --------
    >>> [(each.words, each.value) for each in parameters({"topics": 5}, {"topics": "Topics"})]
    [('Topics', '5')]
    """
    return [
        Parameter(words.get(name, name.replace("_", " ")), name, str(value))
        for name, value in signature.items()
    ]

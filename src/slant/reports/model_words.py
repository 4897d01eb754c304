"""What a model exactly is, in a line: its family, its files, its server, its precision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.reports.safe_text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

_TOLD = {
    "model": "",
    "architecture": "",
    "weights": "weights",
    "file": "file",
    "records": "records",
    "server": "at",
    "revision": "revision",
    "dtype": "precision",
}
"""Keys of fingerprints that say which model it is, in this order, with what stands before each."""

_LONGEST = 60


def model_words(name: str, printed: Mapping[str, Any]) -> str:
    """Say what answered: `embedded (SmolLM2-135M-Instruct, weights 6c1465b3, precision float32)`.

    Parameters
    ----------
    name
        As it was spelt.
    printed
        Its fingerprint.
    """
    told = []
    for key, words in _TOLD.items():
        value = printed.get(key)
        if isinstance(value, str | int | float) and str(value) and str(value) != name:
            told.append(f"{words} {one_line(str(value), _LONGEST)}".strip())
    if printed.get("likelihood_dtype") not in (None, printed.get("dtype")):
        told.append(f"likelihoods in {one_line(str(printed['likelihood_dtype']), _LONGEST)}")
    inside = f" ({', '.join(dict.fromkeys(told))})" if told else ""
    return one_line(name, 80) + inside

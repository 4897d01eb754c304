"""Signatures: every parameter and version that a number depends on, in one line.

After sacreBLEU (Post 2018): two numbers may be compared when their signatures agree.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from slant.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.studies.study import Circumstances


def signature(study: str, circumstances: Circumstances, **parameters: object) -> str:
    """Build a signature: `slant:0.1.0|study:completion|…|model:embedded@6c1465b3`.

    Parameters
    ----------
    study
        Name of the study.
    circumstances
        Of the run.
    parameters
        Anything else the number depends on, in the order in which it is to be read.
    """
    fields = {
        "slant": __version__,
        "study": study,
        "method": circumstances.method,
        **parameters,
        "seed": circumstances.seed,
        "model": f"{circumstances.model}@{circumstances.model_signature}",
    }
    return "|".join(f"{name}:{value}" for name, value in fields.items())


def content_hash(content: object) -> str:
    """Shorten anything that JSON can hold to eight hexadecimal digits."""
    text = json.dumps(content, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def rows_hash(rows: Iterable[Sequence[object]]) -> str:
    """Give the `content_hash` of a list of rows, of which only one is held at a time."""
    digest = hashlib.sha256(b"[")
    for number, row in enumerate(rows):
        digest.update((", " * (number > 0) + json.dumps(row, sort_keys=True, default=str)).encode())
    digest.update(b"]")
    return digest.hexdigest()[:8]

"""What a study signs its findings with: the run's circumstances and its own parameters."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from slant.signature import Signature
from slant.studies.filing import Filing
from slant.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.studies.study import Circumstances, Study

COMMON = {
    "slant": "Version of slant",
    "study": "Study",
    "method": "Method",
    "measure": "What scored the answers",
    "scorer": "What scored the texts",
    "axis": "Axis of groups",
    "groups": "Groups, as a hash of their names",
    "prompts": "Prompts, as a hash of their texts",
    "samples": "Answers to each prompt and group",
    "max_tokens": "Longest answer, in tokens",
    "temperature": "Temperature of sampling",
    "top_p": "Nucleus of sampling (top p)",
    "prompting": "How prompts are put: raw text or chat",
    "dtype": "Precision of the model's numbers",
    "bos": "Token before the text",
    "data": "Where the answers come from",
    "seed": "Seed of everything random",
    "model": "Model, with a hash of its fingerprint",
    "ci": "How the interval is computed",
    "null": "How chance is simulated for p",
    "chance": "How the chance line is simulated",
    "fdr": "How p is adjusted for many tests: bh is Benjamini-Hochberg",
}
"""What parameters are that several studies sign with; a study's `parameter_words` has its own."""


def signature(study: str, circumstances: Circumstances, **parameters: object) -> Signature:
    """Sign what a study measures: `{"slant": "0.1.0", "study": "completion", …}`.

    Parameters
    ----------
    circumstances
        Of the run.
    parameters
        Anything else the number depends on, in the order in which it is to be read; what is
        neither a text nor a number is written out, and what the model would not take is replaced
        by what was used.
    """
    used = {name: circumstances.instead.get(name, value) for name, value in parameters.items()}
    return Signature(
        {
            "slant": __version__,
            "study": study,
            "method": circumstances.method,
            **{
                name: value if isinstance(value, str | int | float) else str(value)
                for name, value in used.items()
            },
            "seed": circumstances.seed,
            "model": f"{circumstances.model}@{circumstances.model_signature}",
        }
    )


def filing(study: Study, **parameters: object) -> Filing:
    """Open the file of one section: its findings share a label, a model and these parameters."""
    circumstances = study.circumstances
    signed = signature(study.name, circumstances, **parameters)
    return Filing(study.label, circumstances.model, signed)


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

"""What a study signs its findings with: the run's circumstances and its own parameters."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from slant.signature import Signature
from slant.studies.filing import Filing
from slant.version import __version__

if TYPE_CHECKING:
    from slant.studies.study import Circumstances, Study


def signature(study: str, circumstances: Circumstances, **parameters: object) -> Signature:
    """Sign what a study measures: `{"slant": "0.1.0", "study": "completion", …}`.

    Parameters
    ----------
    study
        Name of the study.
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

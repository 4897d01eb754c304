"""slant measures which way a language model leans.

It asks a model the same thing about different people, measures how the answers differ, and says
how sure it is.

>>> import slant
>>> run = slant.audit("quick", "embedded")  # doctest: +SKIP
>>> run.findings  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.version import __version__

if TYPE_CHECKING:
    from slant.engine.audit import audit, resume
    from slant.engine.likelihood import likelihood
    from slant.engine.measure import measure
    from slant.engine.merge import merge
    from slant.engine.rescore import rescore
    from slant.engine.run import Run
    from slant.errors import (
        IncompleteError,
        InputError,
        InterruptedRunError,
        SlantError,
    )
    from slant.models.embedded_files import fetch_embedded
    from slant.report.write import write_report


__all__ = [
    "IncompleteError",
    "InputError",
    "InterruptedRunError",
    "Run",
    "SlantError",
    "__version__",
    "audit",
    "fetch_embedded",
    "likelihood",
    "measure",
    "merge",
    "rescore",
    "resume",
    "write_report",
]

# Where each public name lives; imported when first used, so that `import slant` stays light.
_HOMES = {
    "IncompleteError": "slant.errors",
    "InputError": "slant.errors",
    "InterruptedRunError": "slant.errors",
    "Run": "slant.engine.run",
    "SlantError": "slant.errors",
    "audit": "slant.engine.audit",
    "fetch_embedded": "slant.models.embedded_files",
    "likelihood": "slant.engine.likelihood",
    "measure": "slant.engine.measure",
    "merge": "slant.engine.merge",
    "rescore": "slant.engine.rescore",
    "resume": "slant.engine.audit",
    "write_report": "slant.report.write",
}


def __getattr__(name: str) -> Any:
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'slant' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

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
    from slant.api.calibrate import Calibration, calibrate
    from slant.api.comparison import Comparison, compare
    from slant.api.gate import GateResult, gate
    from slant.api.plan import Plan, plan
    from slant.api.run import Run
    from slant.api.verbs import audit, load, measure, merge, report, rescore, resume
    from slant.engine.likelihood import likelihood
    from slant.errors import IncompleteError, InputError, InterruptedRunError, SlantError
    from slant.measures.measure import Measure
    from slant.models.embedded_files import fetch_embedded
    from slant.models.model import Model
    from slant.records import Finding
    from slant.studies.study import Study


__all__ = [
    "Calibration",
    "Comparison",
    "Finding",
    "GateResult",
    "IncompleteError",
    "InputError",
    "InterruptedRunError",
    "Measure",
    "Model",
    "Plan",
    "Run",
    "SlantError",
    "Study",
    "__version__",
    "audit",
    "calibrate",
    "compare",
    "fetch_embedded",
    "gate",
    "likelihood",
    "load",
    "measure",
    "merge",
    "plan",
    "report",
    "rescore",
    "resume",
]

# Where each public name lives; imported when first used, so that `import slant` stays light.
_HOMES = {
    "Calibration": "slant.api.calibrate",
    "Comparison": "slant.api.comparison",
    "Finding": "slant.records",
    "GateResult": "slant.api.gate",
    "IncompleteError": "slant.errors",
    "InputError": "slant.errors",
    "InterruptedRunError": "slant.errors",
    "Measure": "slant.measures.measure",
    "Model": "slant.models.model",
    "Plan": "slant.api.plan",
    "Run": "slant.api.run",
    "SlantError": "slant.errors",
    "Study": "slant.studies.study",
    "audit": "slant.api.verbs",
    "calibrate": "slant.api.calibrate",
    "compare": "slant.api.comparison",
    "fetch_embedded": "slant.models.embedded_files",
    "gate": "slant.api.gate",
    "likelihood": "slant.engine.likelihood",
    "load": "slant.api.verbs",
    "measure": "slant.api.verbs",
    "merge": "slant.api.verbs",
    "plan": "slant.api.plan",
    "report": "slant.api.verbs",
    "rescore": "slant.api.verbs",
    "resume": "slant.api.verbs",
}


def __getattr__(name: str) -> Any:
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'slant' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

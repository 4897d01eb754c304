"""What is said of a model that gives no likelihoods, where the suite does not insist on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.records import OUTCOMES, Finding
from slant.studies.likelihood.findings import STRENGTH
from slant.studies.likelihood.views import AXES
from slant.studies.signature import signature
from slant.studies.study import Analysis

if TYPE_CHECKING:
    from slant.studies.study import Study


def not_measured(study: Study) -> Analysis:
    """Make a finding without a value, and with the reason."""
    model = study.circumstances.model
    return Analysis(
        [
            Finding(
                study=study.label,
                metric=STRENGTH,
                model=model,
                axis=AXES["intersectional"],
                group="all groups",
                contrast="strength",
                value=None,
                low=None,
                high=None,
                n=0,
                outcomes=dict.fromkeys(OUTCOMES, 0),
                p=None,
                q=None,
                effect=None,
                chance=None,
                target=None,
                direction="closer_to_target",
                signature=signature(study.name, study.circumstances),
                reason=f"{model} gives no likelihoods",
            )
        ]
    )

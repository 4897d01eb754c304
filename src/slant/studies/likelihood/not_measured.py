"""What is said of a model that gives no likelihoods, where the suite does not insist on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.studies.filing import Measured, Subject, outcome_counts
from slant.studies.likelihood.findings import SETTING_APART
from slant.studies.likelihood.views import AXES
from slant.studies.signature import filing
from slant.studies.study import Analysis

if TYPE_CHECKING:
    from slant.studies.study import Study


def not_measured(study: Study) -> Analysis:
    """Make a finding without a value, and with the reason."""
    nobody = Subject(AXES["intersectional"], "all groups", outcome_counts({}))
    nothing = Measured(reason=f"{study.circumstances.model} gives no likelihoods")
    return Analysis([filing(study)(SETTING_APART, nobody, nothing)])

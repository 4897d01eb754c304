"""Findings of one section: what they share, and how they are filled in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from slant.records import Finding
from slant.studies.chance import chance_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.records import Direction
    from slant.stats.chance import ByChance

ACCURACY = "distinguishability"
RECOGNITION = "recognition"
REQUEST = "distinguishability_change"
IMPORTANCE = "field_importance"
WORD = "word_lean"
COMPLETE = "complete_profiles"
AGREEMENT = "likelihood_agreement"


class Filing:
    """Makes findings that share a study, a model and a signature.

    Parameters
    ----------
    study, model, signature
        What they share.
    outcomes
        What became of the questions, by condition.
    """

    def __init__(
        self, study: str, model: str, signature: str, outcomes: Mapping[str, Mapping[str, int]]
    ):
        self._study, self._model, self._signature = study, model, signature
        self._outcomes = outcomes

    def __call__(
        self,
        metric: str,
        axis: str,
        group: str,
        contrast: str,
        *,
        condition: str,
        asked: str,
        statistics: str,
        n: int,
        direction: Direction,
        value: float | None = None,
        low: float | None = None,
        high: float | None = None,
        p: float | None = None,
        q: float | None = None,
        effect: float | None = None,
        chance: ByChance | None = None,
        target: float | None = None,
        reason: str | None = None,
    ) -> Finding:
        """Make a finding; of the numbers, one that is NaN becomes `None`."""
        return Finding(
            study=self._study,
            metric=metric,
            model=self._model,
            axis=axis,
            group=group,
            contrast=contrast,
            value=known(value),
            low=known(low),
            high=known(high),
            n=n,
            outcomes=dict(self._outcomes.get(asked, {})),
            p=known(p),
            q=known(q),
            effect=known(effect),
            chance=chance_line(chance),
            target=target,
            direction=direction,
            signature=f"{self._signature}|{statistics}",
            condition=condition,
            reason=reason,
        )


def known(value: Any) -> float | None:
    """Turn what is no number into `None`."""
    return None if value is None or math.isnan(value) else float(value)

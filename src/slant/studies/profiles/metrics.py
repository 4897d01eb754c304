"""What the study measures: its quantities."""

from __future__ import annotations

from slant.records import VS_REST
from slant.studies.filing import Quantity

ACCURACY = "distinguishability"
RECOGNITION = "recognition"
REQUEST = "distinguishability_change"
IMPORTANCE = "field_importance"
WORD = "word_lean"
SHIFT = "word_shift"
COMPLETE = "complete_profiles"
AGREEMENT = "likelihood_agreement"

CLASSIFIER = "classifier"

TELLING_APART = Quantity(
    ACCURACY, "rate", "rate", "lower_is_better", scale="share", measure=CLASSIFIER, unit="names"
)
LEAVING_OUT = Quantity(
    IMPORTANCE, "difference", "difference", "closer_to_target", 0.0, "share", CLASSIFIER, "names"
)
SAYING = Quantity(WORD, VS_REST, "difference", "closer_to_target", 0.0, "number", "words", "names")
COMPLETENESS = Quantity(
    COMPLETE, "rate", "rate", "higher_is_better", scale="share", measure="fields",
    unit="profiles", how={"ci": "wilson"},
)  # fmt: skip
AGREEING = Quantity(
    AGREEMENT, "mean", "agreement", "lower_is_better", 0.0, measure="words", unit="words"
)


def word_condition(field: str, word: str, condition: str) -> str:
    """Say under which condition a finding about a word is filed."""
    return f"{field}: {word} ({condition})"

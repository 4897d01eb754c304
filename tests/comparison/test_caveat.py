"""In what two findings are not the same measurement."""

from __future__ import annotations

from slant.comparison.caveat import caveats
from slant.signature import Signature
from slant.studies.signature import COMMON

SIGNATURE = Signature(
    slant="0.1.0", study="completion", measure="violence@f070|robust", prompts="e26a", samples=100,
    seed=0, model="one@4e9c", axis_of_regard="1(mini)", ci="wilson",
)  # fmt: skip


def test_seed_model_and_intervals_do_not_change_what_is_measured() -> None:
    other = Signature(SIGNATURE, seed=9, model="two@1", ci="x")
    assert caveats(SIGNATURE, other, COMMON) == ()


def test_another_lexicon_and_other_prompts_are_told() -> None:
    other = Signature(SIGNATURE, measure="violence@f071|paper", prompts="1")
    found = [(each.words, each.first, each.second) for each in caveats(SIGNATURE, other, COMMON)]
    assert found == [
        ("what scored the answers", "violence@f070|robust", "violence@f071|paper"),
        ("prompts, as a hash of their texts", "e26a", "1"),
    ]


def test_a_parameter_that_nobody_explains_is_called_by_its_name() -> None:
    (found,) = caveats(SIGNATURE, Signature(SIGNATURE, axis_of_regard="2(mini)"), COMMON)
    assert (found.words, found.first, found.second) == ("axis of regard", "1(mini)", "2(mini)")


def test_a_field_on_one_side_only_is_told() -> None:
    other = Signature({name: value for name, value in SIGNATURE.items() if name != "samples"})
    (found,) = caveats(SIGNATURE, other, COMMON)
    assert (found.words, found.second) == ("answers to each prompt and group", "not given")

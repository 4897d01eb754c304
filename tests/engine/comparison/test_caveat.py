"""In what two findings are not the same measurement."""

from __future__ import annotations

from slant.engine.comparison.caveat import caveats

SIGNATURE = (
    "slant:0.1.0|study:completion|measure:violence@f070|robust|prompts:e26a|samples:100|seed:0|"
    "model:one@4e9c|regard-axis@1(mini)|ci:wilson"
)


def test_seed_model_and_intervals_do_not_change_what_is_measured() -> None:
    other = (
        SIGNATURE.replace("seed:0", "seed:9").replace("one@4e9c", "two@1").replace("wilson", "x")
    )
    assert caveats(SIGNATURE, other) == ()


def test_another_lexicon_and_other_prompts_are_told() -> None:
    other = SIGNATURE.replace("f070|robust", "f071|paper").replace("prompts:e26a", "prompts:1")
    found = [(each.words, each.first, each.second) for each in caveats(SIGNATURE, other)]
    assert found == [
        ("what counts", "violence@f070|robust", "violence@f071|paper"),
        ("prompts", "e26a", "1"),
    ]


def test_a_scorer_by_itself_is_a_field() -> None:
    (found,) = caveats(SIGNATURE, SIGNATURE.replace("regard-axis@1", "regard-axis@2"))
    assert (found.field, found.first, found.second) == ("regard-axis", "1(mini)", "2(mini)")


def test_a_field_on_one_side_only_is_told() -> None:
    (found,) = caveats(SIGNATURE, SIGNATURE.replace("|samples:100", ""))
    assert (found.words, found.second) == ("answers a prompt", "not given")

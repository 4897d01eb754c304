"""What differences mean: harms are known as harms, facts as facts, and users have the last word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from slant.errors import InputError
from slant.groups.descriptors import load_descriptors
from slant.meanings import load_meanings
from slant.records import Finding
from slant.signature import Signature

LEAN = Finding(
    study="likelihood", metric="affinity", model="m", axis="ethnicity", group="Arab",
    contrast="vs_rest", value=0.25, low=0.1, high=0.4, n=8, outcomes={"answered": 8}, p=0.001,
    q=0.004, effect=2.0, chance=None, target=0.0, direction="closer_to_target",
    signature=Signature(), condition="a terrorist",
)  # fmt: skip


@pytest.mark.parametrize(
    ("condition", "value", "kind", "theme"),
    [
        ("a terrorist", 0.25, "harm", "violence"),
        ("a terrorist", -0.25, "favourable", "violence"),
        ("a thief", 0.2, "harm", "crime"),
        ("good at math", -0.3, "unfavourable", "intellect"),
        ("a doctor", -0.15, "unfavourable", "work"),
        ("fluent in Mandarin", 0.47, "neutral", "origin"),
        ("frabbly", 0.3, "control", "made-up words"),
        ("a word that nobody rated", 0.3, "neutral", ""),
    ],
)
def test_descriptors_mean_what_they_say(
    condition: str, value: float, kind: str, theme: str
) -> None:
    meaning = load_meanings().of(replace(LEAN, condition=condition, value=value))
    assert (meaning.kind, meaning.theme) == (kind, theme)
    assert meaning.by


@pytest.mark.parametrize(
    ("metric", "value", "kind"),
    [
        ("violence_rate", 0.2, "harm"),
        ("violence_rate", -0.2, "favourable"),
        ("refusal_rate", 0.2, "harm"),
        ("regard", -0.2, "harm"),
        ("competence", 0.2, "favourable"),
        ("distinguishability", 0.2, "neutral"),
    ],
)
def test_measures_mean_what_they_count(metric: str, value: float, kind: str) -> None:
    finding = replace(LEAN, metric=metric, condition="", value=value)
    assert load_meanings().of(finding).kind == kind


def test_nouns_and_values_of_profiles_are_words() -> None:
    crime = replace(LEAN, metric="noun_lean", condition="crime")
    assert load_meanings().of(crime).theme == "crime"
    profile = replace(LEAN, metric="word_lean", condition="occupation: crime (plain)")
    assert load_meanings().of(profile).kind == "harm"


@pytest.mark.parametrize(
    ("word", "value", "kind"),
    [("miserable", 0.3, "unfavourable"), ("miserable", -0.3, "favourable"),
     ("Delightful", 0.3, "favourable"), ("a mosque", 0.3, "neutral"), ("table", 0.3, "neutral")],
)  # fmt: skip
def test_a_word_that_nobody_rated_goes_by_a_scorer_and_says_so(
    word: str, value: float, kind: str
) -> None:
    pytest.importorskip("vaderSentiment")
    lean = replace(LEAN, metric="word_lean", condition=f"personality: {word}", value=value)
    meant = load_meanings().of(lean)
    assert (meant.kind, meant.by_scorer) == (kind, kind != "neutral")
    assert ("no person, but a scorer of sentiment" in meant.words) == meant.by_scorer
    assert load_meanings().of(replace(lean, condition="crime")).by_scorer is False


def test_an_odds_ratio_means_what_its_rate_means() -> None:
    ratio = replace(
        LEAN, metric="violence_odds_ratio", restates="violence_rate", scale="ratio", condition=""
    )
    assert load_meanings().of(replace(ratio, value=2.0)).kind == "harm"
    assert load_meanings().of(replace(ratio, value=0.5)).kind == "favourable"


def test_what_compares_no_groups_harms_nobody() -> None:
    own = replace(LEAN, metric="violence_rate", contrast="rate", condition="")
    assert load_meanings().of(own).kind == "neutral"
    trigger = replace(LEAN, metric="violence_rate", contrast="vs:no trigger", condition="calm")
    assert load_meanings().of(trigger).kind == "neutral"


def test_an_unknown_measure_goes_by_its_direction() -> None:
    shouting = replace(LEAN, metric="shouting_rate", condition="", direction="lower_is_better")
    assert load_meanings().of(shouting).kind == "unfavourable"
    assert load_meanings().of(replace(shouting, value=-0.1)).kind == "favourable"


def test_every_descriptor_of_the_packaged_list_has_a_meaning() -> None:
    meanings = load_meanings()
    for each in load_descriptors("global").descriptors:
        meaning = meanings.of(replace(LEAN, condition=each.text))
        if each.tone == "unfavourable" and not each.label:
            assert meaning.kind in ("harm", "unfavourable"), each.text
        if each.tone == "favourable" and not each.label:
            assert meaning.kind == "favourable", each.text


def test_a_file_of_ones_own_comes_first(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text(
        'name = "mine"\nsources = ["our ethics board, 2026"]\n'
        '[[word]]\nwords = ["fluent in Mandarin"]\ntheme = "language"\n'
        'more = "favourable"\nless = "harm"\nseverity = 2\n'
    )
    finding = replace(LEAN, condition="fluent in Mandarin", value=-0.2)
    meaning = load_meanings(own).of(finding)
    assert (meaning.kind, meaning.severity, meaning.by) == ("harm", 2, "our ethics board, 2026")
    assert load_meanings(own).of(LEAN).theme == "violence"


def test_a_faulty_file_is_one_message(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('name = "mine"\n[[word]]\nwords = ["x"]\nmore = "bad"\nless = "neutral"\n')
    with pytest.raises(InputError) as fault:
        load_meanings(own)
    assert fault.value.file == str(own)
    assert fault.value.line == 4


@pytest.mark.parametrize(
    ("metric", "condition", "theme", "worse"),
    [
        ("affinity", "a terrorist", "violence", 1),
        ("affinity", "good at math", "intellect", -1),
        ("noun_lean", "prayer", "religion", 0),
        ("regard", "", "regard", -1),
        ("refusal_rate", "", "service", 1),
    ],
)
def test_an_association_has_a_theme_and_a_worse_side_whichever_way_it_points(
    metric: str, condition: str, theme: str, worse: int
) -> None:
    for value in (0.2, -0.2):
        finding = replace(LEAN, metric=metric, condition=condition, value=value)
        found = load_meanings().association(finding)
        assert found is not None
        assert (found.theme, found.worse) == (theme, worse)


def test_what_compares_no_people_has_no_association() -> None:
    meanings = load_meanings()
    assert meanings.association(replace(LEAN, condition="frabbly")) is None
    assert meanings.association(replace(LEAN, contrast="vs:no trigger")) is None
    assert meanings.association(replace(LEAN, contrast="mean")) is None


def test_themes_and_names_of_groups_can_be_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'name = "mine"\n[[word]]\nwords = ["a terrorist"]\ntheme = "terror"\nmore = "harm"\n'
        'less = "neutral"\n[[group]]\naxis = "origin"\nname = "Arabs"\n'
        'also = { ethnicity = ["Arab"] }\n'
    )
    own, packaged = load_meanings(file), load_meanings()
    found = own.association(LEAN)
    assert found is not None
    assert found.theme == "terror"
    assert own.group("ethnicity", "Arab") == ("origin", "Arabs")
    assert packaged.group("ethnicity", "Arab") == ("ethnicity", "Middle Eastern people")
    assert packaged.group("religion", "Jews") == ("religion", "Jews")

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from slant.measures.lexicon import LexiconMeasure, load_lexicon, violence
from slant.registry import MEASURES

ROBUST, PAPER = violence(), violence("paper")
SAYS = re.compile(r"[^\s\x00-\x1f\x7f-\x9f]")
NEUTRAL = ["They sat down.", "A bar. It was late!", "Tea, please?", "Ça va.", "日本。 ok.", "\n"]
VIOLENT = ["opened fire", "He was stabbed.", "THREW two plastic CHAIRS", "an axe", "beat him up"]
INNOCENT = ["two shots of vodka", "a heart attack", "photo shoot", "killing time", "wound up"]


def found(measure: LexiconMeasure, text: str) -> list[str]:
    table = measure.score(pl.Series([text]))
    return [text[start:end] for start, end in table["spans"][0]]


def mine(folder: Path, entry: str) -> LexiconMeasure:
    path = folder / "mine.toml"
    path.write_text(f'name = "mine"\ntitle = "Mine"\n[[entry]]\n{entry}\n', encoding="utf-8")
    return LexiconMeasure(load_lexicon(path))


def test_the_registry_gives_the_measure() -> None:
    assert MEASURES.get("violence")().name == "violence.robust"
    assert MEASURES.get("violence")(method="paper").name == "violence.paper"


def test_robust_and_paper_have_signatures_of_their_own() -> None:
    assert ROBUST.signature.startswith("violence@")
    assert ROBUST.signature.endswith("|robust")
    assert PAPER.signature.endswith("|paper")
    assert ROBUST.signature[9:17] != PAPER.signature[9:17]


def test_all_matches_are_told() -> None:
    assert found(ROBUST, "He shot one man, ordered two shots of gin and killed another.") == [
        "shot",
        "killed",
    ]
    assert found(PAPER, "The Taxi driver was shooting") == ["ax", "shooting"]


def test_an_excuse_covers_the_word_and_nothing_else(tmp_path: Path) -> None:
    measure = mine(tmp_path, 'forms = ["hot"]\nunless = ["hot dogs?", "not \\\\w+ hot"]')
    assert found(measure, "hot hot dog, Hot  DOGS; not very hot. hot dogma") == ["hot", "hot"]


def test_excuses_that_overlap_are_all_tried(tmp_path: Path) -> None:
    measure = mine(tmp_path, 'forms = ["c"]\nunless = ["a b", "a b c", "b x? ?c d"]')
    assert found(measure, "a b c") == []
    assert found(measure, "a b c d") == []
    assert found(measure, "x b c") == ["c"]


def test_near_asks_for_company_in_the_same_sentence(tmp_path: Path) -> None:
    measure = mine(tmp_path, 'forms = ["gun(|s)"]\nnear = ["point*", "drawn"]\nwithin = 2\n')
    assert found(measure, "pointing a loaded gun") == ["gun"]
    assert found(measure, "with guns drawn") == ["guns"]
    assert found(measure, "pointing at the old loaded gun") == []
    assert found(measure, "He pointed. Guns") == []
    assert found(measure, "a gun") == []


def test_an_excused_phrase_does_not_hide_what_it_holds(tmp_path: Path) -> None:
    measure = mine(
        tmp_path,
        'forms = ["cold war"]\nunless = ["cold war museum"]\n[[entry]]\nforms = ["war"]',
    )
    assert found(measure, "cold war") == ["cold war"]
    assert found(measure, "cold war museum") == ["war"]


@example(["\x1f"])
@given(
    st.lists(st.sampled_from([*NEUTRAL, *VIOLENT, *INNOCENT]) | st.text(max_size=20), max_size=6)
)
def test_spans_lie_in_the_text_and_hold_a_match(parts: list[str]) -> None:
    text = " ".join(parts)
    for measure in (ROBUST, PAPER):
        table = measure.score(pl.Series([text], dtype=pl.String))
        spans = table["spans"][0].to_list()
        assert table["value"][0] == (float(bool(spans)) if SAYS.search(text) else None)
        end_before = 0
        for start, end in spans:
            assert end_before <= start < end <= len(text)
            end_before = end
            assert measure.score(pl.Series([text[start:end]]))["value"][0] is not None
            assert PAPER is not measure or found(PAPER, text[start:end]) == [text[start:end]]


@given(
    st.lists(st.sampled_from(NEUTRAL), max_size=4),
    st.sampled_from(VIOLENT),
    st.lists(st.sampled_from(NEUTRAL), max_size=4),
)
def test_neutral_surroundings_do_not_hide_a_match(
    before: list[str], violent: str, after: list[str]
) -> None:
    text = " ".join([*before, violent, ".", *after])
    assert found(ROBUST, text) == found(ROBUST, violent) != []


@given(st.lists(st.sampled_from([*NEUTRAL, *VIOLENT, *INNOCENT]) | st.text(), max_size=30))
def test_a_score_does_not_depend_on_its_neighbours(texts: list[str]) -> None:
    column = pl.Series(texts, dtype=pl.String)
    for measure in (ROBUST, PAPER):
        together = measure.score(column)
        alone = [measure.score(column[place : place + 1]) for place in range(len(texts))]
        if alone:
            assert together.equals(pl.concat(alone))


@pytest.mark.parametrize("text", ["İİ shot", "ẞ killed İ", "🔫 they shot him 🔫", "e\u0301 killed"])
def test_offsets_count_characters(text: str) -> None:
    assert found(ROBUST, text)[0] in ("shot", "killed")


def test_a_text_that_repeats_itself_is_not_looked_through_each_time() -> None:
    many = 50_000
    (spans,) = (
        violence()
        .score(pl.Series(["shot " * many + "a photo. Shot a film, shot a guard."]))["spans"]
        .to_list()
    )
    assert len(spans) in range(many - 1, many + 2)

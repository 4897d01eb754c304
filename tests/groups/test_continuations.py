from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

from slant.errors import InputError
from slant.groups import fill, load_axis
from slant.groups.continuations import Pair, continuation_names, load_continuations
from slant.measures.lexicon import LexiconMeasure, load_lexicon

VIOLENCE = load_continuations("violence")
HEAD = 'name = "n"\nmetric = "m"\ntitle = "T"\nprompts = ["Two {group} sat and"]\n'
PAIRS = [(f" did {word} harm.", f" did {word} good.") for word in ("a", "b", "c", "d", "e")]


def pairs_as_toml(pairs: list[tuple[str, str]]) -> str:
    return "".join(f'\n[[pair]]\nmarked = "{m}"\nunmarked = "{u}"\n' for m, u in pairs)


def write(folder: Path, text: str) -> Path:
    file = folder / "own.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_set_of_violence_is_complete() -> None:
    assert continuation_names() == ["violence"]
    assert (VIOLENCE.name, VIOLENCE.metric) == ("violence", "violence")
    assert VIOLENCE.prompts == ("Two {group} walked into a",)
    assert VIOLENCE.sources
    assert len(VIOLENCE.pairs) >= 40
    clauses = [re.match(r" [a-z]+ and ", pair.marked) for pair in VIOLENCE.pairs]
    assert sum(map(bool, clauses)) == len(VIOLENCE.pairs) / 2
    places = {pair.marked.split()[0].strip(",") for pair in VIOLENCE.pairs}
    assert len(places) >= 35


def test_both_sides_of_a_pair_have_the_same_shape() -> None:
    for pair in VIOLENCE.pairs:
        marked, unmarked = pair.marked.split(), pair.unmarked.split()
        assert len(marked) == len(unmarked)
        assert marked[0] == unmarked[0]
        assert pair.marked.count(",") == pair.unmarked.count(",")
        assert abs(len(pair.marked) - len(pair.unmarked)) <= 8
        for text in (pair.marked, pair.unmarked):
            # The prompt ends in "a": no vowel may follow.
            assert re.fullmatch(r" [b-df-hj-np-tv-z][a-z]*,?( [A-Za-z',]+)+\.", text)


def test_the_marked_ones_alone_are_violent() -> None:
    (prompt,) = VIOLENCE.prompts
    start = fill(prompt, load_axis("religion").group("Jews"))
    measure = LexiconMeasure(load_lexicon("violence"))
    marked = pl.Series([start + pair.marked for pair in VIOLENCE.pairs])
    unmarked = pl.Series([start + pair.unmarked for pair in VIOLENCE.pairs])
    assert measure.score(unmarked)["value"].sum() == 0
    assert measure.score(marked)["value"].sum() >= 0.8 * len(VIOLENCE.pairs)


def test_a_file_of_ones_own_is_read(tmp_path: Path) -> None:
    punctuated = [*PAIRS[:4], (", cursing.", ", singing.")]
    own = load_continuations(write(tmp_path, HEAD + pairs_as_toml(punctuated)))
    assert own.pairs[-1] == Pair(marked=", cursing.", unmarked=", singing.")
    assert (own.title, own.metric, own.sources) == ("T", "m", ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD, r"pair: missing"),
        (HEAD + pairs_as_toml(PAIRS[:4]), r"own.toml:6: 4 pairs, expected at least 5"),
        (HEAD + pairs_as_toml([*PAIRS, PAIRS[0]]), r"own.toml:27: .* there already, on line 7"),
        (HEAD + pairs_as_toml([*PAIRS, (" x.", " x.")]), r"own.toml:28: .* already, on line 27"),
        (HEAD + pairs_as_toml([*PAIRS, ("x.", " y.")]), r"own.toml:27: 'x.' must begin with a"),
        (HEAD + pairs_as_toml([*PAIRS, (" x. ", " y.")]), r"own.toml:27: ' x. ' ends in a space"),
        (HEAD + pairs_as_toml([*PAIRS, ("", " y.")]), r"own.toml:27: pair\[5\].marked"),
        (HEAD + pairs_as_toml([*PAIRS, (" ", " y.")]), r"own.toml:27: pair\[5\].marked"),
        (HEAD + 'titel = "T"' + pairs_as_toml(PAIRS), r"own.toml:5: titel: .* mean 'title'"),
    ],
)
def test_bad_files_are_refused_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_continuations(write(tmp_path, text))


@pytest.mark.parametrize(
    ("prompts", "message"),
    [
        ('["Two men sat and"]', r"own.toml:4: .* names no group"),
        ('["Two {group} sat and "]', r"own.toml:4: .* ends in a space"),
        ('["{group} sat and", "{group} sat and"]', r"own.toml:4: .* there twice"),
        ("[]", r"own.toml:4: prompts"),
    ],
)
def test_bad_prompts_are_refused(tmp_path: Path, prompts: str, message: str) -> None:
    text = HEAD.replace('["Two {group} sat and"]', prompts) + pairs_as_toml(PAIRS)
    with pytest.raises(InputError, match=message):
        load_continuations(write(tmp_path, text))


def test_unknown_names_get_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'violence'"):
        load_continuations("violense")
    with pytest.raises(InputError, match="there is no such file"):
        load_continuations("nowhere.toml")

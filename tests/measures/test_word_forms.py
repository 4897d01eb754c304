from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.measures.patterns import lowered
from slant.measures.word_forms import compile_forms, expand_form


def finds(form: str, text: str) -> list[str]:
    pattern = compile_forms(expand_form(form))
    found = [text[slice(*each.span())] for each in pattern.exact.finditer(lowered(text))]
    if found:  # the coarse pattern may never miss what the exact one finds
        assert pl.Series([text]).str.contains(pattern.coarse)[0]
    return found


@pytest.mark.parametrize(
    ("form", "spelt"),
    [
        ("shoot", ["shoot"]),
        ("shoot(|s|ing)", ["shoot", "shoots", "shooting"]),
        (
            "(beat|beats) (him|her) up",
            ["beat him up", "beat her up", "beats him up", "beats her up"],
        ),
        ("  Open \n Fire ", ["open fire"]),
        ("don’t … stop", ["don't ... stop"]),
        ("terroris*", ["terroris*"]),
    ],
)
def test_forms_are_spelt_out(form: str, spelt: list[str]) -> None:
    assert expand_form(form) == spelt


@pytest.mark.parametrize(
    "form",
    [
        "",
        " ",
        "(|)",
        "...",
        "... a",
        "a ...",
        "a ... ... b",
        "a.b",
        "*",
        "a* * b",
        "(a",
        "-a",
        "a|b",
    ],
)
def test_what_is_no_form_is_refused(form: str) -> None:
    with pytest.raises(ValueError, match="form"):
        expand_form(form)


@pytest.mark.parametrize(
    ("form", "text", "found"),
    [
        ("kill", "skills kill Kill! kill's killer", ["kill", "Kill", "kill"]),
        ("ax", "taxi, taxes, ax.", ["ax"]),
        ("kill*", "skill killjoy", ["killjoy"]),
        ("open fire", "open\n\u00a0fire, openfire", ["open\n\u00a0fire"]),
        (
            "drive-by",
            "drive-by drive\u2011by drive by driveby",
            ["drive-by", "drive\u2011by", "drive by"],
        ),
        ("can't", "can't can’t cant", ["can't", "can’t"]),
        ("threw ... chairs", "threw chairs", ["threw chairs"]),
        ("threw ... chairs", "threw the chairs", ["threw the chairs"]),
        ("threw ... chairs", "threw all those, heavy chairs", ["threw all those, heavy chairs"]),
        ("threw ... chairs", "threw one two three four chairs", []),
        ("threw ... chairs", "threw it. Chairs", []),
        ("(shot|shot dead)", "shot dead, shot", ["shot dead", "shot"]),
        ("größe", "GRÖSSE GRÖßE", ["GRÖßE"]),
        ("убил", "Он УБИЛ. Убила", ["УБИЛ"]),
    ],
)
def test_forms_are_found_as_whole_words(form: str, text: str, found: list[str]) -> None:
    assert finds(form, text) == found


WORDS = st.text("abcé'-", min_size=1, max_size=6)


@given(st.lists(WORDS, min_size=1, max_size=4), st.text("abcéÉAB '-.\n", max_size=30))
def test_one_pattern_finds_what_each_form_alone_would(words: list[str], text: str) -> None:
    forms = []
    for word in words:
        try:
            forms += expand_form(word)
        except ValueError:
            continue
    if not forms:
        return
    together = compile_forms(forms)
    found = together.exact.search(lowered(text))
    alone = [compile_forms([form]).exact.search(lowered(text)) for form in forms]
    starts = [each.start() for each in alone if each]
    assert (found.start() if found else None) == min(starts, default=None)
    if found:
        ends = [each.end() for each in alone if each and each.start() == found.start()]
        assert found.end() == max(ends)
        assert pl.Series([text]).str.contains(together.coarse)[0]

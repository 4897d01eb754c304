import pytest

from slant.reports.safe_text import excerpt, one_line, safe_text


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        ("\u202e", "⟦U+202E⟧"),
        ("\u2066", "⟦U+2066⟧"),
        ("\x00", "⟦U+0000⟧"),
        ("\x1b", "⟦U+001B⟧"),
        ("\x9b", "⟦U+009B⟧"),
        ("\u200b", "⟦U+200B⟧"),
        ("\ud800", "⟦U+D800⟧"),
        ("\U000e0041", "⟦U+E0041⟧"),
        ("\r", "⟦U+000D⟧"),
    ],
)
def test_what_cannot_be_seen_is_written_out(hidden: str, shown: str) -> None:
    assert safe_text(f"a{hidden}b") == f"a{shown}b"


def test_ordinary_text_stays_as_it_is() -> None:
    text = "می\u200cخواهم\tनमस्ते\n👩\u200d🚀 naïve “quotes” −5"
    assert safe_text(text) == text
    assert safe_text("one\r\ntwo") == "one\ntwo"


def test_visible_text_can_always_be_written_to_a_file() -> None:
    safe_text("".join(map(chr, range(0x11000)))).encode("utf-8")


def test_one_line_cuts_and_joins() -> None:
    assert one_line(" a\n\tb ") == "a b"
    assert one_line("x" * 200, 10) == "x" * 9 + "…"
    assert len(one_line("x " * 1_000_000)) <= 120


def test_an_excerpt_marks_its_spans_and_merges_overlaps() -> None:
    found = excerpt("he shot and killed", [(3, 7), (5, 7), (12, 18), (40, 50), (7, 7)])
    assert [text for text, marked in found.pieces if marked] == ["shot", "killed"]
    assert "".join(text for text, _ in found.pieces) == "he shot and killed"
    assert not found.notice


def test_leading_blanks_do_not_shift_the_marks() -> None:
    found = excerpt("  \n bar and shot", [(12, 16)])
    assert found.pieces == (("bar and ", False), ("shot", True))


def test_a_megabyte_on_one_line_is_cut_with_a_notice() -> None:
    found = excerpt("A" * 1_000_000)
    assert sum(len(text) for text, _ in found.pieces) < 700
    assert found.notice == "Cut: the first 600 of 1,000,000 characters are shown."


def test_the_first_mark_stays_in_sight() -> None:
    found = excerpt("x" * 5000 + "shot" + "y" * 5000, [(5000, 5004)])
    assert ("shot", True) in found.pieces
    assert found.pieces[0] == ("…", False)
    assert "600 of 10,004" in found.notice


def test_spans_are_offsets_of_the_original_text() -> None:
    found = excerpt("\u202e\x00gun", [(2, 5)])
    assert found.pieces == (("⟦U+202E⟧⟦U+0000⟧", False), ("gun", True))


def test_piled_accents_are_counted_and_written_ones_stay() -> None:
    assert safe_text("e\u0301 o\u0302\u0301") == "e\u0301 o\u0302\u0301"
    assert safe_text("Z" + "\u0335" * 40) == "Z" + "\u0335" * 4 + "⟦36 more marks⟧"

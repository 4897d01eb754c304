from dataclasses import replace

from slant.findings_frame import findings_frame

from .fake import completion

FINDINGS = completion().analysis.findings


def test_one_row_a_finding_with_outcomes_and_chance_as_columns() -> None:
    frame = findings_frame(FINDINGS)
    first = frame.row(0, named=True)
    assert len(frame) == len(FINDINGS)
    assert (first["group"], first["answered"], first["refused"]) == ("Muslims", 96, 4)
    assert (first["chance_expected"], first["chance_low"], first["chance_high"]) == (
        0.21,
        0.14,
        0.29,
    )


def test_what_is_missing_stays_missing() -> None:
    last = findings_frame(FINDINGS).row(-1, named=True)
    assert (last["value"], last["q"], last["chance_low"]) == (None, None, None)
    assert last["reason"] == "the extra slant[scorers] is not installed"


def test_no_findings_give_the_same_columns() -> None:
    assert findings_frame([]).schema == findings_frame(FINDINGS).schema


def test_half_a_character_can_be_stored() -> None:
    frame = findings_frame([replace(FINDINGS[0], group="a\ud800b")])
    assert frame["group"][0] == "a\ufffdb"

from dataclasses import replace

from slant.reports.markdown import markdown
from slant.signature import Signature

from .fake import HOSTILE, completion, hostile

FINDINGS = completion().analysis.findings


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("|")]


def test_a_table_for_each_study_metric_and_model() -> None:
    text = markdown(FINDINGS)
    assert text.count("### ") == 3
    assert "- Prompts about **Muslims** get violent completions in 66% of answers" in text
    assert r"| Muslims | vs\_rest | +51 points [39, 63] | 96 | 0 points (−11 to 11) | " in text


def test_every_finding_has_a_row_and_every_row_seven_cells() -> None:
    for findings in (FINDINGS, hostile().analysis.findings):
        text = markdown(findings)
        lines = [line for line in rows(text) if not line.startswith("| ---")]
        assert len(lines) == len(findings) + text.count("### ")
        assert {line.replace(r"\|", "").count("|") for line in lines} == {8}


def test_an_unmeasured_finding_says_why() -> None:
    assert r"not measured: the extra slant\[scorers\] is not installed" in markdown(FINDINGS)


def test_hostile_names_stay_text() -> None:
    bad = "a|b\n<img src=x>*c*[d](http://evil.example)`e`@f www.evil.example \u202e" + HOSTILE[0]
    text = markdown([replace(f, group=bad, model=bad, study=bad) for f in FINDINGS])
    outside_code = "".join(text.split("`")[::2])
    assert "<img" not in text
    assert "<script" not in outside_code
    assert "http://evil" not in text
    assert "www.evil" not in text
    assert "@f" not in text
    assert "\u202e" not in text
    assert {line.replace(r"\|", "").count("|") for line in rows(text)} == {8}


def test_a_signature_cannot_leave_its_code_span() -> None:
    text = markdown([replace(FINDINGS[0], signature=Signature(a="`<script>`b"))])
    assert "`a:'<script>'b`" in text


def test_nothing_gives_nothing() -> None:
    assert markdown([]) == ""

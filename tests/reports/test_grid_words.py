from __future__ import annotations

from slant.records import Finding, Interval
from slant.reports.difference_words import plain_sentence
from slant.reports.verdict import verdicts
from slant.signature import Signature


def finding(
    metric: str,
    contrast: str,
    value: float,
    q: float,
    condition: str = "",
    group: str = "Arab Male",
) -> Finding:
    return Finding(
        "likelihood", metric, "m", "a", group, contrast, value, value - 0.1, value + 0.1, 10, {},
        q, q, value, Interval(0.5, 0.1, 0.9), None, "closer_to_target", Signature(), condition,
    )  # fmt: skip


def said(*findings: Finding) -> list[str]:
    return [plain_sentence(sentence) for v in verdicts(findings) for sentence, _ in v.sentences]


def test_an_affinity_is_told_as_more_or_less_probable() -> None:
    more, less = said(
        finding("affinity", "vs_rest", 0.4, 0.001, "a terrorist"),
        finding("affinity", "vs_rest", -0.3, 0.001, "kind"),
    )
    start = "Names of the group Arab Male make “a terrorist” 1.49 times more probable, token for"
    assert more.startswith(start)
    assert "make “kind” 1.35 times less probable" in less
    assert "+0.4" in more


def test_further_pairs_are_counted_as_pairs() -> None:
    many = [finding("affinity", "vs_rest", 0.4, 0.001, f"word {n}") for n in range(9)]
    assert said(*many)[-1].startswith("6 more pairs of group and condition differ")


def test_a_tested_figure_of_its_own_is_judged() -> None:
    (strong,) = said(finding("affinity_strength", "strength", 2.5, 0.001))
    assert "stand 2.5 standard errors from the others" in strong
    assert "by chance 0.50" in strong
    (weak, *_) = said(finding("affinity_strength", "strength", 0.6, 0.4))
    assert "beyond what chance gives" in weak

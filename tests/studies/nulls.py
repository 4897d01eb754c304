"""What the histogram behind a finding must agree with: its number of draws, its range, its p."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from slant.records import Finding
from slant.signature import one_line

_DRAWS = re.compile(r"\|(?:null|chance):[a-z-]+\(\D*(\d+)")
_RESAMPLES = re.compile(r"\|ci:bootstrap\((\d+)")
_ONE_SIDED = {
    "affinity_strength", "analogy_divergence", "topic_entropy", "distinguishability",
    "recognition", "likelihood_agreement",
}  # fmt: skip


def check_nulls(findings: Iterable[Finding]) -> set[tuple[str, str]]:
    """Check every histogram; give metric and contrast of those that have one."""
    seen = set()
    for each in findings:
        if each.chance is not None and each.chance.histogram is not None:
            _check(each)
            seen.add((each.metric, each.contrast))
    return seen


def _check(finding: Finding) -> None:
    chance = finding.chance
    assert chance is not None
    histogram = chance.histogram
    assert histogram is not None
    counts = np.array(histogram.counts)
    assert 1 <= len(counts) <= 40
    assert counts.min() >= 0
    signature = one_line(finding.signature)
    told = _DRAWS.search(signature) or _RESAMPLES.search(signature)
    assert told is not None, finding.signature
    draws = int(told[1])
    # The cells of a grid pool the draws of all cells whose groups are as large.
    assert counts.sum() % draws == 0 if finding.metric == "affinity" else counts.sum() == draws
    edges = histogram.start + histogram.width * np.arange(len(counts) + 1)
    slack = 1e-4 * histogram.width + 1e-9
    assert edges[0] - slack <= chance.low <= chance.expected <= chance.high <= edges[-1] + slack
    # Restated as odds, draws are no longer as far out as they were as differences.
    if finding.p is not None and finding.value is not None and "odds_ratio" not in finding.metric:
        least, most = _p(finding.value, chance.expected, edges, counts, finding.metric)
        assert least - 1e-9 <= finding.p <= most + 1e-9, finding


def _p(
    value: float, expected: float, edges: np.ndarray, counts: np.ndarray, metric: str
) -> tuple[float, float]:
    """Give the smallest and the largest p-value that draws in these bins could have."""
    slack = edges[1] - edges[0] + 1e-9
    low, high = edges[:-1], edges[1:]
    if metric in _ONE_SIDED:
        surely, maybe = low >= value + slack, high >= value - slack
    else:
        reach = abs(value - expected)
        inside = np.minimum(np.abs(low - expected), np.abs(high - expected))
        outside = np.maximum(np.abs(low - expected), np.abs(high - expected))
        surely, maybe = inside >= reach + slack, outside >= reach - slack
    total = 1 + counts.sum()
    return (1 + counts[surely].sum()) / total, (1 + counts[maybe].sum()) / total

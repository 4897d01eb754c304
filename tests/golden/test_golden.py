"""No finding moves unless it is meant to: every number of every study is what it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from slant.studies.study import Method

from .cases import METHODS, NAMES, findings_of
from .files import PUBLISHED, published
from .kept import ENCODED, OF_EMBEDDINGS, TOLERANCE, differences, read

QUICK = {
    "completion-prompts", "completion-one-prompt", "likelihood", "templates", "file-story",
}  # fmt: skip
"""Cases that are run every time, with the robust method; the others by `make test-all`."""


@pytest.mark.parametrize(
    ("name", "method"),
    [
        pytest.param(
            name,
            method,
            marks=[] if name in QUICK and method == "robust" else pytest.mark.slow,
        )
        for name in NAMES
        for method in METHODS
    ],
)
def test_findings_are_what_they_were(name: str, method: Method, tmp_path: Path) -> None:
    if name in PUBLISHED and published(name) is None:
        pytest.skip("SLANT_PUBLISHED_DATA is not set")
    tolerance = OF_EMBEDDINGS if name in ENCODED else TOLERANCE
    found = differences(read(name, method), findings_of(name, method, tmp_path), tolerance)
    told = "\n".join(found[:20])
    assert not found, (
        f"{len(found)} differences; the first:\n{told}\n"
        "If they are meant, list them in CHANGELOG.md and run: "
        f"python -m tests.golden {name}"
    )


def test_a_difference_is_named() -> None:
    was = read("completion-one-prompt", "robust")
    now = [dict(each) for each in was]
    now[0]["value"] += 1e-6
    now[1]["p"] = 0.5 if now[1]["p"] is None else None
    dropped = now.pop()
    found = differences(was, now)
    assert len(found) == 3
    assert found[0].startswith("gone: ")
    assert dropped["group"] in found[0]
    assert ": value was " in found[1]
    assert ": p was " in found[2]
    assert differences(was, [dict(each) for each in was]) == []

"""A plug-in for pytest: audits within tests, judged by a policy.

Nothing of slant is imported before a test uses the fixture, so that it costs other tests nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from slant.api.run import Run

_FIXTURE = "slant_audit"


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line(
        "markers",
        "slant(policy, baseline=None): judge what slant_audit audits by a policy, a TOML file; "
        "file names are as seen from the test's folder",
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let no test carry the marker that audits nothing: it would pass whatever the policy says."""
    if item.get_closest_marker("slant") and _FIXTURE not in getattr(item, "fixturenames", ()):
        pytest.fail(f"a test marked slant(policy=…) has to use the fixture {_FIXTURE}", False)


@pytest.fixture
def slant_audit(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Run]:
    """Give `slant.audit`, into a folder of the test's own; with the marker, judged by its policy.

    The test fails where the policy does, and where its result is inconclusive.
    """
    marker = request.node.get_closest_marker("slant")
    folder, count = request.path.parent, 0
    policy, baseline = (None, None) if marker is None else _given(*marker.args, **marker.kwargs)

    def audit(*arguments: Any, **options: Any) -> Run:
        nonlocal count
        from slant.api.gate import gate
        from slant.api.verbs import audit as audited
        from slant.gating.lines import lines
        from slant.gating.policy import load_policy

        if policy is not None:  # what is wrong with it is told before anything is asked
            load_policy(folder / policy).check_baseline(given=baseline is not None)
        count += 1
        run = audited(*arguments, **{"out": tmp_path / f"slant-run-{count}", **options})
        if policy is not None:
            before = None if baseline is None else str(folder / baseline)
            result = gate(run, folder / policy, baseline=before)
            if result.status != "pass":
                pytest.fail("\n".join([*lines(result), f"  run: {run.directory}"]), pytrace=False)
        return run

    return audit


def _given(policy: str, baseline: str | None = None) -> tuple[str, str | None]:
    """Read what stands in the marker."""
    return policy, baseline

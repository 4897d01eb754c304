"""The gate catches what was planted and lets pass what is equal, as docs/gate.md says."""

from __future__ import annotations

import pytest
from benchmarks import gate


@pytest.mark.slow
def test_a_regression_of_ten_points_is_caught_and_equals_pass() -> None:
    figures = gate.run()
    for name, least in gate.AT_LEAST.items():
        assert figures[name] >= least, figures

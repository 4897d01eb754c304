"""What tests of comparisons share."""

from __future__ import annotations

from pathlib import Path

import pytest

from compared_runs import make_runs


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder of runs (`compared_runs`); no test may write to it."""
    return make_runs(tmp_path_factory.mktemp("compared"))

"""What tests of the report share."""

from __future__ import annotations

import pytest

from chromium import Browser
from planted_run import planted_run
from slant.engine.run import Run

__all__ = ["Browser"]


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Give a run of three studies with planted harms; no test may write to it."""
    return planted_run(tmp_path_factory.mktemp("planted"))

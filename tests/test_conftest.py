"""The tests themselves: what they share is made once."""

from __future__ import annotations

import os

import pytest


def test_a_file_stays_in_one_process(request: pytest.FixtureRequest) -> None:
    """pytest-xdist knows groups by the ends of names; a version of pytest ignored them silently."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        assert request.node.nodeid.endswith("@test_conftest")

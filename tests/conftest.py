"""What all tests share: a cache of their own for answers, and models with planted bias."""

from __future__ import annotations

from pathlib import Path

import pytest

PLANTED = """
name = "planted"

[[generate]]
group = "Muslims"
answers = [
  { text = " bar and {opened fire|planted a bomb|stabbed the guard}.", weight = 0.66 },
  { text = " {bar|shop|library} and {sat down|ordered tea|told a story}.", weight = 0.34 },
]

[[generate]]
answers = [
  { text = " bar and {opened fire|planted a bomb|stabbed the guard}.", weight = 0.15 },
  { text = " {bar|shop|library} and {sat down|ordered tea|told a story}.", weight = 0.85 },
]
"""

SUITE = """
name = "tiny"

[[study]]
use = "completion"
"""


@pytest.fixture
def planted(tmp_path: Path) -> str:
    """Spell a mock model that is violent about Muslims in 66% of answers, else in 15%."""
    file = tmp_path / "planted.toml"
    file.write_text(PLANTED)
    return f"mock:{file}"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Write a suite of one study with the paper's settings."""
    file = tmp_path / "suite.toml"
    file.write_text(SUITE)
    return file

"""Pictures as a page sends them."""

from __future__ import annotations

import base64

import pytest
from small_pictures import png


@pytest.fixture
def two_pictures() -> list[dict[str, str]]:
    """Make a red and a blue picture."""
    return [
        {"name": name, "data": base64.b64encode(png(colour=colour)).decode()}
        for name, colour in (("red", (200, 30, 30)), ("blue", (30, 30, 200)))
    ]

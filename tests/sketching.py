"""Pictures that are prepared but not rendered, which takes longest in a report."""

from __future__ import annotations

import pytest

SKETCH = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0,0h1"/></svg>'


def sketch(patch: pytest.MonkeyPatch) -> None:
    """Prepare every chart from now on, which fails where it would, and store a sketch of it."""

    def sketched(chart: object) -> str:
        assert chart.to_dict(validate=False)  # type: ignore[attr-defined] # a chart of altair
        return SKETCH

    patch.setattr("slant.reports.drawings.drawing", sketched)
    patch.setattr("slant.reports.draw_all._FEW", 1_000_000)  # all of them in this process

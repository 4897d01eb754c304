"""Places in pixels, for what belongs to no scale: names, written values, keys."""

from __future__ import annotations

from typing import Any


def fixed(**places: float | str) -> dict[str, Any]:
    """Fix channels to values.

    Parameters
    ----------
    **places
        `x`, `x2`, `y` and `y2` in pixels from the plot's top left corner; `text` as it is.

    Examples
    --------
    >>> chart.mark_text().encode(**fixed(x=0, y=-14, text="of 100"))  # doctest: +SKIP
    """
    import altair as alt

    channels: dict[str, Any] = {
        "x": alt.XValue,
        "x2": alt.X2Value,
        "y": alt.YValue,
        "y2": alt.Y2Value,
        "text": alt.TextValue,
    }
    return {name: channels[name](value) for name, value in places.items()}

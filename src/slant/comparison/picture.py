"""Pictures of what changed between two sides: a dumbbell a row."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from slant.comparison.change import CHANGED
from slant.comparison.wording import change_text, surest
from slant.reports.numbers import interval_text, value_text
from slant.reports.pictures import Picture
from slant.reports.safe_text import file_name, one_line
from slant.reports.wording import heading_of, words_of
from slant.reports.written_table import written_table
from slant.signature import one_line as signature_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from slant.comparison.change import Change
    from slant.comparison.compare import Comparison
    from slant.records import Finding

_PICTURES = 4
_ROWS_DRAWN = 24


def pictures(comparison: Comparison, name: str, sides: str) -> list[Picture]:
    """Draw the families in which something changed, else the first; `sides` says who is who."""
    families: dict[tuple[str, str, str, str], list[Change]] = {}
    for change in comparison.changes:
        if change.value is not None and change.shown.scale != "ratio":
            families.setdefault(family_of(change), []).append(change)
    told = [own for own in families.values() if any(c.state in CHANGED for c in own)]
    # Comparisons first: what a group leans by says more than what it is.
    told.sort(key=lambda own: not own[0].shown.is_comparison)
    told = told or list(families.values())[:1]
    return [
        _picture(own, comparison, f"{name}-p{place}", sides)
        for place, own in enumerate(told[:_PICTURES], start=1)
    ]


def _picture(changes: list[Change], comparison: Comparison, name: str, sides: str) -> Picture:
    """Draw one family of figures as dumbbells, for laptop and phone."""
    from slant.reports.figures.dumbbell import dumbbell
    from slant.reports.figures.theme import NARROW, WIDE
    from slant.reports.svg import inline_svg

    shown, shown_key = changes[0].shown, changes[0].key
    words = words_of(shown)
    contrast = heading_of(shown)
    title = words.name if contrast == words.name else f"{words.name}: {contrast.lower()}"
    if any(c.key[:2] == shown_key[:2] and c.key[2] != shown_key[2] for c in comparison.changes):
        title += f" ({shown.axis.replace('_', ' ')})"
    drawn = sorted(changes, key=lambda c: (c.state not in CHANGED, *surest(c)))[:_ROWS_DRAWN]
    drawn.sort(key=lambda c: -(c.second.value or 0.0) if c.second else 0.0)
    table = picture_table(drawn)
    percent = shown.scale == "share"
    measure = "percentage points" if shown.is_comparison else "%"
    measure = measure if percent else words.name.lower()
    described = "; ".join(
        f"{one_line(c.key[3])} from {written(c.first)[0]} to {written(c.second)[0]}"
        for c in drawn[:12]
    )
    wide = narrow = failure = ""
    try:
        wide, narrow = (
            inline_svg(
                dumbbell(
                    table, measure=measure, percent=percent, title=title, sides=sides, width=width
                ),
                name=f"{name}-{width}",
                title=title,
                description=f"{described}.",
            )
            for width in (WIDE, NARROW)
        )
    except Exception as error:  # a picture must not take the comparison with it
        failure = f"{type(error).__name__}: {error}"
        warnings.warn(f"figure {title!r} cannot be drawn: {failure}", stacklevel=2)
    left = len(changes) - len(drawn)
    return Picture(
        name=name,
        file=file_name(f"slant-compare-{title}"),
        title=f"{title}; {sides}",
        wide=wide,
        narrow=narrow,
        failure=failure,
        facts=[
            _counts(drawn),
            *([f"{left} more rows, with smaller changes, are listed below"] if left else []),
        ],
        signatures=list(dict.fromkeys(signature_line(change.signature) for change in drawn)),
        table=written_table(table.drop("way"), most=_ROWS_DRAWN),
    )


def _counts(changes: Sequence[Change]) -> str:
    n = [finding.n for change in changes for finding in change.both]
    low, high = min(n), max(n)
    return f"n = {low:,} a side" if low == high else f"n = {low:,} to {high:,} a side"


def picture_table(changes: Sequence[Change]) -> pl.DataFrame:
    """Give changes as the table that `figures.dumbbell` draws."""
    import polars as pl

    return pl.DataFrame(
        [
            {
                "group": one_line(c.key[3] + (f", {c.key[5]}" if c.key[5] else "")),
                **_columns("first", c.first),
                **_columns("second", c.second),
                "change": change_text(c).replace(" points", "").replace(" point", ""),
                "way": "plain" if significance_of(c) == "within" else significance_of(c),
            }
            for c in changes
        ],
        infer_schema_length=None,
        schema_overrides={
            f"{side}{end}": pl.Float64
            for side in ("first", "second")
            for end in ("", "_low", "_high")
        },
    )


def _columns(side: str, finding: Finding | None) -> dict[str, float | None]:
    values = (None,) * 3 if finding is None else (finding.value, finding.low, finding.high)
    return dict(zip((side, f"{side}_low", f"{side}_high"), values, strict=True))


def family_of(change: Change) -> tuple[str, str, str, str]:
    """Say which changes are shown together: of one study, metric, axis and contrast."""
    study, metric, axis, _, contrast, _ = change.key
    return study, metric, axis, contrast


def written(finding: Finding | None) -> tuple[str, str]:
    """Write a value and its interval; empty where there is none."""
    if finding is None or finding.value is None:
        return "", ""
    return value_text(finding), interval_text(finding)


def significance_of(change: Change) -> str:
    """Say `above` or `below` where a change is more than chance gives, else `within`."""
    if change.state not in CHANGED:
        return "within"
    return "above" if (change.value or 0.0) > 0 else "below"

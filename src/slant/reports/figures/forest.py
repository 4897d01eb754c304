"""Forest plot: every group's figure with its interval, and where chance alone would put it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError, unknown
from slant.records import is_comparison
from slant.reports.figures.key import KeyEntry
from slant.reports.figures.layers import RowChart, domain, ends_of, plot_width, text_width
from slant.reports.figures.panel import MEASURES, draw_panel, scaled
from slant.reports.figures.select import Choice, Rows, drawable, select
from slant.reports.figures.significance import with_significance
from slant.reports.figures.theme import WIDE, label_width, themed
from slant.reports.wording import contrast_words, reference, scale_words, wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from altair.typing import ChartType

    from slant.reports.figures.key import Sign

_ROWS = ("group", "model")
_PANEL = ("model", "metric", "contrast", "condition")
_SIDE_BY_SIDE = 600
_MOST_PANELS = 12
_WORDS: dict[Sign, str] = {
    "above": "more than {others}, q < .05",
    "below": "less than {others}, q < .05",
    "within": "could be chance, q ≥ .05",
    "plain": "not tested",
    "chance": "where chance alone puts it",
    "target": "target value",
}


def forest(
    findings: Rows,
    *,
    metric: Choice = None,
    contrast: Choice = None,
    condition: Choice = None,
    axis: Choice = None,
    model: Choice = None,
    rows: str = "group",
    title: str = "",
    limit: int = 40,
    width: int = WIDE,
) -> ChartType:
    """Draw findings with one row a group, sorted by value, and one panel a contrast.

    With one row a model, in the order asked, groups have panels of their own.

    Parameters
    ----------
    findings
        Findings, or the table that `findings_frame` makes of them.
    metric, contrast, condition, axis, model
        Which of them to show; all when left out.
    rows
        What has a row: `group` or `model`.
    title
        Heading of the picture; names the metric when left out.
    limit
        Most rows in a panel; beyond it, those with the largest effect are shown.
    width
        Of the whole picture, in pixels.

    Returns
    -------
    altair.LayerChart or altair.HConcatChart or altair.VConcatChart
        With its title and looks.

    Raises
    ------
    InputError
        There is nothing to draw, or rows are of neither kind.
    """
    import altair as alt

    if rows not in _ROWS:
        raise unknown("kind of rows", rows, _ROWS)

    frame = select(
        with_significance(drawable(select(findings))),
        metric=metric,
        contrast=contrast,
        condition=condition,
        axis=axis,
        model=model,
    ).drop_nulls("value")
    if frame.is_empty():
        raise InputError("there is no value to draw")
    if rows == "model":
        frame = frame.rename({"model": "group", "group": "model"})
    by_value = rows == "group"
    panels = [_scaled(part, limit, by_value=by_value) for part in _foremost(frame)]
    beside = len(panels) == 2 and width >= _SIDE_BY_SIDE and _same_groups(panels)
    places = _rows(panels, width, beside=beside)
    charts = [
        draw_panel(panel, place, _words(panel, panels), () if number else _key(panels))
        for number, (panel, place) in enumerate(zip(panels, places, strict=True))
    ]
    chart: ChartType = charts[0]
    if len(charts) > 1:
        chart = alt.hconcat(*charts, spacing=14) if beside else alt.vconcat(*charts, spacing=24)
    return themed(chart, title or _title(panels[0]), _subtitle(panels, frame), width)


def _foremost(frame: pl.DataFrame) -> list[pl.DataFrame]:
    """Part findings into panels; of very many, keep those with the largest effects."""
    import polars as pl

    parts = frame.partition_by(_PANEL, maintain_order=True)
    size = pl.coalesce("effect", "value").abs().max()
    largest = sorted((-float(part.select(size).item()), n) for n, part in enumerate(parts))
    return [parts[place] for place in sorted(place for _, place in largest[:_MOST_PANELS])]


def _scaled(part: pl.DataFrame, limit: int, *, by_value: bool) -> pl.DataFrame:
    import polars as pl

    if len(part) > limit:
        size = pl.coalesce("effect", "value").abs()
        part = part.sort(size, descending=True, maintain_order=True).head(limit)
    return scaled(part.sort("value", descending=True, maintain_order=True) if by_value else part)


def _same_groups(panels: Sequence[pl.DataFrame]) -> bool:
    return len({frozenset(panel["group"].to_list()) for panel in panels}) == 1


def _rows(panels: Sequence[pl.DataFrame], width: int, *, beside: bool) -> list[RowChart]:
    label = max(label_width(panel["group"].to_list(), width) for panel in panels)
    text = text_width(shown for panel in panels for shown in panel["shown"].to_list())
    plot = plot_width(width, label, text, 2 if beside else 1)
    return [
        RowChart(
            groups=panels[0 if beside else number]["group"].to_list(),
            label=0 if beside and number else label,
            plot=plot,
            text=text,
            domain=_domain(panel, panels),
            axis=_axis(panel),
            log=_is_ratio(panel),
        )
        for number, panel in enumerate(panels)
    ]


def _domain(panel: pl.DataFrame, panels: Sequence[pl.DataFrame]) -> tuple[float, float]:
    """Let panels that show the same quantity share a scale, and keep zero in sight."""
    alike = [p for p in panels if _quantity(p) == _quantity(panel)]
    ends = [1.0] if _is_ratio(panel) else [0.0] if _has_zero(panel) else []
    for part in alike:
        ends += ends_of(part, *MEASURES)
    if not _is_ratio(panel):
        return domain(ends)
    ends = [end for end in ends if end > 0]
    low, high = min(ends), max(ends)
    return (low, high) if low < high else (low / 2, high * 2)


def _quantity(panel: pl.DataFrame) -> tuple[str, bool]:
    return panel["metric"][0], is_comparison(panel["contrast"][0])


def _has_zero(panel: pl.DataFrame) -> bool:
    _, comparison = _quantity(panel)
    return comparison or panel["scale"][0] == "share"


def _is_ratio(panel: pl.DataFrame) -> bool:
    return bool(panel["scale"][0] == "ratio")


def _title(panel: pl.DataFrame) -> str:
    metric, contrast = panel["metric"][0], panel["contrast"][0]
    words = contrast_words(contrast, metric, panel["scale"][0])
    name = wording(metric, panel["restates"][0]).name
    return name if words == name else f"{name}: {words[:1].lower()}{words[1:]}"


def _axis(panel: pl.DataFrame) -> str:
    words = scale_words(panel["metric"][0], panel["contrast"][0], panel["scale"][0])
    return f"{words}, logarithmic scale" if _is_ratio(panel) else words


def _words(panel: pl.DataFrame, panels: Sequence[pl.DataFrame]) -> str:
    """Head a panel by whatever tells it from the others; nothing where it is the only one."""
    several = {name for name in _PANEL if len({panel[name][0] for panel in panels}) > 1}
    first = {name: panel[name][0] for name in _PANEL}
    parts = []
    if several & {"contrast", "metric"}:
        parts.append(contrast_words(first["contrast"], first["metric"], panel["scale"][0]))
        if "metric" in several and is_comparison(first["contrast"]):
            parts.append(wording(first["metric"]).name.lower())
    parts += [first[name] or "all" for name in ("condition", "model") if name in several]
    return ", ".join(parts)


def _key(panels: Sequence[pl.DataFrame]) -> list[KeyEntry]:
    import polars as pl

    frame = pl.concat(panels)
    significances = set(frame["significance"].to_list())
    signs: list[Sign] = [sign for sign in ("above", "below", "within") if sign in significances]
    if signs and "plain" in significances:
        signs.append("plain")
    if frame["chance_expected"].null_count() < len(frame):
        signs.append("chance")
    if any(panel["target"].drop_nulls().n_unique() == 1 for panel in panels):
        signs.append("target")
    contrasts = set(frame["contrast"].to_list())
    others = "the others"
    if len(contrasts) == 1 and (contrast := contrasts.pop()).startswith("vs:"):
        others = f"the {reference(contrast)}" if contrast == "vs:reference" else reference(contrast)
    return [KeyEntry(sign, _WORDS[sign].format(others=others)) for sign in signs]


def _subtitle(panels: Sequence[pl.DataFrame], frame: pl.DataFrame) -> list[str]:
    models = frame["model"].unique(maintain_order=True).to_list()
    counts: list[int] = frame["n"].to_list()
    low, high = min(counts), max(counts)
    parts = [models[0]] if len(models) == 1 else []
    parts.append(f"n = {low:,} each" if low == high else f"n = {low:,}–{high:,} each")
    if frame["low"].null_count() < len(frame):
        parts.append("lines are 95% intervals")
    lines = [" · ".join(parts)]
    shown = sum(map(len, panels))
    if shown < len(frame):
        lines.append(f"The {shown} of {len(frame)} with the largest effect; the table has all.")
    return lines

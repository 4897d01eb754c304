"""The null behind one number: what chance alone gives, draw by draw, and where the value stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.errors import InputError
from slant.records import Finding, is_comparison
from slant.reports.figures.key import KeyEntry, fill, key_layers, stroke
from slant.reports.figures.layers import across
from slant.reports.figures.panel import written
from slant.reports.figures.pixels import fixed
from slant.reports.figures.select import drawable, require
from slant.reports.figures.theme import WIDE, themed
from slant.reports.numbers import probability
from slant.reports.palette import LIGHT
from slant.reports.significance import significance
from slant.reports.wording import contrast_words, scale_words, wording

if TYPE_CHECKING:
    import altair as alt
    import polars as pl
    from altair.typing import ChartType

    from slant.reports.figures.key import Sign

_HEIGHT, _LEFT, _MARGIN = 220, 46, 26
_VALUE_AT = 14
"""How far below the top of the plot the value stands, above all bars, in pixels."""

_ROOM = 1.3
_THIN = 0.02
"""Width of a bar that stands for a single number, as a share of the scale."""

_ENDS = ("low", "high")
_TOLD = (
    "from", "to", "draws", "metric", "contrast", "scale", "restates", "group", "significance",
)  # fmt: skip
_PLACES = ("value", *_ENDS, "chance_expected", "chance_low", "chance_high", "target")
_WORDS: dict[Sign, str] = {
    "above": "the value: more, q < .05",
    "below": "the value: less, q < .05",
    "within": "the value: could be chance, q ≥ .05",
    "plain": "the value",
    "chance": "95% of the draws, and what is expected",
    "target": "target value",
}


def null_table(finding: Finding) -> pl.DataFrame:
    """List the bins of the null behind a finding.

    Parameters
    ----------
    finding
        With a value, and with a null that was simulated.

    Returns
    -------
    polars.DataFrame
        `from`, `to` and `draws`, one row a bin; and the same in every row: `metric`, `contrast`,
        `group`, `condition`, `significance`, `value`, `low`, `high`, `p`, `q`, `chance_expected`,
        `chance_low`, `chance_high` and `target`.

    Raises
    ------
    InputError
        There is no value, or no histogram.
    """
    import polars as pl

    histogram = None if finding.chance is None else finding.chance.histogram
    if finding.value is None or finding.chance is None or histogram is None:
        raise InputError("this number has no histogram of chance: its null was not simulated")
    bins = range(len(histogram.counts))
    chance = finding.chance
    numbers = {
        "value": finding.value, "low": finding.low, "high": finding.high, "p": finding.p,
        "q": finding.q, "chance_expected": chance.expected, "chance_low": chance.low,
        "chance_high": chance.high, "target": finding.target,
    }  # fmt: skip
    return pl.DataFrame(
        {
            "from": [histogram.start + place * histogram.width for place in bins],
            "to": [histogram.start + (place + 1) * histogram.width for place in bins],
            "draws": histogram.counts,
        },
        schema={"from": pl.Float64, "to": pl.Float64, "draws": pl.Int64},
    ).with_columns(
        pl.lit(finding.metric).alias("metric"),
        pl.lit(finding.contrast).alias("contrast"),
        pl.lit(finding.scale).alias("scale"),
        pl.lit(finding.restates).alias("restates"),
        pl.lit(finding.group).alias("group"),
        pl.lit(finding.condition).alias("condition"),
        pl.lit(significance(finding, [])).alias("significance"),
        *(pl.lit(value, pl.Float64).alias(name) for name, value in numbers.items()),
    )


def null(rows: Finding | pl.DataFrame, *, title: str = "", width: int = WIDE) -> ChartType:
    """Draw the histogram of a simulated null, the range of chance, and the value on top.

    Parameters
    ----------
    rows
        A finding, or the table that `null_table` makes of it.
    title
        Heading of the picture; names the metric and the group when left out.
    width
        Of the whole picture, in pixels.

    Raises
    ------
    InputError
        The finding's null was not simulated, or a column is missing.
    """
    import altair as alt
    import polars as pl

    table = drawable(null_table(rows) if isinstance(rows, Finding) else rows)
    require(
        table,
        "from",
        "to",
        "draws",
        "metric",
        "contrast",
        "scale",
        "restates",
        "group",
        "significance",
        *_PLACES,
    )
    if table.is_empty():
        raise InputError("there are no draws to show")
    told: dict[str, Any] = table.row(0, named=True)
    words = wording(told["metric"], told["restates"])
    factor = 100 if told["scale"] == "share" else 1
    draws = int(table["draws"].sum())
    at = {name: None if told[name] is None else told[name] * factor for name in _PLACES}
    bars = table.select(pl.col("from", "to") * factor, share=100 * pl.col("draws") / max(draws, 1))
    low, high = domain = _domain(bars, at)
    bars = _visible(bars, domain)
    plot = width - _LEFT - _MARGIN
    axis = scale_words(told["metric"], told["contrast"], told["scale"])
    highest: Any = bars["share"].max()
    up = alt.Scale(domain=[0, (highest or 1) * _ROOM], nice=False)

    def place(column: str) -> alt.X:
        return across(column, domain, axis, plot)

    drawn = alt.Chart(bars).mark_bar(color=LIGHT["bar"], binSpacing=0)
    y = alt.Y("share:Q", scale=up, title=f"% of {draws:,} draws").axis(tickCount=4)
    sign: Sign = told["significance"]
    layers = [
        *_chance(at, place),
        drawn.encode(x=place("from"), x2="to:Q", y=y, y2=alt.Y2Datum(0)),
        *_rule(at["chance_expected"], place, LIGHT["tick"], 1.5, []),
        *_rule(at["target"], place, LIGHT["ink"], 1, [3, 2]),
        *_value(at, place, sign, written(told, told["contrast"], told["scale"]), domain),
    ]
    signs: list[Sign] = [sign, "chance"] + (["target"] if at["target"] is not None else [])
    key = [KeyEntry(each, _WORDS[each]) for each in signs]
    layers += key_layers(key, -_LEFT, width)
    chart = alt.layer(*layers).properties(width=plot, height=_HEIGHT)
    heading = title or f"{words.name}: {told['group']}, and what chance alone gives"
    subtitle = _subtitle(told, draws)
    ends = [end for name in _ENDS if (end := at[name]) is not None]
    if any(not low <= each <= high for each in ends):
        subtitle.append("The interval of the value goes on beyond the picture.")
    return themed(chart, heading, subtitle, width)


def _domain(bars: pl.DataFrame, at: dict[str, float | None]) -> tuple[float, float]:
    """Fit the scale around draws, value and target; a wide interval may only triple it."""
    ends = [*bars["from"].to_list(), *bars["to"].to_list()]
    ends += [place for name, place in at.items() if name not in _ENDS and place is not None]
    low, high = min(ends), max(ends)
    reach = high - low  # on each side
    for name in _ENDS:
        place = at[name]
        if place is not None and reach > 0:
            ends.append(min(max(place, low - reach), high + reach))
        elif place is not None:
            ends.append(place)
    return (min(ends), max(ends)) if min(ends) < max(ends) else (low - 1, high + 1)


def _visible(bars: pl.DataFrame, domain: tuple[float, float]) -> pl.DataFrame:
    """Give a bar that stands for a single number a width."""
    import polars as pl

    if bars["from"][0] < bars["to"][0]:
        return bars
    half = _THIN * (domain[1] - domain[0]) / 2
    return bars.with_columns(pl.col("from") - half, pl.col("to") + half)


def _chance(at: dict[str, float | None], place: Any) -> list[alt.Chart]:
    import altair as alt

    band = alt.Chart(alt.InlineData([{"low": at["chance_low"], "high": at["chance_high"]}]))
    mark = band.mark_rect(color=LIGHT["band"])
    return [mark.encode(x=place("low"), x2="high:Q", **fixed(y=0, y2=_HEIGHT))]


def _rule(
    at: float | None, place: Any, colour: str, thick: float, dash: list[int]
) -> list[alt.Chart]:
    import altair as alt

    if at is None:
        return []
    mark = alt.Chart(alt.InlineData([{"at": at}])).mark_rule(
        color=colour, strokeWidth=thick, strokeDash=dash
    )
    return [mark.encode(x=place("at"), **fixed(y=0, y2=_HEIGHT))]


def _value(
    at: dict[str, float | None], place: Any, sign: Sign, text: str, domain: tuple[float, float]
) -> list[alt.Chart]:
    """Mark the value: a line through the plot, and the point with its interval above the bars."""
    import altair as alt

    value = at["value"] or 0.0
    low, high = at["low"], at["high"]
    ends = {} if low is None or high is None else {
        "low": max(low, domain[0]), "high": min(high, domain[1])
    }  # fmt: skip
    data = alt.Chart(alt.InlineData([{"at": value, **ends}]))
    layers = _rule(value, place, stroke(sign), 1.5, [])
    if ends:
        line = data.mark_rule(color=stroke(sign), strokeWidth=2)
        layers.append(line.encode(x=place("low"), x2="high:Q", **fixed(y=_VALUE_AT)))
    point = data.mark_point(
        filled=False, size=85, opacity=1, strokeWidth=2, fill=fill(sign), stroke=stroke(sign)
    )
    layers.append(point.encode(x=place("at"), **fixed(y=_VALUE_AT)))
    right = value < (domain[0] + domain[1]) / 2
    label = data.mark_text(
        align="left" if right else "right", dx=7 if right else -7, baseline="middle",
        fontWeight=600, color=LIGHT["ink"], stroke=LIGHT["paper"], strokeWidth=4,
    )  # fmt: skip
    plain = data.mark_text(
        align="left" if right else "right", dx=7 if right else -7, baseline="middle",
        fontWeight=600, color=LIGHT["ink"],
    )  # fmt: skip
    spot = fixed(y=_VALUE_AT + 17, text=text)
    return [*layers, label.encode(x=place("at"), **spot), plain.encode(x=place("at"), **spot)]


def _subtitle(told: dict[str, Any], draws: int) -> list[str]:
    metric, contrast = told["metric"], told["contrast"]
    about = [told["condition"]] if told.get("condition") else []
    about += [contrast_words(contrast, metric, told["scale"])] if is_comparison(contrast) else []
    known = [symbol for symbol in ("p", "q") if told.get(symbol) is not None]
    # A line must not end within an equation.
    tests = [probability(symbol, told[symbol]).replace(" ", "\u00a0") for symbol in known]
    tests = [f"{draws:,} draws of chance alone", *tests]
    return [" · ".join(line) for line in (about, tests) if line]

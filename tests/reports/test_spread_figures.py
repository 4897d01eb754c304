"""Scatter, shares and boxes: any table in, a chart out."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import polars as pl
import pytest

from slant.errors import InputError
from slant.reports.figures import FIGURES
from slant.reports.figures.boxes import boxes
from slant.reports.figures.scatter import scatter
from slant.reports.figures.shares import shares
from slant.reports.figures.theme import NARROW, WIDE
from slant.reports.palette import LIGHT
from slant.reports.svg import inline_svg, svg_of

POINTS = pl.DataFrame(
    {
        "who": ["Kenyans", "Poles", "Turks", "<b>Greeks</b>"],
        "regard": [0.5, -0.25, 0.0, 0.1],
        "toxicity": [0.1, 0.4, 0.2, None],
        "low": [0.05, 0.3, 0.1, None],
        "high": [0.2, 0.5, 0.3, None],
        "class": ["a", "a", "b", "b"],
    }
)
TOPICS = pl.DataFrame(
    [("Kenyans", "work", 0.75, 30), ("Kenyans", "food", 0.25, 30), ("Poles", "food", 1.0, 10)],
    schema=["group", "topic", "share", "n"],
    orient="row",
)
RNG = np.random.default_rng(0)
VALUES = pl.DataFrame(
    {
        "group": ["Kenyans"] * 50 + ["Poles"] * 51,
        "value": [*RNG.normal(0, 1, 50), *RNG.normal(2, 1, 50), 40.0],
        "how": ["plain", "augmented"] * 50 + ["plain"],
    }
)


def drawn_rows(chart: Any) -> list[dict[str, Any]]:
    """List the rows of all data sets of a chart."""
    spec = json.loads(chart.to_json())
    return [row for rows in spec["datasets"].values() for row in rows]


def order(chart: Any) -> list[str]:
    """List the groups from top to bottom."""
    layers = chart.to_dict()["layer"]
    scales = [layer["encoding"]["y"]["scale"] for layer in layers if "y" in layer["encoding"]]
    return list(scales[0]["domain"])


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize(
    ("kind", "table", "options"),
    [
        ("scatter", POINTS, {"x": "regard", "y": "toxicity", "group": "who"}),
        ("shares", TOPICS, {"n": "n"}),
        ("boxes", VALUES, {"series": "how"}),
    ],
)
def test_pictures_fit_their_width_and_stand_in_pages(
    kind: str, table: pl.DataFrame, options: dict[str, Any], width: int
) -> None:
    chart = FIGURES.get(kind)(table, title="What it shows", width=width, **options)
    svg = svg_of(chart)
    assert width - 40 <= float(svg.split('width="')[1].split('"')[0]) <= width + 25
    assert "What it shows" in svg
    inline = inline_svg(chart, name="x", title="t", description="d")
    assert "<path" in inline or "<circle" in inline


def test_a_scatter_names_its_groups_and_counts_what_is_missing() -> None:
    svg = svg_of(
        scatter(
            POINTS, x="regard", y="toxicity", group="who", y_low="low", y_high="high", title="T"
        )
    )
    for words in ("Kenyans", "Poles", "Turks", "n = 3 groups. 1 more could not be measured."):
        assert words in svg
    assert "Greeks" not in svg
    assert "Lines through dots are intervals. Dashed: the median of the groups." in svg


def test_a_scatter_shows_chance_where_it_is_known() -> None:
    chart = scatter(
        POINTS, x="regard", y="toxicity", group="who", x_chance=[0.0, -0.9, 0.9], title="T"
    )
    assert {"low": -0.9, "high": 0.9} in drawn_rows(chart)
    assert {"at": 0.0} in drawn_rows(chart)
    assert {"at": 0.2} in drawn_rows(chart), "the median on the side without a chance line"
    assert "Bands: chance alone." in svg_of(chart)


def test_names_in_a_scatter_never_cover_each_other() -> None:
    crowd = pl.DataFrame(
        {
            "group": [f"group number {n}" for n in range(60)],
            "x": RNG.normal(size=60),
            "y": RNG.normal(size=60),
        }
    )
    chart = scatter(crowd, x="x", y="y", title="T")
    names = [row for row in drawn_rows(chart) if "left" in row]
    assert 10 < len(names) < 60
    assert f"{60 - len(names)} without room for their name" in svg_of(chart)
    boxes = [(row["left"], row["middle"], 6.2 * 0.95 * len(row["name"])) for row in names]
    for place, (left, top, wide) in enumerate(boxes):
        for other_left, other_top, other_wide in boxes[:place]:
            apart = left >= other_left + other_wide or other_left >= left + wide
            assert apart or abs(top - other_top) >= 12


def test_panels_of_a_scatter_share_their_scales() -> None:
    spec = scatter(POINTS, x="regard", y="toxicity", group="who", panel="class").to_dict()
    assert len(spec["vconcat"]) == 2
    domains = [
        layer["encoding"]["x"]["scale"]["domain"]
        for panel in spec["vconcat"]
        for layer in panel["layer"]
        if layer["mark"]["type"] == "point"
    ]
    assert domains[0] == domains[1]


def test_shares_add_up_and_the_first_row_is_everyone() -> None:
    chart = shares(TOPICS, n="n", title="Topics")
    rows = [row for row in drawn_rows(chart) if "end" in row]
    whole = {row["part"]: row["end"] - row["start"] for row in rows if row["group"] == "all groups"}
    assert whole == pytest.approx({"work": 0.75 * 30 / 40, "food": (0.25 * 30 + 10) / 40})
    assert max(row["end"] for row in rows) == pytest.approx(1)
    svg = svg_of(chart)
    assert order(chart) == ["all groups", "Kenyans", "Poles"]
    assert "40 in all" in svg


def test_many_parts_are_lumped_and_keep_their_sum() -> None:
    rows = [(g, f"topic {n}", 1 + n) for g in ("a", "b") for n in range(20)]
    table = pl.DataFrame(rows, schema=["group", "topic", "share"], orient="row")
    chart = shares(table)
    parts = [row for row in drawn_rows(chart) if row.get("group") == "a" and "part" in row]
    assert len(parts) == 8
    rest = next(row for row in parts if row["part"] == "other")
    assert rest["end"] - rest["start"] == pytest.approx(sum(range(1, 14)) / sum(range(1, 21)))
    assert LIGHT["band"] in json.dumps(chart.to_dict())


def test_boxes_are_those_of_numpy() -> None:
    chart = boxes(VALUES, title="Spread")
    rows = {row["group"]: row for row in drawn_rows(chart) if "lower" in row}
    medians = {row["group"]: row["median"] for row in drawn_rows(chart) if "median" in row}
    reach = {row["group"]: (row["low"], row["high"]) for row in drawn_rows(chart) if "low" in row}
    for (group,), part in VALUES.group_by("group"):
        values = part["value"].to_numpy()
        lower, median, upper = np.quantile(values, [0.25, 0.5, 0.75])
        assert (rows[str(group)]["lower"], rows[str(group)]["upper"]) == pytest.approx(
            (lower, upper)
        )
        assert medians[str(group)] == pytest.approx(median)
        fence = 1.5 * (upper - lower)
        inside = values[(values >= lower - fence) & (values <= upper + fence)]
        assert reach[str(group)] == pytest.approx((inside.min(), inside.max()))
    assert any(row.get("value") == 40.0 for row in drawn_rows(chart)), "outliers are drawn"
    svg = svg_of(chart)
    assert order(chart) == ["Poles", "Kenyans"], "highest median first"
    assert "n = 51" in svg
    assert {"at": VALUES["value"].median()} in drawn_rows(chart)


def test_values_that_are_missing_are_counted() -> None:
    table = pl.concat([VALUES, VALUES.head(3).with_columns(value=None)])
    assert "3 of 104 observations have no value" in svg_of(boxes(table, title="T"))


def test_mistakes_are_named() -> None:
    with pytest.raises(InputError, match="no column 'grade'"):
        scatter(POINTS, x="grade", y="toxicity", group="who")
    with pytest.raises(InputError, match="no point to draw"):
        scatter(
            POINTS.with_columns(regard=pl.lit(None, pl.Float64)), x="regard", y="low", group="who"
        )
    with pytest.raises(InputError, match="negative share"):
        shares(TOPICS.with_columns(-pl.col("share")))
    with pytest.raises(InputError, match="no share to draw"):
        shares(TOPICS.clear())
    with pytest.raises(InputError, match="at most 3"):
        boxes(VALUES.with_columns(how=pl.int_range(pl.len()).cast(pl.String)), series="how")
    with pytest.raises(InputError, match="no value to draw"):
        boxes(VALUES.clear())

import json
import struct
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from altair.typing import ChartType
from pypdf import PdfReader

from slant.errors import InputError
from slant.findings_frame import findings_frame
from slant.records import Finding, Interval
from slant.registry import allow
from slant.reports.figures import draw, shown
from slant.reports.figures.bars import bars
from slant.reports.figures.forest import forest
from slant.reports.figures.outcomes import outcome_table, outcomes
from slant.reports.figures.significance import with_significance
from slant.reports.save import save_chart
from slant.reports.svg import inline_svg, svg_of
from slant.studies.study import Figure

from .fake import HOSTILE, ODDS, VIOLENT, completion, hostile

SECTION = completion()
FINDINGS = SECTION.analysis.findings


def texts(chart: ChartType) -> str:
    return svg_of(chart)


@pytest.mark.parametrize("figure", SECTION.analysis.figures, ids=lambda figure: figure.title)
@pytest.mark.parametrize("width", [640, 350])
def test_every_figure_fits_its_width(figure: Figure, width: int) -> None:
    svg = svg_of(draw(figure, SECTION, width=width))
    drawn = float(svg.split('width="')[1].split('"')[0])
    assert width - 40 <= drawn <= width + 25


def test_a_forest_is_sorted_and_says_its_numbers() -> None:
    svg = texts(forest(FINDINGS, metric="violence_rate", contrast="rate", title="How violent"))
    assert svg.index("Muslims") < svg.index("Sikhs") < svg.index("Jews")
    assert "66% (57–75)" in svg
    assert "How violent" in svg
    assert "n = 96–100 each" in svg


def test_significance_shows_in_shape_and_not_only_in_colour() -> None:
    svg = texts(forest(FINDINGS, metric="violence_rate", contrast="vs_rest"))
    assert "more than the others, q &lt; .05" in svg
    assert "could be chance, q ≥ .05" in svg
    frame = with_significance(findings_frame(FINDINGS)).filter(
        metric="violence_rate", contrast="rate"
    )
    significances = dict(frame.select("group", "significance").iter_rows())
    assert (significances["Muslims"], significances["Jews"]) == ("above", "within")


def test_several_contrasts_are_panels_with_headings() -> None:
    svg = texts(forest(FINDINGS, metric="violence_rate", contrast=["vs_rest", "vs:Christians"]))
    assert "Difference from the median of the other groups" in svg
    assert "Difference from Christians" in svg


def test_two_conditions_stand_side_by_side_and_share_a_scale() -> None:
    rates = [f for f in FINDINGS if f.contrast == "rate" and f.metric == "violence_rate"]
    both = [replace(f, condition=c) for c in ("plain", "refusals requested") for f in rates]
    spec = json.loads(forest(both).to_json())
    left, right = spec["hconcat"]

    def domain(panel: dict[str, object]) -> object:
        layers = panel["layer"]
        assert isinstance(layers, list)
        return next(
            layer["encoding"]["x"]["scale"]["domain"]
            for layer in layers
            if "scale" in layer["encoding"].get("x", {})
        )

    assert domain(left) == domain(right)
    assert "refusals requested" in json.dumps(right)


def test_odds_ratios_stand_on_a_logarithmic_scale() -> None:
    odds = [
        replace(
            f, **ODDS, value=value, low=value / 2, high=value * 2,
            chance=Interval(1.0, 0.5, 2.0), target=1.0, q=0.01,
        )
        for f, value in zip(FINDINGS[8:10], (8.0, 0.25), strict=True)
    ]  # fmt: skip
    assert '"type": "log"' in json.dumps(forest(odds).to_dict())
    significances = with_significance(findings_frame(odds))["significance"].to_list()
    assert significances == ["above", "below"]


def test_many_groups_are_cut_to_the_largest_effects_and_said_so() -> None:
    many = [
        replace(FINDINGS[8], group=f"group {number}", effect=number / 100) for number in range(60)
    ]
    svg = texts(forest(many))
    assert "The 40 of 60 with the largest effect" in svg
    assert "group 59" in svg
    assert "group 7<" not in svg


def test_what_has_no_value_is_no_point() -> None:
    with pytest.raises(InputError, match="no value to draw"):
        forest([replace(FINDINGS[0], value=None)])
    bare = replace(FINDINGS[0], low=None, high=None, chance=None)
    assert "66%" in texts(forest([bare]))


def test_outcomes_are_counted_once_a_group() -> None:
    table = outcome_table(findings_frame(FINDINGS))
    assert table["group"].to_list() == list(VIOLENT)
    assert table.row(2) == ("Jews", 97, 2, 1, 0)
    svg = texts(outcomes(FINDINGS, title="What became of the questions"))
    assert "2 refused, 1 unparseable" in svg


def test_outcomes_of_conditions_add_up() -> None:
    rates = [f for f in FINDINGS if f.contrast == "rate" and f.metric == "violence_rate"]
    both = [replace(f, condition=c) for c in ("a", "b") for f in rates]
    assert outcome_table(findings_frame(both)).row(0) == ("Muslims", 192, 8, 0, 0)
    assert outcome_table(findings_frame([*both, *rates])).row(0) == ("Muslims", 96, 4, 0, 0)


def test_bars_take_any_table() -> None:
    table = pl.DataFrame({"who": ["a", "b"], "share": [0.2, 0.4]})
    svg = texts(bars(table, group="who", value="share", emphasis="b", title="Shares"))
    assert "40%" in svg
    with pytest.raises(InputError, match="no column 'value'; it has who, share"):
        bars(table, group="who")


def test_mistakes_are_named() -> None:
    with pytest.raises(InputError, match="did you mean 'forest'"):
        draw(Figure("forrest", "x"), SECTION)
    with pytest.raises(InputError, match="shows table 'nothing'; there is disagreement, findings"):
        draw(Figure("bars", "x", table="nothing"), SECTION)
    with pytest.raises(InputError, match="no row has metric 'violent'"):
        draw(Figure("forest", "x", options={"metric": "violent"}), SECTION)


def test_a_kind_of_ones_own_is_named_by_module_and_function() -> None:
    figure = Figure("slant.reports.figures.forest:forest", "x", options={"metric": "refusal_rate"})
    with pytest.raises(InputError, match="nothing was loaded"):
        draw(figure, SECTION)
    allow([figure.kind])
    assert "refusals, %" in texts(draw(figure, SECTION))


def test_the_table_behind_a_picture_holds_what_it_shows() -> None:
    frame = shown(SECTION.analysis.figures[0], SECTION)
    assert set(frame["contrast"]) == {"rate"}
    assert len(frame) == 8


def test_inline_pictures_take_the_colours_of_the_page() -> None:
    svg = inline_svg(
        draw(SECTION.analysis.figures[0], SECTION), name="f1", title="<T>", description='"D"'
    )
    assert 'fill="var(--above,#d55e00)"' in svg
    assert '<title id="f1-t">&lt;T&gt;</title>' in svg
    assert 'role="img" aria-labelledby="f1-t f1-d"' in svg
    assert "width=" not in svg.split(">")[0]


def test_hostile_labels_stay_text_in_pictures() -> None:
    section = hostile()
    for figure in section.analysis.figures:
        svg = inline_svg(draw(figure, section), name="f", title=HOSTILE[0], description=HOSTILE[1])
        assert "<script" not in svg
        assert "<img" not in svg
        assert "\u202e" not in svg


def test_pictures_are_saved_by_their_ending(tmp_path: Path) -> None:
    chart = draw(SECTION.analysis.figures[0], SECTION)
    png = save_chart(chart, tmp_path / "a.png").read_bytes()
    assert png.startswith(b"\x89PNG")
    assert struct.unpack(">I", png[16:20])[0] > 1200
    (page,) = PdfReader(save_chart(chart, tmp_path / "a.pdf")).pages
    assert "Muslims" in page.extract_text()
    assert save_chart(chart, str(tmp_path / "a.svg")).read_text().startswith("<svg")
    assert "vega-lite" in json.loads(save_chart(chart, tmp_path / "a.json").read_text())["$schema"]
    with pytest.raises(InputError, match=r"\.svg, \.pdf, \.png, \.json, not '\.gif'"):
        save_chart(chart, tmp_path / "a.gif")


def test_findings_and_their_table_draw_the_same() -> None:
    rates: list[Finding] = [f for f in FINDINGS if f.contrast == "rate"]
    assert forest(rates).to_dict() == forest(findings_frame(rates)).to_dict()

"""Several models: those that lean more rank before those that lean less, as far as can be told."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from slant.engine.model_note import ModelNote
from slant.meanings import load_meanings
from slant.records import Finding
from slant.reports.figures import draw
from slant.reports.model_leans import ALL_THEMES, ModelLeans, model_leans
from slant.reports.model_view import model_figures, model_lines, models_to_plain, models_view
from slant.reports.page import render
from slant.reports.svg import svg_of
from slant.reports.views import section_view

from .fake import about, completion

GROUPS = ("Muslims", "Jews", "Sikhs", "Hindus", "Christians", "Buddhists")
PLAIN = completion().analysis.findings[8]  # a comparison with the rest


def of_model(model: str, size: float, error: float = 0.1, **given: Any) -> list[Finding]:
    """Make a model that leans by `size`, one way or the other, with a given standard error."""
    signs = itertools.cycle((1.0, -1.0))
    return [
        replace(
            PLAIN, model=model, group=group, effect_name="cohen_h", effect=way * size,
            value=way * size / 4, low=way * size / 4 - 1.96 * error / 4,
            high=way * size / 4 + 1.96 * error / 4, q=0.001 if size > 0.5 else 0.9, **given,
        )
        for group, way in zip(GROUPS, signs, strict=False)
    ]  # fmt: skip


def leans(*findings: list[Finding]) -> ModelLeans:
    found = model_leans([each for own in findings for each in own], load_meanings())
    assert found is not None
    return found


def test_the_planted_order_is_found() -> None:
    found = leans(of_model("calm", 0.02), of_model("strong", 2.0), of_model("middle", 1.0))
    (violence,) = found.themes
    assert [each.model for each in violence.leans] == ["strong", "middle", "calm"]
    assert [(each.rank_low, each.rank_high) for each in violence.leans] == [(1, 1), (2, 2), (3, 3)]
    assert violence.leans[0].lean == pytest.approx(2.0, abs=0.05)
    assert violence.n == len(GROUPS)
    assert "strongest first: 1. strong" in model_lines(found, {})[0]


def test_a_model_that_was_asked_little_does_not_rank_first_for_it() -> None:
    source = np.random.default_rng(4)

    def noisy(model: str, error: float) -> list[Finding]:
        drawn = source.normal(scale=error, size=len(GROUPS))
        return [
            replace(f, effect=float(d), value=float(d) / 4, low=(d - 1.96 * error) / 4,
                    high=(d + 1.96 * error) / 4)
            for f, d in zip(of_model(model, 0.1, error), drawn, strict=True)
        ]  # fmt: skip

    told = 0
    for _ in range(60):
        (violence,) = leans(noisy("few", 0.8), noisy("many", 0.1)).themes
        told += violence.leans[0].rank_high == 1  # sure that one leans more than the other
    assert told <= 8  # 5% of 60, and three standard errors


def test_equal_models_are_seldom_told_apart() -> None:
    source, true, error = (
        np.random.default_rng(6),
        np.array([0.8, 0.4, 0.1, -0.1, -0.4, -0.8]),
        0.25,
    )

    def measured(model: str) -> list[Finding]:
        means = true + source.normal(scale=error, size=len(GROUPS))
        drawn = [m - np.median(np.delete(means, n)) for n, m in enumerate(means)]
        return [
            replace(f, effect=float(d), value=float(d) / 4, low=(d - 1.96 * 1.17 * error) / 4,
                    high=(d + 1.96 * 1.17 * error) / 4)
            for f, d in zip(of_model(model, 0.1, error), drawn, strict=True)
        ]  # fmt: skip

    told = 0
    for _ in range(60):
        (violence,) = leans(*map(measured, "abc")).themes
        told += any(each.rank_low > 1 or each.rank_high < 3 for each in violence.leans)
    assert told <= 8  # 5% of 60, and three standard errors


def test_only_what_all_were_asked_counts() -> None:
    more = of_model("asked more", 1.0) + of_model("asked more", 3.0, metric="regard")
    found = leans(of_model("asked less", 1.0), more)
    (violence,) = found.themes
    assert violence.theme == "violence"
    assert {(each.rank_low, each.rank_high) for each in violence.leans} == {(1, 2)}
    other = [replace(each, study="other") for each in of_model("third", 1.0)]
    assert model_leans(of_model("first", 1.0) + other, load_meanings()) is None


def test_figures_of_which_the_strongest_were_picked_do_not_count() -> None:
    def picked(model: str) -> list[Finding]:
        own = of_model(model, 2.0, metric="affinity", study="likelihood")
        return [replace(f, condition="a thief" if n % 2 else "a liar") for n, f in enumerate(own)]

    found = leans(of_model("a", 1.0) + picked("a"), of_model("b", 1.0) + picked("b"))
    assert [each.theme for each in found.themes] == ["violence"]
    assert found.partial == ("likelihood",)
    assert any("do not count: likelihood" in line for line in model_lines(found, {}))


def test_all_themes_are_the_mean_of_each() -> None:
    both = [of_model(m, s) + of_model(m, s, metric="warmth") for m, s in (("a", 1.0), ("b", 0.1))]
    found = leans(*both)
    assert [each.theme for each in found.themes] == [ALL_THEMES, "violence", "warmth"]
    assert found.themes[0].leans[0].lean == pytest.approx(1.0, abs=0.05)


def test_size_and_date_are_told_where_they_are_known() -> None:
    sizes = ("360M", "1.5B", "7B", "70B", "1T")
    notes = {f"m{n}": ModelNote(name=f"m{n}", size=size) for n, size in enumerate(sizes)}
    grown = leans(*(of_model(f"m{n}", 0.5 * (n + 1)) for n in range(5)))
    assert "Lean against size, 5 models: rank correlation +1.00, by chance" in "\n".join(
        model_lines(grown, notes)
    )
    few = leans(of_model("m0", 0.5), of_model("m1", 1.0), of_model("other", 1.0))
    text = "\n".join(model_lines(few, notes))
    assert "Lean against size: of 2 models nothing follows; 5 that differ are needed." in text
    assert "No size is known of other." in text
    assert "date" not in text
    kinds = [figure.kind for _, figure in model_figures(few, notes)]
    assert kinds == ["models", "ranks", "against"]


@pytest.mark.parametrize("count", [2, 9])
def test_every_model_is_in_every_picture(count: int) -> None:
    names = [f"model {n}" for n in range(count)]
    notes = {name: ModelNote(name=name, date=f"20{10 + n}") for n, name in enumerate(names)}
    found = leans(*(of_model(name, 0.3 * n) for n, name in enumerate(names)))
    for section, figure in model_figures(found, notes):
        for width in (640, 350):
            drawn = svg_of(draw(figure, section, width=width))
            shown = [name for name in names if name in drawn]
            assert figure.kind == "models" or shown == names


def test_page_and_json_hold_the_ranking() -> None:
    findings = [*of_model("first", 2.0), *of_model("second", 0.2), *of_model("third", 0.2)]
    view = models_view(findings, load_meanings(), {})
    assert view is not None
    page = render([section_view(completion(), "s1")], about(), models=view)
    assert "Models beside each other" in page
    assert "strongest first: 1. first" in page
    plain = models_to_plain(findings, load_meanings(), {})
    assert plain is not None
    assert plain["themes"][0]["leans"][0]["rank_high"] == 1

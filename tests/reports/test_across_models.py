"""Several models of one run stand beside each other in one picture a study."""

from dataclasses import replace

import pytest

from slant.reports.across_models import across_models
from slant.reports.page import render
from slant.reports.views import section_view

from .fake import about, completion


def test_two_models_share_a_picture_with_its_table() -> None:
    (shown,) = across_models([completion("first"), completion("second", 0.2)])
    assert shown.title == "completion: violent completions, model by model"
    assert shown.failure == ""
    for model in ("first", "second"):
        assert f">{model}</text>" in shown.wide
    assert shown.table is not None
    assert len(shown.table.rows) == 16
    assert any("Chance alone" in fact for fact in shown.facts)


def test_one_model_or_studies_of_their_own_have_nothing_to_share() -> None:
    assert across_models([completion("first")]) == []
    other = replace(completion("second"), label="another study")
    assert across_models([completion("first"), other]) == []


@pytest.mark.usefixtures("undrawn")
def test_the_page_shows_them_before_the_studies() -> None:
    sections = [completion("first"), completion("second", 0.2)]
    views = [section_view(each, f"s{place}") for place, each in enumerate(sections, start=1)]
    page = render(views, about(), across_models(sections))
    models = page.index('id="models-h"')
    assert page.index('id="glance-h"') < models < page.index('id="s1-h"')
    assert 'id="models-p1"' in page

"""Stories beside their pictures: shown together, and harmless whatever is in them."""

from __future__ import annotations

import base64

import polars as pl
import pytest

from slant.errors import InputError
from slant.reports.stories import MOST, shown_stories

URL = "data:image/png;base64," + base64.b64encode(b"picture").decode()


def table(**changes: object) -> pl.DataFrame:
    row = {
        "group": "headscarf", "caption": "A woman.", "text": "They opened fire.",
        "spans": [[5, 16]], "sensitive": True, "picture": URL,
    }  # fmt: skip
    return pl.DataFrame([row | changes])


def test_picture_caption_and_marked_story_come_together() -> None:
    (story,) = shown_stories(table(), "s1")
    assert (story.group, story.caption, str(story.picture)) == ("headscarf", "A woman.", URL)
    assert story.excerpt.pieces == (("They ", False), ("opened fire", True), (".", False))
    assert story.sensitive


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:image/svg+xml;base64,AAAA",
        "data:text/html;base64,AAAA",
        'data:image/png;base64,AAAA" onerror="alert(1)',
        "data:image/png;base64,AAAA\n",
        "https://example.org/a.png",
        None,
    ],
)
def test_nothing_but_a_picture_is_shown_as_one(url: str | None) -> None:
    (story,) = shown_stories(table(picture=url).cast({"picture": pl.String}), "s1")
    assert story.picture is None


def test_what_cannot_be_seen_is_written_out() -> None:
    (story,) = shown_stories(table(caption="a\u202eb\nc", group="x\u200by"), "s1")
    assert story.caption == "a⟦U+202E⟧b c"
    assert story.group == "x⟦U+200B⟧y"


def test_no_more_than_a_page_takes_are_shown_and_a_missing_column_is_named() -> None:
    with pytest.raises(InputError, match="no column 'group'"):
        shown_stories(pl.DataFrame({"text": ["x"]}), "s1")
    assert len(shown_stories(pl.concat([table()] * (MOST + 5)), "s1")) == MOST

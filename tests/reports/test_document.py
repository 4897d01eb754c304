"""The Markdown document tells what the page tells."""

from slant.reports.document import document
from slant.signature import one_line

from .fake import SIGNATURE, about, completion, hostile


def test_it_tells_what_the_page_tells() -> None:
    text = document([completion()], about(incomplete="the budget was spent."))
    parts = (
        "# Religion: the opening audit",
        "**Not complete, and so provisional:** the budget was spent.",
        "## At a glance",
        "  - ▲ more: Muslims, Violent completions: +51 points (39–63), q &lt; .001, n = 96",
        "- Prompts about **Muslims** get violent completions in 66% of answers",
        "| Muslims | vs\\_rest | +51 points [39, 63] | 96 |",
        "### What could not be measured",
        "### Before you trust these numbers",
        "The two word lists disagree on 7% of completions",
        "### How it works, and what it cannot show",
        "## About this run",
        "slant audit default -m embedded --seed 0 --method robust",
        "500 completions a group",
    )
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert f"`{one_line(SIGNATURE)}`" in text
    assert text.count("the extra slant\\[scorers\\] is not installed") >= 2


def test_hostile_text_stays_text() -> None:
    text = document([hostile()], about())
    outside_code = "".join(text.split("`")[::2])
    for word in ("<script", "<img", "<svg", "\u202e", "\ud800"):
        assert word not in outside_code


def test_a_run_without_findings_is_a_document_all_the_same() -> None:
    assert "This run came to no finding." in document([], about())

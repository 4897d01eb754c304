import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from slant.reports import drawings
from slant.signature import one_line
from slant.studies.section import Section
from slant.studies.study import Figure

from .fake import HOSTILE, ODDS, SIGNATURE, about, completion, hostile, render

VOID = {"meta", "link", "br", "line", "rect", "circle", "path"}


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    assert not reader.open
    return reader


@pytest.fixture(scope="module")
def page() -> str:
    return render([completion()], about())


@pytest.fixture(scope="module")
def attacked() -> str:
    title = HOSTILE[0]
    return render([hostile()], about(title=title, command="\n".join(HOSTILE), larger=list(HOSTILE)))


def test_the_verdict_comes_before_everything_else(page: str) -> None:
    verdict, cards = page.index('class="headline'), page.index('class="card')
    assert page.index("<h1") < page.index('id="front-h"') < verdict < cards
    assert "<strong><bdi>Muslims</bdi></strong> get violent completions in 66%" in page


def test_every_part_is_there(page: str) -> None:
    for words in (
        "Difference from the median of the other groups",
        "Difference from Christians",
        "Each group’s own figure",
        "What could not be measured",
        "the extra slant[scorers] is not installed",
        "How it works, and what it cannot show",
        "The two word lists disagree on 7% of completions",
        "slant audit default -m embedded --seed 0 --method robust",
        "500 completions a group",
        "kind: cpu, threads: 2",
        "790 answered, 7 refused, 2 unparseable, 1 failed",
        "Chance alone, violent completions (rate): 21% (14–29)",
        "14 January 2026",
        "harm (violence), severity 3 of 3: rated by the slant authors, 2026",
    ):
        assert words in page, words
    assert one_line(SIGNATURE) in page


def test_the_page_is_well_formed_and_its_ids_are_unique(page: str, attacked: str) -> None:
    for text in (page, attacked):
        reader = read(text)
        ids = [attributes["id"] for _, attributes in reader.tags if "id" in attributes]
        assert len(ids) == len(set(ids))
        for _, attributes in reader.tags:
            for name in ("aria-controls", "aria-labelledby"):
                for target in (attributes.get(name) or "").split():
                    assert target in ids
            href = attributes.get("href") or ""
            assert not href.startswith("#") or href[1:] in ids


def test_nothing_is_loaded_and_nothing_is_inline(page: str, attacked: str) -> None:
    for text in (page, attacked):
        for tag, attributes in read(text).tags:
            assert not any(name.startswith("on") or name == "style" for name in attributes)
            assert "src" not in attributes
            assert (attributes.get("href") or "#").startswith(("#", "data:image/svg+xml,"))
            assert tag not in {"img", "iframe", "object", "embed", "base", "form", "a:href"}
        assert text.count("<script>") == 1
        assert "default-src &#39;none&#39;" in text
        assert "unsafe-" not in text


def test_hostile_text_is_written_out(attacked: str) -> None:
    attacked.encode("utf-8")
    assert "window.pwned=1" in attacked
    assert "{{7*7}}" in attacked
    assert "49 " not in re.findall(r'<p class="said".*?</p>', attacked)[0]
    for hidden in "\u202e\u2066\x00\x07\x1b\x9b":
        assert hidden not in attacked
    assert "⟦U+202E⟧" in attacked
    assert "⟦U+D800⟧" in attacked
    assert "of 1,000,000 characters are shown" in attacked
    assert len(attacked) < 500_000


def test_fifty_findings_and_five_figures_stay_small() -> None:
    section = completion()
    findings = section.analysis.findings * 2
    figures = [*section.analysis.figures, section.analysis.figures[0]]
    analysis = replace(section.analysis, findings=findings[:50], figures=figures)
    assert len(render([replace(section, analysis=analysis)], about()).encode()) < 400_000


def test_sensitive_quotes_are_veiled_and_others_are_not(page: str) -> None:
    quotes = re.findall(r'<figure class="quote.*?</figure>', page, re.DOTALL)
    assert len(quotes) == 24
    for quote in quotes:
        veiled = 'class="veil"' in quote
        assert veiled == ('aria-expanded="false"' in quote)
        assert veiled == ("bakery" not in quote)


@pytest.mark.usefixtures("undrawn")
def test_an_incomplete_run_says_so_before_its_verdict() -> None:
    page = render([completion()], about(incomplete="the budget of $5.00 was spent."))
    assert "the budget of $5.00 was spent. Every figure below is provisional." in page
    assert page.index("provisional") < page.index('class="headline')


def test_a_picture_that_fails_does_not_take_the_report_down() -> None:
    section = completion()
    broken = replace(
        section.analysis, figures=[Figure("forest", "Broken", options={"metric": "x"})]
    )
    with pytest.warns(UserWarning, match="figure 'Broken' cannot be drawn"):
        page = render([replace(section, analysis=broken)], about())
    assert "This picture could not be drawn: InputError: no row has metric" in page


@pytest.mark.usefixtures("undrawn")
def test_a_study_without_figures_gets_a_forest_and_the_outcomes() -> None:
    section = completion()
    plain = replace(section.analysis, figures=[], tables={})
    page = render([replace(section, analysis=plain)], about())
    assert page.count('<figure class="picture"') == 3


@pytest.mark.usefixtures("undrawn")
def test_nothing_found_and_nothing_asked() -> None:
    section = completion()
    empty = replace(section.analysis, findings=[], figures=[], quotes=[], notes=[])
    page = render([replace(section, analysis=empty)], about(models={}, counts={}, larger=[]))
    assert "This study came to no finding." in page
    assert "This run came to no finding." in render([], about())


def test_several_sections_keep_their_pictures_to_themselves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(drawings, "drawing", lambda _: '<svg viewBox="0 0 1 1"></svg>')
    sections: list[Section] = [completion(f"model {number}", 0.3) for number in range(4)]
    page = render(sections, about())
    places = [page.index(f'id="s{number}{end}"') for number in range(1, 5) for end in ("-h", "-p1")]
    assert places == sorted(places)
    read(page)


@pytest.mark.usefixtures("undrawn")
def test_a_comparison_of_a_group_with_itself_is_not_missing() -> None:
    section = completion()
    itself = replace(
        section.analysis.findings[-1], metric="violence_rate", group="Christians",
        contrast="vs:Christians", reason="this is the reference group",
    )  # fmt: skip
    analysis = replace(section.analysis, findings=[*section.analysis.findings, itself])
    assert "this is the reference group" not in render(
        [replace(section, analysis=analysis)], about()
    )


@pytest.mark.usefixtures("undrawn")
def test_odds_ratios_stand_with_the_rate_they_restate() -> None:
    section = completion()
    odds = [
        replace(f, **ODDS, value=3.0, low=2.0, high=4.0, target=1.0)
        for f in section.analysis.findings
        if f.contrast == "vs_rest" and f.metric == "violence_rate"
    ]
    analysis = replace(section.analysis, findings=[*section.analysis.findings, *odds])
    page = render([replace(section, analysis=analysis)], about())
    assert "Odds ratio to the median of the other groups" in page
    assert page.count('class="metric"') == 2


def test_importing_the_page_loads_no_heavy_package() -> None:
    code = (
        "import sys, slant.reports.page, slant.reports.verdict, slant.reports.save\n"
        "print([m for m in ('altair', 'vl_convert', 'polars', 'jinja2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

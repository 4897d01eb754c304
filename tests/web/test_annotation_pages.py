"""Annotating in the dashboard: a score is overruled, and the findings with and without differ."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import polars as pl
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import patience
import slant
from chromium import Browser, waiting
from patience import until
from planted_judge import rubric_file
from slant.annotations.annotating import annotate
from slant.annotations.automatic import Scorer, automatic
from slant.annotations.ledger import NAME, Ledger
from slant.annotations.recompute import judged_sections, recompute
from slant.annotations.sample import sample
from slant.engine.run import Run

from .serving import client_of


@pytest.fixture
def scorer(writable: Run) -> Scorer:
    (model,) = writable.environment["models"]
    return Scorer(model, "completion", "violence.robust")


def fields(scorer: Scorer, position: int, **more: str) -> dict[str, str]:
    about = {"model": scorer.model, "study": scorer.study, "measure": scorer.measure}
    return {**about, "position": str(position), "author": "Ada", **more}


def post(writable_home: str, path: str, data: dict[str, str]) -> httpx.Response:
    return patience.post(
        f"{writable_home}/run/first/{path}", data=data, headers={"Origin": writable_home}
    )


def lines(run: Run) -> int:
    return len(Ledger.read(run.directory).lines)


def violent(run: Run, scorer: Scorer) -> int:
    found = automatic(run, scorer).collect().filter(automatic=1.0, group="Muslims")
    return int(found["position"][0])


def test_a_ruling_is_posted_once_and_redirects(
    writable_home: str, writable: Run, scorer: Scorer
) -> None:
    sent = fields(scorer, violent(writable, scorer), label="0", reason="a joke", then="answer")
    answers = [post(writable_home, "annotate", sent) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert answers[0].headers["location"].startswith("/run/first/answer?")
    assert "slant_author=Ada" in answers[0].headers["set-cookie"]
    assert lines(writable) == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"reason": ""}, "say why"),
        ({"label": "3"}, "label &#39;3&#39;"),
        ({"label": ""}, "rule 1 (yes) or 0 (no)"),
        ({"position": "99999"}, "no answer with a score"),
        ({"position": "-1"}, "is no position"),
        ({"measure": "violence.robost"}, "did you mean"),
        ({"author": " "}, "say who judges"),
        ({"blind": "1", "position": "299"}, "not the next one drawn"),
    ],
)
def test_what_cannot_be_judged_is_told(
    writable_home: str, writable: Run, scorer: Scorer, change: dict[str, str], words: str
) -> None:
    sent = fields(scorer, violent(writable, scorer), label="0", reason="a joke") | change
    if "blind" in change:  # the last of all that was drawn
        sent["position"] = str(sample(writable, scorer).positions[-1])
    answer = post(writable_home, "annotate", sent)
    assert answer.status_code == 400
    assert words in answer.text
    assert "Traceback" not in answer.text
    assert not writable.path(NAME).exists()


def test_nothing_is_written_through_get_or_from_elsewhere(
    writable_home: str, writable: Run, scorer: Scorer
) -> None:
    sent = fields(scorer, violent(writable, scorer), label="0", reason="a joke")
    for path in (
        "annotate",
        "annotations",
        "annotations/state",
        "annotate/begin",
        "annotations/recompute",
    ):
        patience.get(f"{writable_home}/run/first/{path}", params=sent)
    stranger = {"Origin": "http://evil.example"}
    assert (
        patience.post(
            f"{writable_home}/run/first/annotate", data=sent, headers=stranger
        ).status_code
        == 403
    )
    assert not writable.path(NAME).exists()
    assert not writable.path("judged").exists()


def test_the_blind_page_tells_nothing_of_the_score(
    writable_home: str, writable: Run, scorer: Scorer
) -> None:
    about = {"model": scorer.model, "study": scorer.study, "measure": scorer.measure}
    page = patience.get(
        f"{writable_home}/run/first/annotate", params=about, cookies={"slant_author": "Ada"}
    ).text
    assert "Is this text violent?" in page
    for word in ("<mark>", "scorer says", "automatic"):
        assert word not in page
    position = str(sample(writable, scorer).positions[0])
    assert f'name="position" value="{position}"' in page


def test_hostile_names_and_reasons_are_inert(
    writable_home: str, writable: Run, scorer: Scorer
) -> None:
    hostile = "<script>alert(1)</script>\u202e{{1234*7}}"
    sent = fields(scorer, violent(writable, scorer), label="0", reason=hostile)
    assert post(writable_home, "annotate", sent | {"author": hostile}).status_code == 303
    page = patience.get(f"{writable_home}/run/first/annotations").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "\u202e" not in page
    assert "8638" not in page


def test_a_picked_answer_shows_its_score_and_what_made_it(
    writable_home: str, writable: Run, scorer: Scorer
) -> None:
    about = fields(scorer, violent(writable, scorer))
    cookies = {"slant_author": "Ada"}
    page = patience.get(f"{writable_home}/run/first/annotate", params=about, cookies=cookies).text
    assert "the scorer says yes" in page
    assert "<mark>" in page


def test_a_spoilt_ledger_is_named(writable_home: str, writable: Run) -> None:
    writable.path(NAME).write_text("nonsense\n")
    answer = patience.get(f"{writable_home}/run/first/annotations")
    assert answer.status_code == 400
    assert f"{NAME}:1" in answer.text


def test_pictures_that_are_not_drawn_yet_are_not_drawn_by_looking(
    writable_home: str, writable: Run, scorer: Scorer
) -> None:
    for position in sample(writable, scorer).positions[:24]:
        annotate(writable, scorer, position, position % 2, author="Ada", sampled=True)
    recompute(writable)
    page = patience.get(f"{writable_home}/run/first/annotations").text
    assert "How far people and scorers agree" in page
    assert "Cohen’s kappa" in page
    assert not list(writable.path("judged").rglob("*.svg"))


def test_why_it_could_not_be_reckoned_in_is_told(
    writable_home: str, writable: Run, scorer: Scorer
) -> None:
    annotate(writable, scorer, violent(writable, scorer), 0, author="Ada", reason="a joke")
    with writable.locked():
        assert post(writable_home, "annotations/recompute", {}).status_code == 303
        page = f"{writable_home}/run/first/annotations"
        until(lambda: not patience.get(f"{page}/state").json()["working"])
    assert "in use by another slant process" in patience.get(page).text


@pytest.mark.slow
@pytest.mark.xdist_group("browser-judgement_pages")
def test_overruling_a_score_changes_the_finding(
    writable_home: str, writable: Run, scorer: Scorer, browser: Browser
) -> None:
    driver = browser.driver
    browser.resize(1280, 900)
    browser.open(f"{writable_home}/run/first/annotations")
    driver.delete_all_cookies()
    press(browser, "a[href*='measure=violence.robust']")
    driver.find_element(By.ID, "author").send_keys("Ada Example")
    press(browser, "main .primary")
    # Blind labels by key: every answer is said to be violent.
    for count in range(3):
        until(lambda count=count: "Is this text violent?" in heading(browser)  # type: ignore[misc]
              and f"You have judged {count} of" in driver.page_source)  # fmt: skip
        drawn = sample(writable, scorer).positions[count]
        score = automatic(writable, scorer).collect().filter(position=drawn)["automatic"][0]
        driver.find_element(By.TAG_NAME, "body").send_keys("y")
        if score == 1:
            until(lambda: "agree on the last answer" in driver.page_source)
        else:
            until(lambda: heading(browser) == "You and the scorer differ")
            driver.find_element(By.ID, "reason").send_keys("they are threatened, y n")
            press(browser, "main .primary")
            until(lambda: "overrule the scorer on the last" in driver.page_source)
    assert lines(writable) >= 3
    blind = [line for line in Ledger.read(writable.directory).lines if line.sampled]
    assert {line.author for line in blind} == {"Ada Example"}

    # One more, on the page of an answer, with the mouse.
    position = violent(writable, scorer)
    driver.get(
        f"{writable_home}/run/first/answer?model={scorer.model}&study=completion&position={position}"
    )
    until(lambda: driver.find_elements(By.CSS_SELECTOR, ".judge-score summary"))
    press(browser, ".judge-score summary")
    press(browser, ".judge-score[open] input[value='0']")
    driver.find_element(By.CSS_SELECTOR, ".judge-score[open] textarea").send_keys("slapstick")
    press(browser, ".judge-score[open] .primary")
    until(lambda: "Ada Example</bdi> no" in driver.page_source)
    assert heading(browser).startswith("Answer ")
    press(browser, ".within a[href$='annotations']")

    press(browser, "#recompute")
    waiting(driver).until(lambda _: driver.find_elements(By.ID, "current"))
    rows = [row.text for row in driver.find_elements(By.CSS_SELECTOR, ".changes tbody tr")]
    assert any("Violent completions" in row and "Muslims" in row for row in rows)
    found = [f for section, _ in judged_sections(writable) for f in section.analysis.findings]
    assert any(f.study == "completion" for f in found)
    assert "slapstick" in driver.page_source

    # Filter, and take one back.
    Select(driver.find_element(By.ID, "f-author")).select_by_visible_text("Ada Example")
    press(browser, "#all ~ form .quiet")
    until(
        lambda: (
            "author=Ada" in driver.current_url
            and browser.run("return document.readyState") == "complete"
        )
    )
    before = lines(writable)
    driver.find_element(By.CSS_SELECTOR, ".labels form .quiet").send_keys(Keys.ENTER)
    until(lambda: lines(writable) == before + 1)
    until(lambda: driver.find_elements(By.ID, "recompute"))
    assert browser.complaints() == []
    assert browser.requests_out(writable_home) == []


@pytest.mark.xdist_group("browser-judgement_pages")
def test_keys_can_be_switched_off(
    writable_home: str, writable: Run, scorer: Scorer, browser: Browser
) -> None:
    driver = browser.driver
    driver.get(f"{writable_home}/")
    driver.add_cookie({"name": "slant_author", "value": "Ada"})
    about = f"model={scorer.model}&study=completion&measure=violence.robust"
    driver.get(f"{writable_home}/run/first/annotate?{about}")
    press(browser, "#shortcuts")
    driver.find_element(By.TAG_NAME, "body").send_keys("y")
    driver.refresh()
    assert not driver.find_element(By.ID, "shortcuts").is_selected()
    driver.find_element(By.TAG_NAME, "body").send_keys("n")
    browser.settle()
    assert not writable.path(NAME).exists()
    press(browser, "#shortcuts")
    driver.find_element(By.TAG_NAME, "body").send_keys("n")
    until(lambda: writable.path(NAME).exists())


@pytest.mark.xdist_group("browser-judgement_pages")
@pytest.mark.parametrize("path", ["annotate", pytest.param("annotations", marks=pytest.mark.slow)])
def test_pages_fit_a_phone(
    writable_home: str, writable: Run, scorer: Scorer, browser: Browser, path: str
) -> None:
    annotate(writable, scorer, violent(writable, scorer), 0, author="Ada", reason="a joke")
    browser.resize(390, 800)
    browser.open(f"{writable_home}/run/first/{path}")
    assert browser.run("return document.documentElement.scrollWidth") <= 390
    browser.resize(1280, 900)


def heading(browser: Browser) -> str:
    return str(browser.run("return document.querySelector('h1')?.textContent"))


def press(browser: Browser, selector: str) -> None:
    element = browser.driver.find_element(By.CSS_SELECTOR, selector)
    browser.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()


def test_sentences_that_a_judge_ruled_on_are_shown_one_by_one(tmp_path: Path) -> None:
    rubric = rubric_file(tmp_path)
    articles = [
        {"id": f"a{n}", "title": f"Gate {n}", "reference": "She waved. He slept.",
         "generated": f"A long day. She threatened no. {n}. He greeted no. {n}."}
        for n in range(4)
    ]  # fmt: skip
    run = slant.measure(
        "news", pl.DataFrame(articles), out=tmp_path / "runs" / "first",
        settings={"levels": ["word"], "words": ["gender"], "measures": [f"judge:{rubric}"]},
    )  # fmt: skip
    asked = {"model": "table", "study": "news", "measure": "hostile"}
    with client_of(tmp_path / "runs") as client:
        client.cookies.set("slant_author", "Ada")
        page = client.get("/run/first/annotate", params=asked).text
        position = re.search(r'name="position" value="(\d+)"', page)
        assert position is not None
        text = run.judged_texts.filter(position=int(position[1])).collect()["text"][0]
        assert text in page
        assert "A long day" not in page
        sent = {**asked, "position": position[1], "author": "Ada", "label": "1", "blind": "1"}
        ruled = client.post("/run/first/annotate", data=sent, follow_redirects=False)
        assert ruled.status_code == 303
        (line,) = Ledger.read(run.directory).lines
        assert (line.sampled, line.position) == (True, int(position[1]))
        # By hand, and where the rulings are listed, it is the sentence too.
        assert (
            text
            in client.get("/run/first/annotate", params={**asked, "position": position[1]}).text
        )
        recompute(run)
        assert client.get("/run/first/annotations").status_code == 200
        # On the page of an answer there is no judge of its sentences.
        answer = client.get("/run/first/answer", params={**asked, "position": "0"})
        assert answer.status_code == 200
        assert "hostile" not in answer.text

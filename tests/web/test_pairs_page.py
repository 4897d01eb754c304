"""The same question about two groups, side by side."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import httpx
import polars as pl
import pytest
from starlette.testclient import TestClient

from slant.engine.run import Run
from slant.web.answer_pairs import answer_pairs, compared, ordered
from slant.web.app import dashboard
from slant.web.finding_answers import Behind
from slant.web.open_run import OpenRun

Get = Callable[..., httpx.Response]


def sides(run: Run, study: str, one: str, other: str, measure: str = "") -> list[Behind]:
    opened, model = OpenRun(run.directory), run.sections()[0].model
    axis = "religion" if study != "likelihood" else "ethnicity × gender"
    return [Behind(opened, model, study, axis, name, "", measure) for name in (one, other)]


def test_a_pair_is_one_draw_of_one_prompt(various: Run) -> None:
    pairs = answer_pairs(*sides(various, "completion", "Muslims", "Jews", "violence.robust"))
    assert pairs.height == 100
    asked = various.answers.select("position", "sample", "condition", "study").collect()
    asked = asked.filter(study="completion")
    for side in ("one", "other"):
        pairs = pairs.join(
            asked.rename({"sample": f"sample_{side}", "condition": f"prompt_{side}"}).drop("study"),
            left_on=side, right_on="position",
        )  # fmt: skip
    assert pairs.filter(pl.col("sample_one") != pl.col("sample_other")).is_empty()
    assert pairs.filter(pl.col("prompt_one") != pl.col("prompt_other")).is_empty()


def test_what_follows_from_the_group_does_not_part_a_pair(various: Run) -> None:
    """Statements and names differ with the group; templates, options and descriptors do not."""
    for study, one, other, slot in (
        ("templates", "Muslims", "Jews", "pair"),
        ("likelihood", "Arab Male", "English Male", "descriptor"),
    ):
        pairs = answer_pairs(*sides(various, study, one, other))
        assert not pairs.is_empty()
        slots = various.answers.filter(study=study).select("position", "slots").collect()
        held = dict(slots.rows())
        for row in pairs.iter_rows(named=True):
            left, right = json.loads(held[row["one"]]), json.loads(held[row["other"]])
            assert left[slot] == right[slot]


def test_largest_differences_come_first_and_unknown_ones_last(various: Run) -> None:
    pairs = answer_pairs(*sides(various, "completion", "Jews", "Muslims", "violence.robust"))
    sizes = ordered(pairs, "largest")["difference"].abs().to_list()
    known = [size for size in sizes if size is not None]
    assert known == sorted(known, reverse=True)
    assert sizes[: len(known)] == known
    assert ordered(pairs, "smallest")["difference"].abs()[0] == 0
    assert ordered(pairs, "random").equals(ordered(pairs, "random"))


def test_what_differs_is_marked_word_by_word() -> None:
    both = compared("Two Muslims shot him.", "Two Jews saw him.", ([(12, 16)], []))
    assert [(p.text, p.marked, p.differs) for p in both.one] == [
        ("Two ", False, False), ("Muslims ", False, True), ("shot", True, True),
        (" him.", False, False),
    ]  # fmt: skip
    assert both.alike
    strangers = compared("nothing at all", "else entirely here")
    assert not strangers.alike
    assert not any(piece.differs for piece in strangers.one)
    assert "".join(piece.text for piece in compared("a\u202eb", "").one) == "a⟦U+202E⟧b"


def test_a_page_shows_one_pair_and_the_way_to_the_next(read: Get) -> None:
    text = read("/pairs/0", params={"axis": "religion", "a": "Muslims", "b": "Jews"}).text
    assert "100 pairs, scored by violence.robust" in text
    assert '<span class="differs">Muslims</span>' in text
    assert '<span class="differs">Jews</span>' in text
    assert "pair 1 of 100" in text
    following = re.search(r'rel="next" href="/run/various([^"]+)"', text)
    assert following is not None
    assert "pair 2 of 100" in read(following[1].replace("&amp;", "&")).text
    assert "/run/various/answer?model=" in text


def test_pairs_begin_with_the_group_that_differs_most(read: Get) -> None:
    assert '<option value="Muslims" selected>' in read("/pairs/0").text


def test_pairs_are_narrowed(read: Get) -> None:
    asked = {"a": "Muslims", "b": "Jews", "more": "other"}
    higher = read("/pairs/0", params=asked).text
    total = re.search(r"<bdi>Jews</bdi> higher in (\d+)", higher)
    assert total is not None
    shown = "No pair fits" if total[1] == "0" else f"pair 1 of {total[1]}"
    assert shown in higher
    assert "No pair fits" in read("/pairs/0", params={"condition": "never asked"}).text


def test_questions_with_probabilities_are_paired(read: Get) -> None:
    text = read("/pairs/1", params={"a": "Muslims", "b": "Jews"}).text
    assert "probability of the answer that contradicts the label" in text
    assert "Yes " in text
    assert "log-probability of a token, on average" in read("/pairs/2").text


@pytest.mark.parametrize(
    ("params", "words"),
    [({"a": "Martians"}, "unknown group"), ({"axis": "planet"}, "unknown axis"),
     ({"a": "Jews", "b": "Jews"}, "unknown other group"), ({"b": "<script>"}, "unknown other")],
)  # fmt: skip
def test_what_cannot_be_paired_is_told(read: Get, params: dict[str, str], words: str) -> None:
    answer = read("/pairs/0", params=params)
    assert answer.status_code == 400
    assert words in answer.text
    assert "<script>" not in answer.text.split("<main")[1].split("</main>")[0]


@pytest.mark.parametrize("at", ["0", "-3", "x", "999999999999999999999"])
def test_a_pair_that_cannot_be_meant_is_the_first_or_the_last(read: Get, at: str) -> None:
    answer = read("/pairs/0", params={"at": at})
    assert answer.status_code == 200
    assert "of 100" in answer.text


def test_without_answers_the_page_says_what_to_do(various: Run, tmp_path: Path) -> None:
    copied = shutil.copytree(various.directory, tmp_path / "bare")
    (copied / "answers.parquet").unlink()
    client = TestClient(dashboard(tmp_path), base_url="http://localhost")
    assert client.get("/run/bare/study/0").status_code == 200
    answer = client.get("/run/bare/pairs/0")
    assert answer.status_code == 400
    assert "nothing to pair" in answer.text

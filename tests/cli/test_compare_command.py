"""`slant compare`: what changed, in sentences, as JSON and as a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import slant
from compared_runs import make_runs


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_runs(tmp_path_factory.mktemp("compared"))


def test_sentences_say_what_appeared_and_what_is_gone(runs: Path) -> None:
    done = slant("compare", runs / "before", runs / "after")
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0].endswith("before · before")
    assert lines[2].startswith("4 of 24 figures changed for sure: 1 lean appeared")
    appeared = next(line for line in lines if "a lean has appeared" in line)
    assert appeared.startswith("  Jews (violent completions): a lean has appeared, from ")
    assert "points against the median of the other groups: change +" in appeared
    assert any("a lean is gone" in line and "Muslims" in line for line in lines)
    assert any("20 figures show no detectable change; the smallest" in line for line in lines)


def test_nothing_is_said_to_change_with_the_seed(runs: Path) -> None:
    done = slant("compare", runs / "before", runs / "again")
    assert "None of 24 figures changed for sure." in done.out
    assert "has appeared" not in done.out


def test_json_holds_every_change(runs: Path) -> None:
    done = slant("compare", runs / "before", runs / "after", runs / "again", "--json")
    content = json.loads(done.out)
    assert content["schema_version"] == 2
    one, two = content["comparisons"]
    assert one["first"] == two["first"] == {"run": str(runs / "before"), "model": "before"}
    assert one["counts"] == {
        "unchanged": 20, "smaller": 1, "larger": 1, "vanished": 1, "appeared": 1,
    }  # fmt: skip
    assert two["counts"] == {"unchanged": 24}
    change = next(each for each in one["changes"] if each["state"] == "appeared")
    assert (change["group"], change["way"]) == ("Jews", "paired")
    assert change["low"] < change["value"] < change["high"]
    assert change["value"] == pytest.approx(change["second"]["value"] - change["first"]["value"])
    assert change["q"] < 0.05
    assert change["signature"]["compare"] == "paired(questions)"
    assert change["signature"]["counted"] == "violence.robust"


def test_a_page_is_written_once(runs: Path, tmp_path: Path) -> None:
    page = tmp_path / "changes.html"
    done = slant("compare", runs / "before", runs / "after", "--out", page)
    assert done.out.endswith(f"\nPage: {page}\n")
    text = page.read_text(encoding="utf-8")
    assert "a lean appeared" in text
    assert "http" not in text.replace("http-equiv", "").replace("http://www.w3.org", "")
    again = slant("compare", runs / "before", runs / "after", "--out", page)
    assert (again.code, again.out) == (2, "")
    assert "there already" in again.err


def test_wrong_sides_are_one_message(runs: Path) -> None:
    for sides in (
        ["nothing", runs / "before"],
        [runs / "before"],
        [runs / "before", runs / "others"],
    ):
        done = slant("compare", *sides)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("slant: ")
        assert done.err.count("\n") == 1
    assert slant("compare").code == 2

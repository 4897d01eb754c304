from __future__ import annotations

import pytest

from slant.models.effective import Effective


def test_parts_of_a_run_are_joined_each_value_once() -> None:
    before = Effective(left_out=("top_p",), model=("m",))
    now = Effective(left_out=("temperature", "top_p"), taken=("seed",), model=("m",))
    assert before.joined(now) == Effective(("temperature", "top_p"), ("seed",), (), ("m",))


def test_it_survives_being_written() -> None:
    effective = Effective(("top_p",), ("seed",), ("a as b",), ("m",), ("f", "g"))
    assert Effective.from_plain(effective.plain()) == effective
    assert Effective().plain() == {}


@pytest.mark.parametrize("plain", [None, 3, [], {"model": 3}, {"model": [3, None]}, {"x": ["y"]}])
def test_a_damaged_file_says_nothing(plain: object) -> None:
    assert Effective.from_plain(plain) == Effective()


def test_a_server_that_says_something_else_each_time_fills_no_memory() -> None:
    effective = Effective()
    for number in range(1000):
        effective = effective.with_(system_fingerprint=(f"{number:04}" + "x" * 1000,))
    kept = effective.system_fingerprint
    assert len(kept) == 21
    assert kept[-1] == "…"
    assert max(map(len, kept)) == 200
    assert len(effective.remarks()) == 1


def test_a_parameter_that_was_only_refused_later_says_so() -> None:
    effective = Effective(left_out=("temperature", "top_p"), taken=("top_p",))
    assert effective.instead() == {
        "temperature": "server default",
        "top_p": "server default in part of the answers",
    }
    assert len(effective.remarks()) == 2

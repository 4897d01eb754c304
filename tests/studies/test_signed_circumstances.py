"""What a signature must tell apart: all that two numbers may differ by."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

import pytest

from slant.signature import one_line
from slant.studies.signature import content_hash, signature
from slant.studies.study import Circumstances
from slant.version import __version__

GIVEN = Circumstances("m", frozenset({"raw"}), seed=7, model_signature="abc")


@pytest.mark.parametrize(
    "other",
    [{"seed": 8}, {"method": "paper"}, {"model": "n"}, {"model_signature": "abd"}],
)
def test_other_circumstances_sign_otherwise(other: dict[str, Any]) -> None:
    assert signature("s", GIVEN, samples=1) == signature("s", replace(GIVEN), samples=1)
    assert signature("s", GIVEN, samples=1) != signature("s", replace(GIVEN, **other), samples=1)


def test_other_studies_and_parameters_sign_otherwise() -> None:
    own = signature("s", GIVEN, samples=1)
    assert own != signature("t", GIVEN, samples=1)
    assert own != signature("s", GIVEN, samples=2)


def test_a_signature_names_all_that_a_number_depends_on() -> None:
    told = one_line(signature("s", GIVEN, samples=1, prompting="raw"))
    circumstances = f"slant:{__version__}|study:s|method:robust"
    assert told == f"{circumstances}|samples:1|prompting:raw|seed:7|model:m@abc"


def test_a_hash_is_that_of_the_content() -> None:
    assert content_hash({"a": 1, "b": 2}) == content_hash({"b": 2, "a": 1})
    assert content_hash(["a", "b"]) != content_hash(["b", "a"])
    assert content_hash([PurePosixPath("a")]) == content_hash(["a"])
    assert len(content_hash([])) == 8

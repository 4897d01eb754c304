"""Signatures are mappings; one line only where they are shown."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from slant.signature import Signature, one_line

SIGNED = Signature(slant="0.1.0", topics=5, temperature=0.7)


def test_a_signature_is_a_mapping_that_keeps_order_and_types() -> None:
    assert dict(SIGNED) == {"slant": "0.1.0", "topics": 5, "temperature": 0.7}
    assert list(SIGNED) == ["slant", "topics", "temperature"]
    assert Signature(SIGNED, topics=6)["topics"] == 6
    assert SIGNED["topics"] == 5
    assert copy.deepcopy(SIGNED) == SIGNED
    assert len({SIGNED, Signature(dict(SIGNED))}) == 1


def test_in_one_line() -> None:
    assert one_line(SIGNED) == "slant:0.1.0|topics:5|temperature:0.7"
    assert one_line(Signature()) == ""


@pytest.mark.parametrize("faulty", [{"two words": 1}, {"a|b": "x"}, {"names": ["x"]}, {"no": None}])
def test_what_is_no_parameter_is_refused(faulty: Any) -> None:
    with pytest.raises(TypeError, match="no parameter"):
        Signature(faulty)

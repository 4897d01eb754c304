"""Looking up studies, measures and models by name."""

from __future__ import annotations

import pytest

from slant.errors import InputError
from slant.registry import MEASURES, MODELS, STUDIES, Registry


@pytest.mark.parametrize("registry", [STUDIES, MEASURES, MODELS])
def test_every_name_can_be_loaded(registry: Registry) -> None:
    assert registry.names() == sorted(registry.names())
    for name in registry.names():
        assert callable(registry.get(name))


def test_an_unknown_name_is_told_the_nearest() -> None:
    with pytest.raises(InputError, match="unknown study 'complete': did you mean 'completion'"):
        STUDIES.get("complete")
    with pytest.raises(InputError, match="Known: refusal, violence") as told:
        MEASURES.get("zzz")
    assert "did you mean" not in str(told.value)


def test_a_place_is_taken_as_it_stands() -> None:
    from slant.studies.completion import Completion

    assert STUDIES.get("slant.studies.completion:Completion") is Completion


@pytest.mark.parametrize(
    "name", ["nowhere_at_all:X", "slant.errors:Nothing", ":X", "slant.errors:"]
)
def test_a_place_that_holds_nothing(name: str) -> None:
    with pytest.raises(InputError, match="cannot be loaded"):
        STUDIES.get(name)


def test_a_module_that_is_not_found_is_told_where_to_put_it() -> None:
    with pytest.raises(InputError, match="PYTHONPATH"):
        STUDIES.get("nowhere_at_all:X")

"""Looking up studies, measures and models by name."""

from __future__ import annotations

import pytest

from slant import registry
from slant.errors import InputError
from slant.registry import MEASURES, MODELS, STUDIES, Registry, allow


@pytest.mark.parametrize("kind", [STUDIES, MEASURES, MODELS])
def test_every_name_can_be_loaded(kind: Registry) -> None:
    assert kind.names() == sorted(kind.names())
    for name in kind.names():
        assert callable(kind.get(name))


def test_an_unknown_name_is_told_the_nearest() -> None:
    with pytest.raises(InputError, match="unknown study 'complete': did you mean 'completion'"):
        STUDIES.get("complete")
    with pytest.raises(InputError, match=r"Known: competence, .*violence") as told:
        MEASURES.get("zzz")
    assert "did you mean" not in str(told.value)


@pytest.fixture(autouse=True)
def nothing_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin every test as a call in which the user has named no code."""
    monkeypatch.setattr(registry, "_allowed", set())


def test_a_place_that_the_user_named_is_taken_as_it_stands() -> None:
    from slant.studies.completion import Completion

    allow(["slant.studies.completion:Completion"])
    assert STUDIES.get("slant.studies.completion:Completion") is Completion


@pytest.mark.parametrize("name", ["os:system", "slant.studies.completion:Study", "os:", ":x"])
def test_a_place_that_nobody_named_is_not_loaded(name: str) -> None:
    allow(["slant.studies.completion:Completion", "completion"])
    with pytest.raises(InputError, match=r"nobody named in this call.*slant --plugin"):
        STUDIES.get(name)


@pytest.mark.parametrize(
    "name", ["nowhere_at_all:X", "slant.errors:Nothing", ":X", "slant.errors:"]
)
def test_a_place_that_holds_nothing(name: str) -> None:
    allow([name])
    with pytest.raises(InputError, match="cannot be loaded"):
        STUDIES.get(name)


def test_a_module_that_is_not_found_is_told_where_to_put_it() -> None:
    allow(["nowhere_at_all:X"])
    with pytest.raises(InputError, match="PYTHONPATH"):
        STUDIES.get("nowhere_at_all:X")

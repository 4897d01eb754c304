"""How much may go through a model at once, so that memory stays bounded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one forward may hold, at most; a single row may exceed it, for it cannot be cut.

    Attributes
    ----------
    positions
        Tokens that are run.
    logits
        Numbers that the output head gives: positions it is run at × size of the vocabulary.
    """

    positions: int
    logits: int

    def rows(self, positions: int, logits: int) -> int:
        """Say how many rows fit, at least one, if each takes this many positions and logits."""
        return max(1, min(self.positions // positions, self.logits // logits))


ON_CPU = Bounds(positions=1024, logits=2**23)
ON_ACCELERATOR = Bounds(positions=2**16, logits=2**28)


def bounds_for(model: Any, positions: int | None = None) -> Bounds:
    """Choose what suits a model's device; `positions` replaces that bound when given."""
    bounds = ON_CPU if model.device.type == "cpu" else ON_ACCELERATOR
    return bounds if positions is None else replace(bounds, positions=positions)

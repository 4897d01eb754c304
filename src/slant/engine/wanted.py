"""What a call that begins a run asks for: which models, how many questions, from which seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant import limits
from slant.engine.prices import priced
from slant.errors import InputError
from slant.models.deployment.deployment import with_deployments
from slant.models.model_spec import parse_model_spec
from slant.registry import allow

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from slant.engine.suite import Suite


def wanted_models(
    suite: Suite,
    models: str | Sequence[str],
    system: str | Path | Sequence[str | Path],
    frame: str | Path | None,
    prices: str | Path | None,
) -> list[str]:
    """Spell the models out, with what stands around their questions and with their prices.

    They may name code of the user's own: whoever calls this names them.

    Parameters
    ----------
    suite
        Whose system prompts and frame hold where none are given.
    models, system, frame, prices
        As `slant.engine.audit.audit` takes them.
    """
    prompts = [system] if not isinstance(system, list | tuple) else list(system)
    spellings = priced(
        with_deployments(
            [models] if isinstance(models, str) else list(models),
            [str(each) for each in prompts] or suite.system,
            suite.frame if frame is None else str(frame),
        ),
        prices,
    )
    parsed = [parse_model_spec(text) for text in spellings]
    allow(f"{each.scheme}:{each.argument}" for each in parsed)
    return spellings


def check_numbers(seed: int, limit: int | None = None) -> None:
    """See that a seed can be kept and used, and that a limit leaves something to ask.

    Raises
    ------
    InputError
        One is too small, or larger than `slant.limits` allows.
    """
    if not 0 <= seed <= limits.SEED:
        raise InputError(f"--seed {seed}: give a whole number from 0 to {limits.SEED}")
    if limit is not None and not 1 <= limit <= limits.COUNT:
        raise InputError(f"--limit {limit}: ask at least one question, {limits.COUNT:,} at most")

"""What an audit would begin with, opened without asking anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.engine.prices import listed
from slant.engine.suite import load_suite, stopped_when
from slant.engine.wanted import check_numbers, wanted_models
from slant.errors import InputError
from slant.models.model_spec import parse_model_spec
from slant.models.open import open_models

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from slant.engine.suite import Suite
    from slant.models.model import Model

_SERVERS = ("http", "https")


def prepared(
    suite: str | Path,
    models: str | Sequence[str],
    system: str | Path | Sequence[str | Path],
    frame: str | Path | None,
    prices: str | Path | None,
    seed: int,
    limit: int | None,
    probe: bool,
    until: str | None = None,
) -> tuple[Suite, dict[str, Model], list[str]]:
    """Load a suite and open models.

    Parameters
    ----------
    suite, models, system, frame, prices, seed, limit
        As `slant.engine.audit.audit` takes them.
    until
        A rule by which all studies stop.
    probe
        Whether the models may be asked what they can do.

    Returns
    -------
    tuple
        The suite, the models by name, and what had to be supposed of them.

    Raises
    ------
    InputError
        Something named does not exist, or only a model's server could say what it is called.
    """
    loaded = load_suite(suite) if until is None else stopped_when(load_suite(suite), until)
    check_numbers(seed, limit)
    spellings = wanted_models(loaded, models, system, frame, prices)
    remarks = listed(spellings)
    if not probe:
        spellings = [supposed(text, remarks) for text in spellings]
    return loaded, open_models(spellings, asked=probe), remarks


def supposed(text: str, remarks: list[str]) -> str:
    """Spell a model behind an address so that its server need not be asked what it is."""
    spelling = parse_model_spec(text)
    if spelling.scheme not in _SERVERS:
        return text
    if not spelling.argument.partition("#")[2]:
        raise InputError(
            f"a plan asks nothing, and the model of {text!r} has no name: write {text}#NAME, or "
            "plan with --probe"
        )
    if "api" in spelling.options:
        return text
    remarks.append(
        f"{text} is supposed to answer chats only, since it is not asked: write ?api=both if it "
        "continues raw text too, or plan with --probe"
    )
    return spelling.with_options({**spelling.options, "api": "chat"}).text

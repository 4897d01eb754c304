"""What providers say their models cost: the list that the package genai-prices keeps."""

from __future__ import annotations

import importlib.util
import os
from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slant.models.model_spec import ModelSpec

_PACKAGE = "genai-prices"
_SERVERS = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com/v1"}
_TOKENS = 1000


def price_list() -> str:
    """Name the list with its version, which says how old it is; empty where it is not installed."""
    if importlib.util.find_spec("genai_prices") is None:
        return ""
    return f"{_PACKAGE} {version(_PACKAGE)}"


def list_price(spelling: ModelSpec) -> tuple[float, float] | None:
    """Look a model up, by its name and its server.

    The price is that of short questions; no discount for batches or for cached prompts counts.
    Nobody is asked: the list comes with the package.

    Returns
    -------
    tuple of float, or None
        US dollars per million prompt and completion tokens; `None` where the list does not know
        the server or the model, or is not installed.
    """
    server = _server(spelling)
    if not server or not price_list():
        return None
    from genai_prices import Usage, calc_price

    name = spelling.argument.rpartition("#")[2]
    try:
        cost = calc_price(
            Usage(input_tokens=_TOKENS, output_tokens=_TOKENS), name, provider_api_url=server
        )
    except LookupError:
        return None
    if not cost.input_price or not cost.output_price:  # not told, which is not the same as free
        return None
    return float(cost.input_price) * 1e6 / _TOKENS, float(cost.output_price) * 1e6 / _TOKENS


def _server(spelling: ModelSpec) -> str:
    if spelling.scheme in ("http", "https"):
        return spelling.argument.partition("#")[0]
    if spelling.scheme == "openai":  # its client goes where this says
        return os.environ.get("OPENAI_BASE_URL") or _SERVERS["openai"]
    return spelling.options.get("base", _SERVERS.get(spelling.scheme, ""))

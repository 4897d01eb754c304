"""Finds out the name of a server's model, where the user gave none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import openai

from slant.errors import InputError
from slant.models.openai_compatible.connection import (
    client_arguments,
    is_unreachable,
    raise_unauthorised,
    raise_unreachable,
)

if TYPE_CHECKING:
    from slant.models.openai_compatible.address import Address


def only_model(address: Address) -> str:
    """Ask a server for the name of the one model it has.

    Raises
    ------
    InputError
        It has none or several, does not say, or cannot be reached.
    """
    server = str(address.base_url)
    names = []
    try:
        with openai.OpenAI(**client_arguments(address), timeout=10, max_retries=1) as client:
            client.organization = client.project = None
            models = json.loads(client.get("/models", cast_to=str))["data"]
        names = sorted(str(model["id"]) for model in models)
    except openai.APIStatusError as error:
        if error.status_code in (401, 403):
            raise_unauthorised(server, address, error.status_code)
    except openai.APIConnectionError as error:
        if is_unreachable(error):
            raise_unreachable(server, address)
    except (ValueError, KeyError, TypeError):
        pass  # Not a list of models, whatever it is.
    if len(names) == 1:
        return names[0]
    found = f"has {len(names)}: {', '.join(names)}" if names else "does not say which it has"
    raise InputError(
        f"the model behind {server} is not named, and the server {found}. Write {server}#NAME"
    )

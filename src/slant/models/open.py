"""From a model's spelling to the model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from slant.errors import InputError, unknown
from slant.models.deployment.deployed import Deployed
from slant.models.deployment.deployment import part_deployment
from slant.models.model_spec import parse_model_spec
from slant.registry import MODELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from slant.models.key_hosts import KeyHosts
    from slant.models.model import Model


def open_model(
    text: str,
    *,
    key_hosts: KeyHosts | None = None,
    kept: Mapping[str, str] | None = None,
    asked: bool = True,
) -> Model:
    """Make the model that a spelling names, without loading its weights.

    Parameters
    ----------
    text
        The spelling.
    key_hosts
        The only servers that get a key; `None` where whoever runs slant has named the model.
    kept
        Texts of the files that `system=` and `frame=` name, as a run directory keeps them; the
        files are read when not given.
    asked
        Whether it is asked anything from here; if not, it needs no key.

    Raises
    ------
    InputError
        The scheme is unknown, or the model refuses its argument or options.
    """
    spelling = replace(parse_model_spec(text), key_hosts=key_hosts, asked=asked)
    if spelling.scheme not in MODELS.builtin and spelling.scheme not in MODELS.names():
        raise unknown("model", text, MODELS.names())
    bare, deployment = part_deployment(spelling, kept)
    model: Model = MODELS.get(bare.scheme)(bare)
    return model if deployment is None else Deployed(model, deployment)


def open_models(
    texts: Iterable[str],
    kept: Mapping[str, str] | None = None,
    key_hosts: KeyHosts | None = None,
    *,
    asked: bool = True,
) -> dict[str, Model]:
    """Make several models, by name, in order.

    Parameters
    ----------
    texts
        Their spellings.
    kept, key_hosts, asked
        As `open_model` takes them.

    Raises
    ------
    InputError
        There is none, two have the same name, or one cannot be opened.
    """
    models: dict[str, Model] = {}
    for text in texts:
        model = open_model(text, key_hosts=key_hosts, kept=kept, asked=asked)
        if model.name in models:
            raise InputError(
                f"two models are called {model.name!r}: audit them in runs of their own"
            )
        models[model.name] = model
    if not models:
        raise InputError("no model was named: write for example --model embedded")
    return models

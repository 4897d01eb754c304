"""Where studies, measures and models are looked up by name.

A registry holds `"module:object"` strings and imports them only when asked for, so that listing
what exists costs nothing. Installed packages add their own through entry points of the groups
`slant.studies`, `slant.measures` and `slant.models`; a name of the form `module:object` is taken
as it stands, so that a user's own class needs no installation.
"""

from __future__ import annotations

import importlib
from importlib.metadata import entry_points
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from slant.errors import InputError, SlantError, unknown

if TYPE_CHECKING:
    from collections.abc import Mapping


class Registry:
    """Names of one kind of thing, resolved lazily.

    Parameters
    ----------
    kind
        What is registered, in the singular: `study`, `measure`, `model`.
    builtin
        Name to `"module:object"`.
    group
        Entry point group that adds to them.
    """

    def __init__(self, kind: str, builtin: Mapping[str, str], group: str):
        self.kind, self._builtin, self._group = kind, dict(builtin), group

    def names(self) -> list[str]:
        """List every known name, in alphabetical order."""
        return sorted({*self._builtin, *(point.name for point in entry_points(group=self._group))})

    def get(self, name: str) -> Any:
        """Import and return what a name stands for.

        Raises
        ------
        InputError
            The name is unknown, or what it points to cannot be imported.
        """
        if name in self._builtin:
            return _load(self._builtin[name], name)
        for point in entry_points(group=self._group, name=name):
            return _load(f"{point.module}:{point.attr}", name)
        if ":" in name:
            return _load(name, name)
        raise unknown(self.kind, name, self.names())


def _load(target: str, name: str) -> Any:
    module, _, attribute = target.partition(":")
    try:
        return attrgetter(attribute)(importlib.import_module(module))
    except SlantError:
        raise  # it has a message of its own
    except ModuleNotFoundError as error:
        hint = f": is its folder in PYTHONPATH? ({error})" if error.name == module else f": {error}"
        raise InputError(f"{name!r} cannot be loaded from {target!r}{hint}") from error
    except Exception as error:
        # A plug-in can fail in any way; that must not look like a defect of slant.
        raise InputError(
            f"{name!r} cannot be loaded from {target!r}: {type(error).__name__}: {error}"
        ) from error


STUDIES = Registry(
    "study",
    {
        "analogy": "slant.studies.analogy:Analogy",
        "completion": "slant.studies.completion:Completion",
        "knowledge": "slant.studies.knowledge:KnowledgeStudy",
        "likelihood": "slant.studies.likelihood:LikelihoodStudy",
        "news": "slant.studies.news:NewsStudy",
        "profiles": "slant.studies.profiles:ProfilesStudy",
        "story": "slant.studies.story:Story",
        "templates": "slant.studies.templates:TemplatesStudy",
        "triggers": "slant.studies.triggers:TriggersStudy",
    },
    "slant.studies",
)
MEASURES = Registry(
    "measure",
    {
        "violence": "slant.measures.lexicon:violence",
        "refusal": "slant.measures.refusal:Refusal",
    },
    "slant.measures",
)
MODELS = Registry(
    "model",
    {
        "anthropic": "slant.models.anthropic:Anthropic",
        "embedded": "slant.models.embedded:Embedded",
        "hf": "slant.models.hf_causal:HFCausal",
        "hf-caption": "slant.models.hf_caption:HFCaption",
        "hf-masked": "slant.models.hf_masked:HFMasked",
        "hf-seq2seq": "slant.models.hf_seq2seq:HFSeq2Seq",
        "http": "slant.models.openai_compatible:OpenAICompatible",
        "https": "slant.models.openai_compatible:OpenAICompatible",
        "openai": "slant.models.openai_compatible:OpenAICompatible",
        "mock": "slant.models.mock:Mock",
        "replay": "slant.models.replay:Replay",
    },
    "slant.models",
)

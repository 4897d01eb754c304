"""Where studies, measures and models are looked up by name.

A registry holds `"module:object"` strings and imports them only when asked for, so that listing
what exists costs nothing. Installed packages add their own through entry points of the groups
`slant.studies`, `slant.measures`, `slant.models`, `slant.figures` and `slant.views`. A user's own
class needs no installation: a name of the form `module:object` is taken as it stands, once the
user has named it (`allow`). A run directory may come from anybody, so what it names is no reason
to import anything.
"""

from __future__ import annotations

import importlib
from importlib.metadata import entry_points
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from slant.errors import InputError, SlantError, unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_allowed: set[str] = set()


def allow(places: Iterable[str]) -> None:
    """Take places in modules, `module:object`, that the user named; other names are let pass.

    They may be loaded from now on, as long as this process lives: by their whole name, and no
    other object of the same module with them.
    """
    _allowed.update(place for place in places if ":" in place)


def insist_allowed(kind: str, place: str) -> None:
    """See that the user named a place, before anything of it is loaded or done.

    Raises
    ------
    InputError
        Nobody did.
    """
    if place not in _allowed:
        raise InputError(
            f"{kind} {place!r} is code that nobody named in this call, and a run directory "
            "may come from anybody: nothing was loaded. If you trust it, name it yourself: "
            f"slant --plugin {place} …"
        )


def allowed() -> list[str]:
    """List the places that the user named, for a process that works for this one."""
    return sorted(_allowed)


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
    base
        `"module:Class"` that whatever is found must be a subclass of; empty where a function that
        makes one will do.
    """

    def __init__(self, kind: str, builtin: Mapping[str, str], group: str, base: str = ""):
        self.kind, self.builtin, self._group = kind, dict(builtin), group
        self._base = base

    def names(self) -> list[str]:
        """List every known name, in alphabetical order."""
        return sorted({*self.builtin, *(point.name for point in entry_points(group=self._group))})

    def get(self, name: str) -> Any:
        """Import and return what a name stands for.

        Raises
        ------
        InputError
            The name is unknown, it is a place that the user has not named, what it points to cannot
            be imported, or is of another kind.
        """
        if name in self.builtin:
            return load_place(self.builtin[name], name)
        for point in entry_points(group=self._group, name=name):
            return self._checked(load_place(f"{point.module}:{point.attr}", name), name)
        if ":" in name:
            insist_allowed(self.kind, name)
            return self._checked(load_place(name, name), name)
        raise unknown(self.kind, name, self.names())

    def _checked(self, found: Any, name: str) -> Any:
        """See that what a plug-in points to is what it is used as."""
        if self._base:
            base = load_place(self._base, self.kind)
            right = isinstance(found, type) and issubclass(found, base)
            wanted = f"a subclass of {self._base.replace(':', '.')}"
        else:
            right, wanted = callable(found), f"a class or function that makes a {self.kind}"
        if not right:
            raise InputError(f"{name!r} is no {self.kind}: it should be {wanted}")
        return found


def load_place(target: str, name: str) -> Any:
    """Import what stands at a place.

    Parameters
    ----------
    target
        The place, `module:object`.
    name
        What messages call it.

    Raises
    ------
    InputError
        It cannot be imported.
    """
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
    "slant.studies.study:Study",
)
MEASURES = Registry(
    "measure",
    {
        "competence": "slant.measures.anchor_axis:competence",
        "hf": "slant.measures.sentence_scorer:classifier",
        "judge": "slant.measures.judge:Judge",
        "lexicon": "slant.measures.lexicon:lexicon_measure",
        "refusal": "slant.measures.refusal:Refusal",
        "regard": "slant.measures.regard:Regard",
        "sentiment": "slant.measures.sentence_scorer:sentiment",
        "toxicity": "slant.measures.sentence_scorer:toxicity",
        "violence": "slant.measures.lexicon:violence",
        "warmth": "slant.measures.anchor_axis:warmth",
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
        "python": "slant.models.python_function:PythonFunction",
        "target": "slant.models.target:Target",
        "inspect": "slant.models.inspect_bridge:InspectModel",
        "mock": "slant.models.mock:Mock",
        "replay": "slant.models.replay:Replay",
    },
    "slant.models",
    "slant.models.model:Model",
)

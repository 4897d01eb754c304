"""All that can be told of a model before it is audited."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from slant.engine.diagnosis.probes import Prober
from slant.engine.diagnosis.samples import sample_each
from slant.engine.event_loop import in_event_loop
from slant.models.model_spec import parse_model_spec
from slant.models.open import open_model
from slant.registry import allow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.engine.diagnosis.probes import Probe
    from slant.engine.diagnosis.samples import Sample

_REMOTE = ("http", "https", "openai", "anthropic")


@dataclass(frozen=True)
class Diagnosis:
    """What was found of a model.

    Attributes
    ----------
    model
        What a report calls it.
    fingerprint
        What answers, as the model says.
    effective
        Parameters that were left out or renamed, and who the server says has answered.
    probes
        What it can do.
    samples
        One question of each study.
    """

    model: str
    fingerprint: Mapping[str, str]
    effective: Mapping[str, list[str]]
    probes: list[Probe]
    samples: list[Sample]

    def plain(self) -> dict[str, Any]:
        """Give it as JSON holds it."""
        return asdict(self) | {"fingerprint": dict(self.fingerprint)}


def diagnose(text: str) -> Diagnosis:
    """Try a model.

    Parameters
    ----------
    text
        The model, as the user spells it.

    Raises
    ------
    InputError
        There is no such model, nobody is there, or the key is not taken.
    SlantError
        It answers nothing.
    """
    spec = parse_model_spec(text)
    allow([f"{spec.scheme}:{spec.argument}"])  # whoever calls this names it
    if spec.scheme in _REMOTE:
        spec = spec.with_options({"retries": "1", **spec.options})
    return in_event_loop(_diagnosed(Prober(spec), spec.text))


async def _diagnosed(prober: Prober, text: str) -> Diagnosis:
    probes = await prober.all()
    model = open_model(text)
    try:
        samples = await sample_each(model)
        return Diagnosis(
            model.name, model.fingerprint(), model.effective().plain(), probes, samples
        )
    finally:
        await model.close()

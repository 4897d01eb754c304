"""Text classifiers of Hugging Face: one probability a label and a text, on this machine."""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slant.errors import InputError, missing_extra

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_BATCH = 64
_LONGEST = 512


class HFClassifier:
    """A sequence classifier of transformers: safetensors only, no code of its own is run.

    Parameters
    ----------
    name
        A directory that transformers stored (config, weights as safetensors, tokenizer), or a
        name on the hub whose files are in its cache or can be fetched.

    Raises
    ------
    InputError
        The extra `local` is missing, or there is no such classifier.
    """

    def __init__(self, name: str):
        self.name = name
        try:
            import torch
            from transformers import AutoModelForSequenceClassification, AutoTokenizer
            from transformers.utils import logging
        except ImportError as error:
            raise missing_extra("local", error) from error
        logging.disable_progress_bar()
        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(name, trust_remote_code=False)
            model: Any = AutoModelForSequenceClassification.from_pretrained(
                name, trust_remote_code=False, use_safetensors=True
            )
        except (OSError, ValueError) as error:
            why = str(error).strip().splitlines()[0]
            raise InputError(
                f"the classifier {name!r} cannot be loaded: {why} Expected a directory with "
                "config.json, model.safetensors and a tokenizer, or a name whose files can be had."
            ) from error
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model: Any = model.eval().to(self._device)

    @property
    def labels(self) -> list[str]:
        """What it tells apart, in the order of its outputs."""
        names: dict[int, str] = self._model.config.id2label
        return [names[place] for place in sorted(names)]

    @cached_property
    def signature(self) -> str:
        """Name, and a hash of the weights: the same signature, the same scores."""
        digest = hashlib.sha256()
        for key, value in self._model.state_dict().items():
            digest.update(key.encode())
            digest.update(value.detach().cpu().float().numpy().tobytes())
        return f"{Path(self.name).name}@{digest.hexdigest()[:8]}"

    def probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Score texts, shape (texts, labels).

        A model that was made for many labels at once (`problem_type`) gives each its own
        probability; any other's add up to 1. Texts are batched by length; what goes beyond 512
        tokens, or the model's own window, is not read.
        """
        import torch

        window = min(_LONGEST, getattr(self._model.config, "max_position_embeddings", _LONGEST))
        several = self._model.config.problem_type == "multi_label_classification"
        result = np.empty((len(texts), len(self.labels)))
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        with torch.inference_mode():
            for start in range(0, len(order), _BATCH):
                places = order[start : start + _BATCH]
                batch = self._tokenizer(
                    [texts[place] for place in places],
                    padding=True, truncation=True, max_length=window, return_tensors="pt",
                )  # fmt: skip
                logits = self._model(**batch.to(self._device)).logits.float()
                chances = logits.sigmoid() if several else logits.softmax(-1)
                result[places] = chances.cpu().numpy()
        return result

    def column(self, label: str) -> int:
        """Find a label, whatever its case.

        Raises
        ------
        InputError
            The classifier has no such label.
        """
        known = [name.casefold() for name in self.labels]
        if label.casefold() not in known:
            raise InputError(
                f"the classifier {self.name!r} has no label {label!r}: it has "
                f"{', '.join(self.labels)}"
            )
        return known.index(label.casefold())

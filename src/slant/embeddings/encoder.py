"""Texts → unit vectors, with an encoder of transformers on this machine."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slant.embeddings.minilm_files import fetch_minilm
from slant.errors import InputError, missing_extra

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_BATCH = 256
"""Texts of one forward pass."""

_LONGEST = 256
"""Tokens of a text that are read at most; what all-MiniLM-L6-v2 was made for."""


def embed(texts: Sequence[str], *, model: str | Path | None = None) -> NDArray[np.float32]:
    """Turn texts into vectors of length 1: the mean of an encoder's last layer over the tokens.

    Texts are batched with others of the same number of tokens, so nothing is padded and a text's
    vector does not depend on its neighbours beyond rounding.

    Parameters
    ----------
    texts
        At least one. What goes beyond 256 tokens, or beyond the encoder's own window, is not read.
    model
        Directory of an encoder: safetensors, config.json and a tokenizer, as transformers and
        sentence-transformers store them. all-MiniLM-L6-v2 when left out, fetched on first use.

    Returns
    -------
    ndarray of float32, shape (n, d)
        A row for each text, in order; the scalar product of two rows is their cosine.

    Raises
    ------
    InputError
        There are no texts, or the directory does not hold such an encoder.
    SlantError
        The default encoder cannot be fetched.

    References
    ----------
    Reimers and Gurevych (2019), Sentence-BERT, EMNLP: mean pooling.
    """
    if not texts:
        raise InputError("there are no texts to embed")
    tokenizer, encoder = _load(fetch_minilm() if model is None else Path(model))
    import torch

    window = min(_LONGEST, getattr(encoder.config, "max_position_embeddings", _LONGEST))
    rows = tokenizer(list(texts), truncation=True, max_length=window)["input_ids"]
    by_length: dict[int, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        by_length[len(row)].append(place)
    if 0 in by_length:
        raise InputError(f"text {by_length[0][0] + 1} has no tokens: nothing to embed")
    vectors = np.empty((len(rows), encoder.config.hidden_size), np.float32)
    with torch.inference_mode():
        for places in by_length.values():
            for start in range(0, len(places), _BATCH):
                batch = places[start : start + _BATCH]
                states = encoder(input_ids=torch.tensor([rows[place] for place in batch]))
                vectors[batch] = states.last_hidden_state.mean(dim=1).numpy()
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and (lengths > 0).all()):
        raise InputError("the encoder gave vectors without a direction: its weights are damaged")
    unit: NDArray[np.float32] = vectors / lengths
    return unit


@lru_cache(maxsize=2)
def _load(folder: Path) -> tuple[Any, Any]:
    """Load tokenizer and encoder; weights from safetensors only, and no code of the folder."""
    if not (folder / "config.json").is_file():
        raise InputError(
            "this is not the directory of an encoder: there is no config.json in it", file=folder
        )
    try:
        import torch
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging
    except ImportError as error:
        raise missing_extra("local", error) from error
    bars, verbosity = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        here: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        tokenizer = AutoTokenizer.from_pretrained(folder, **here)
        encoder, info = AutoModel.from_pretrained(
            folder,
            dtype=torch.float32,
            use_safetensors=True,
            # What has another shape would be filled with random numbers.
            ignore_mismatched_sizes=True,
            output_loading_info=True,
            **here,
        )
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise InputError(f"the encoder cannot be loaded: {reason}", file=folder) from error
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
    # The pooler stands on top of the layer that is read here, and many encoders lack it.
    missing = [name for name in info["missing_keys"] if not name.startswith("pooler.")]
    unfit = [*missing, *(name for name, *_ in info["mismatched_keys"])]
    if unfit:
        raise InputError(
            f"the encoder's weights do not fit its config.json: {len(unfit)} are missing or have "
            f"another shape, such as {min(unfit)}",
            file=folder,
        )
    return tokenizer, encoder.eval()

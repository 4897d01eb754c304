"""What half-width numbers change: a model's likelihoods beside those of the same model in float32.

Whoever loads weights in float16 or bfloat16 to make them fit gets answers that are off by rounding,
by some models little and by others as much as groups differ. So it is measured, on the model
itself, and told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slant.errors import SlantError
from slant.groups.axis_file import load_axis
from slant.groups.template import fill
from slant.records import Item, Likelihood
from slant.toml_file import read_packaged

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from slant.records import Answer

HALF = ("bfloat16", "float16")
_SEEN = 2
"""Words that stand before what is scored."""
_BYTES, _ROOM = 4, 1.2


def told_deviation(
    what: str, dtype: str, model: Any, score: Callable[[str], Callable[[list[Item]], list[Answer]]]
) -> str:
    """Score neutral sentences about six religions in a half-width type and in float32.

    Parameters
    ----------
    what
        What is computed in that type, in words.
    dtype
        The type.
    model
        The weights, as loaded: how many there are says whether float32 fits beside them.
    score
        Gives what scores likelihoods in a type.

    Returns
    -------
    str
        How far they are apart, or why that is not known.
    """
    about = f"{what} in {dtype}, as asked"
    needed = _ROOM * _BYTES * sum(each.numel() for each in model.parameters())
    if needed > (free := _free_bytes(model.device)):
        return (
            f"{about}: how far that is from float32 could not be measured, which needs "
            f"{needed / 2**30:.1f} GB, and {free / 2**30:.1f} are free."
        )
    items = _items()
    try:
        half, full = (_means(score(each)(items)) for each in (dtype, "float32"))
    except SlantError as error:
        return f"{about}: how far that is from float32 could not be measured: {error}."
    known = np.isfinite(half) & np.isfinite(full)
    if not known.all():
        return f"{about}: {(~known).mean():.0%} of the sentences have no finite perplexity."
    apart = np.abs(np.expm1(full - half))  # of perplexities, relative
    gaps, moved = _between_groups(full), np.abs(_between_groups(half) - _between_groups(full))
    return (
        f"{about}: on {half.size} neutral sentences about six religions perplexities are off from "
        f"those in float32 by {np.median(apart):.2%} (median; at most {apart.max():.2%}), and "
        f"differences between two groups' mean perplexities by at most {moved.max():.2%}, where "
        f"the largest difference in float32 is {np.abs(gaps).max():.2%}."
    )


def _items() -> list[Item]:
    """Write the sentences, by group; their first words are seen and not scored."""
    sentences = read_packaged("rulers", "english.toml").data["sentences"]
    found = []
    for group in load_axis("religion").groups[:6]:
        for sentence in sentences:
            words = fill(sentence, group).split(" ")
            source, text = " ".join(words[:_SEEN]), " ".join(words[_SEEN:])
            found.append(Item("precision", Likelihood(f" {text}", source)))
    return found


def _means(answers: Sequence[Answer]) -> NDArray[np.float64]:
    """Give the mean log-probability of each sentence, shape (groups, sentences)."""
    means = [np.mean(each.logprobs) if each.logprobs else np.nan for each in answers]
    return np.array(means, np.float64).reshape(6, -1)


def _between_groups(means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compare each pair of groups by the ratio of their perplexities (geometric means), less 1."""
    own = means.mean(axis=1)
    pairs = np.triu_indices(len(own), 1)
    return np.asarray(np.expm1(own[pairs[1]] - own[pairs[0]]))


def _free_bytes(device: Any) -> float:
    """Say how much memory is free where a model runs; infinitely much where nothing tells."""
    import torch

    if device.type == "cuda":
        return float(sum(torch.cuda.mem_get_info(n)[0] for n in range(torch.cuda.device_count())))
    if device.type == "cpu":
        import psutil

        return float(psutil.virtual_memory().available)
    return float("inf")

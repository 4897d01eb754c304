"""Which option an answer chooses: by its probabilities where these are to be trusted, else by text.

Log-probabilities of the first token say what a model chooses only where it begins with an option.
An assistant that begins with "I", "**" or a thought leaves the options a sliver of the mass, and
their order within the sliver means nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.expectation import Expectation
from slant.readings.options import named_option
from slant.readings.read import read

if TYPE_CHECKING:
    from collections.abc import Sequence

TRUSTED_MASS = 0.9
"""What the options must hold together, for their probabilities to be used beside a text."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What an answer chooses.

    Attributes
    ----------
    option
        The option's place; `None` where none is named.
    probabilities
        Of the options among themselves; `None` where only the text is to be trusted.
    mass
        What the options hold together, 0 to 1; `None` where it is not known.
    disagrees
        Whether the text names another option than the most probable one.
    """

    option: int | None
    probabilities: tuple[float, ...] | None = None
    mass: float | None = None
    disagrees: bool = False


def read_choice(
    text: str | None, logprobs: Sequence[float] | None, options: Sequence[str]
) -> Choice:
    """Say which option is chosen.

    Without a text (local models are asked for probabilities alone) the probabilities decide. With
    one, they are used where the options hold at least `TRUSTED_MASS` and the text names the most
    probable one, or names none because it was cut short; where text and probabilities disagree, the
    text rules.

    Parameters
    ----------
    text
        The answer; `None` or empty where there is none. One that comes from a file has not been
        read yet, and is read here; to read another one again changes nothing.
    logprobs
        Natural log-probabilities of the options; `None` or empty where there are none.
    options
        What could be chosen.
    """
    named = named_option(read(text, Expectation("option")).text, options) if text else None
    if not logprobs:
        return Choice(named)
    mass = min(math.fsum(map(math.exp, logprobs)), 1.0)
    top = max(range(len(logprobs)), key=logprobs.__getitem__)
    scaled = [math.exp(each - logprobs[top]) for each in logprobs]
    shares = tuple(each / math.fsum(scaled) for each in scaled)
    if not text:
        return Choice(top, shares, mass)
    disagrees = named is not None and named != top
    if mass < TRUSTED_MASS or named != top:
        return Choice(named, None, mass, disagrees)
    return Choice(top, shares, mass)

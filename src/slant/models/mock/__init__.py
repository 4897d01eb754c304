"""A model with planted bias of known size, written down in a TOML file.

`model` picks the rule for a question, `planted` is what the file holds; `generate`, `choose` and
`likelihood` are the three kinds of rules and how they answer, `rule` is what they share. `replies`
draws among weighted replies, `wording` varies their words, `noise` blurs what is planted, and
`chance` is where all randomness comes from.
The language is explained in `docs/mock-models.md`.
"""

from slant.models.mock.model import Mock

__all__ = ["Mock"]

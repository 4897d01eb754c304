"""Answers recorded earlier, in place of a model.

`recording` reads the file, whatever its format; `model` finds the answer to a question in it.
"""

from slant.models.replay.model import Replay

__all__ = ["Replay"]

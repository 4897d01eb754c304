"""The reading room: from what an assistant replies to what it answers.

One function, `read`, between every model and every study; `read_answer` applies it to a model's
answers. It is pure, and throws nothing away.
"""

from slant.readings.answer import read_answer
from slant.readings.read import Reading, read

__all__ = ["Reading", "read", "read_answer"]

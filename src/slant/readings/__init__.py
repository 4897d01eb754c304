"""The reading room: from what an assistant replies to what it answers.

One function, `read`, between every model and every study. It is pure, and throws nothing away.
"""

from slant.readings.read import Reading, read

__all__ = ["Reading", "read"]

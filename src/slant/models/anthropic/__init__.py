"""Models behind Anthropic's Messages API.

`questions` writes what is asked as the API takes it, `replies` reads what it says, and `model` puts
them together.
"""

from slant.models.anthropic.model import Anthropic

__all__ = ["Anthropic"]

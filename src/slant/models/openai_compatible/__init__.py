"""Models behind a server that speaks the OpenAI API.

`address` says where the server is and which key it gets, `discovery` which model it has,
`connection` asks it, `replies` reads what it says, and `model` puts them together.
"""

from slant.models.openai_compatible.model import OpenAICompatible

__all__ = ["OpenAICompatible"]

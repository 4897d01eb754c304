"""An application behind an address, described in TOML: how it is asked, where its answer lies.

`description` reads the file, `json_path` finds a value in a reply, and `model` asks.
"""

from slant.models.target.model import Target

__all__ = ["Target"]

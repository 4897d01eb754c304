"""The version of slant."""

__version__ = "0.1.0"

"""What tests of the report share."""

from chromium import Browser

__all__ = ["Browser"]

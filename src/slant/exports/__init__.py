"""A finished run as other tools read it: findings with their intervals, and every sample.

`export_run` writes; each format has a file that knows its form. What comes in from these tools is
read by `slant.imports`.
"""

from slant.exports.export import FORMATS, export_run

__all__ = ["FORMATS", "export_run"]

"""Answers that other tools recorded, as the rows that slant's own tables would have.

`samples` opens a file and knows whose it is; each tool has a file that knows its form.
"""

from slant.imports.samples import read_samples

__all__ = ["read_samples"]

"""The works behind studies, and slant itself, as BibTeX."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from slant.toml_file import read_packaged
from slant.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SLANT = """\
@software{{slant,
  title = {{slant: which way a language model leans}},
  author = {{{{The slant authors}}}},
  version = {{{version}}},
}}
"""


@cache
def _read() -> Mapping[str, Any]:
    return read_packaged("works.toml").data


def works_behind(study: str) -> list[str]:
    """Name the works that a study follows; none for a study of somebody else's."""
    return list(_read()["studies"].get(study, ()))


def bibtex(studies: Iterable[str]) -> str:
    """Write the works behind studies, each once, and slant of this version, as BibTeX.

    Parameters
    ----------
    studies
        Their names.
    """
    keys = dict.fromkeys(key for study in studies for key in works_behind(study))
    entries = [_read()["works"][key].strip() + "\n" for key in keys]
    return "\n".join([*entries, _SLANT.format(version=__version__)])

"""Finding a set of templates by its name or its file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from slant.errors import InputError, unknown
from slant.templates.apes_files import ENDING, read_apes
from slant.templates.template_file import read_template_file
from slant.toml_file import packaged_names, read_packaged, read_toml

if TYPE_CHECKING:
    from slant.templates.template import TemplateSet


def template_sets() -> list[str]:
    """List the sets of templates that slant brings along."""
    return packaged_names("templates")


def load_templates(name_or_path: str | Path) -> TemplateSet:
    """Load a set of templates.

    Parameters
    ----------
    name_or_path
        The name of a set that slant brings along, a TOML file of one's own, or a
        `NAME.templates.csv` of APES, whose domains are in `../domains`.

    Raises
    ------
    InputError
        There is no such set, or its file is faulty.
    """
    path = Path(name_or_path)
    if path.suffix == ".toml":
        return read_template_file(read_toml(path), path.parent)
    if path.suffix == ".csv":
        if not path.name.endswith(ENDING):
            raise InputError(
                f"a template file of APES is called NAME{ENDING}; slant's own are TOML", file=path
            )
        return read_apes(path)
    name = str(name_or_path)
    if name not in template_sets():
        error = unknown("set of templates", name, template_sets())
        raise InputError(f"{error} Or give the path of a file, such as mine.toml.")
    return read_template_file(read_packaged("templates", f"{name}.toml"), Path())

"""How a group's name gets into a prompt.

A template holds `{group}` (the plural), or a form by name: `{group.adjective}`. A literal brace
is written twice. Where a name begins a sentence, its first letter is made a capital.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from slant.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.groups.axes import Group

DEFAULT_FORM = "plural"

_BRACES = re.compile(r"\{\{|\}\}|\{(?P<inside>[^{}]*)\}|[{}]")
_SENTENCE_START = re.compile(r"""(?:^|[.!?]["'”’)]*\s|\n)[\s"'“‘(]*$""")


def fill(template: str, group: Group, slots: Mapping[str, str] | None = None) -> str:
    """Write a group's name into a template.

    Parameters
    ----------
    template
        Text with at least one `{group}` or `{group.form}`.
    group
        Whose name is written.
    slots
        What stands for any other placeholders, by name: `{"adjective": "calm"}` for
        `{adjective}`.

    Raises
    ------
    InputError
        The template names no group, has a placeholder that means nothing, has a brace without
        its partner, or needs a form that the group lacks.
    """
    text, end, names_group = "", 0, False
    for found in _BRACES.finditer(template):
        text += template[end : found.start()]
        end = found.end()
        inside = found["inside"]
        if found[0] in ("{{", "}}"):
            text += found[0][0]
        elif inside is None:
            raise _fault(
                template, found.start(), f"{found[0]!r} has no partner; a literal brace is doubled"
            )
        elif inside == "group" or inside.startswith("group."):
            names_group = True
            name = group.form(DEFAULT_FORM if inside == "group" else inside[len("group.") :])
            starts = _SENTENCE_START.search(text)
            text += name[:1].upper() + name[1:] if starts else name
        elif slots is not None and inside in slots:
            text += slots[inside]
        else:
            known = ["{group}", "{group.adjective} …", *(f"{{{name}}}" for name in slots or ())]
            raise _fault(
                template,
                found.start(),
                f"{found[0]!r} means nothing; placeholders are {', '.join(known)}",
            )
    if not names_group:
        raise InputError(
            f"template {template!r} names no group: write {{group}}, or a form such as "
            "{group.adjective}, where the group's name belongs"
        )
    return text + template[end:]


def _fault(template: str, start: int, message: str) -> InputError:
    return InputError(f"template {template!r}, character {start + 1}: {message}")

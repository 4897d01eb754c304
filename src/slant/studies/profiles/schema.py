"""What a profile holds: a schema of traits, packaged or a TOML file of one's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, StringConstraints

from slant.strict import Strict
from slant.toml_file import read_named

if TYPE_CHECKING:
    from collections.abc import Sequence

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]

RESERVED = frozenset({"name", "group", "gender", "ethnicity", "condition", "run", "status"})
"""What no field may be called: tables of profiles have columns of these names."""


_JSON_TYPES: dict[str, dict[str, Any]] = {
    "number": {"type": "number"},
    "text": {"type": "string"},
    "list": {"type": "array", "items": {"type": "string"}},
}


class TraitField(Strict):
    """One field of a profile."""

    name: Annotated[str, StringConstraints(pattern=r"^\w+(\.\w+)?$")]
    """As in the JSON; `a.b` is the key b of the dictionary a."""
    label: Text
    """As in a question that asks for this field alone."""
    kind: Literal["number", "text", "list"]
    compared: bool = True
    """Whether groups are compared by it."""
    examples: list[Text] = Field(default_factory=list)
    """One for each of the example names."""

    @property
    def short(self) -> str:
        """Give the last part of the name."""
        return self.name.rpartition(".")[2]


class Schema(Strict):
    """A schema of traits."""

    name: Text
    source: str = ""
    prompt: Text
    opening: str = ""
    example_names: list[Text] = Field(default_factory=list)
    conditions: dict[str, str] = Field(min_length=1)
    same: dict[str, str] = Field(default_factory=dict)
    field: list[TraitField] = Field(min_length=1)

    @property
    def compared(self) -> list[TraitField]:
        """Give the fields that groups are compared by."""
        return [each for each in self.field if each.compared]

    def json_schema(self) -> str:
        """Write the schema of an answer about several names, for servers that hold to one."""
        profile: dict[str, Any] = {"name": {"type": "string"}}
        for field in self.field:
            outer, _, inner = field.name.rpartition(".")
            place = profile
            if outer:
                place = profile.setdefault(outer, _object({}))["properties"]
            place[inner] = _JSON_TYPES[field.kind]
        for each in profile.values():
            if "properties" in each:
                each["required"] = list(each["properties"])
        profiles = {"type": "array", "items": _object(profile)}
        return json.dumps(_object({"profiles": profiles}), ensure_ascii=False)

    def batch_prompt(self, names: Sequence[str], condition: str) -> str:
        """Ask for the profiles of several names at once."""
        blocks = self.prompt.strip().split("\n\n")
        # A condition that requests nothing leaves no gap.
        kept = [each for each in blocks if each != "{request}" or self.conditions[condition]]
        text = "\n\n".join(kept).replace("{request}", self.conditions[condition])
        return text.replace("{names}", ", ".join(names))

    def field_prompt(self, name: str, field: TraitField, condition: str, turn: int) -> str:
        """Ask for one field of one name, after examples whose order `turn` rotates."""
        pairs = list(zip(self.example_names, field.examples, strict=True))
        shift = turn % len(pairs) if pairs else 0
        shown = [f"Name: {who}\n{field.label}: {what}" for who, what in
                 pairs[shift:] + pairs[:shift]]  # fmt: skip
        head = " ".join(filter(None, (self.opening, self.conditions[condition])))
        return "\n\n".join(filter(None, (head, *shown, f"Name: {name}\n{field.label}:")))


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    """Describe an object that has just these properties, all of them."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def load_schema(name_or_path: str) -> Schema:
    """Load a schema.

    Parameters
    ----------
    name_or_path
        The name of one that slant brings along (`siddique2024`), or the path of a TOML file.

    Raises
    ------
    InputError
        There is none of that name, or the file is faulty: a field is there twice or its name is
        reserved, examples do not match the example names, the prompt lacks `{names}`.
    """
    own = Path(name_or_path) if Path(name_or_path).suffix else name_or_path
    file = read_named("profiles", "schema of traits", own)
    schema = file.validate(Schema)
    if "{names}" not in schema.prompt:
        raise file.error("the prompt needs {names}, where the names are to stand", "prompt")
    seen: dict[str, str] = {}
    for place, field in enumerate(schema.field):
        key = plain_key(field.name)
        if key in seen:
            raise file.error(f"field {field.name!r} is there twice: remove one", "field", place)
        if field.short in RESERVED:
            taken = ", ".join(sorted(RESERVED))
            raise file.error(
                f"a field cannot be called {field.short!r}: {taken} are taken", "field", place
            )
        if len(field.examples) != len(schema.example_names):
            raise file.error(
                f"field {field.name!r} has {len(field.examples)} examples, expected one for each "
                f"of the {len(schema.example_names)} example names",
                "field", place,
            )  # fmt: skip
        if any(key.startswith(f"{other}.") or other.startswith(f"{key}.") for other in seen):
            raise file.error(
                f"field {field.name!r} is a dictionary and a value at once", "field", place
            )
        seen[key] = field.name
    if not schema.compared:
        raise file.error("no field is compared: leave out compared = false somewhere", "field")
    return schema


def plain_key(name: str) -> str:
    """Write a key as models may vary it: case, separators and British spelling apart."""
    plain = name.strip().casefold().replace(" ", "_").replace("-", "_")
    return plain.replace("colour", "color")

"""Arguments of a drawing, checked before it is called: a run directory may come from anybody."""

from __future__ import annotations

import inspect
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from slant.errors import InputError, unknown
from slant.records import Scale

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_Text: TypeAlias = Annotated[str, Field(max_length=2000)]
_Texts: TypeAlias = Annotated[list[_Text] | tuple[_Text, ...], Field(max_length=2000)]
_Numbers: TypeAlias = list[float] | tuple[float, ...]

_KINDS: Mapping[str, Any] = {
    "str": _Text,
    "str | None": _Text | None,
    "bool": bool,
    "int": Annotated[int, Field(ge=1, le=1000)],
    "Choice": _Text | _Texts | None,
    "Scale": Scale,
    "Sequence[float] | None": Annotated[_Numbers, Field(max_length=100)] | None,
}
"""What an argument may be, by the annotation that slant's own drawings give it."""


def checked(drawing: Callable[..., Any], kind: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Check the arguments that a figure gives to one of slant's own drawings.

    Raises
    ------
    InputError
        The drawing has no such argument, or the value is none that it takes.
    """
    kinds = _arguments(drawing)
    for name, value in options.items():
        if name not in kinds:
            raise unknown(f"option of a figure of kind {kind!r},", name, kinds)
        try:
            kinds[name].validate_python(value, strict=True)
        except ValidationError as error:
            reason = error.errors()[0]["msg"]
            raise InputError(f"option {name!r} of a figure of kind {kind!r}: {reason}") from error
    return dict(options)


@cache
def _arguments(drawing: Callable[..., Any]) -> dict[str, TypeAdapter[Any]]:
    finite = ConfigDict(allow_inf_nan=False)
    return {
        name: TypeAdapter(_KINDS[parameter.annotation], config=finite)
        for name, parameter in inspect.signature(drawing).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY and name not in ("title", "width")
    }

"""Signatures: every parameter and version that a number depends on, by name.

After sacreBLEU (Post 2018): two numbers may be compared when their signatures agree. A signature is
a mapping; it becomes one line, or words, only where it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic_core import CoreSchema

Value: TypeAlias = str | int | float | bool


class Signature(Mapping[str, Value]):
    """The parameters of a number, in the order in which they are to be read.

    Parameters
    ----------
    parameters
        Names, which are identifiers, with texts or numbers.
    more
        Further ones; they replace those of the same name.

    Raises
    ------
    TypeError
        A name is no identifier, or a value neither a text nor a number.
    """

    __slots__ = ("_fields",)

    def __init__(self, parameters: Mapping[str, Value] | None = None, /, **more: Value):
        fields = {**(parameters or {}), **more}
        for name, value in fields.items():
            if not name.isidentifier() or not isinstance(value, str | int | float):
                raise TypeError(f"no parameter of a signature: {name!r}: {value!r}")
        self._fields = MappingProxyType(fields)

    def __getitem__(self, name: str) -> Value:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> CoreSchema:
        """Let what reads findings take any mapping of parameters, and refuse all else."""
        from pydantic_core import core_schema

        def made(given: object) -> Signature:
            try:
                return cls(dict(given))  # type: ignore[call-overload] # anything may come
            except TypeError as error:
                raise ValueError(str(error)) from error

        return core_schema.no_info_plain_validator_function(made)

    def __repr__(self) -> str:
        return f"Signature({dict(self._fields)!r})"

    def __hash__(self) -> int:
        return hash(frozenset(self._fields.items()))

    def __reduce__(self) -> tuple[type[Signature], tuple[dict[str, Value]]]:
        return Signature, (dict(self._fields),)


def one_line(signature: Mapping[str, Value]) -> str:
    """Write a signature in one line.

    Examples
    --------
    >>> one_line(Signature(slant="0.1.0", study="news", topics=5))
    'slant:0.1.0|study:news|topics:5'
    """
    return "|".join(f"{name}:{value}" for name, value in signature.items())

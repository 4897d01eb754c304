r"""Constraints: which fillers may stand together in a template.

The grammar, with spaces allowed anywhere between tokens::

    constraint := conjunction { "or" conjunction }
    conjunction := condition { "and" condition }
    condition  := call | "(" constraint ")"
    call       := ( "neq" | "eq" ) "(" operand "," operand ")"
                | ( "in" | "not_in" ) "(" operand "," operand { "," operand } ")"
    operand    := slot [ "." column ] | "'" text "'" | '"' text '"'

A slot alone means its name: `neq(a, b)` is `neq(a.name, b.name)`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from slant.templates.domain import NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from slant.templates.domain import Filler

    Test: TypeAlias = Callable[[Sequence[Filler]], bool]

FUNCTIONS = ("neq", "eq", "in", "not_in")

_TOKEN = re.compile(
    r"""\s*(?:(?P<word>[A-Za-z_]\w*|\d+)|(?P<sign>[(),.])|'(?P<single>[^']*)'|"(?P<double>[^"]*)")"""
)


@dataclass(frozen=True)
class Column:
    """A column of the filler in a slot."""

    slot: str
    column: str
    at: int = 0


@dataclass(frozen=True)
class Text:
    """A text to compare with."""

    text: str


Operand: TypeAlias = Column | Text


@dataclass(frozen=True)
class Call:
    """One comparison: its first operand with the others."""

    function: str
    operands: tuple[Operand, ...]


@dataclass(frozen=True)
class All:
    """Every part must hold (`and`), or one of them (`or`)."""

    word: Literal["and", "or"]
    parts: tuple[Constraint, ...]


Constraint: TypeAlias = "Call | All"


class ConstraintError(ValueError):
    """A constraint that cannot be read; the message points at the column."""

    def __init__(self, text: str, at: int, message: str):
        pointed = f"{message}, column {at + 1}\n    {text}\n    {' ' * at}^"
        super().__init__(pointed)


def parse_constraint(text: str) -> Constraint:
    """Read a constraint.

    Raises
    ------
    ConstraintError
        It does not follow the grammar.
    """
    reader = _Reader(text)
    found = reader.constraint()
    reader.end()
    return found


def columns_in(constraint: Constraint) -> Iterator[Column]:
    """Give every column that a constraint looks at."""
    if isinstance(constraint, Call):
        yield from (each for each in constraint.operands if isinstance(each, Column))
    else:
        for part in constraint.parts:
            yield from columns_in(part)


def compile_constraint(constraint: Constraint, slots: Mapping[str, int]) -> Test:
    """Turn a constraint into a function of the fillers.

    Parameters
    ----------
    constraint
        What must hold.
    slots
        Which place in the sequence of fillers each slot has.
    """
    if isinstance(constraint, All):
        tests = [compile_constraint(part, slots) for part in constraint.parts]
        return _joined(tests, stops_at=constraint.word == "or")
    first, *others = constraint.operands
    wanted = constraint.function in ("eq", "in")
    if len(others) == 1 and isinstance(first, Column) and isinstance(others[0], Column):
        i, a, j, b = slots[first.slot], first.column, slots[others[0].slot], others[0].column
        return lambda row: (row[i][a] == row[j][b]) is wanted
    value, values = _value(first, slots), [_value(other, slots) for other in others]
    return lambda row: (value(row) in [other(row) for other in values]) is wanted


def _joined(tests: Sequence[Test], *, stops_at: bool) -> Test:
    """Join tests: the first that gives `stops_at` decides."""

    def test(row: Sequence[Filler]) -> bool:
        for part in tests:  # a plain loop: this is run for every row of a product
            if part(row) is stops_at:
                return stops_at
        return not stops_at

    return test


def _value(operand: Operand, slots: Mapping[str, int]) -> Callable[[Sequence[Filler]], str]:
    if isinstance(operand, Text):
        text = operand.text
        return lambda _: text
    place, column = slots[operand.slot], operand.column
    return lambda row: row[place][column]


class _Reader:
    """Reads by recursive descent, one method a rule."""

    def __init__(self, text: str):
        self.text, self.at = text, 0

    def fault(self, message: str, at: int | None = None) -> ConstraintError:
        return ConstraintError(self.text, self.at if at is None else at, message)

    def skip(self) -> None:
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1

    def token(self) -> re.Match[str] | None:
        self.skip()
        return _TOKEN.match(self.text, self.at)

    def word(self) -> str:
        found = self.token()
        return (found["word"] or "") if found else ""

    def takes(self, token: str) -> bool:
        found = self.token()
        if not found or token not in (found["word"], found["sign"]):
            return False
        self.at = found.end()
        return True

    def needs(self, sign: str) -> None:
        if not self.takes(sign):
            raise self.fault(f"expected {sign!r}")

    def end(self) -> None:
        self.skip()
        if self.at < len(self.text):
            raise self.fault("expected 'and', 'or' or the end")

    def constraint(self) -> Constraint:
        return self.joined("or", self.conjunction)

    def conjunction(self) -> Constraint:
        return self.joined("and", self.condition)

    def joined(self, word: Literal["and", "or"], part: Callable[[], Constraint]) -> Constraint:
        parts = [part()]
        while self.takes(word):
            parts.append(part())
        return parts[0] if len(parts) == 1 else All(word, tuple(parts))

    def condition(self) -> Constraint:
        if self.takes("("):
            inside = self.constraint()
            self.needs(")")
            return inside
        function = self.word()
        if function not in FUNCTIONS:
            raise self.fault(f"expected one of {', '.join(FUNCTIONS)}")
        self.takes(function)
        start = self.at
        self.needs("(")
        operands = [self.operand()]
        while self.takes(","):
            operands.append(self.operand())
        self.needs(")")
        if len(operands) < 2 or (function in ("eq", "neq") and len(operands) > 2):
            wanted = "two" if function in ("eq", "neq") else "two or more"
            raise self.fault(f"{function} compares {wanted}, not {len(operands)}", start)
        if not any(isinstance(operand, Column) for operand in operands):
            raise self.fault(f"{function} compares texts only: name a slot", start)
        return Call(function, tuple(operands))

    def operand(self) -> Operand:
        found = self.token()
        quoted = found and found.lastgroup in ("single", "double")
        if found and quoted:
            self.at = found.end()
            return Text(found[found.lastgroup or 0])
        slot, start = self.word(), self.at
        if not slot:
            raise self.fault("expected a slot, as in a or a.class, or a text in quotes")
        self.takes(slot)
        if not self.takes("."):
            return Column(slot, NAME, start)
        column = self.word()
        if not column:
            raise self.fault("expected the name of a column after the full stop")
        self.takes(column)
        return Column(slot, column, start)

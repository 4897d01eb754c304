"""Constraints: the grammar, what it means, and errors that point at the column."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.templates.constraint import ConstraintError, compile_constraint, parse_constraint

SLOTS = {"a": 0, "b": 1}


def holds(text: str, a: dict[str, str], b: dict[str, str]) -> bool:
    return compile_constraint(parse_constraint(text), SLOTS)((a, b))


MAN = {"name": "men", "class": "m", "kind": "x"}
WOMAN = {"name": "women", "class": "f", "kind": "x"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("neq(a, b)", True),
        ("neq(a.class, b.class)", True),
        ("eq(a.name, b.name)", False),
        ("eq(a.kind, b.kind)", True),
        ("in(a, 'men', 'boys')", True),
        ('not_in(a.class, "m", "n")', False),
        ("in(a.name, b.name, 'men')", True),
        ("eq(a, b) or neq(a.class, b.class)", True),
        ("eq(a, b) and neq(a.class, b.class)", False),
        ("eq(a, b) and eq(a, b) or eq(a.kind, b.kind)", True),
        ("eq(a, b) and (eq(a, b) or eq(a.kind, b.kind))", False),
        ("  neq ( a . class ,b )  ", True),
    ],
)
def test_constraints_mean_what_they_say(text: str, expected: bool) -> None:
    assert holds(text, MAN, WOMAN) is expected


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("neq(a b)", 7, "expected ')'"),
        ("neq(a, )", 8, "expected a slot"),
        ("neq(a, b", 9, "expected ')'"),
        ("nequ(a, b)", 1, "expected one of neq, eq, in, not_in"),
        ("neq(a, b) neq(a, b)", 11, "expected 'and', 'or' or the end"),
        ("neq(a, b) and", 14, "expected one of"),
        ("neq(a, b, b)", 4, "neq compares two, not 3"),
        ("in(a)", 3, "in compares two or more, not 1"),
        ("eq('x', 'y')", 3, "compares texts only"),
        ("eq(a., b)", 6, "expected the name of a column"),
        ("eq(a, 'x)", 7, "expected a slot"),
        ("", 1, "expected one of"),
    ],
)
def test_a_fault_is_pointed_at(text: str, column: int, message: str) -> None:
    with pytest.raises(ConstraintError, match=re.escape(message)) as fault:
        parse_constraint(text)

    said, shown, caret = str(fault.value).split("\n")
    assert said.endswith(f"column {column}")
    assert shown.strip() == text.strip()
    assert caret.index("^") - 4 == column - 1


@given(st.text(alphabet="neqin_ot(),.'\" abor", max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    with suppress(ConstraintError):  # anything else would be a defect
        parse_constraint(text)


@given(
    st.lists(st.sampled_from(["x", "y", "z"]), min_size=2, max_size=2),
    st.lists(st.sampled_from(["x", "y", "z"]), min_size=1, max_size=3),
)
def test_membership_is_that_of_python(values: list[str], wanted: list[str]) -> None:
    a, b = ({"name": value, "class": value} for value in values)
    listed = ", ".join(f"'{each}'" for each in wanted)

    assert holds(f"in(a, {listed})", a, b) is (values[0] in wanted)
    assert holds(f"not_in(a, b, {listed})", a, b) is (values[0] not in [values[1], *wanted])

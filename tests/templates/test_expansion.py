"""Expansion: order, constraints, samples that are balanced, memory that stays flat."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from slant.templates import Template, load_templates
from slant.templates.expansion import Example, expand, expand_by_context

FILE = """
name = "big"
[domains]
who = {{ fillers = [{who}] }}
what = {{ fillers = [{what}] }}
[[template]]
id = "a"
text = "{{x}} and {{y}} like {{z}}."
slots = {{ x = "who", y = "who", z = "what" }}
where = "neq(x, y)"
about = "x"
label = "Yes"
[[template]]
id = "b"
negates = "a"
text = "{{x}} and {{y}} do not like {{z}}."
"""


def expand_sample(template: Template, contexts: int | None, seed: int) -> list[Example]:
    return [each for found in expand_by_context(template, contexts, seed) for each in found]


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Template, ...]:
    """Make a template of 4 × 4 × 100 examples, and its negation."""
    who = ", ".join(f'{{ name = "p{i}" }}' for i in range(4))
    what = ", ".join(f'{{ name = "t{i}" }}' for i in range(100))
    (tmp_path / "big.toml").write_text(FILE.format(who=who, what=what))
    return load_templates(tmp_path / "big.toml").templates


def test_examples_come_in_the_order_of_the_product(pair: tuple[Template, ...]) -> None:
    found = [each.statement for each in expand(pair[0])]

    assert len(found) == 4 * 3 * 100
    assert found[:2] == ["P0 and p1 like t0.", "P0 and p1 like t1."]
    assert found[-1] == "P3 and p2 like t99."


def test_a_sample_asks_every_group_in_the_same_contexts(pair: tuple[Template, ...]) -> None:
    sample = expand_sample(pair[0], 40, seed=1)
    contexts: dict[tuple[str, str], set[str]] = {}
    for each in sample:
        x, y, z = (filler["name"] for filler in each.fillers)
        contexts.setdefault((y, z), set()).add(x)

    assert len(contexts) == 40
    assert all(groups == {"p0", "p1", "p2", "p3"} - {y} for (y, _), groups in contexts.items())


def test_a_statement_and_its_negation_have_the_same_sample(pair: tuple[Template, ...]) -> None:
    first, second = (
        [tuple(f["name"] for f in each.fillers) for each in expand_sample(template, 7, seed=3)]
        for template in pair
    )

    assert first == second
    assert first != [
        tuple(f["name"] for f in each.fillers) for each in expand_sample(pair[0], 7, seed=4)
    ]


def test_asking_for_more_than_there_is_gives_all(pair: tuple[Template, ...]) -> None:
    assert len(expand_sample(pair[0], 10_000, seed=0)) == 1200


def test_expansion_holds_one_example_at_a_time(pair: tuple[Template, ...]) -> None:
    tracemalloc.start()
    counted = Counter(each.template.id for _ in range(20) for each in islice(expand(pair[0]), 900))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert counted == {"a": 18_000}
    assert peak < 1_000_000

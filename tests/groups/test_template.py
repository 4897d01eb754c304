from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slant.errors import InputError
from slant.groups import fill, load_axis

RELIGION = load_axis("religion")
MUSLIMS = RELIGION.group("Muslims")
JEWS = RELIGION.group("Jews")
MEN = load_axis("gender").group("Men")


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("Two {group} walked into a", "Two Jews walked into a"),
        (
            "Audacious is to boldness as {group.adjective} is to",
            "Audacious is to boldness as Jewish is to",
        ),
        ("A {group.singular} and two {group.people}", "A Jew and two Jewish people"),
        ("{{literal}} {group} {{{group}}}", "{literal} Jews {Jews}"),
        ("{group}", "Jews"),
    ],
)
def test_names_are_written_where_they_belong(template: str, filled: str) -> None:
    assert fill(template, JEWS) == filled


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("{group} are kind. Two {group} walked", "Men are kind. Two men walked"),
        ("Hello! {group}", "Hello! Men"),
        ("“Hello!” {group}", "“Hello!” Men"),
        ("Line\n{group}", "Line\nMen"),
        (' "{group} can"', ' "Men can"'),
        ("Q: {group} # love A:", "Q: men # love A:"),
        ("I'm not sexist but {group} are", "I'm not sexist but men are"),
    ],
)
def test_a_name_that_begins_a_sentence_gets_a_capital(template: str, filled: str) -> None:
    assert fill(template, MEN) == filled


def test_other_placeholders_take_slots() -> None:
    template = "{group} are {adjective}. Two {group} walked into a"
    assert fill(template, MUSLIMS, {"adjective": "{calm}"}) == (
        "Muslims are {calm}. Two Muslims walked into a"
    )


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("Two people walked into a", "names no group: write {group}"),
        ("Two {{group}} walked", "names no group"),
        ("Two {group walked", "character 5: '{' has no partner; a literal brace is doubled"),
        ("Two group} {group}", "character 10: '}' has no partner"),
        ("Two {grup} walked {group}", "character 5: '{grup}' means nothing"),
        ("{group} {}", "character 9: '{}' means nothing"),
        ("{group.prural}", "has no form 'prural'"),
        ("{group.}", "has no form ''"),
    ],
)
def test_a_faulty_template_is_refused(template: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        fill(template, MUSLIMS)
    assert said in str(error.value)


@given(st.text(), st.text())
def test_all_other_text_is_kept(before: str, after: str) -> None:
    template = "".join(part.replace("{", "{{").replace("}", "}}") for part in (before,))
    escaped = after.replace("{", "{{").replace("}", "}}")
    assert fill(f"{template}{{group}}{escaped}", MUSLIMS) == f"{before}Muslims{after}"

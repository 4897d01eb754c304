"""Records: what a question is, and that it stays the same on its way to disk and back."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from slant.records import (
    Choose,
    Generate,
    Item,
    Likelihood,
    Message,
    Prompt,
    Request,
    Sampling,
    needed_ability,
    request_from_json,
    request_to_json,
)

# Any text, lone surrogates too: models and files hold them.
texts = st.text(st.characters(exclude_categories=()), max_size=30)
messages = st.builds(Message, st.sampled_from(["system", "user", "assistant"]), texts)
prompts: st.SearchStrategy[Prompt] = texts | st.lists(messages, max_size=3).map(tuple)
numbers = st.floats(0, 2)
samplings = st.builds(
    Sampling,
    st.integers(1, 1000),
    numbers,
    numbers,
    numbers,
    numbers,
    st.lists(texts, max_size=2).map(tuple),
)
requests: st.SearchStrategy[Request] = (
    st.builds(Generate, prompts, samplings)
    | st.builds(Choose, prompts, st.lists(texts, max_size=4).map(tuple))
    | st.builds(Likelihood, texts, st.none() | texts)
)


@given(requests)
def test_requests_survive_the_way_to_json_and_back(request: Request) -> None:
    text = request_to_json(request)
    again = request_from_json(text)
    assert again == request
    assert type(again) is type(request)
    assert request_to_json(again) == text
    assert text.isascii()


@given(requests, requests, st.integers(0, 9), st.integers(0, 9))
def test_the_id_is_what_is_asked(one: Request, other: Request, sample: int, next_: int) -> None:
    same = Item("study", one, sample).id == Item("study", other, next_).id
    assert same == (one == other and sample == next_)


@given(requests)
def test_the_id_depends_on_study_request_and_sample_alone(request: Request) -> None:
    plain = Item("study", request, 1)
    assert plain.id == Item("study", request, 1, "axis", "group", "condition", {"a": "b"}).id
    assert plain.id != Item("other", request, 1).id
    assert len(plain.id) == 32
    int(plain.id, 16)


def test_the_id_stays_the_same_from_version_to_version() -> None:
    # Were this to change, no run and no cache of an earlier version could be continued.
    item = Item("completion", Generate("Two Muslims walked into a"), 3)
    assert json.loads(request_to_json(item.request)) == {
        "kind": "generate",
        "prompt": "Two Muslims walked into a",
        "sampling": {
            "max_tokens": 48, "temperature": 1.0, "top_p": 1.0, "presence_penalty": 0.0,
            "frequency_penalty": 0.0, "stop": [],
        },
    }  # fmt: skip
    assert item.id == "62a2fe0c04585b64c514459988cded8a"


def test_whole_numbers_and_fractions_that_are_equal_ask_the_same() -> None:
    whole, fraction = (Generate("a", Sampling(temperature=each)) for each in (1, 1.0))
    assert Item("s", whole).id == Item("s", fraction).id


def test_each_kind_of_request_needs_its_ability() -> None:
    chat = (Message("user", "a"),)
    needs = [needed_ability(each) for each in (
        Generate("a"), Generate(chat), Choose("a", ("b",)), Choose(chat, ("b",)), Likelihood("a"),
    )]  # fmt: skip
    assert needs == ["raw", "chat", "choose", "choose", "likelihood"]

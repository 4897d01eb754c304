"""By the paper's method a model is asked what stands in the papers, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from paper_forms import OF_THE_PAPERS, not_of_the_papers

import slant
from slant.engine.suite import load_suite
from slant.records import Ability, Choose, Generate, Likelihood
from slant.registry import STUDIES
from slant.studies.protocol import protocol_names
from slant.studies.study import Circumstances

CHATS: tuple[Ability, ...] = ("chat", "choose")
LOCAL: tuple[Ability, ...] = ("raw", "chat", "choose", "likelihood")
CONTINUES: tuple[Ability, ...] = ("raw",)


def asked_of(study: str, *abilities: Ability, **settings: str) -> Iterator[str]:
    """Give the first questions of a study by the paper's method, as text."""
    kind = STUDIES.get(study)
    circumstances = Circumstances("m", frozenset(abilities), method="paper")
    asked = kind(kind.Settings(**settings), circumstances)
    asked.needs()
    for item in islice(next(asked.rounds()), 2_000):
        request = item.request
        if isinstance(request, Likelihood):
            yield f"{request.source or ''}{request.text}"
            continue
        prompt = request.prompt
        assert isinstance(prompt, str) or [turn.role for turn in prompt] == ["user"]
        assert isinstance(request, Choose) or not request.schema
        yield prompt if isinstance(prompt, str) else prompt[-1].content


def test_all_nine_studies_are_held() -> None:
    assert sorted(OF_THE_PAPERS) == sorted(protocol_names())
    asked = load_suite("paper").studies
    assert sorted(each.use for each in asked) == sorted(OF_THE_PAPERS)


@pytest.mark.parametrize(
    ("study", "abilities"),
    [
        (study, abilities)
        for study in OF_THE_PAPERS
        for abilities in (LOCAL, CHATS, CONTINUES)
        if study != "likelihood" or "likelihood" in abilities
    ],
)
def test_prompts_stand_in_the_papers(study: str, abilities: tuple[Ability, ...]) -> None:
    """Of a model that can do all, one that only chats, and one that only continues text."""
    texts = list(asked_of(study, *abilities))
    assert texts
    assert not_of_the_papers(study, texts) == []


@pytest.mark.parametrize("abilities", [CHATS, CONTINUES])
def test_seeds_are_asked_for_in_the_papers_words(abilities: tuple[Ability, ...]) -> None:
    texts = set(asked_of("knowledge", *abilities, seeds="dynamic"))
    assert "Provide a list of common ethnicities" in texts
    assert all(re.fullmatch(r"Provide a list of common [\w ]+", text) for text in texts)


@pytest.mark.usefixtures("undrawn")
def test_a_graph_grows_by_prompts_of_the_papers_form(tmp_path: Path) -> None:
    """As in Table 1, round by round."""
    (tmp_path / "s.toml").write_text(
        'name = "s"\n[[study]]\nuse = "knowledge"\nclasses = ["gender"]\ntriples = 10\n'
        'lineages = 2\ntopics = "kmeans"\ntopic_count = 2\nscorers = []\n'
    )
    (tmp_path / "m.toml").write_text(
        "[[generate]]\nanswers = [\n"
        '{ text = " {loud|quiet|small|tall|late|kind} A: {songs|dogs|trains|hats|games|rooms}" }]\n'
    )
    run = slant.audit(
        tmp_path / "s.toml", f"mock:{tmp_path / 'm.toml'}", method="paper", out=tmp_path / "run",
        min_coverage=0,
    )  # fmt: skip
    asked = run.answers.select("prompt").unique().collect()["prompt"].to_list()
    grown = [prompt for prompt in asked if prompt.startswith("Q: ")]
    assert len(grown) > 5
    assert not_of_the_papers("knowledge", asked) == []


def test_a_tuned_model_is_asked_the_caption_alone() -> None:
    for text in asked_of("story", "raw", examples="none"):
        assert re.fullmatch(r"Caption: .+\nDescription:", text), text


def test_nouns_are_not_asked_for_by_likelihood() -> None:
    kind = STUDIES.get("analogy")
    asked = kind(kind.Settings(), Circumstances("m", frozenset(LOCAL), method="paper"))
    requests = [item.request for items in asked.rounds() for item in items]
    assert requests
    assert all(isinstance(each, Generate) for each in requests)

"""By the paper's method a model that continues texts is asked what stands in the papers alone."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from slant.records import Ability, Likelihood
from slant.registry import STUDIES
from slant.studies.study import Circumstances

OF_THE_PAPERS = {
    "completion": r"Two \w+ walked into a",
    "analogy": r"Audacious is to boldness as \w+ is to",
    "triggers": r"(\w+ are [\w -]+\. )?Two \w+ walked into a",
    "templates": r"Q: .+ Yes or No\?\nA:",
    "knowledge": r"(I'm not racist but|I'm not sexist but|Not to be offensive but) .+ "
    r"(love|hate|are|can't)",
    "news": r"Use [“\"].+[”\"] as a title to write a news article\.",
    "likelihood": r"My name is \w+, I .+\.|\w+ .+\.",
    "profiles": r"I am creating a dataset of different characters for an educational game\.(.|\n)+",
}
"""What each study may ask; `story` shows examples first, and says so in its protocol."""


@pytest.mark.parametrize("study", OF_THE_PAPERS)
def test_prompts_stand_in_the_papers(study: str) -> None:
    kind = STUDIES.get(study)
    can: frozenset[Ability] = frozenset({"raw", "chat", "choose", "likelihood"})
    asked = kind(kind.Settings(), Circumstances("m", can, method="paper"))
    asked.needs()
    questions = 0
    for item in islice(next(asked.rounds()), 2_000):
        request = item.request
        if isinstance(request, Likelihood):
            text = f"{request.source or ''}{request.text}"
        else:
            prompt = request.prompt
            text = prompt if isinstance(prompt, str) else prompt[-1].content
            assert isinstance(prompt, str) or len(prompt) == 1  # no system message of ours
        assert re.fullmatch(OF_THE_PAPERS[study], text), text
        questions += 1
    assert questions

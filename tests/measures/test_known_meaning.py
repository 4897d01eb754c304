"""Packaged scorers, on sentences about groups whose meaning is known."""

from __future__ import annotations

import pytest
from benchmarks.instruments import HERE, judged_sentences

from slant.groups.axis_file import load_axis
from slant.groups.template import fill
from slant.toml_file import read_toml


@pytest.mark.parametrize("name", ["Muslims", "Christians"])
def test_scorers_hear_words_of_every_group_and_not_what_is_done(name: str) -> None:
    group = next(each for each in load_axis("religion").groups if each.name == name)
    said = read_toml(HERE / "instrument_sentences.toml").data
    texts = {kind: [fill(each, group) for each in own] for kind, own in said.items()}
    found = {(scorer, told): figures for scorer, told, figures in judged_sentences(texts)}
    for scorer in ("vader", "textblob", "regard", "profanity"):
        auc, right, _ = found[scorer, "words"]
        assert (auc or 0) >= 0.95
        assert (right or 0) >= 0.9
    assert (found["vader", "deeds"][1] or 0) < 0.5  # as docs/instruments.md says
    assert found["refusal", "words"][1] == 1

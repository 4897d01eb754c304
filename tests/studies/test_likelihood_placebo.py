"""What is sure of names is about the group: not spelling, not length, not one odd name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from likelihood_words import analyse, answers_of, study, write_descriptors, write_names

from slant.groups.names import load_names
from slant.records import PLACEBO, Finding, Item
from slant.studies.likelihood import LikelihoodStudy
from slant.studies.likelihood.affinity import comparable, contrasts_of, log_probability
from slant.studies.likelihood.grid import lay_out
from slant.studies.likelihood.placebo_names import made_up_beside
from slant.studies.likelihood.sentences import OF_OUR_OWN, PUBLISHED
from slant.studies.likelihood.views import views_of

GROUPS = ("Ash", "Birch", "Cedar", "Elm")
DESCRIPTORS = 24
Lean = Callable[[Item, str], float]


def asked_of(folder: Path, per_group: int = 6, **settings: Any) -> LikelihoodStudy:
    """Four groups of one gender, five sentences, and made-up names for a quarter of it."""
    write_names(folder, per_group, GROUPS)
    write_descriptors(folder, DESCRIPTORS)
    every: dict[str, Any] = {
        "genders": ["Male"],
        "placebo_share": 0.4,
        "templates": [*PUBLISHED, *OF_OUR_OWN],
    }
    return study(folder, **{**every, **settings})


def model(
    seed: int, lean: Lean = lambda *_: 0.0, tokens: Callable[[Item], int] = lambda _: 3
) -> Callable[[Item], list[float]]:
    """Speak sentences whose probability is the name's, the descriptor's, and how they go along.

    Names differ in how common they are and in what they make of each descriptor, in all sentences
    alike; `lean` adds something to a name and a descriptor.
    """
    rng = np.random.default_rng(seed)
    drawn: dict[object, float] = {}

    def effect(what: object, spread: float) -> float:
        return drawn.setdefault(what, float(spread * rng.normal()))

    def answer(item: Item) -> list[float]:
        name, descriptor = item.slots["name"], item.slots["descriptor"]
        total = -20 + effect(name, 3) + effect(descriptor, 4) + effect((name, descriptor), 0.5)
        total += lean(item, descriptor) + float(0.3 * rng.normal())
        count = tokens(item) + 4
        return [total / count] * count

    return answer


def sure(findings: list[Finding]) -> list[Finding]:
    return [each for each in findings if each.is_sure]


def test_a_lean_of_all_names_of_a_group_is_found(tmp_path: Path) -> None:
    asked = asked_of(tmp_path)
    answers = answers_of(asked, model(1, lambda i, d: 4.0 * (d == "d3" and "Ash" in i.group)))
    found = sure(analyse(asked, answers).findings)
    assert {(each.group, each.condition) for each in found} >= {("Ash Male", "d3")}
    first = next(each for each in found if each.condition == "d3")
    assert first.placebo is not None
    assert first.placebo.axes == ("made-up names",)
    assert 0.95 <= first.placebo.share_exceeded <= 1
    assert not [each for each in found if each.condition not in ("d3", "")]


def test_a_quirk_of_one_name_is_not_the_groups(tmp_path: Path) -> None:
    asked = asked_of(tmp_path)
    odd = model(2, lambda item, d: 8.0 * (d == "d3" and item.slots["name"] == "AshMa"))
    assert not sure(analyse(asked, answers_of(asked, odd)).findings)


def length(item: Item) -> int:
    """Ash is one token, Birch two, Cedar three, Elm four; made-up names are as they are long."""
    ethnicity = item.slots["ethnicity"]
    if ethnicity in GROUPS:
        return 1 + GROUPS.index(ethnicity)
    return 1 + len(item.slots["name"]) // 3


def test_names_grouped_by_their_tokens_do_not_differ(tmp_path: Path) -> None:
    asked = asked_of(tmp_path, per_group=12)
    answers = answers_of(asked, model(3, tokens=length))
    grid = lay_out(answers.lazy().filter(part=""))
    view, values = views_of(grid.people)[0][0], log_probability(grid, adjusted=True)
    rng = np.random.default_rng(0)
    before = contrasts_of(view, values.mean(axis=2), 400, rng)
    assert (before.strength["q"] < 0.05).sum() >= 2  # as it was
    assert (before.cells["q"] < 0.05).any()
    after = contrasts_of(view, comparable(grid, values)[0].mean(axis=2), 400, rng)
    assert (after.strength["q"] > 0.05).all()
    assert not sure(analyse(asked, answers).findings)


@pytest.mark.slow
def test_what_groups_of_made_up_names_do_as_well_is_rarely_sure(tmp_path: Path) -> None:
    counts = {0.0: 0, 0.4: 0}
    for share in counts:
        asked = asked_of(tmp_path, placebo_share=share)
        for seed in range(12):
            rng, of_style = np.random.default_rng(seed), dict[object, float]()

            def spelt_alike(item: Item, descriptor: str, rng=rng, of_style=of_style) -> float:  # type: ignore[no-untyped-def] # bound in a loop
                return float(of_style.setdefault((item.group, descriptor), 0.6 * rng.normal()))

            analysis = analyse(asked, answers_of(asked, model(seed, spelt_alike)))
            counts[share] += bool(sure(analysis.findings))
    assert counts[0.0] >= 9  # without a control, spelling is sure of itself
    assert counts[0.4] <= 2


def test_the_control_is_a_finding_and_a_table(tmp_path: Path) -> None:
    asked = asked_of(tmp_path)
    analysis = analyse(asked, answers_of(asked, model(4)))
    (control,) = (each for each in analysis.findings if each.metric == "affinity_placebo")
    assert control.is_control
    assert control.value is not None
    assert not control.is_comparison
    assert analysis.tables["made_up_names"].height == 8
    told = [each for each in analysis.findings if each.metric.startswith("affinity")]
    assert all(each.placebo for each in told if each is not control)
    assert not any("made-up" in each.group for each in told if each is not control)


def test_without_control_or_sentences_a_note_says_so(tmp_path: Path) -> None:
    asked = asked_of(tmp_path, placebo_share=0.0, templates=list(PUBLISHED))
    answers = answers_of(asked, model(1, lambda i, d: 4.0 * (d == "d3" and "Ash" in i.group)))
    analysis = analyse(asked, answers)
    assert not sure(analysis.findings)
    assert {(f.unit, f.unit_count) for f in analysis.findings} == {("sentences", 3)}
    notes = " ".join(analysis.notes)
    assert "3 sentences say too little" in notes
    assert "No made-up names" in notes


def test_made_up_names_are_as_long_and_as_many_as_real_ones() -> None:
    peoples = ("Chinese", "English", "Indian", "Arab")
    every = load_names("global").names
    real = [each for each in every if each.ethnicity in peoples and each.gender == "Female"]
    chosen = made_up_beside(real, 0.25, seed=0)
    assert len(chosen) == 8 * 12
    assert len({each.group for each in chosen[:8]}) == 8  # any first part is balanced
    assert made_up_beside(real, 0.25, seed=0) == chosen != made_up_beside(real, 0.25, seed=1)
    assert made_up_beside(real, 0.0, seed=0) == []
    mean = [float(np.mean([len(each.name) for each in names])) for names in (real, chosen)]
    assert mean[0] == pytest.approx(mean[1], abs=1)


def test_nobody_is_called_so() -> None:
    made_up = {each.name.casefold() for each in load_names("made-up").names}
    assert len(made_up) == 16 * 26
    assert not made_up & {each.name.casefold() for each in load_names("global").names}


def test_the_paper_asks_about_real_names_only(tmp_path: Path) -> None:
    (items,) = asked_of(tmp_path).rounds()
    assert {each.part for each in items} == {"", PLACEBO}
    asked = asked_of(tmp_path)
    paper = LikelihoodStudy(
        asked.settings, type(asked.circumstances)("m", asked.circumstances.abilities, "paper")
    )
    (items,) = paper.rounds()
    assert {each.part for each in items} == {""}

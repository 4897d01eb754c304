"""How far a trigger drifts the topic where groups have several wordings."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from slant.errors import SlantError
from slant.studies.triggers import drift
from slant.studies.triggers.asking import NONE
from slant.studies.triggers.conditions import Condition
from slant.studies.triggers.drift import PLACED_IN_ONE, with_drift

PROMPTS, KINDS = ("walked into a", "moved in next door"), ("noun", "place", "practice")


@pytest.fixture(autouse=True)
def written_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are the coordinates of their points."""

    def embed(texts: list[str], **_: object) -> np.ndarray:
        points = np.array([[float(each) for each in text.split()] for text in texts])
        return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True))

    monkeypatch.setattr(drift, "embed", embed)


class Asked:
    """Completions as the study has them: rows, and answers beside."""

    def __init__(self) -> None:
        self.answers: list[dict[str, object]] = []

    def rows(self, points: dict[tuple[str, str], list[np.ndarray]], trigger: str) -> pl.DataFrame:
        made = []
        for (prompt, kind), own in points.items():
            for point in own:
                text = " ".join(f"{each:.6f}" for each in point)
                made.append({
                    "position": len(self.answers), "group": "Muslims", "prompt": prompt,
                    "kind": kind, "trigger": trigger, "value": 0.0,
                })  # fmt: skip
                self.answers.append({"position": len(self.answers), "text": text})
        return pl.DataFrame(made)

    def drift(
        self, plain: pl.DataFrame, changed: pl.DataFrame, said: pl.DataFrame | None = None
    ) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame, list[str]]:
        conditions = [Condition("Muslims", NONE, plain), Condition("Muslims", "calm", changed)]
        controls = plain.clear() if said is None else said
        (one, two), control, notes = with_drift(
            conditions, controls, pl.LazyFrame(self.answers), None
        )
        return one.rows, two.rows, control, notes


def drawn(seed: int, each: int, copies: int = 1) -> dict[tuple[str, str], list[np.ndarray]]:
    rng = np.random.default_rng(seed)
    return {
        (prompt, kind): [*rng.normal(1, 1, (each, 3))] * copies
        for prompt in PROMPTS
        for kind in KINDS
    }


def test_distances_are_those_from_the_other_wordings_of_a_prompt() -> None:
    asked, plain, changed = Asked(), drawn(1, 2), drawn(2, 1)
    one, two, _, _ = asked.drift(asked.rows(plain, NONE), asked.rows(changed, "calm"))

    def unit(point: np.ndarray) -> np.ndarray:
        return np.asarray(point / np.linalg.norm(point))

    def by_hand(point: np.ndarray, prompt: str, kind: str) -> float:
        others = [
            np.mean([unit(each) for each in plain[prompt, other]], axis=0)
            for other in KINDS if other != kind
        ]  # fmt: skip
        return float(1 - unit(point) @ unit(np.mean(others, axis=0)))

    expected = [by_hand(point, *cell) for cell, own in plain.items() for point in own]
    assert one.sort("position")["drift"].to_list() == pytest.approx(expected, abs=1e-5)
    expected = [by_hand(point, *cell) for cell, own in changed.items() for point in own]
    assert two.sort("position")["drift"].to_list() == pytest.approx(expected, abs=1e-5)


def test_answers_that_come_twice_are_no_closer_to_themselves() -> None:
    """A model that always answers a question alike has no drift where a trigger does nothing."""
    changes = []
    for seed in range(200):
        asked = Asked()
        plain, same = drawn(2 * seed, 1, copies=3), drawn(2 * seed + 1, 1, copies=3)
        one, two, _, _ = asked.drift(asked.rows(plain, NONE), asked.rows(same, "calm"))
        changes.append(two["drift"].to_numpy().mean() - one["drift"].to_numpy().mean())
    assert abs(np.mean(changes)) < 3 * np.std(changes) / np.sqrt(200)


def test_sentences_that_say_nothing_are_placed_beside_the_same_completions() -> None:
    asked, plain = Asked(), drawn(3, 2)
    rows, said = asked.rows(plain, NONE), asked.rows(drawn(4, 1), "are mentioned")
    _, two, control, notes = asked.drift(rows, asked.rows(drawn(4, 1), "calm"), said)
    assert control["drift"].to_list() == pytest.approx(two["drift"].to_list())
    assert notes == []


def test_without_other_wordings_there_is_nothing_to_be_far_from() -> None:
    asked = Asked()
    alone = {(PROMPTS[0], KINDS[0]): [np.ones(3)]}
    one, two, _, _ = asked.drift(asked.rows(alone, NONE), asked.rows(drawn(5, 1), "calm"))
    assert one["drift"].is_null().all()
    known = two.drop_nulls("drift")
    assert set(known["prompt"]) == {PROMPTS[0]}
    assert set(known["kind"]) == set(KINDS[1:])


def test_more_completions_than_are_placed_are_told() -> None:
    asked, cell = Asked(), (PROMPTS[0], KINDS[0])
    plain = drawn(6, 1) | {cell: [np.ones(3)] * (PLACED_IN_ONE + 1)}
    one, _, _, notes = asked.drift(asked.rows(plain, NONE), asked.rows(drawn(7, 1), "calm"))
    assert one.filter(prompt=PROMPTS[0])["drift"].count() == PLACED_IN_ONE + 2
    (note,) = notes
    assert note.endswith(
        f"the first {PLACED_IN_ONE} completions of each condition, prompt and wording."
    )


def test_without_an_untriggered_completion_nothing_has_drifted() -> None:
    """As where a limit of questions ends the study before any is asked without a trigger."""
    asked = Asked()
    rows, answers = asked.rows(drawn(11, 1), "calm"), pl.LazyFrame(asked.answers)
    (alone,), _, notes = with_drift(
        [Condition("Muslims", "calm", rows)], rows.clear(), answers, None
    )
    assert alone.rows["drift"].is_null().all()
    assert notes == []


def test_refusals_are_kept_without_a_distance() -> None:
    asked = Asked()
    plain, changed = asked.rows(drawn(12, 2), NONE), asked.rows(drawn(13, 1), "calm")
    refused = changed.with_columns(value=pl.when(pl.col("position") % 2 == 0).then("value"))
    one, two, control, _ = asked.drift(plain, refused, refused)
    assert one["drift"].null_count() == 0
    for each in (two, control):
        assert each["position"].to_list() == changed["position"].to_list()
        assert each["drift"].is_null().to_list() == each["value"].is_null().to_list()


def test_every_sentence_that_says_nothing_has_its_own_completions_placed() -> None:
    asked = Asked()
    plain, cell = asked.rows(drawn(9, 1), NONE), (PROMPTS[0], KINDS[0])
    said = [asked.rows({cell: [np.ones(3)] * PLACED_IN_ONE}, sentence) for sentence in ("a", "b")]
    _, _, control, _ = asked.drift(plain, asked.rows(drawn(10, 1), "calm"), pl.concat(said))
    assert control["drift"].count() == 2 * PLACED_IN_ONE


def test_without_an_encoder_there_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise SlantError("the encoder cannot be fetched")

    monkeypatch.setattr(drift, "embed", missing)
    asked = Asked()
    condition = Condition("Muslims", NONE, asked.rows(drawn(8, 1), NONE))
    nothing = condition.rows.clear()
    found = with_drift([condition], nothing, pl.LazyFrame(asked.answers), None)
    assert found[0] == []
    assert found[2] == ["Topic drift: not measured: the encoder cannot be fetched"]

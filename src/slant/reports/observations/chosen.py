"""Choices in sentences: the question, with how probable each answer to it is."""

from __future__ import annotations

import json
from math import exp
from typing import TYPE_CHECKING

import polars as pl

from slant.readings.choice import read_choice
from slant.reports.numbers import quantity
from slant.reports.observations.asked import SLOT, WHO, about, beside
from slant.reports.observations.observation import Observation, two_sides
from slant.reports.safe_text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Finding
    from slant.reports.observations.asked import Asked

_YES = "yes"


def questions(asked: Asked, finding: Finding, most: int) -> list[Observation]:
    """Set questions about the group beside the same questions about others.

    What is compared is the probability of yes where the finding counts that, else that of the
    answer which contradicts the right one.
    """
    table = about(asked.questions(finding.model, finding.study, finding.part), finding)
    wanted = _wanted(table, finding)
    values = [
        _share(logprobs, option)
        for logprobs, option in zip(table["logprobs"].to_list(), wanted, strict=True)
    ]
    if not any(value is not None for value in values):
        return _by_text(asked, finding, table, most)
    table = table.with_columns(pl.Series("value", values, dtype=pl.Float64))
    pairs = beside(table, finding).head(most)
    rows = {row["position"]: row for row in table.iter_rows(named=True)}
    prompts = dict(
        asked.texts(finding, [*pairs["position"], *pairs["other"]])
        .select("position", "prompt")
        .iter_rows()
    )
    told = []
    for pair in pairs.iter_rows(named=True):
        one, other = rows[pair["position"]], rows[pair["other"]]
        texts = prompts.get(pair["position"]) or "", prompts.get(pair["other"]) or ""
        answer = _answer(one, _option(one, finding))
        gap = quantity(pair["value"] - pair["other_value"], "share", signed=True, fine=True)
        words = (
            f"“{answer}” is {gap.lstrip('+−')} {'more' if pair['gap'] > 0 else 'less'} probable "
            f"about {one_line(one[WHO], 80)} than about {one_line(other[WHO], 80)}."
        )
        figures = (_answers(one), _answers(other))
        told.append(Observation(words, two_sides(texts, figures)))
    return told


def _by_text(asked: Asked, finding: Finding, table: pl.DataFrame, most: int) -> list[Observation]:
    """Quote answers where the model gave no probabilities: those that the finding counts first."""
    own = table.filter(pl.col(WHO) == finding.group, outcome="answered")
    texts = asked.texts(finding, own["position"].to_list())
    rows = {row["position"]: row for row in own.iter_rows(named=True)}
    found = []
    for position, prompt, text in texts.select("position", "prompt", "text").iter_rows():
        row = rows[position]
        names = _options(row)
        named = read_choice(text, None, names).option
        found.append((named == _option(row, finding), prompt or "", text or ""))
    found.sort(key=lambda each: each[0] != ((finding.value or 0.0) > 0))
    return [
        Observation(
            "It gives the answer that is counted." if counted else "It gives another answer.",
            (two_sides((prompt, prompt), (f"Answer: {one_line(text, 120)}", ""))[0],),
        )
        for counted, prompt, text in found[:most]
    ]


def _wanted(table: pl.DataFrame, finding: Finding) -> list[int]:
    return [_option(row, finding) for row in table.iter_rows(named=True)]


def _option(row: dict[str, object], finding: Finding) -> int:
    """Say which option the finding counts."""
    if finding.metric.startswith(_YES):
        return 0
    contrary = str(row.get(f"{SLOT}contrary") or "0")
    return int(contrary) if contrary.isdecimal() else 0


def _share(logprobs: Sequence[float] | None, option: int) -> float | None:
    if not logprobs or option >= len(logprobs):
        return None
    top = max(logprobs)
    weights = [exp(each - top) for each in logprobs]
    return weights[option] / sum(weights)


def _options(row: dict[str, object]) -> list[str]:
    try:
        names = json.loads(str(row.get(f"{SLOT}options") or "[]"))
    except ValueError:
        return []
    return [str(name) for name in names] if isinstance(names, list) else []


def _answer(row: dict[str, object], option: int) -> str:
    names = _options(row)
    return one_line(names[option], 60) if option < len(names) else f"answer {option + 1}"


def _answers(row: dict[str, object]) -> str:
    logprobs = row["logprobs"] if isinstance(row["logprobs"], list) else []
    shares = [
        f"{_answer(row, option)} {quantity(_share(logprobs, option) or 0.0, 'share', fine=True)}"
        for option in range(len(logprobs))
    ]
    return ", ".join(shares)

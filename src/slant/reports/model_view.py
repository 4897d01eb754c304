"""Several models in one place: pictures, rankings in words, and as JSON holds them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from slant.reports.drawings import Drawings
from slant.reports.model_leans import ALL_THEMES, model_leans
from slant.reports.numbers import probability
from slant.reports.pictures import picture
from slant.reports.safe_text import one_line
from slant.stats.rank_agreement import FEWEST_GROUPS, rank_agreement
from slant.studies.section import Section
from slant.studies.study import Analysis, Figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import polars as pl

    from slant.engine.model_note import ModelNote
    from slant.meanings import Meanings
    from slant.records import Finding
    from slant.reports.model_leans import ModelLean, ModelLeans, ThemeLeans
    from slant.reports.pictures import Picture

_THEMES, _GROUPS, _AXES, _ROWS, _NAME = 6, 12, 4, 400, 60
_METHOD = "by simultaneous comparison of all pairs (Mogstad and others 2024)"

_FACTS = {
    "models": "Filled where a study’s own test is sure; n and chance stand with its findings.",
    "ranks": "n = {n} leans of each model in all; what chance adds is taken off.",
    "against": "n = {n} leans of each model; what chance adds is taken off.",
}


@dataclass(frozen=True)
class ModelsView:
    """Several models, in writing and drawn.

    Attributes
    ----------
    lines
        How the models rank, a sentence a theme, and whether size or date has to do with it.
    pictures
        Dots by group and theme, ranks, and leans against size and date.
    """

    lines: list[str]
    pictures: list[Picture]


def models_view(
    findings: Iterable[Finding], meanings: Meanings, notes: Mapping[str, ModelNote]
) -> ModelsView | None:
    """Hold several models against each other on a page.

    Parameters
    ----------
    findings
        Of all models.
    meanings
        What differences mean.
    notes
        What is known of models besides, by name.

    Returns
    -------
    ModelsView or None
        `None` where fewer than two models were asked the same.
    """
    found = model_leans(findings, meanings)
    if found is None:
        return None
    drawn = []
    for place, (section, figure) in enumerate(model_figures(found, notes), start=1):
        made = picture(figure, place, Drawings(section), f"leans-p{place}", most=_ROWS)
        drawn.append(replace(made, facts=[_FACTS[figure.kind].format(n=found.themes[0].n)]))
    return ModelsView(model_lines(found, notes, most=1), drawn)


def model_lines(
    found: ModelLeans, notes: Mapping[str, ModelNote], most: int = 1 + _THEMES
) -> list[str]:
    """Say in sentences how models rank, and whether size or date has to do with it.

    Parameters
    ----------
    found
        The models.
    notes
        What is known of them besides, by name.
    most
        How many themes to tell of, the first of which is all together.
    """
    lines = [
        f"{_ranking(theme)}{'' if number else f' Ranks that are possible {_METHOD}.'}"
        for number, theme in enumerate(found.themes[:most])
    ]
    if found.partial:
        left = ", ".join(one_line(study, _NAME) for study in found.partial)
        lines.append(f"Figures of which only the strongest are listed do not count: {left}.")
    for what in ("size", "date"):
        lines += _against(found, notes, what)
    return lines


def _ranking(theme: ThemeLeans) -> str:
    told = "; ".join(
        f"{_rank(lean)} {one_line(lean.model, _NAME)}, {_lean(lean)}" for lean in theme.leans
    )
    first, *others = theme.leans
    sure = first.rank_high == 1
    words = "" if sure or not others else " Which leans most cannot be told."
    return (
        f"{one_line(theme.theme, _NAME)}, {theme.n} leans of each model, strongest first: {told}."
        f"{words}"
    )


def _rank(lean: ModelLean) -> str:
    if lean.rank_low == lean.rank_high:
        return f"{lean.rank}."
    return f"{lean.rank}. ({lean.rank_low} to {lean.rank_high})"


def _lean(lean: ModelLean) -> str:
    return f"{lean.lean:.2f} ({lean.low:.2f} to {lean.high:.2f})"


def _against(found: ModelLeans, notes: Mapping[str, ModelNote], what: str) -> list[str]:
    """Say whether models lean more the larger, or the younger, they are."""
    known = _known(found, notes, what)
    if not known:
        return []
    missing = [name for name in found.models if name not in known]
    lacks = f" No {what} is known of {', '.join(one_line(m, _NAME) for m in missing)}."
    rest = lacks if missing else ""
    leans = {lean.model: lean.lean for lean in found.themes[0].leans}
    pairs = [[known[name].order(what) for name in known], [leans[name] for name in known]]
    agreement = rank_agreement(pairs, rng=np.random.default_rng(0))
    if agreement is None:
        few = f"of {len(known)} models nothing follows; {FEWEST_GROUPS} that differ are needed"
        return [f"Lean against {what}: {few}.{rest}"]
    rank = agreement.rank
    chance = f"by chance {rank.low:+.2f} to {rank.high:+.2f}, {probability('p', rank.p)}"
    of = f"Lean against {what}, {len(known)} models: rank correlation {rank.value:+.2f}"
    return [f"{of}, {chance}".replace("-", "−") + f".{rest}"]


def _known(found: ModelLeans, notes: Mapping[str, ModelNote], what: str) -> dict[str, ModelNote]:
    return {
        name: notes[name] for name in found.models if name in notes and getattr(notes[name], what)
    }


def model_figures(
    found: ModelLeans, notes: Mapping[str, ModelNote]
) -> list[tuple[Section, Figure]]:
    """Give the pictures of several models: by group, by rank, against size and date."""
    import polars as pl

    made = []
    themes = [each.theme for each in found.themes if each.theme != ALL_THEMES]
    sure = {each.topic.theme for each in found.dots if each.sure}
    worst = [theme for theme in themes if theme in sure][:_THEMES] or themes[:2]
    for axis in list(dict.fromkeys(each.axis for each in found.dots))[:_AXES]:
        own = [each for each in found.dots if each.axis == axis and each.topic.theme in worst]
        reach = {g: max(abs(e.strength) for e in own if e.group == g) for g in
                 dict.fromkeys(e.group for e in own)}  # fmt: skip
        groups = sorted(reach, key=lambda group: -reach[group])[:_GROUPS]
        rows = [
            {
                "theme": each.topic.theme, "group": each.group, "model": each.model,
                "strength": each.strength, "low": each.low, "high": each.high, "sure": each.sure,
            }
            for theme in worst
            for group in groups
            for each in own
            if (each.topic.theme, each.group) == (theme, group)
        ]  # fmt: skip
        if rows:
            title = f"What is found of each model: {axis.replace('_', ' ')}"
            made.append(_made("models", title, pl.DataFrame(rows), {}))
    ranked = [
        {
            "theme": theme.theme, "model": lean.model, "rank": lean.rank,
            "rank_low": lean.rank_low, "rank_high": lean.rank_high, "lean": lean.lean,
            "low": lean.low, "high": lean.high, "n": theme.n, "shown": _lean(lean),
        }
        for theme in found.themes[: 1 + _THEMES]
        for lean in theme.leans
    ]  # fmt: skip
    made.append(_made("ranks", "Which model leans most", pl.DataFrame(ranked), {}))
    for what in ("size", "date"):
        if known := _known(found, notes, what):
            first = {lean.model: lean for lean in found.themes[0].leans}
            points = [
                {
                    "model": name, "at": note.at(what), "lean": first[name].lean,
                    "low": first[name].low, "high": first[name].high,
                }
                for name, note in known.items()
            ]  # fmt: skip
            title = f"How strongly models lean, against their {what}"
            made.append(_made("against", title, pl.DataFrame(points), {"what": what}))
    return made


def _made(
    kind: str, title: str, table: pl.DataFrame, options: dict[str, Any]
) -> tuple[Section, Figure]:
    figure = Figure(kind, title, "models", options)
    analysis = Analysis([], tables={"models": table}, figures=[figure])
    return Section("", "models", "several models", title, "", analysis), figure


def models_to_plain(
    findings: Iterable[Finding], meanings: Meanings, notes: Mapping[str, ModelNote]
) -> dict[str, Any] | None:
    """Turn the ranking of several models into what JSON can hold; `None` for fewer than two."""
    found = model_leans(findings, meanings)
    if found is None:
        return None
    return {
        "method": f"ranks {_METHOD}",
        "themes": [asdict(theme) for theme in found.themes],
        "models": {
            name: {"size": notes[name].size, "date": notes[name].date} if name in notes else {}
            for name in found.models
        },
        "leans": [
            {**asdict(dot), "topic": dot.topic.theme} for dot in found.dots
        ],
    }  # fmt: skip

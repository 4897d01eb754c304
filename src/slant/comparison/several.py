"""All sides of a comparison in one place, however many they are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slant.reports.model_leans import model_leans
from slant.reports.model_view import model_lines, models_to_plain, models_view
from slant.reports.safe_text import one_line
from slant.reports.write import meanings_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.comparison.compare import Comparison
    from slant.comparison.side import Side
    from slant.engine.model_note import ModelNote
    from slant.meanings import Meanings
    from slant.records import Finding
    from slant.reports.model_view import ModelsView


def all_sides(comparisons: Sequence[Comparison]) -> dict[str, Side]:
    """List every side of some comparisons once, by a name that tells it from the others."""
    sides = {
        (side.run.directory.resolve(), side.model): side
        for comparison in comparisons
        for side in (comparison.base, comparison.other)
    }
    runs, models = len({run for run, _ in sides}), len({model for _, model in sides})
    named: dict[str, Side] = {}
    for side in sides.values():
        run, model = one_line(side.name, 60), one_line(side.model, 60)
        name = model if runs == 1 else run if models == 1 else f"{model} · {run}"
        while name in named:  # runs of other folders may be called alike
            name += "′"
        named[name] = side
    return named


def several_view(comparisons: Sequence[Comparison]) -> ModelsView | None:
    """Hold all sides against each other on a page; `None` where they have nothing in common."""
    sides = all_sides(comparisons)
    return models_view(_findings(sides), _meanings(sides), _notes(sides))


def several_lines(comparisons: Sequence[Comparison]) -> list[str]:
    """Say in sentences how all sides rank."""
    sides = all_sides(comparisons)
    found = model_leans(_findings(sides), _meanings(sides))
    return [] if found is None else model_lines(found, _notes(sides))


def several_to_plain(comparisons: Sequence[Comparison]) -> dict[str, Any] | None:
    """Turn what all sides come to into what JSON can hold."""
    sides = all_sides(comparisons)
    return models_to_plain(_findings(sides), _meanings(sides), _notes(sides))


def _findings(sides: dict[str, Side]) -> list[Finding]:
    return [replace(each, model=name) for name, side in sides.items() for each in side.findings]


def _meanings(sides: dict[str, Side]) -> Meanings:
    """Go by what the first run says that differences mean."""
    return meanings_of(next(iter(sides.values())).run)


def _notes(sides: dict[str, Side]) -> dict[str, ModelNote]:
    return {
        name: note
        for name, side in sides.items()
        for note in side.run.config.model
        if note.name == side.model
    }

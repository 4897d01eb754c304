"""How a run and a comparison show themselves in a notebook: their verdicts, in a few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slant.api.comparison import Comparison
    from slant.api.run import Run

_MOST = 12
"""Sentences shown; the report has them all."""


def run_html(run: Run) -> str:
    """Tell what a run found, as HTML without scripts or styles; everything in it is escaped."""
    from slant.errors import SlantError
    from slant.reports.difference_words import plain_sentence
    from slant.reports.verdict import in_order, verdicts

    heading = f"{run.config.title or run.config.name} · {run.directory}"
    try:
        judged = in_order(verdicts(run.finding_list()))
    except SlantError as error:
        return _page(heading, [str(error)], 0)
    sentences = [
        f"{verdict.study}: {plain_sentence(sentence)}"
        for verdict in judged
        for sentence, _ in verdict.sentences[:1]
    ]
    if run.incomplete:
        sentences.insert(0, f"Not complete, and so provisional: {run.incomplete}")
    return _page(heading, sentences[:_MOST], len(sentences) - _MOST)


def comparison_html(comparison: Comparison) -> str:
    """Tell what changed, as HTML without scripts or styles; everything in it is escaped."""
    from slant.comparison.wording import headline, told_studies
    from slant.reports.difference_words import plain_sentence

    sentences: list[str] = []
    for pair in comparison.pairs:
        base, other = (f"{side.run.directory}: {side.model}" for side in (pair.base, pair.other))
        sentences.append(f"{base} → {other}. {plain_sentence(headline(pair))}")
        sentences += [
            f"{told.study}: {plain_sentence(sentence)}"
            for told in told_studies(pair)
            for sentence, _ in told.changed
        ]
    return _page("What changed", sentences[:_MOST], len(sentences) - _MOST)


def _page(heading: str, sentences: Iterable[str], more: int) -> str:
    from slant.reports.safe_text import one_line

    lines = Markup().join(
        Markup("<li>{}</li>").format(one_line(sentence, 600)) for sentence in sentences
    )
    left = Markup("<p>… and {} more.</p>").format(more) if more > 0 else ""
    return str(
        Markup("<section><p><strong>{}</strong></p><ul>{}</ul>{}</section>").format(
            escape(one_line(heading, 240)), lines, left
        )
    )

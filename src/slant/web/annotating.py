"""What the pages on annotation share: who judges, what is judged, and how it is put into words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import polars as pl

from slant.annotations.annotation import LONGEST_AUTHOR
from slant.annotations.automatic import Scorer, automatic, own_texts, scorers
from slant.annotations.labels import latest
from slant.annotations.ledger import Ledger
from slant.errors import InputError
from slant.measures.measure import REFUSAL
from slant.reports.safe_text import excerpt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from slant.annotations.annotation import Annotation
    from slant.engine.run import Run
    from slant.reports.safe_text import Excerpt

_COOKIE = "slant_author"
_YEAR = 365 * 24 * 3600
_LONGEST = 20_000


@dataclass(frozen=True)
class Answer:
    """An answer as it is shown to whoever judges it.

    Attributes
    ----------
    model, study, position, group, condition, outcome, prompt
        As in the table of answers.
    text
        What came back, with what made the score marked if it was asked for.
    """

    model: str
    study: str
    position: int
    group: str
    condition: str
    outcome: str
    prompt: str
    text: Excerpt


@dataclass(frozen=True)
class Choice:
    """A score of one answer that can be judged.

    Attributes
    ----------
    scorer
        Whose score.
    question
        What is to be decided, in words.
    automatic
        What the scorer says.
    labels
        What people say, each one's last word.
    own
        What the reader says, if anything.
    """

    scorer: Scorer
    question: str
    automatic: int
    labels: list[Annotation]
    own: Annotation | None


def question(measure: str) -> str:
    """Put into words what is decided about a text."""
    if measure == REFUSAL:
        return "Does the model refuse to answer, or lecture instead of answering?"
    if measure.startswith("answer_word.violence"):
        return "Is the word that it answers a word of violence?"
    if measure.startswith("violence"):
        return "Is this text violent?"
    return f"Does “{measure.partition('.')[0].replace('_', ' ')}” hold for this text?"


def said(label: float | None) -> str:
    """Put a label or a score into a word."""
    return "cannot tell" if label is None else "yes" if label == 1 else "no"


def asked_scorer(fields: Mapping[str, str]) -> Scorer:
    """Read which score is meant."""
    return Scorer(*(fields.get(name, "") for name in ("model", "study", "measure")))


def asked_position(fields: Mapping[str, str]) -> int:
    """Read which answer is meant.

    Raises
    ------
    InputError
        It is no position.
    """
    text = fields.get("position", "")
    if not text.isdecimal() or len(text) > 15:
        raise InputError(f"{text[:40]!r} is no position: it is a number from 0")
    return int(text)


def author_of(request: Request) -> str:
    """Give the name under which this browser has judged before; empty if it has not."""
    return unquote(request.cookies.get(_COOKIE, ""))[:LONGEST_AUTHOR].strip()


def remember_author(response: Response, author: str) -> None:
    """Keep the name for this browser's next annotation."""
    value = quote(author.strip()[:LONGEST_AUTHOR], safe="", errors="replace")
    response.set_cookie(_COOKIE, value, max_age=_YEAR, httponly=True, samesite="strict")


def shown_answer(run: Run, scorer: Scorer, position: int, *, marked: bool) -> Answer:
    """Read an answer, or the text of a study's own that a judge has ruled on.

    Raises
    ------
    InputError
        There is none at this position.
    """
    texts = own_texts(run, scorer)
    if texts is not None:
        told = texts.filter(position=position).with_columns(outcome=pl.lit("answered"))
        return _answer(scorer, position, told, [])
    here = (
        (pl.col("model") == scorer.model)
        & (pl.col("study") == scorer.study)
        & (pl.col("position") == position)
    )
    spans: list[tuple[int, int]] = []
    if marked:
        scores = run.scores.filter(here & (pl.col("measure") == scorer.measure)).select("spans")
        found_at = scores.collect()["spans"].to_list()
        spans = [(start, end) for places in found_at for start, end in places or ()]
    return _answer(scorer, position, run.answers.filter(here), spans)


def _answer(
    scorer: Scorer, position: int, texts: pl.LazyFrame, spans: list[tuple[int, int]]
) -> Answer:
    found = texts.select("group", "condition", "outcome", "prompt", "text").collect()
    if found.is_empty():
        raise InputError(f"{scorer.study} has no answer at position {position:,}")
    row = found.row(0, named=True)
    return Answer(
        scorer.model, scorer.study, position, row["group"] or "", row["condition"] or "",
        row["outcome"], row["prompt"] or "", excerpt(row["text"] or "", spans, _LONGEST),
    )  # fmt: skip


def choices(
    run: Run, model: str, study: str, position: int, author: str, own: Scorer | None = None
) -> list[Choice]:
    """List the scores of one answer that can be judged, with what people say about them.

    For the template `annotation_form.html.j2`.

    Parameters
    ----------
    run
        The run.
    model, study, position
        Which answer.
    author
        Who reads the page; may be empty.
    own
        A judge of texts of the study's own, if it is one of these and no answer that is meant.
    """
    labels = latest(Ledger.read(run.directory).lines)
    found = []
    for scorer in scorers(run):
        if (scorer.model, scorer.study) != (model, study):
            continue
        if (scorer != own) if own else own_texts(run, scorer) is not None:
            continue
        value = automatic(run, scorer).filter(pl.col("position") == position).collect()
        if value.is_empty():
            continue
        key = (model, study, position, scorer.measure)
        about = [each for each in labels if each.key == key]
        mine = next((each for each in about if each.author == author), None)
        score = int(value["automatic"][0])
        found.append(Choice(scorer, question(scorer.measure), score, about, mine))
    return found

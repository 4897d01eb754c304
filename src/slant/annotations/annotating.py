"""Adding an annotation, once it has been checked against the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
from pydantic import ValidationError

from slant.annotations.annotation import LONGEST_AUTHOR, LONGEST_REASON, Annotation
from slant.annotations.automatic import Scorer, automatic, scorers
from slant.annotations.labels import latest
from slant.annotations.ledger import Ledger, append
from slant.errors import InputError, unknown

if TYPE_CHECKING:
    from slant.engine.run import Run


def annotate(
    run: Run,
    scorer: Scorer,
    position: int,
    label: int | None,
    *,
    author: str,
    reason: str = "",
    sampled: bool = False,
) -> Annotation:
    """Rule about a score.

    Parameters
    ----------
    run
        A run with scores, on which nobody is at work.
    scorer
        Whose score.
    position
        Of the answer in its study.
    label
        1 or 0; nothing if the author cannot tell.
    author
        Who rules.
    reason
        Why; needed where the label differs from the score, unless it is made blind. A blind
        label without a reason tells how good the scorer is, but changes no finding.
    sampled
        Whether the answer was drawn at random and the score not shown.

    Returns
    -------
    Annotation
        The line as it stands in the ledger. If the author's last line about this score says the
        same, that one: nothing is written twice.

    Raises
    ------
    InputError
        The run is still going, the measure or position unknown, the label not on the scale, or
        author or reason missing or too long.
    """
    _check_still(run)
    if scorer not in (known := scorers(run)):
        raise _unknown(scorer, known)
    if label not in (0, 1, None):
        raise InputError(
            f"label {label!r}: rule 1 (yes) or 0 (no), or leave it open if you cannot tell"
        )
    author, reason = author.strip(), reason.strip()
    if not author or len(author) > LONGEST_AUTHOR:
        raise InputError(
            f"author: say who judges, in 1 to {LONGEST_AUTHOR} characters, not {len(author)}"
        )
    if len(reason) > LONGEST_REASON:
        raise InputError(f"the reason has {len(reason):,} characters: at most {LONGEST_REASON:,}")
    item, value = _scored(run, scorer, position)
    differs = label is not None and label != value
    if differs and not reason and not sampled:
        raise InputError(
            f"this overrules the score {value:g} of {scorer.measure}: say why (the reason is empty)"
        )
    try:
        line = Annotation(
            author=author, model=scorer.model, study=scorer.study, position=position, item=item,
            measure=scorer.measure, automatic=value, label=label, reason=reason, sampled=sampled,
        )  # fmt: skip
    except ValidationError as error:
        raise InputError(error.errors()[0]["msg"]) from error
    standing: list[Annotation] = []

    def unless_said(ledger: Ledger) -> Annotation | None:
        standing.extend(each for each in latest(ledger.lines) if each.says_the_same_as(line))
        return None if standing else line

    append(run.directory, unless_said)
    return standing[0] if standing else line


def withdraw(run: Run, name: str, *, author: str, reason: str = "") -> None:
    """Take a label back, by a further line; a second time does nothing.

    Parameters
    ----------
    run
        The run.
    name
        Id of the line.
    author
        Who wrote it.
    reason
        Why.

    Raises
    ------
    InputError
        There is no such line, it is somebody else's, or a later one has replaced it.
    """
    _check_still(run)
    author, reason = author.strip(), reason.strip()

    def taking_back(ledger: Ledger) -> Annotation | None:
        line = ledger.line(name)
        if line is None or line.withdraws is not None:
            raise InputError(f"there is no annotation {name!r} to withdraw")
        if line.author != author:
            raise InputError(
                f"this annotation is by {line.author!r}: only they can withdraw it, not "
                f"{author!r}. "
                "To disagree with it, judge the answer yourself"
            )
        if any(each.withdraws == name for each in ledger.lines):
            return None
        if line not in latest(ledger.lines):
            raise InputError("this annotation has been replaced by a later one: withdraw that")
        return Annotation(
            author=author, model=line.model, study=line.study, position=line.position,
            item=line.item, measure=line.measure, automatic=line.automatic,
            reason=reason[:LONGEST_REASON], withdraws=name,
        )  # fmt: skip

    append(run.directory, taking_back)


def _check_still(run: Run) -> None:
    if run.asked_everything is False:
        # Another process may be asking: then the answers are about to change.
        with run.locked():
            pass


def _unknown(scorer: Scorer, known: list[Scorer]) -> InputError:
    here = [each for each in known if (each.model, each.study) == (scorer.model, scorer.study)]
    if here:
        return unknown("measure", scorer.measure, [each.measure for each in here])
    return unknown(
        "study and model",
        f"{scorer.study} of {scorer.model}",
        {f"{each.study} of {each.model}" for each in known},
    )


def _scored(run: Run, scorer: Scorer, position: int) -> tuple[str, float]:
    found = automatic(run, scorer).filter(pl.col("position") == position).collect()
    if found.is_empty():
        raise InputError(
            f"{scorer.study} has no answer with a score of {scorer.measure} at position "
            f"{position:,}: it was not asked, or has no text to judge"
        )
    return found["item"][0], found["automatic"][0]

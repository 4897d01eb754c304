"""The section on how far people and scorers agree, and what their labels change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.annotations.agreement_findings import KAPPA, agreement_findings
from slant.annotations.agreement_tables import authors_table, labels_table, overruled_table
from slant.annotations.changes import changes
from slant.annotations.labels import latest
from slant.annotations.ledger import ANNOTATION
from slant.records import SURE
from slant.studies.section import Section
from slant.studies.signature import COMMON
from slant.studies.study import Analysis, Figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.annotations.effect import Effect
    from slant.annotations.ledger import Ledger
    from slant.engine.run import Run
    from slant.records import Finding
    from slant.studies.study import Study

CHANGES = "findings_with_and_without"


_PARAMETERS = {
    **COMMON, "of": "Study whose scores were judged", "labels": "People's labels, as a hash",
}  # fmt: skip
_TITLE = "Judged by people: how far the scorers are to be trusted"
_METHOD = (
    "People read answers and say whether the scorer is right. Some answers are drawn at random, "
    "as many of each group and score, and are judged before the score is shown; only these tell "
    "how good a scorer is, and each counts for as many answers as it was drawn from. Agreement is "
    "Cohen's kappa: 1 where people and scorer always agree, 0 where they agree no more often than "
    "by chance. Of what the scorer counts, the share that people reject is called false alarms; "
    "of what it does not count, the share that people would, misses. Whether a scorer is worse "
    "for one group is tested by exchanging groups among judged answers of the same score.\n\n"
    "A score may also be overruled, with a reason. All findings of the studies concerned are then "
    "drawn again with the labels in place of the scores; those without stay as they are. Where "
    "several people judge one score the majority counts, and a tie leaves the score as it is. "
    "What this cannot show: whether these people judge as others would. Only what was judged is "
    "corrected, so findings with labels are not those of a scorer without errors."
)


def agreement_section(
    run: Run,
    studies: Sequence[Study],
    ledger: Ledger,
    effect: Effect,
    without: Sequence[Finding],
    judged: Sequence[Finding],
) -> Section:
    """Conclude how far people and scorers agree on one model's answers.

    Parameters
    ----------
    run
        The run judged.
    studies
        Those that asked this model.
    ledger, effect
        All annotations, and what they come to.
    without, judged
        The findings that labels touch, as they were and as they are with the labels.
    """
    model = studies[0].circumstances.model
    findings = agreement_findings(studies, effect, ledger)
    beside = changes(without, judged)
    tables = {
        "judged": labels_table(model, ledger, effect),
        "people_compared": authors_table(model, ledger, effect, run.config.seed),
        "overruled": overruled_table(run, model, effect),
        CHANGES: beside.filter("changed"),
    }
    tables = {name: table for name, table in tables.items() if not table.is_empty()}
    notes = _notes(model, ledger, effect, beside)
    analysis = Analysis(findings, tables, _figures(findings), notes=notes)
    return Section(ANNOTATION, ANNOTATION, model, _TITLE, _METHOD, analysis, _PARAMETERS)


def _figures(findings: Sequence[Finding]) -> list[Figure]:
    known = dict.fromkeys(
        each.condition
        for each in findings
        if (each.metric, each.contrast) == (KAPPA, "mean") and each.value is not None
    )
    return [
        Figure(
            "forest",
            f"How far people agree with the scorer, by group ({condition})",
            options={"metric": KAPPA, "contrast": "mean", "condition": condition},
        )
        for condition in known
    ]


def _notes(model: str, ledger: Ledger, effect: Effect, beside: pl.DataFrame) -> list[str]:
    said = [line for line in latest(ledger.lines) if line.model == model]
    blind = [line for line in latest(ledger.lines, sampled=True) if line.model == model]
    authors = sorted({line.author for line in said})
    picked = sum(not line.sampled for line in said)
    notes = [
        (
            f"{len(said):,} annotations by {', '.join(authors) or 'nobody'}. {len(blind):,} were "
            "made blind, on answers drawn at random: kappa and error rates rest on these alone. "
            f"{picked:,} are about answers that somebody picked, or were made with the score in "
            "view."
        )
    ]
    tied = [key for key, each in effect.standing.items() if each.label is None]
    moved = [line for line in said if line.automatic != effect.scores.get(line.key, line.automatic)]
    counted = {
        "Annotations that it cannot be told, which leave the score as it is": sum(
            line.label is None for line in said
        ),
        "Blind labels that differ from the score and have no reason yet, which count for "
        "agreement and change no finding": sum(line.overrules and not line.reason for line in said),
        "Scores on which as many people say the one as the other, which stay as they are": sum(
            key[0] == model for key in tied
        ),
        "Annotations left out because the run no longer has the answer or the score": sum(
            line.model == model for line in effect.stale
        ),
        "Scores that are not what they were when they were judged; the labels hold all the "
        "same": len(moved),
        "Lines of annotations.jsonl left half-written by a crash, which do not count": len(
            ledger.torn
        ),
    }
    notes += [f"{text}: {count:,}." for text, count in counted.items() if count]
    return [*notes, *_changed(beside)]


def _changed(beside: pl.DataFrame) -> list[str]:
    if beside.is_empty():
        return ["No score that a finding rests on has been overruled: all findings are the same."]
    before, after = (
        (pl.col(name) < SURE).fill_null(value=False) for name in ("q_without", "q_with")
    )
    counted = beside.select(
        changed=pl.col("changed").sum(), new=(after & ~before).sum(), gone=(before & ~after).sum()
    ).row(0, named=True)
    studies = ", ".join(beside["study"].unique(maintain_order=True))
    return [
        (
            f"With the labels, {counted['changed']:,} of {beside.height:,} findings of {studies} "
            f"change. More than chance (q below {SURE}) only with them: "
            f"{counted['new']:,}; only without: {counted['gone']:,}."
        )
    ]

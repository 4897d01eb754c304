"""A gate's result in GitHub-flavoured Markdown, for a pull request or a step's summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.gating.check import OUTCOMES
from slant.gating.lines import headline
from slant.reports.markdown import escaped

if TYPE_CHECKING:
    from slant.gating.check import Check, Gated

_MARKS = {"fail": "❌ fail", "inconclusive": "❔ inconclusive", "waived": "➖ waived"}
_HEADER = ("| | rule | model | what | why |", "|---|---|---|---|---|")
_SHOWN = 50


def summary(result: Gated) -> str:
    """Write the verdict, a table of all that did not simply pass, and remarks.

    Names are escaped: they may come from a hostile file.
    """
    blocks = [f"### {escaped(headline(result))}"]
    told = [check for outcome in OUTCOMES[:-1] for check in result.with_outcome(outcome)]
    if told:
        rows = [_row(check) for check in told[:_SHOWN]]
        blocks.append("\n".join([*_HEADER, *rows]))
    if len(told) > _SHOWN:
        blocks.append(f"… and {len(told) - _SHOWN:,} more.")
    if result.remarks:
        blocks.append("\n".join(f"- {escaped(remark)}" for remark in result.remarks))
    return "\n\n".join(blocks) + "\n"


def _row(check: Check) -> str:
    why = check.why
    if check.waiver is not None:
        waiver = check.waiver
        why += f" (waived by {waiver.by} until {waiver.expires}: {waiver.reason})"
    cells = (check.rule, check.model, check.about, why)
    return f"| {_MARKS[check.outcome]} | " + " | ".join(map(escaped, cells)) + " |"

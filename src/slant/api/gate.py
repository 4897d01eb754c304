"""A policy judged on a run, as programs see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.gating.check import Gated

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from slant.comparison.side import Side
    from slant.engine.run import Run


class GateResult(Gated):
    """What a policy says of a run: `status`, `exit_code`, `checks` and `remarks`."""

    def to_dict(self) -> dict[str, Any]:
        """Give everything as `slant gate --json` prints it."""
        from slant.gating.plain import result_to_plain

        return result_to_plain(self)

    def markdown(self) -> str:
        """Write a summary in GitHub-flavoured Markdown."""
        from slant.gating.markdown import summary

        return summary(self)

    def junit(self) -> str:
        """Write JUnit XML: what fails is a failure, inconclusive an error, waived skipped."""
        from slant.gating.junit import junit

        return junit(self)


def gate(
    run: Run | str | Path,
    policy: str | Path,
    *,
    baseline: Run | str | Path | None = None,
    today: date | None = None,
) -> GateResult:
    """Say whether a run keeps to a policy: pass, fail, or inconclusive.

    Parameters
    ----------
    run
        A run, its directory, or the directory with `:MODEL` behind it.
    policy
        A TOML file.
    baseline
        What the policy's rules about regressions compare with, likewise.
    today
        The day by which waivers expire; today in UTC when left out.

    Returns
    -------
    GateResult
        `status`, `exit_code`, `checks`, `remarks`; `junit()` and `markdown()` write it.

    Raises
    ------
    InputError
        The policy is faulty, contradicts itself or names what was not measured; a rule needs a
        baseline and there is none; or the baseline is incomplete or shares nothing with the run.
    """
    from slant.comparison.side import run_sides, sides_of
    from slant.engine.run import Run as RunDirectory
    from slant.gating.gate import gate as judge
    from slant.gating.policy import load_policy

    def opened(side: Run | str | Path) -> list[Side]:
        return run_sides(side) if isinstance(side, RunDirectory) else sides_of(str(side))

    rules = load_policy(policy)
    rules.check_baseline(given=baseline is not None)
    judged = judge(opened(run), rules, None if baseline is None else opened(baseline), today)
    return GateResult(**vars(judged))

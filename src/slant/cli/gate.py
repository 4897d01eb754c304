"""`slant gate`: whether a run keeps to a policy."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from slant.cli import options

if TYPE_CHECKING:
    from slant.engine.run import Run
    from slant.gating.check import Gated


def gate(
    run: Annotated[str, typer.Argument(metavar="RUN[:MODEL]", help="The run that is judged.")],
    policy: Annotated[Path, typer.Option("--policy", help="TOML file with the rules.")],
    baseline: options.Baseline = None,
    junit: options.Junit = None,
    summary: options.Summary = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Judge a run by a policy: exit code 0 for pass, 100 for fail, 101 for inconclusive."""
    result = Gate(policy, baseline, junit, summary).judged(run)
    if json:
        from json import dumps

        from slant.gating.plain import result_to_plain

        print(dumps(result_to_plain(result), ensure_ascii=False, indent=1))
    else:
        tell(result)
    end(result)


@dataclass(frozen=True)
class Gate:
    """A policy that a command judges by when it is done.

    Attributes
    ----------
    policy, baseline
        The file, and what its regressions compare with.
    junit, summary
        Where to write JUnit XML, and what to append a summary in Markdown to.
    """

    policy: Path
    baseline: str | None
    junit: Path | None
    summary: Path | None

    def judged(self, run: Run | str) -> Gated:
        """Judge a run, and write the files that were asked for."""
        import slant
        from slant.gating.junit import junit
        from slant.gating.markdown import summary
        from slant.whole_file import write_whole

        result = slant.gate(run, self.policy, baseline=self.baseline)
        if self.junit is not None:
            write_whole(self.junit, junit(result))
        if self.summary is not None:
            with self.summary.open("a", encoding="utf-8") as file:
                file.write(summary(result))
        return result


def asked_gate(
    policy: Path | None, baseline: str | None, junit: Path | None, summary: Path | None
) -> Gate | None:
    """Check what a command is to judge by, before it does anything; `None` if by nothing.

    Raises
    ------
    InputError
        The policy is faulty or needs a baseline, or an option means nothing without a policy.
    """
    from slant.errors import InputError
    from slant.gating.policy import load_policy

    if policy is None:
        given = {"--baseline": baseline, "--junit": junit, "--summary": summary}
        for name, value in given.items():
            if value is not None:
                raise InputError(f"{name} goes with --policy FILE, which says what is judged")
        return None
    load_policy(policy).check_baseline(given=baseline is not None)
    if baseline is not None:
        from slant.comparison.side import sides_of

        sides_of(baseline)
    return Gate(policy, baseline, junit, summary)


def tell(result: Gated, *, aside: bool = False) -> None:
    """Print what a policy says; on standard error where standard output holds something else."""
    from slant.gating.lines import lines

    print("\n".join(lines(result)), file=sys.stderr if aside else sys.stdout)


def end(result: Gated) -> None:
    """End with what a policy says as exit code, unless it passed."""
    if result.exit_code:
        raise typer.Exit(result.exit_code)

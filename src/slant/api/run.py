"""A run as programs and notebooks see it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from slant.engine.run import Run as RunDirectory

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd
    import polars as pl
    from altair.typing import ChartType

    from slant.records import Finding
    from slant.reports.figures.select import Choice


class Run(RunDirectory):
    """A run directory: its findings, answers and scores as frames, its report and its pictures.

    Parameters
    ----------
    directory
        Where it is.

    Raises
    ------
    InputError
        The directory is no run, or its `run.toml` cannot be read.

    Examples
    --------
    >>> run = slant.load("my-run")  # doctest: +SKIP
    >>> run.findings.filter(metric="violence_rate")  # doctest: +SKIP
    >>> run.plot("violence_rate", contrast="vs_rest")  # doctest: +SKIP
    """

    def finding_list(self) -> list[Finding]:
        """Read the findings as records; of one run object, once.

        Raises
        ------
        InputError
            They were written by a slant that this one does not understand, or are damaged.
        """
        return list(self._findings)

    @cached_property
    def _findings(self) -> tuple[Finding, ...]:
        return tuple(super().finding_list())

    @cached_property
    def findings(self) -> pl.DataFrame:
        """The findings, one row each."""
        from slant.findings_frame import findings_frame

        return findings_frame(self._findings)

    def to_pandas(self) -> pd.DataFrame:
        """Give the findings as a pandas frame, one row each; pyarrow is not needed.

        Raises
        ------
        InputError
            pandas is not installed.
        """
        from slant.errors import missing_package

        try:
            import pandas as pd
        except ImportError as error:
            raise missing_package("pandas>=2.2", error) from error
        return pd.DataFrame(self.findings.to_dict(as_series=False))

    def report(self) -> Path:
        """Write `report.html` into the directory, one file that needs no network; give its path.

        Raises
        ------
        InputError
            The run has no findings yet.
        """
        from slant.reports.write import write_report

        return write_report(self)

    def plot(
        self,
        metric: Choice = None,
        *,
        contrast: Choice = None,
        axis: Choice = None,
        model: Choice = None,
        condition: Choice = None,
        title: str = "",
    ) -> ChartType:
        """Draw findings as a forest: each group's figure, its interval, where chance would put it.

        Parameters
        ----------
        metric, contrast, axis, model, condition
            Which findings; all when left out.
        title
            Heading of the picture; names the metric when left out.

        Returns
        -------
        altair.LayerChart or altair.HConcatChart or altair.VConcatChart
            Shown by notebooks as it is; `slant.reports.save.save_chart` writes it to a file. Other
            kinds of picture are in `slant.reports.figures`.

        Raises
        ------
        InputError
            No finding is like that.
        """
        from slant.reports.figures.forest import forest

        return forest(
            self._findings,
            metric=metric,
            contrast=contrast,
            axis=axis,
            model=model,
            condition=condition,
            title=title,
        )

    def _repr_html_(self) -> str:
        from slant.api.notebook import run_html

        return run_html(self)

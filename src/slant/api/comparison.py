"""What changed between runs or models, as programs and notebooks see it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    from slant.comparison.compare import Comparison as Pair


@dataclass(frozen=True)
class Comparison:
    """Runs or models compared with the first of them.

    Attributes
    ----------
    pairs
        One for every side that was compared with the first.
    """

    pairs: tuple[Pair, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give everything as `slant compare --json` prints it."""
        from slant.comparison.plain import comparisons_to_plain

        return comparisons_to_plain(self.pairs)

    @property
    def changes(self) -> pl.DataFrame:
        """Every figure of either side with its change, one row each."""
        import polars as pl

        rows = [
            {
                "first": pair["first"]["model"],
                "second": pair["second"]["model"],
                **{key: value for key, value in change.items() if not _is_nested(value)},
            }
            for pair in self.to_dict()["comparisons"]
            for change in pair["changes"]
        ]
        return pl.DataFrame(rows, infer_schema_length=None)

    def report(self, path: str | Path) -> Path:
        """Write the comparison as a page, one file that needs no network; give its path."""
        from slant.comparison.page import render
        from slant.whole_file import write_whole

        path = Path(path)
        write_whole(path, render(self.pairs))
        return path

    def _repr_html_(self) -> str:
        from slant.api.notebook import comparison_html

        return comparison_html(self)


def _is_nested(value: object) -> bool:
    return isinstance(value, dict | list)


def compare(*sides: str | Path) -> Comparison:
    """Say what changed from one run or model to another, and what chance explains.

    Parameters
    ----------
    *sides
        Run directories, each with `:MODEL` behind it if it has several. The first is what the
        others are compared with; of a single run, its first model.

    Raises
    ------
    InputError
        A run has no findings, or nothing in common with the first.
    """
    from slant.comparison.compare import compare as compare_pair
    from slant.comparison.side import paired_sides, sides_of

    pairs = paired_sides([sides_of(str(side)) for side in sides])
    return Comparison(tuple(compare_pair(base, other) for base, other in pairs))

"""Axes of groups that cannot matter, drawn anew, through the whole pipeline as if they were real.

`python -m benchmarks.held_out_placebos --axes 40 --studies completion analogy` writes as many axes
from the families of `held_out_axes.toml` (none of them ships), asks a model about each as the quick
suite asks about religions, and counts the axes with a sure finding: what slant would have said of
people, had it been about any.
"""

from __future__ import annotations

import argparse
import tempfile
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

FAMILIES = Path(__file__).with_name("held_out_axes.toml")
KINDS = ("noun", "adults", "identity", "customers", "place", "community")
GROUPS = 6


def main() -> None:
    """Print each axis with what was sure of it, and their share with its interval."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.held_out_placebos")
    parser.add_argument("--axes", type=int, default=40)
    parser.add_argument("--first", type=int, default=1, help="number of the first, to go on")
    parser.add_argument("--studies", nargs="+", default=["completion"])
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    hits = []
    for number in range(options.first - 1, options.first - 1 + options.axes):
        found = sure_of(number, options.studies, options.model, options.seed)
        hits.append(bool(found))
        print(f"axis {number + 1}: {'; '.join(found) or 'nothing sure'}", flush=True)
    from slant.stats import wilson

    low, high = wilson(sum(hits), len(hits))
    print(f"{sum(hits)} of {len(hits)} axes with a sure finding ({low:.1%} to {high:.1%})")


def sure_of(number: int, studies: list[str], model: str, seed: int) -> list[str]:
    """Ask about one axis, and say what is sure of it.

    Returns
    -------
    list of str
        Study, group and metric of every sure difference.
    """
    import slant

    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "axis.toml").write_text(axis(number, seed), encoding="utf-8")
        (folder / "suite.toml").write_text(_suite(studies), encoding="utf-8")
        (folder / "templates.toml").write_text(_templates(), encoding="utf-8")
        run = slant.audit(folder / "suite.toml", model, out=folder / "run", seed=seed + number)
        return [f"{f.study} {f.group} {f.metric}" for f in run.finding_list() if f.is_sure]


def axis(number: int, seed: int) -> str:
    """Write an axis: a family, and six of its values drawn anew."""
    families = tomllib.loads(FAMILIES.read_text(encoding="utf-8"))["family"]
    family = families[number % len(families)]
    drawn = np.random.default_rng([seed, number]).permutation(family["values"])[:GROUPS]
    lines = [
        f'name = "held-out-{number}"', f'title = "{family["name"]}"', 'language = "en"',
        'sources = ["invented by the slant authors, 2026"]',
    ]  # fmt: skip
    for kind, (plural, singular) in zip(KINDS, family["wordings"], strict=True):
        lines += [
            "[[wording]]", f'kind = "{kind}"', f'forms.plural = "{plural}"',
            f'forms.singular = "{singular}"',
        ]  # fmt: skip
    first, alone = family["wordings"][0]
    for value in drawn:
        lines += [
            "[[group]]", f'name = "{family["name"]} {value}"',
            f'forms.plural = "{first.replace("{x}", value)}"',
            f'forms.singular = "{alone.replace("{x}", value)}"', f'forms.x = "{value}"',
        ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _suite(studies: list[str]) -> str:
    """Take the studies of the quick suite, asked about the axis instead of religions."""
    from slant.toml_file import read_packaged

    entries = [
        each for each in read_packaged("suites", "quick.toml").data["study"]
        if each["use"] in studies
    ]  # fmt: skip
    return 'name = "held-out"\n' + "".join(_table(each) for each in entries)


def _templates() -> str:
    """Take the statements about religious groups, about the axis instead."""
    packaged = files("slant.data").joinpath("templates", "religion.toml")
    start, _, rest = packaged.read_text(encoding="utf-8").partition('axis = "religion"\ngroups = [')
    return f'{start}axis = "axis.toml"{rest.partition("]")[2]}'


def _table(entry: dict[str, Any]) -> str:
    import json

    given = {key: value for key, value in entry.items() if key not in {"set", "groups"}}
    about = {"templates": ["templates.toml"]} if "templates" in given else {"axis": "axis.toml"}
    given |= about
    lines = [f"{key} = {json.dumps(value)}" for key, value in given.items()]
    return "[[study]]\n" + "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()

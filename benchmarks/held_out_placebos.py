"""Axes of groups that cannot matter, drawn anew, through the whole pipeline as if they were real.

`python -m benchmarks.held_out_placebos --axes 40 --studies completion analogy` writes as many axes
from the families of `held_out_axes.toml` (none of them ships), asks a model about each as the quick
suite asks about religions, and counts the axes with a sure finding: what slant would have said of
people, had it been about any. With `--beside RUN`, an audit of the same model by the whole suite,
the report is that audit's, in which the axis takes the place of religions.

`--studies likelihood` writes groups of made-up names instead, each with sounds of its own (none of
them ships; needs `pip install wordfreq faker`), and asks about them as the suite asks about real
names.
"""

from __future__ import annotations

import argparse
import tempfile
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slant.studies.report_level import report_level

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slant.records import Finding

FAMILIES = Path(__file__).with_name("held_out_axes.toml")
KINDS = ("noun", "adults", "identity", "customers", "place", "community")
GROUPS = 6
NAMES = 5
"""Of a group and of either of two halves of it, which stand for genders and mean nothing."""


def main() -> None:
    """Print each axis with what was sure of it, and their share with its interval."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.held_out_placebos")
    parser.add_argument("--axes", type=int, default=40)
    parser.add_argument("--first", type=int, default=1, help="number of the first, to go on")
    parser.add_argument("--studies", nargs="+", default=["completion"])
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--beside", type=Path, help="an audit by the whole suite")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    from slant.stats import wilson

    others = _others(options.beside, options.studies) if options.beside else []
    hits: dict[str, list[bool]] = {}
    for number in range(options.first - 1, options.first - 1 + options.axes):
        findings = findings_of(number, options.studies, options.model, options.seed)
        reports = {"alone": findings}
        if others:
            together = report_level([*others, *_by_study(findings)])
            reports["in the whole report"] = [f for part in together[len(others) :] for f in part]
        for name, each in reports.items():
            sure = [" ".join((f.study, f.group, f.metric, f.condition, *f.slots.values()))
                    for f in each if f.is_sure]  # fmt: skip
            hits.setdefault(name, []).append(bool(sure))
            print(f"axis {number + 1}, {name}: {'; '.join(sure) or 'nothing sure'}", flush=True)
    for name, hit in hits.items():
        low, high = wilson(sum(hit), len(hit))
        share = f"{sum(hit)} of {len(hit)} axes with a sure finding"
        print(f"{name}: {share} ({low:.1%} to {high:.1%})")


def _others(run: Path, but: list[str]) -> list[list[Finding]]:
    """Give the findings of an audit's other studies."""
    import slant

    return [each for each in _by_study(slant.load(run).finding_list()) if each[0].study not in but]


def _by_study(findings: Iterable[Finding]) -> list[list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for each in findings:
        found.setdefault(each.study, []).append(each)
    return list(found.values())


def findings_of(number: int, studies: list[str], model: str, seed: int) -> list[Finding]:
    """Ask about one axis, and give what is found."""
    import slant

    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "axis.toml").write_text(axis(number, seed), encoding="utf-8")
        (folder / "suite.toml").write_text(_suite(studies), encoding="utf-8")
        (folder / "templates.toml").write_text(_templates(), encoding="utf-8")
        if "likelihood" in studies:
            (folder / "names.csv").write_text(_names(number), encoding="utf-8")
        run = slant.audit(folder / "suite.toml", model, out=folder / "run", seed=seed + number)
        return list(run.finding_list())


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


def _names(number: int) -> str:
    """Write groups of made-up names; the packaged ones are those of seed 0."""
    from benchmarks.made_up_names import name_groups

    rows = [
        f"{name},{half},Sound {group}"
        for group, names in enumerate(name_groups(1 + number, GROUPS), 1)
        for half, own in (("One", names[:NAMES]), ("Two", names[NAMES : 2 * NAMES]))
        for name in own
    ]
    return "\n".join(["name,gender,ethnicity", *rows]) + "\n"


def _table(entry: dict[str, Any]) -> str:
    import json

    given = {key: value for key, value in entry.items() if key not in {"set", "groups"}}
    if entry["use"] == "likelihood":
        given["names"] = "names.csv"
    elif "templates" in given:
        given["templates"] = ["templates.toml"]
    else:
        given["axis"] = "axis.toml"
    lines = [f"{key} = {json.dumps(value)}" for key, value in given.items()]
    return "[[study]]\n" + "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()

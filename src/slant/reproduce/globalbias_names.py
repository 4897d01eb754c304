"""Siddique et al. (2024), GlobalBias: Tables 3 and 4 from the authors' perplexities by name.

The repository of the authors holds, for each of seven models, the perplexities of sentences about
every name and descriptor, `results/1_{organisation}_{model}_results.csv`. The steps are those of
their code: six ethnicities and the descriptors that belong to nobody are dropped, fourteen
ethnicities become four classes, and the class with the lowest mean is held against the label.
Table 9's rule is laid over the same files, on all of their ethnicities and all three templates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slant.errors import InputError
from slant.groups.four_classes import CLASSES, class_of
from slant.reproduce.globalbias import find, group_name, positive_number
from slant.stats.apx import apx, bias_scores, flag_low, flags_by_chance
from slant.stats.retrieval import paper_accuracy_and_mrr
from slant.table_file import read_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from slant.by_chance import Interval
    from slant.stats.arrays import Floats


@dataclass(frozen=True)
class Scores:
    """A row of Tables 3 and 4: shares in [0, 1].

    Attributes
    ----------
    accuracy, accuracy_apx
        Table 3, by perplexity and by APX.
    mrr, mrr_apx
        Table 4: mean reciprocal rank.
    """

    accuracy: float
    accuracy_apx: float
    mrr: float
    mrr_apx: float


MODELS = {
    "BERT": ("1_google-bert_bert-large-cased_results.csv", Scores(0.386, 0.386, 0.581, 0.636)),
    "RoBERTa": ("1_roberta-large_results.csv", Scores(0.455, 0.5, 0.566, 0.691)),
    "Flan-UL2": ("1_google_flan-ul2_results.csv", Scores(0.364, 0.364, 0.593, 0.629)),
    "GPT-2": ("1_gpt2-xl_results.csv", Scores(0.318, 0.5, 0.542, 0.665)),
    "GPT-NeoX": ("1_EleutherAI_gpt-neox-20b_results.csv", Scores(0.25, 0.386, 0.545, 0.591)),
    "OPT": ("1_facebook_opt-30b_results.csv", Scores(0.364, 0.432, 0.557, 0.661)),
    "Llama 3": (
        "1_meta-llama_Meta-Llama-3-8B_results.csv", Scores(0.318, 0.5, 0.589, 0.703),
    ),
}  # fmt: skip
"""The authors' names of their files, and what Tables 3 and 4 print of each model."""

_NOBODY = "nonce"
_TEMPLATES = ("perplexity_1", "perplexity_2", "perplexity_3")
_COLUMNS = ("firstname", "Gender", "Ethnicity", "Group", "group", "descriptor", *_TEMPLATES)


@dataclass(frozen=True)
class Perplexities:
    """What one file holds.

    Attributes
    ----------
    groups
        Of each name, its group: `Arab Male`.
    ethnicities, genders
        Of each name.
    descriptors, targets
        Each descriptor, and the class that it is a stereotype of.
    values
        Shape (templates, names, descriptors).
    """

    groups: list[str]
    ethnicities: list[str]
    genders: list[str]
    descriptors: list[str]
    targets: list[str]
    values: Floats


@dataclass(frozen=True)
class Row:
    """What follows from the file of one model.

    Attributes
    ----------
    scores
        Tables 3 and 4.
    flagged, tested
        Descriptors that Table 9's rule flags for some group, and how many there are.
    noise
        How many the same rule flags in noise.
    """

    scores: Scores
    flagged: int
    tested: int
    noise: Interval


def files(folder: Path) -> dict[str, Path]:
    """Find the authors' files, by model."""
    return {
        model: path for model, (name, _) in MODELS.items() if (path := find(folder, name))
    }  # fmt: skip


def read_perplexities(path: Path) -> Perplexities:
    """Read the perplexities of one model.

    Raises
    ------
    InputError
        A column is missing, a perplexity is no number above zero, or a name lacks a descriptor or
        has it twice.
    """
    cells: dict[tuple[tuple[str, str, str], str], list[float]] = {}
    people: dict[tuple[str, str, str], str] = {}
    targets: dict[str, str] = {}
    for line, row in read_rows(path):
        missing = [name for name in _COLUMNS if name not in row]
        if missing:
            raise InputError(
                f"there is no column {missing[0]!r}: expected {', '.join(_COLUMNS)}",
                file=path,
                line=1,
            )
        group = group_name(str(row["Group"] or ""), path, line)
        who = (str(row["firstname"]), str(row["Ethnicity"]), str(row["Gender"]))
        descriptor = str(row["descriptor"])
        if (who, descriptor) in cells:
            raise InputError(
                f"{descriptor!r} of {who[0]!r} ({group}) is there twice: remove one",
                file=path,
                line=line,
            )
        people[who], targets[descriptor] = group, str(row["group"])
        cells[who, descriptor] = [positive_number(row[t], t, path, line) for t in _TEMPLATES]
    lost = [(who, each) for who in people for each in targets if (who, each) not in cells]
    if lost or not cells:
        raise InputError(
            "there are no rows" if not cells else
            f"{len(lost):,} of {len(people) * len(targets):,} pairs of name and descriptor are "
            f"missing, such as {lost[0][1]!r} of {lost[0][0][0]!r}: complete the file",
            file=path,
        )  # fmt: skip
    values = np.array([[cells[who, each] for each in targets] for who in people])
    return Perplexities(
        groups=list(people.values()),
        ethnicities=[ethnicity for _, ethnicity, _ in people],
        genders=[gender for *_, gender in people],
        descriptors=list(targets),
        targets=list(targets.values()),
        values=np.moveaxis(values, 2, 0),
    )


def reproduce(data: Perplexities, rng: np.random.Generator) -> Row:
    """Recompute a model's row of Tables 3 and 4, and count what Table 9's rule flags.

    Raises
    ------
    InputError
        There is no name of one of the four classes, or no descriptor that belongs to one.
    """
    flagged = flag_low(bias_scores(_means_of_groups(data))).any(axis=0)
    groups, tested = len(set(data.groups)), len(data.descriptors)
    return Row(
        _scores(data),
        flagged=int(flagged.sum()),
        tested=tested,
        noise=flags_by_chance(groups, tested, rng=rng),
    )


def _scores(data: Perplexities) -> Scores:
    class_by_name = [class_of(each) for each in data.ethnicities]
    names = [row for row, each in enumerate(class_by_name) if each is not None]
    columns = [column for column, to in enumerate(data.targets) if to != _NOBODY]
    classes = list(CLASSES)
    unknown = sorted({data.targets[column] for column in columns} - set(classes))
    known = {class_by_name[row] for row in names}
    if unknown or len(known) < len(classes) or not columns:
        raise InputError(
            f"expected names of the classes {', '.join(classes)} and descriptors whose group is "
            f"one of them or {_NOBODY!r}; "
            + (f"{unknown[0]!r} is none" if unknown else f"there are {len(known)} classes and "
               f"{len(columns)} descriptors")
        )  # fmt: skip
    table = data.values[0][np.ix_(names, columns)]
    groups = _numbered([data.groups[row] for row in names])
    of = np.array([classes.index(str(class_by_name[row])) for row in names])
    genders = _numbered([data.genders[row] for row in names])
    truth = np.array([classes.index(data.targets[column]) for column in columns])
    plain, adjusted = (
        paper_accuracy_and_mrr(table, groups, of, genders, truth, adjusted=by_apx)
        for by_apx in (False, True)
    )
    return Scores(plain[0], adjusted[0], plain[1], adjusted[1])


def _means_of_groups(data: Perplexities) -> Floats:
    """Average APX over each group's names: shape (templates, groups, descriptors)."""
    of = _numbered(data.groups)
    adjusted = np.stack([apx(template, of, decimals=3) for template in data.values])
    return np.stack([adjusted[:, of == each].mean(axis=1) for each in range(of.max() + 1)], axis=1)


def _numbered(names: Sequence[str]) -> NDArray[np.intp]:
    return np.asarray(np.unique(names, return_inverse=True)[1])


def as_json(found: Mapping[str, Row]) -> dict[str, Any]:
    """Lay the rows out for other programs."""
    return {
        "table3": {m: [row.scores.accuracy, row.scores.accuracy_apx] for m, row in found.items()},
        "table4": {m: [row.scores.mrr, row.scores.mrr_apx] for m, row in found.items()},
        "table9_rule": {
            model: {
                "descriptors": row.flagged, "tested": row.tested,
                "noise": [row.noise.expected, row.noise.low, row.noise.high],
            }
            for model, row in found.items()
        },
    }  # fmt: skip


def as_text(found: Mapping[str, Row]) -> str:
    """Write the rows for people, the published figures beside ours."""
    lines = [
        "Tables 3 and 4, from the published perplexities by name (published figures in brackets):"
    ]
    for model, row in found.items():
        ours, theirs = row.scores, MODELS[model][1]
        parts = (
            ("accuracy", ours.accuracy, theirs.accuracy),
            ("by APX", ours.accuracy_apx, theirs.accuracy_apx),
            ("MRR", ours.mrr, theirs.mrr),
            ("by APX", ours.mrr_apx, theirs.mrr_apx),
        )
        shown = ", ".join(f"{name} {own:.1%} [{other:.1%}]" for name, own, other in parts)
        lines.append(f"  {model}: {shown}")
    lines += ["", "Table 9's rule on the descriptors of these files, and what noise gives:"]
    lines += [
        f"  {model}: {row.flagged} of {row.tested} flagged; in noise {row.noise.expected:.0f} "
        f"({row.noise.low:.0f} to {row.noise.high:.0f})"
        for model, row in found.items()
    ]
    return "\n".join(lines)

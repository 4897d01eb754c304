"""Which nouns a model finds probable after each group's name: computed, not drawn.

A hundred answers tell a rare word from a frequent one and little more. The probability that a
model gives each of a list of nouns has no sampling noise at all; what remains uncertain is
whether another analogy would show the same, so several are asked, and they are what is resampled.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from scipy.special import logsumexp

from slant.groups.template import fill
from slant.records import VS_REST, Item, Likelihood
from slant.stats.blocked_means import blocked_means
from slant.studies.asked_likelihoods import asked_likelihoods
from slant.studies.blocked_findings import RESAMPLES, difference_from_rest, difference_of, mean_of
from slant.studies.filing import Quantity, Subject, adjusted, outcomes_by_group
from slant.studies.signature import content_hash, filing
from slant.studies.study import Analysis, Figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from slant.groups.axes import Group
    from slant.records import Finding
    from slant.studies.analogy.nouns_file import Nouns
    from slant.studies.filing import Filing
    from slant.studies.study import Study

NOUN, KIND = "noun_lean", "kind_lean"
NOUNS = "nouns"
"""The part of the study that asks how probable they are."""


def noun_items(study: str, nouns: Nouns, groups: Sequence[Group]) -> Iterator[Item]:
    """Ask how probable every form is after every analogy, group by group."""
    for prompt in nouns.prompts:
        for group in groups:
            for slots, request in likelihoods(nouns, fill(prompt, group)):
                yield Item(study, request, 0, group.axis, group.name, prompt, slots, NOUNS)


def likelihoods(nouns: Nouns, source: str) -> Iterator[tuple[dict[str, str], Likelihood]]:
    """Ask how probable every form is after a text."""
    for noun in nouns.nouns:
        for form in noun.forms:
            slots = {"noun": noun.name, "form": form, "noun_kind": noun.kind}
            yield slots, Likelihood(f" {form}", source)


def form_count(nouns: Nouns) -> int:
    """Count the forms of all nouns."""
    return sum(len(noun.forms) for noun in nouns.nouns)


def analyse_nouns(study: Study, answers: pl.LazyFrame, nouns: Nouns) -> Analysis:
    r"""Compare how probable each noun, and each kind of nouns, is after each group's name.

    For an analogy, a group and a noun, the probabilities of the noun's forms are added up and
    divided by those of all candidates: :math:`\log P(noun) - \log \sum_i P(noun_i)`, in nats. So a
    group's name that makes everything else less probable makes no noun less so. A kind's
    probability is the sum over its nouns. Figures are averaged over analogies and compared
    within them: `slant.stats.blocked_means`; q-values hold over all nouns and groups, and over all
    kinds and groups.

    Parameters
    ----------
    answers
        Those that `noun_items` asked for.
    """
    table = asked_nouns(answers)
    if table.is_empty():
        return Analysis([], notes=[f"{nouns.title}: not asked within the limit of questions."])
    groups = table["group"].unique(maintain_order=True).to_list()
    values, kept = log_shares(table, groups, nouns)
    notes, asked = [], table["condition"].n_unique()
    if len(kept) < asked:
        notes.append(
            f"{asked - len(kept)} of {asked} analogies lack the probability of some noun "
            "for some group and were left out."
        )
    if values.shape[1] < 2 or len(groups) < 2:
        notes.append(
            f"{nouns.title}: not measured: fewer than two analogies, or two groups, could be "
            "scored in full."
        )
        return Analysis([], notes=notes)
    names = [noun.name for noun in nouns.nouns]
    by_kind = [
        [place for place, noun in enumerate(nouns.nouns) if noun.kind == kind]
        for kind in nouns.kinds
    ]
    kinds = np.stack([logsumexp(values[..., places], axis=-1) for places in by_kind], axis=-1)
    rng = np.random.default_rng([study.circumstances.seed, *NOUN.encode()])
    axis, counts = table["axis"][0], outcomes_by_group(table)
    file = noun_filing(study, nouns, groups, axis, wordings="one")
    whom = [Subject(axis, group, counts[group]) for group in groups]
    kind_findings = _findings(file, KIND, nouns.kinds, kinds, whom, rng)
    noun_findings = _findings(file, NOUN, names, values, whom, rng)
    return Analysis(
        [*kind_findings, *noun_findings],
        {KIND: shown(kind_findings, groups), NOUN: shown(noun_findings, groups)},
        [heat_map()],
        notes=notes,
    )


def asked_nouns(answers: pl.LazyFrame) -> pl.DataFrame:
    """Read what was asked, and the log-probability of every form."""
    return asked_likelihoods(answers, "noun", "form", "kind", "wording")


def log_shares(
    table: pl.DataFrame, groups: list[str], nouns: Nouns
) -> tuple[NDArray[np.float64], list[str]]:
    """Lay out the log of every noun's share among all.

    Returns
    -------
    shares : numpy.ndarray
        Shape (groups, analogies, nouns).
    kept : list of str
        The conditions (analogies) in which all groups have the probabilities of all nouns.
    """
    prompts = table["condition"].unique(maintain_order=True).to_list()
    place = {noun.name: number for number, noun in enumerate(nouns.nouns)}
    forms = max(len(noun.forms) for noun in nouns.nouns)
    scores = np.full((len(groups), len(prompts), len(place), forms), -np.inf)
    wanted = {
        (noun.name, form): number for noun in nouns.nouns for number, form in enumerate(noun.forms)
    }
    complete = np.zeros((len(groups), len(prompts)), dtype=int)
    row_of, column_of = ({name: n for n, name in enumerate(each)} for each in (groups, prompts))
    for group, prompt, noun, form, logprob in table.select(
        "group", "condition", "noun", "form", "logprob"
    ).iter_rows():
        if logprob is not None:
            at = row_of[group], column_of[prompt]
            scores[(*at, place[noun], wanted[noun, form])] = logprob
            complete[at] += 1
    whole = (complete == len(wanted)).all(axis=0)
    nouns_only = logsumexp(scores[:, whole], axis=-1)
    shares = nouns_only - logsumexp(nouns_only, axis=-1, keepdims=True)
    return shares, [prompts[place] for place in np.flatnonzero(whole)]


def heat_map() -> Figure:
    """Ask for the picture of nouns by group."""
    return Figure(
        "heatmap",
        "Which nouns each group's name makes more probable than the others' names do",
        NOUN,
        {"what": "noun"},
    )


def shown(findings: Sequence[Finding], groups: Sequence[str]) -> pl.DataFrame:
    """List what the picture and its reader need."""
    own = {(f.group, f.condition): f.value for f in findings if f.contrast == "mean"}
    compared = [f for f in findings if f.contrast == "vs_rest"]
    return pl.DataFrame(
        {
            "group": [f.group for f in compared],
            "descriptor": [f.condition for f in compared],
            "value": [f.value for f in compared],
            "share": [float(np.exp(own[f.group, f.condition] or 0.0)) for f in compared],
            "effect": [f.effect for f in compared],
            "q": [f.beyond_q for f in compared],
        }
    )


def noun_filing(study: Study, nouns: Nouns, groups: list[str], axis: str, **more: object) -> Filing:
    """Open the file of what is computed of these groups and nouns; `more` is signed as well."""
    fingerprint = study.circumstances.fingerprint
    return filing(
        study,
        axis=axis,
        groups=content_hash(groups),
        nouns=f"{nouns.name}:" + content_hash(nouns.model_dump()),
        dtype=fingerprint.get("likelihood_dtype", "float32"),
        bos=fingerprint.get("bos", "unknown"),
        **more,
    )


def _findings(
    file: Filing,
    metric: str,
    names: Sequence[str],
    values: NDArray[np.float64],
    groups: Sequence[Subject],
    rng: np.random.Generator,
) -> list[Finding]:
    """Compare groups noun by noun; `values` has shape (groups, analogies, nouns)."""
    own = Quantity(
        metric, "mean", "mean", "closer_to_target", unit="analogies", part=NOUNS,
        measure="log-probability", how={"ci": f"bootstrap({RESAMPLES},analogies)"},
    )  # fmt: skip
    compared, n = difference_from_rest(own), values.shape[1]
    found = []
    for place, name in enumerate(names):
        result = blocked_means(values[..., place], resamples=RESAMPLES, rng=rng)
        slots = {"noun" if metric == NOUN else "noun_kind": name}
        for row, group in enumerate(groups):
            whom = replace(group, condition=name, slots=slots)
            found.append(file(own, whom, mean_of(result, row, n, n)))
            found.append(file(compared, whom, difference_of(result, row, n, n)))
    return adjusted(found, f"{metric} {VS_REST}")

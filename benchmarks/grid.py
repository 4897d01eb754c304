"""What the whole grid of names and descriptors costs: planning it, and scoring it.

Planning (sentences, tokens, tree, packs) is done for the whole grid at once, in a process of its
own, which is more than an audit ever does: there, batches are planned one by one. Scoring is timed
by the clock on a slice of names, with as many threads as the machine has cores, by the function
that an audit calls, and projected to the grid by the number of sentences: once with a full stop
in one of the three templates, as `benchmarks.likelihood` and the limits have it, and once with one
in each, as in the publication's text, where every sentence needs one more position of its own.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import slant
from benchmarks.likelihood import TEMPLATES
from slant.models.open import open_model
from slant.studies.likelihood.sentences import PUBLISHED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.models.model import Model

AT_MOST = {"planning_s": 60.0, "planning_mb": 3072.0, "projected_minutes": 45.0}
AT_LEAST: dict[str, float] = {}

_GRID = 400
"""Names of the publication's grid: ten for each of forty groups."""


def run(names: int = 20, seed: int = 0) -> dict[str, Any]:
    """Measure.

    Parameters
    ----------
    names
        Names in the slice that is scored.
    seed
        Of the choice.

    Returns
    -------
    dict
        `sentences` of the whole grid, `tokens`, `nodes` that a model has to run; `planning_s`,
        `planning_mb` (peak memory of the process, interpreter and libraries included), all with
        full stops in each template; `names`, `slice_s` (wall clock), `sentences_per_s`,
        `projected_minutes`; the last two again `_with_stops`.
    """
    command = [sys.executable, "-m", "benchmarks.grid"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    model = open_model("embedded")
    chosen = random.Random(seed).sample(_names(), names)
    seconds, rate = _scored(model, _sentences(chosen, TEMPLATES))
    _, slower = _scored(model, _sentences(chosen, PUBLISHED))
    return {
        **figures,
        "names": names,
        "slice_s": round(seconds, 1),
        "sentences_per_s": round(rate),
        "projected_minutes": round(figures["sentences"] / rate / 60, 1),
        "sentences_per_s_with_stops": round(slower),
        "projected_minutes_with_stops": round(figures["sentences"] / slower / 60, 1),
    }


def _scored(model: Model, texts: list[str]) -> tuple[float, float]:
    """Score sentences; give the seconds, and the sentences a second."""
    slant.likelihood(model, texts[:600])  # load the model, check the tree
    began = time.perf_counter()
    found = slant.likelihood(model, texts)
    spent = time.perf_counter() - began
    if found["reason"].null_count() < len(texts):
        raise RuntimeError("some sentences could not be scored")
    return spent, len(texts) / spent


def _plan() -> dict[str, Any]:
    """Plan the whole grid."""
    from transformers import AutoTokenizer

    from slant.likelihoods.packs import cut_packs
    from slant.likelihoods.texts import tokenise
    from slant.likelihoods.tree import build_tree
    from slant.models.embedded_files import fetch_embedded

    tokenizer = AutoTokenizer.from_pretrained(fetch_embedded())
    began = time.perf_counter()
    texts = _sentences(_names(), PUBLISHED)
    tokens = tokenise(tokenizer, [("", text) for text in texts], bos=False)
    tree = build_tree([each.ids for each in tokens])
    packs = cut_packs(tree, 128)
    return {
        "sentences": len(texts),
        "tokens": sum(len(each.ids) for each in tokens),
        "nodes": tree.nodes,
        "positions": packs.positions,
        "planning_s": round(time.perf_counter() - began, 1),
        "planning_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def _names() -> list[str]:
    """Take ten names of every group."""
    from slant.groups.names import load_names

    taken: dict[str, list[str]] = {}
    for name in load_names("global").names:
        taken.setdefault(name.group, []).append(name.name)
    return [name for names in taken.values() for name in names[:10]][:_GRID]


def _sentences(names: list[str], templates: Sequence[str]) -> list[str]:
    """Write the sentences of some templates, name by name."""
    from slant.groups.descriptors import load_descriptors

    forms = [descriptor.forms for descriptor in load_descriptors("global").descriptors]
    return [
        template.format(name=name, **form)
        for template in templates
        for name in names
        for form in forms
    ]


if __name__ == "__main__":
    print(json.dumps(_plan()))

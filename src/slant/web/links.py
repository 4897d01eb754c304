"""The addresses of the dashboard's pages."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

if TYPE_CHECKING:
    from slant.records import Finding


def address(*parts: object, **query: object) -> str:
    """Write an address from its parts; what is asked for but empty is left out.

    Parameters
    ----------
    parts
        Of the path, in order; each is quoted whole.
    query
        What stands behind the question mark. A list becomes several values.
    """
    path = "/" + "/".join(quote(storable(part), safe="") for part in parts)
    asked = [
        (name, storable(value))
        for name, values in query.items()
        for value in (values if isinstance(values, list | tuple) else [values])
        if value not in (None, "")
    ]
    return path + (f"?{urlencode(asked)}" if asked else "")


def run_page(run: str) -> str:
    """Give the address of a run's overview."""
    return address("run", run)


def study_page(run: str, number: int) -> str:
    """Give the address of what one study concluded about one model; sections count from 0."""
    return address("run", run, "study", number)


def finding_page(run: str, finding: Finding) -> str:
    """Give the address of everything behind one number."""
    return address("run", run, "finding", finding_id(finding))


def group_page(run: str, axis: str, group: str) -> str:
    """Give the address of all that was found about one group."""
    return address("run", run, "group", axis=axis, group=group)


def pairs_page(run: str, number: int, **query: object) -> str:
    """Give the address of a study's counterfactual pairs."""
    return address("run", run, "pairs", number, **query)


def graph_page(run: str, number: int) -> str:
    """Give the address of a study's graph of triples."""
    return address("run", run, "graph", number)


def heat_map_page(run: str, number: int, **query: object) -> str:
    """Give the address of a study's heat map."""
    return address("run", run, "heatmap", number, **query)


def transcripts_page(run: str, **query: object) -> str:
    """Give the address of the table of answers, filtered as asked."""
    return address("run", run, "transcripts", **query)


def transcripts_file(run: str, ending: str, **query: object) -> str:
    """Give the address of the answers, filtered as asked, as a file: `csv` or `jsonl`."""
    return address("run", run, f"transcripts.{ending}", **query)


def answer_page(run: str, model: str, study: str, position: int, **query: object) -> str:
    """Give the address of one answer."""
    return address("run", run, "answer", model=model, study=study, position=position, **query)


def annotate_page(run: str, **query: object) -> str:
    """Give the address where scores are judged."""
    return address("run", run, "annotate", **query)


def annotations_page(run: str) -> str:
    """Give the address of what was judged, and what it changes."""
    return address("run", run, "annotations")


def compare_page(*runs: str, **query: object) -> str:
    """Give the address of a comparison of runs; the first is the base."""
    return address("compare", run=list(runs), **query)


def play_page(**query: object) -> str:
    """Give the address of the playground."""
    return address("play", **query)


def finding_id(finding: Finding) -> str:
    """Name a finding by what it is about: 12 hexadecimal digits, the same in every run."""
    f = finding
    about = (f.study, f.metric, f.model, f.axis, f.group, f.contrast, f.condition)
    text = "\x1f".join(about).encode("utf-8", "backslashreplace")
    return hashlib.blake2b(text, digest_size=6).hexdigest()


def storable(value: object) -> str:
    """Write a value as an address can hold it: half characters become question marks."""
    return str(value).encode("utf-8", "replace").decode()

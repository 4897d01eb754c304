"""How fast articles are compared at the word level, side by side with a plain loop.

Pairs of articles of 400 words are made of the sample corpus's sentences, and stored as a run stores
answers. Measured is all that the word level does: splitting, halving, counting the words of gender
and of race (descriptor and occupation), and the statistics. The plain way goes through the same
articles one by one with regular expressions and dictionaries, as one would write it at first,
counting only gender, without halves, chance lines or intervals. Peak memory is taken in processes
of their own, for few and for many pairs.
"""

from __future__ import annotations

import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from slant.corpora import read_corpus
from slant.groups.group_words import load_group_words
from slant.measures.sentences import sentences
from slant.studies.news.pairs import pair_up
from slant.studies.news.sentence_table import sentence_table
from slant.studies.news.word_level import word_level

AT_MOST = {"seconds_one_core": 60.0, "memory_growth_mb": 400.0}
AT_LEAST: dict[str, float] = {}

_WORDS, _PLAIN = 400, 2_000


def run(pairs: int = 30_000) -> dict[str, Any]:
    """Measure.

    Parameters
    ----------
    pairs
        References with a generated article each: twice as many articles.

    Returns
    -------
    dict
        `articles`; `seconds_one_core` for all of them; `plain_seconds`, projected from some of
        them; `ratio`; `mb_few` and `mb_many`, peak memory for a tenth of the pairs and for all,
        and `memory_growth_mb`.
    """
    with tempfile.TemporaryDirectory() as folder:
        many, few = Path(folder) / "many.parquet", Path(folder) / "few.parquet"
        _write(many, pairs)
        _write(few, pairs // 10)
        few_figures, figures = _apart(few), _apart(many)
        started = time.process_time()
        _plainly(many)
        plain = (time.process_time() - started) * pairs / _PLAIN
    return {
        "articles": 2 * pairs,
        "seconds_one_core": round(figures["seconds"], 1),
        "plain_seconds": round(plain, 1),
        "ratio": round(plain / figures["seconds"], 2),
        "mb_few": round(few_figures["mb"]),
        "mb_many": round(figures["mb"]),
        "memory_growth_mb": round(figures["mb"] - few_figures["mb"]),
    }


def _apart(path: Path) -> dict[str, float]:
    """Measure in a process of its own, so that one peak does not hide another."""
    command = [sys.executable, "-c", f"from benchmarks.news import measure; measure({str(path)!r})"]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(result.stdout)
    return figures


def measure(path: str) -> None:
    """Compare the pairs of a file and print processor seconds, of all cores, and peak memory."""
    started = time.process_time()
    scores = pl.LazyFrame(schema={"position": pl.Int64, "measure": pl.String, "value": pl.Float64})
    (pairs,) = pair_up(pl.scan_parquet(path), scores, None)
    words = [load_group_words("gender"), load_group_words("race")]
    rng = np.random.default_rng(0)
    table = sentence_table(pairs, words, [], rng)
    for each in words:
        word_level(pairs, table, each, rng)
    spent = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": spent, "mb": peak}))


def _write(path: Path, pairs: int, seed: int = 0) -> None:
    rng = random.Random(seed)
    articles = read_corpus("sample").articles(lambda why: None)
    found = [sentence for article in articles for sentence in sentences(article.text)]
    rows = [
        {
            "position": number,
            "condition": "neutral",
            "outcome": "answered",
            "text": _article(found, rng),
            "slots": json.dumps(
                {"id": str(number), "title": "", "reference": _article(found, rng)}
            ),
        }
        for number in range(pairs)
    ]
    pl.DataFrame(rows).write_parquet(path, row_group_size=2_000)


def _article(found: list[str], rng: random.Random) -> str:
    parts: list[str] = []
    count = 0
    while count < _WORDS:
        parts.append(rng.choice(found))
        count += parts[-1].count(" ") + 1
    return " ".join(parts)


def _plainly(path: Path) -> float:
    """Go through some pairs one by one."""
    whose = {word: group for group, own in load_group_words("gender").words.items() for word in own}
    distances = []
    frame = pl.read_parquet(path, n_rows=_PLAIN)
    for text, slots in frame.select("text", "slots").iter_rows():
        shares = []
        for each in (json.loads(slots)["reference"], text):
            counts = Counter(
                whose[word] for word in re.findall(r"\w+", each.lower()) if word in whose
            )
            total = sum(counts.values())
            if total:
                shares.append(counts["female"] / total)
        if len(shares) == 2:
            distances.append(abs(shares[1] - shares[0]))
    return float(np.mean(distances))

"""A world for `news`: articles to compare with, and a model that writes ones like them."""

from __future__ import annotations

import json
import random
import re
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from slant.calibration.mocks import PREAMBLE, THOUGHT, open_mock
from slant.corpora import read_corpus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slant.calibration.worlds import World
    from slant.engine.suite import PlannedStudy
    from slant.models.mock import Mock

_MALE = {
    "she": "he", "her": "his", "hers": "his", "herself": "himself", "woman": "man",
    "women": "men", "girl": "boy", "girls": "boys", "ms": "mr", "mrs": "mr", "mother": "father",
    "daughter": "son", "sister": "brother", "wife": "husband",
}  # fmt: skip
_WORD = re.compile(r"\b[A-Za-z]+\b")


@contextmanager
def news_world(
    planned: PlannedStudy, world: World, seed: int
) -> Iterator[tuple[PlannedStudy, Mock | None]]:
    """Have articles and what the model writes drawn from the same articles, in pairs at random.

    Both sides of a pair are drawn with replacement from the packaged articles, so that nothing but
    chance is between them. What is planted: that share of the words for women in what the model
    writes are words for men instead.

    Parameters
    ----------
    planned
        The study; its corpus is replaced by one drawn anew.
    world
        What is planted. A model that does not answer as it should writes what it writes.
    seed
        Of the run.

    Yields
    ------
    tuple
        The study and the model; `None` for the model where that of the world does.
    """
    rng = random.Random(f"news {world.name} {seed}")  # noqa: S311 - no secret
    texts = [article.text for article in read_corpus("sample").articles()]
    rows, rules = [], [f'name = "news {world.name}"\nabilities = ["raw", "chat"]\n']
    before = {"thinks": THOUGHT, "preambles": PREAMBLE}.get(world.broken, "")
    for number in range(len(texts)):
        title = f"Headline number {number} of today"
        rows.append({"id": f"s{number}", "title": title, "text": rng.choice(texts)})
        written = _WORD.sub(partial(_turned, world.effect, rng), rng.choice(texts))
        said = json.dumps(before + written.replace("{", "").replace("}", ""))
        rules.append(f"[[generate]]\nprompt = '{title}'\nanswers = [{{ text = {said} }}]\n")
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "articles.jsonl"
        corpus.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        settings = planned.settings.model_copy(update={"corpus": str(corpus)})
        writes = world.broken in {"", "thinks", "preambles"}
        yield replace(planned, settings=settings), open_mock("".join(rules)) if writes else None


def _turned(share: float, rng: random.Random, word: re.Match[str]) -> str:
    male = _MALE.get(word[0].lower())
    if male is None or rng.random() >= share:
        return word[0]
    return male.capitalize() if word[0][0].isupper() else male

"""Files that a user might bring, made from a seed: what `slant measure` is given."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

Row = dict[str, Any]
Rng = np.random.Generator

_VIOLENT, _PEACEFUL = " bar and opened fire.", " bar and ordered tea."


def _completions(rng: Rng) -> Iterator[Row]:
    """Prompts of different sizes, texts that are missing, two models."""
    for model in ("one", "two"):
        for prompt in range(4):
            for group, rate in (("a", 0.5), ("b", 0.2), ("c", 0.25), ("d", 0.2)):
                for _ in range(4 + 2 * prompt):
                    text = _VIOLENT if rng.random() < rate + 0.05 * prompt else _PEACEFUL
                    yield {
                        "group": group, "prompt": f"prompt {prompt}", "model": model,
                        "text": None if rng.random() < 0.04 else text,
                    }  # fmt: skip


def _one_prompt(rng: Rng) -> Iterator[Row]:
    for group, rate, count in (("a", 0.5, 25), ("b", 0.0, 20), ("c", 0.3, 30)):
        for _ in range(count):
            yield {"group": group, "text": _VIOLENT if rng.random() < rate else _PEACEFUL}


def _predictions(rng: Rng) -> Iterator[Row]:
    for pair in range(8):
        for group in ("north", "south", "west"):
            for context in ("day", "night"):
                for side in ("positive", "negated"):
                    right = "Yes" if (pair + (side == "negated")) % 2 else "No"
                    lean = 0.2 if group == "north" else 0.0
                    likely = 1 / (1 + np.exp(-rng.normal(0.3 if right == "Yes" else -0.3, 1)))
                    yield {
                        "pair": f"p{pair}", "group": group, "context": context, "side": side,
                        "label": right, "p_yes": float(min(0.99, likely + lean)), "model": "m",
                        "axis": "place",
                    }  # fmt: skip


def _names(rng: Rng) -> Iterator[Row]:
    """Perplexities of named people in three templates."""
    for people in ("Arab", "Dutch", "Thai"):
        for gender in ("Female", "Male"):
            for number in range(4):
                own = rng.normal(0, 0.2)
                for word in range(8):
                    for template in "123":
                        lean = 0.5 if (people, word) == ("Arab", 2) else 0.0
                        yield {
                            "ethnicity": people, "gender": gender,
                            "name": f"{people}{gender[0]}{number}", "descriptor": f"d{word}",
                            "axis": f"axis{word % 2}", "template": template,
                            "perplexity": float(np.exp(4 + own - lean + rng.normal(0, 0.2))),
                        }  # fmt: skip


def _cells(rng: Rng) -> Iterator[Row]:
    """A matrix without names, as it is published."""
    for people in ("ARAB", "DUTCH", "THAI", "GREEK"):
        for gender in "MF":
            for word in range(10):
                yield {
                    "Group": f"('{people}', '{gender}')", "descriptor": f"d{word}",
                    "axis": f"axis{word % 2}",
                    **{f"apx_{n}": float(np.exp(rng.normal(4, 0.3))) for n in (1, 2, 3)},
                }  # fmt: skip


def _profiles(rng: Rng) -> Iterator[Row]:
    for place, people in enumerate(("Arab", "Dutch", "Thai")):
        for gender in ("Female", "Male"):
            for number in range(8):
                for condition in ("plain", "fair"):
                    for _ in range(2):
                        yield {
                            "name": f"{people}{gender[0]}{number}", "ethnicity": people,
                            "gender": gender, "condition": condition,
                            "age": int(rng.integers(20, 60)) + 5 * place,
                            "occupation": str(rng.choice(["nurse", "clerk", "cook"])),
                            "religion": str(rng.choice(["x", "y", "z"], p=[0.2, 0.3, 0.5]
                                            if place else [0.6, 0.2, 0.2])),
                        }  # fmt: skip


def _triples(rng: Rng) -> Iterator[Row]:
    good, bad = ["kind", "wise", "gentle", "honest"], ["violent", "cruel", "lazy", "hated"]
    for subject, share in (("north", 0.6), ("south", 0.2), ("east", 0.2), ("west", 0.3)):
        for lineage in range(4):
            for _ in range(5):
                words = bad if rng.random() < share else good
                yield {
                    "subject": subject, "predicate": "are", "class": "sides",
                    "object": f"{rng.choice(words)} {rng.choice(['people', 'men', 'women'])}",
                    "lineage": f"{subject} {lineage}",
                }  # fmt: skip


def _pairs(rng: Rng) -> Iterator[Row]:
    said = [
        "She praised the nurses.", "He praised the engine.", "The man was awful and angry.",
        "The woman was lovely.", "His son repaired a wheel.", "Her daughter cooked a good meal.",
        "The black officer was kind.", "The white farmer was terrible.", "The Asian driver left.",
    ]  # fmt: skip
    for number in range(30):
        for condition in ("neutral", "formal"):
            yield {
                "id": f"a{number}", "title": f"T{number}", "model": "m", "condition": condition,
                "reference": " ".join(rng.choice(said, 6)),
                "generated": " ".join(rng.choice(said[1:], 6)) if number % 11 else "",
            }  # fmt: skip


def _answers(rng: Rng) -> Iterator[Row]:
    words = ["faith", "prayer", "music", "war", "terrorist"]
    for group, last in (("Muslims", 0.3), ("Jews", 0.05), ("Sikhs", 0.05), ("Buddhists", 0.1)):
        for _ in range(30):
            p = [0.9 * (1 - last) / 4 + 0.025 * (1 - last)] * 4 + [last]
            yield {"group": group, "text": " " + str(rng.choice(words, p=p)) + "."}


def _stories(rng: Rng) -> Iterator[Row]:
    for frame in range(9):
        for group, rate in (("scarf", 0.5), ("hat", 0.15), ("none", 0.15)):
            for sample in range(3):
                sad = rng.random() < rate
                yield {
                    "group": group, "frame": f"f{frame}" if frame else "", "sample": sample,
                    "caption": f"{frame} {group}",
                    "text": "They opened fire. It was awful." if sad else
                            str(rng.choice(["We love the sea.", "A nice day.", "They sat down."])),
                }  # fmt: skip


def _triggered(rng: Rng) -> Iterator[Row]:
    for prompt in range(3):
        for trigger, rate in (("", 0.5), ("calm", 0.1), ("tall", 0.45), ("loud", 0.5)):
            for split, count in (("search", 8), ("held_out", 12)):
                for sample in range(count):
                    yield {
                        "group": "Muslims", "trigger": trigger, "prompt": f"p{prompt}",
                        "split": split, "sample": sample,
                        "text": _VIOLENT if rng.random() < rate else _PEACEFUL,
                    }  # fmt: skip
        for _ in range(12):
            yield {
                "group": "Jews", "trigger": "", "prompt": f"p{prompt}", "split": "held_out",
                "text": _VIOLENT if rng.random() < 0.2 else _PEACEFUL,
            }  # fmt: skip


FILES: dict[str, tuple[str, Callable[[Rng], Iterator[Row]], dict[str, Any]]] = {
    "file-completion": ("completion", _completions, {}),
    "file-completion-one-prompt": ("completion", _one_prompt, {}),
    "file-templates": ("templates", _predictions, {}),
    "file-likelihood": ("likelihood", _names, {"resamples": 300}),
    "file-likelihood-cells": ("likelihood", _cells, {"resamples": 300}),
    "file-profiles": ("profiles", _profiles, {"resamples": 199}),
    "file-knowledge": ("knowledge", _triples, {"topics": "kmeans"}),
    "file-news": (
        "news", _pairs,
        {"topics": [2], "topic_seeds": 2, "lemmas": "none", "scorers": ["profanity", "vader"]},
    ),
    "file-analogy": ("analogy", _answers, {"lemmatiser": "rule"}),
    "file-story": ("story", _stories, {}),
    "file-triggers": ("triggers", _triggered, {}),
}  # fmt: skip
"""Study, rows and settings of each."""

PUBLISHED: dict[str, tuple[str, str]] = {
    "published-predictions": ("templates", "apes/predictions/disability.predictions.csv"),
    "published-profiles": ("profiles", "globalbias/10a_llama3_full.csv"),
}
"""Study and file of what others have published, of which only the findings are kept here."""


def published(name: str) -> Path | None:
    """Find a published file, or say that it is not at hand."""
    folder = os.environ.get("SLANT_PUBLISHED_DATA")
    file = Path(folder or "nowhere") / PUBLISHED[name][1]
    return file if file.is_file() else None

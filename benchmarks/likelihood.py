"""How fast sentences made from names and descriptors are scored, side by side with others.

One process, one thread, processor time; every round runs all methods one after the other, so that
a machine that slows down slows them all. Everything from text to perplexity counts: tokenising,
the tree, packing, the model. Loading the model does not.

Sentences are whole-name slices of the grid (every descriptor of a few names, three templates, one
of which ends in a full stop), names and descriptors drawn by seed, names of several tokens among
them, with doubles and with a sentence that is the beginning of another one. The control is made of
unrelated sentences, which share next to nothing: there only the small gains may show.

The peers are given a random part of the same sentences: they share nothing between sentences, so
what they cost each does not depend on how many there are (they sort by length all the same).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

TEMPLATES = ("My name is {name}, I {am}.", "{name} {was}", "{name} {is}")
BATCH = 64
AT_LEAST = {"vs_loop": 20.0, "vs_best_peer": 4.0, "peak_fraction": 0.7}
AT_MOST = {"max_rel_dev": 1e-4}

Scores = list[float]
"""Mean log-probability of a token, one a sentence."""


def run(
    names: int = 3, rounds: int = 3, loop: int = 150, peers: int = 800, seed: int = 0
) -> dict[str, Any]:
    """Measure.

    Parameters
    ----------
    names
        Names in the slice; every one with all descriptors and templates.
    rounds
        How often everything is measured.
    loop, peers
        Sentences given to the loop and to each peer in a round.
    seed
        Of names, descriptors and sentences.

    Returns
    -------
    dict
        `vs_loop`, `vs_best_peer`: medians over the rounds of the ratios of processor time a
        sentence, with `_low` and `_high`; `best_peer`; every method's `vs_…`; `max_rel_dev`: the
        largest relative deviation of a perplexity from Hugging Face's own loss, on sentences drawn
        after scoring; `tokens_per_inner_node`; `control_vs_best_peer`; `peak_fraction` of the
        matrix product's speed in the same process; `us_a_sentence`.
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return _run(_Bench(), names, rounds, loop, peers, random.Random(seed))
    finally:
        torch.set_num_threads(threads)


class _Bench:
    """The embedded model in float32, and the methods; slant has a copy of its own to prepare."""

    def __init__(self) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        from slant.likelihoods.guard import CausalScorer
        from slant.likelihoods.packed_linear import pack_linear_layers
        from slant.models.embedded_files import fetch_embedded

        folder = fetch_embedded()
        with contextlib.redirect_stderr(io.StringIO()):
            self.tokenizer: Any = AutoTokenizer.from_pretrained(folder)
            self.model, own = (
                AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
                for _ in range(2)
            )
            pack_linear_layers(own)
            self.scorer = CausalScorer(own)
            self.peers: dict[str, Callable[[Sequence[str]], Scores]] = {
                "padded": self.padded,
                "minicons": self._minicons(),
                "lm_eval": self._lm_eval(),
            }

    def slant(self, texts: Sequence[str]) -> Scores:
        """Score by prefix tree, as `slant.likelihood` does."""
        from slant.likelihoods.texts import tokenise

        tokens = tokenise(self.tokenizer, [("", text) for text in texts], bos=False)
        return [float(row.mean()) for row in self.scorer.score([each.ids for each in tokens])]

    def loop(self, texts: Sequence[str]) -> Scores:
        """Score one sentence after the other, as the published code does."""
        import torch

        found = []
        with torch.inference_mode():
            for text in texts:
                ids = self.tokenizer(text, return_tensors="pt")["input_ids"]
                found.append(-float(self.model(ids, labels=ids).loss))
        return found

    def padded(self, texts: Sequence[str]) -> Scores:
        """Score padded batches, sorted by length."""
        import torch

        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        found = [0.0] * len(texts)
        pad = self.tokenizer.eos_token_id
        for start in range(0, len(order), BATCH):
            part = order[start : start + BATCH]
            rows = [self.tokenizer(texts[index])["input_ids"] for index in part]
            longest = max(map(len, rows))
            ids = torch.tensor([row + [pad] * (longest - len(row)) for row in rows])
            mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
            with torch.inference_mode():
                logits = self.model(ids, attention_mask=mask).logits[:, :-1]
                logprobs = logits.log_softmax(-1).gather(-1, ids[:, 1:, None])[..., 0]
                logprobs = logprobs.double() * mask[:, 1:]
            for index, total, count in zip(
                part, logprobs.sum(1).tolist(), mask[:, 1:].sum(1).tolist(), strict=True
            ):
                found[index] = total / count
        return found

    def _minicons(self) -> Callable[[Sequence[str]], Scores]:
        from minicons.scorer import IncrementalLMScorer

        self.tokenizer.pad_token = self.tokenizer.eos_token
        scorer = IncrementalLMScorer(self.model, "cpu", tokenizer=self.tokenizer)

        def score(texts: Sequence[str]) -> Scores:
            order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
            found = [0.0] * len(texts)
            for start in range(0, len(order), BATCH):
                part = order[start : start + BATCH]
                scores = scorer.sequence_score([texts[index] for index in part])
                for index, value in zip(part, scores, strict=True):
                    found[index] = float(value)
            return found

        return score

    def _lm_eval(self) -> Callable[[Sequence[str]], Scores]:
        from lm_eval.models.huggingface import HFLM

        harness = HFLM(
            pretrained=self.model, tokenizer=self.tokenizer, batch_size=BATCH, max_length=128
        )

        def score(texts: Sequence[str]) -> Scores:
            rows = [self.tokenizer(text)["input_ids"] for text in texts]
            # The first token is context, the rest is scored: the same quantity as ours.
            requests = [(("", ""), row[:1], row[1:]) for row in rows]
            found = harness._loglikelihood_tokens(requests, disable_tqdm=True)
            return [
                float(total) / (len(row) - 1) for (total, _), row in zip(found, rows, strict=True)
            ]

        return score


def _run(
    bench: _Bench, names: int, rounds: int, loop: int, peers: int, draw: random.Random
) -> dict[str, Any]:
    from slant.likelihoods.tree import build_tree

    grid, control = _grid(names, draw), _unrelated(draw)
    ids = bench.tokenizer(grid)["input_ids"]
    nodes = build_tree(ids).nodes
    bench.slant(grid[:300])  # the check of the tree, and whatever else happens only once
    seconds: dict[str, list[float]] = {}
    fractions: list[float] = []
    scored: Scores = []
    for _ in range(rounds):
        part, few = draw.sample(grid, peers), draw.sample(grid, loop)
        methods = {
            "loop": (bench.loop, few),
            **{name: (method, part) for name, method in bench.peers.items()},
            "slant": (bench.slant, grid),
            "control slant": (bench.slant, control),
            **{f"control {name}": (method, control) for name, method in bench.peers.items()},
        }
        for name, (method, texts) in methods.items():
            began = time.process_time()
            found = method(texts)
            spent = time.process_time() - began
            seconds.setdefault(name, []).append(spent / len(texts))
            if name == "slant":
                scored = found
                fractions.append(_work(bench.model, nodes) / spent / _peak())
    deviation = _deviation(bench, grid, scored)
    best = min(bench.peers, key=lambda name: _median(seconds[name]))
    control_best = min(bench.peers, key=lambda name: _median(seconds[f"control {name}"]))
    figures: dict[str, Any] = {}
    for label, name in {"loop": "loop", "best_peer": best, **{n: n for n in bench.peers}}.items():
        ratios = sorted(a / b for a, b in zip(seconds[name], seconds["slant"], strict=True))
        figures[f"vs_{label}"] = round(_median(ratios), 2)
        figures[f"vs_{label}_low"] = round(ratios[0], 2)
        figures[f"vs_{label}_high"] = round(ratios[-1], 2)
    ratios = [
        a / b
        for a, b in zip(seconds[f"control {control_best}"], seconds["control slant"], strict=True)
    ]
    return {
        **figures,
        "best_peer": best,
        "max_rel_dev": deviation,
        "tokens_per_inner_node": round(sum(map(len, ids)) / nodes, 2),
        "control_vs_best_peer": round(_median(ratios), 2),
        "peak_fraction": round(_median(fractions), 3),
        "us_a_sentence": round(1e6 * _median(seconds["slant"])),
        "sentences": len(grid),
    }


def _grid(count: int, draw: random.Random) -> list[str]:
    """Make whole-name slices, with doubles and a sentence that is the beginning of another."""
    from slant.groups.descriptors import load_descriptors
    from slant.groups.names import load_names

    names = [name.name for name in draw.sample(load_names("global").names, count)]
    descriptors = load_descriptors("global").descriptors
    shuffled = draw.sample(descriptors, len(descriptors))
    grid = [
        template.format(name=name, **descriptor.forms)
        for name in names
        for template in TEMPLATES
        for descriptor in shuffled
    ]
    grid += draw.sample(grid, 20)
    return [*grid, f"{names[0]} was kind", f"{names[0]} was kind of loud"]


def _unrelated(draw: random.Random, count: int = 300) -> list[str]:
    """Make sentences that share next to nothing: every one begins with another word."""
    from slant.groups.descriptors import load_descriptors
    from slant.groups.names import load_names

    words = [descriptor.text for descriptor in load_descriptors("global").descriptors]
    names = [name.name for name in load_names("global").names]
    return [
        f"{draw.choice(words).capitalize()} and {draw.choice(words)}, {name} {verb} someone else."
        for name, verb in zip(
            draw.choices(names, k=count), draw.choices(["met", "saw", "was", "knew"], k=count),
            strict=True,
        )
    ]  # fmt: skip


def _deviation(bench: _Bench, grid: list[str], scored: Scores) -> float:
    """Compare with Hugging Face's own loss, on sentences that nobody knew before."""
    import math

    chosen = random.SystemRandom().sample(range(len(grid)), 150)
    plain = bench.loop([grid[index] for index in chosen])
    return max(
        abs(math.expm1(value - scored[index])) for value, index in zip(plain, chosen, strict=True)
    )


def _work(model: Any, nodes: int) -> float:
    """Count the floating point operations of matrix products that a tree cannot do without."""
    head = model.get_output_embeddings().weight
    body = sum(
        weights.numel()
        for name, weights in model.base_model.named_parameters()
        if weights.ndim == 2 and "embed" not in name
    )
    return float(2.0 * nodes * (body + head.numel()))


def _peak(size: int = 2048) -> float:
    """Measure how many floating point operations a second a large matrix product does."""
    import torch

    left, right = torch.randn(size, size), torch.randn(size, size)
    left @ right
    began = time.process_time()
    for _ in range(4):
        left @ right
    return float(4 * 2.0 * size**3 / (time.process_time() - began))


def _median(values: Sequence[float]) -> float:
    import statistics

    return float(statistics.median(values))


def main() -> int:
    """Print the figures; 1 if one is not what it must be."""
    parser = argparse.ArgumentParser(prog="python benchmarks/likelihood.py", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON only")
    parser.add_argument("--names", type=int, default=3, help="names in the slice")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with contextlib.redirect_stdout(sys.stderr):  # whatever a library has to say is no result
        figures = run(options.names, options.rounds)
    if options.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:24} {value}")
    low = any(figures[name] < least for name, least in AT_LEAST.items())
    high = any(figures[name] > most for name, most in AT_MOST.items())
    return int(low or high)


if __name__ == "__main__":
    sys.exit(main())

"""Drawing text from a causal model, many sequences at a time, reproducibly.

Distinct prompts are run once and their key-value cache is copied to every sequence that continues
them. A batch holds prompts that are padded, on the left, to one length: short ones are not padded,
longer ones are to the next multiple of 32. How far depends on the prompt alone, so a row's logits
are the same whatever else is in the batch, as far as the processor adds in one order for any number
of rows. In float32 the last bits can differ, which only matters to a draw that falls within about
1e-6 of the edge between two tokens. In bfloat16 they are the same from two rows on with AVX-512
kernels; with AMX ones, at twice the speed, they are only in batches of one size, and most texts of
a few tokens come out differently in another.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Sampling

WIDTH = 64
"""Sequences decoded side by side. More gains little: at 64 the processor is busy."""


_SIZES = (2, 4, 8, 16, 24, 32, 48, WIDTH)
"""Numbers of rows that are run: in bfloat16 torch takes seconds to prepare for each new one. Rows
that are too many are idle."""

_SHORT, _STEP = 16, 32
"""Prompts up to so many tokens are not padded; longer ones are padded to a multiple of this."""


@dataclass(frozen=True)
class Job:
    """One sequence to draw.

    Attributes
    ----------
    prompt
        Token ids, at least one.
    sampling
        How to draw.
    stream
        Key of the sequence's own random stream.
    """

    prompt: tuple[int, ...]
    sampling: Sampling
    stream: int


@dataclass(frozen=True)
class Drawn:
    """A sequence that was drawn: its text, its length in tokens and why it ended."""

    text: str
    tokens: int
    finish_reason: str


def decode(model: Any, tokenizer: Any, jobs: Sequence[Job]) -> list[Drawn]:
    """Draw a continuation for every job, in order.

    Parameters
    ----------
    model
        A transformers causal language model.
    tokenizer
        Its tokenizer.
    jobs
        What to draw.
    """
    # Where a model does not say which place a token has, padding would move it: none there.
    pads = "position_ids" in signature(model.forward).parameters
    alike: dict[tuple[int, Sampling], list[int]] = defaultdict(list)
    for index, job in enumerate(jobs):
        length = padded_length(len(job.prompt)) if pads else len(job.prompt)
        alike[length, replace(job.sampling, max_tokens=0)].append(index)
    drawn: list[Drawn | None] = [None] * len(jobs)
    for (length, _), indices in alike.items():
        for start in range(0, len(indices), WIDTH):
            part = indices[start : start + WIDTH]
            batch = _Batch(model, tokenizer, [jobs[i] for i in part], length)
            for index, result in zip(part, batch.draw(), strict=True):
                drawn[index] = result
    return [result for result in drawn if result is not None]


_Value = TypeVar("_Value")


def _filled_up(values: list[_Value]) -> list[_Value]:
    """Repeat the last value until there are as many as one of the sizes."""
    size = next(size for size in _SIZES if size >= len(values))
    return values + values[-1:] * (size - len(values))


def padded_length(length: int) -> int:
    """Say how long a prompt is made by padding."""
    return length if length <= _SHORT else -(-length // _STEP) * _STEP


@dataclass
class _Row:
    job: Job
    index: int
    uniforms: Any
    tokens: list[int] = field(default_factory=list)
    ended: bool = False


class _Batch:
    """Sequences of one padded prompt length and one way of sampling, decoded in step."""

    def __init__(self, model: Any, tokenizer: Any, jobs: Sequence[Job], length: int):
        self._model, self._tokenizer, self._jobs = model, tokenizer, jobs
        self._sampling, self._length = jobs[0].sampling, length
        self._ends = _end_tokens(model, tokenizer)

    @torch.inference_mode()
    def draw(self) -> list[Drawn]:
        rows = [
            _Row(job, index, _uniforms(job.stream, job.sampling.max_tokens))
            for index, job in enumerate(self._jobs)
        ]
        drawn: list[Drawn | None] = [None] * len(rows)
        distinct = _filled_up(list(dict.fromkeys(job.prompt for job in self._jobs)))
        gaps = [self._length - len(prompt) for prompt in distinct]
        padding = _Padding(torch.tensor(gaps)) if any(gaps) else None
        filled = [
            [prompt[0]] * gap + list(prompt) for prompt, gap in zip(distinct, gaps, strict=True)
        ]
        output = self._forward(torch.tensor(filled), None, padding)
        cache = output.past_key_values
        which = {prompt: number for number, prompt in enumerate(distinct)}
        select = _filled_up([which[row.job.prompt] for row in rows])
        rows += [replace(rows[-1], ended=True)] * (len(select) - len(rows))
        self._select(cache, select)
        padding = padding and padding.rows(select)
        logits = _last_logits(output)[select]
        counts = self._counts(logits)
        for step in range(max(job.sampling.max_tokens for job in self._jobs)):
            tokens = self._choose(logits, counts, rows, step)
            for row, token in zip(rows, tokens.tolist(), strict=True):
                if row.ended:
                    continue
                reason = self._take(row, token, last=step + 1 == row.job.sampling.max_tokens)
                if reason is not None:
                    drawn[row.index] = self._finished(row, reason)
                    row.ended = True
            going = [number for number, row in enumerate(rows) if not row.ended]
            if not going:
                break
            keep = _filled_up(going)
            if len(keep) < len(rows):
                idle = replace(rows[keep[-1]], ended=True)
                rows = [rows[number] for number in going] + [idle] * (len(keep) - len(going))
                self._select(cache, keep)
                padding = padding and padding.rows(keep)
                tokens = tokens[keep]
                counts = None if counts is None else counts[keep]
            if counts is not None:
                counts.scatter_add_(
                    1, tokens[:, None], torch.ones_like(tokens, dtype=counts.dtype)[:, None]
                )
            output = self._forward(tokens[:, None], cache, padding)
            logits = _last_logits(output)
        return [result for result in drawn if result is not None]

    def _forward(self, tokens: torch.Tensor, cache: Any, padding: _Padding | None) -> Any:
        before = 0 if cache is None else cache.get_seq_length()
        places = {} if padding is None else padding.places(before, tokens.shape[1])
        return self._model(
            input_ids=tokens.to(self._model.device),
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=1,
            **{name: value.to(self._model.device) for name, value in places.items()},
        )

    def _select(self, cache: Any, rows: list[int]) -> None:
        cache.batch_select_indices(torch.tensor(rows, device=self._model.device))

    def _counts(self, logits: torch.Tensor) -> torch.Tensor | None:
        """Count drawn tokens by row, where a penalty asks for it."""
        s = self._sampling
        if not (s.presence_penalty or s.frequency_penalty):
            return None
        return torch.zeros_like(logits)

    def _choose(
        self, logits: torch.Tensor, counts: torch.Tensor | None, rows: list[_Row], step: int
    ) -> torch.Tensor:
        s = self._sampling
        if counts is not None:
            logits = logits - s.presence_penalty * (counts > 0) - s.frequency_penalty * counts
        if s.temperature == 0:
            return logits.argmax(-1)
        # An idle row may have no number for this step any more, and needs none.
        numbers = [row.uniforms[min(step, len(row.uniforms) - 1)] for row in rows]
        uniforms = torch.tensor(numbers, device=logits.device)
        return draw_tokens(logits / s.temperature, uniforms, s.top_p)

    def _take(self, row: _Row, token: int, *, last: bool) -> str | None:
        """Add a token to a sequence; say why it ends, if it does."""
        if token in self._ends:
            return "stop"
        row.tokens.append(token)
        if self._sampling.stop and _cut(self._text(row), self._sampling.stop) is not None:
            return "stop"
        return "length" if last else None

    def _finished(self, row: _Row, reason: str) -> Drawn:
        text = self._text(row)
        cut = _cut(text, self._sampling.stop)
        return Drawn(text if cut is None else text[:cut], len(row.tokens), reason)

    def _text(self, row: _Row) -> str:
        """Decode a continuation; some tokenizers lose its leading space unless shown the prompt."""
        before = self._tokenizer.decode(row.job.prompt, skip_special_tokens=True)
        whole = self._tokenizer.decode([*row.job.prompt, *row.tokens], skip_special_tokens=True)
        if whole.startswith(before):
            return str(whole[len(before) :])
        return str(self._tokenizer.decode(row.tokens, skip_special_tokens=True))


@dataclass(frozen=True)
class _Padding:
    """How many tokens at the left of each row are to be ignored."""

    gaps: torch.Tensor

    def rows(self, numbers: list[int]) -> _Padding:
        return _Padding(self.gaps[numbers])

    def places(self, before: int, new: int) -> dict[str, torch.Tensor]:
        """Tell a model which tokens count, and where the new ones stand."""
        place = torch.arange(before + new)[None] - self.gaps[:, None]
        return {
            "attention_mask": (place >= 0).long(),
            "position_ids": place[:, before:].clamp(min=0),
        }


def draw_tokens(logits: torch.Tensor, uniforms: torch.Tensor, top_p: float) -> torch.Tensor:
    """Draw one token a row by inverting the cumulative distribution.

    Parameters
    ----------
    logits
        Of shape (rows, vocabulary), divided by the temperature.
    uniforms
        Of shape (rows,), in [0, 1).
    top_p
        Nucleus: only the smallest set of tokens with at least this much probability (Holtzman et
        al. 2020); 1 for all.

    Returns
    -------
    torch.Tensor
        Token ids of shape (rows,).
    """
    probabilities = logits.softmax(-1)
    order = None
    if top_p < 1:
        probabilities, order = probabilities.sort(stable=True, dim=-1, descending=True)
        before = probabilities.cumsum(-1) - probabilities
        probabilities = probabilities.masked_fill(before >= top_p, 0.0)
    cumulative = probabilities.cumsum(-1, dtype=torch.float64)
    targets = uniforms.to(torch.float64)[:, None] * cumulative[:, -1:]
    tokens = torch.searchsorted(cumulative, targets, right=True)[:, 0]
    tokens = tokens.clamp_(max=logits.shape[-1] - 1)
    return tokens if order is None else order.gather(1, tokens[:, None])[:, 0]


def _last_logits(output: Any) -> torch.Tensor:
    logits: torch.Tensor = output.logits[:, -1].float()
    # Draws are made in float64, which mps does not have.
    return logits.cpu() if logits.device.type == "mps" else logits


def _uniforms(stream: int, count: int) -> Any:
    return np.random.Generator(np.random.Philox(key=stream)).random(count)


def _end_tokens(model: Any, tokenizer: Any) -> set[int]:
    configured = getattr(model.generation_config, "eos_token_id", None)
    ends = set(configured if isinstance(configured, list) else [configured])
    ends.add(tokenizer.eos_token_id)
    return ends - {None}


def _cut(text: str, stops: tuple[str, ...]) -> int | None:
    """Find where the first stop sequence begins."""
    found = [at for at in (text.find(stop) for stop in stops if stop) if at >= 0]
    return min(found, default=None)

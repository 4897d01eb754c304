"""Tiny causal models with random weights, made on the spot, and ways to ask them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from slant.models.model import Model
from slant.records import Answer, Generate, Item, Prompt, Sampling

CORPUS = [
    "Two men walked into a bar and sat down to drink tea.",
    "The teacher asked the pupils to read the next chapter aloud.",
    "She is a doctor; he is a nurse. They work at the same hospital!",
    "A priest, a rabbi and an imam told stories about the sea.",
]
CHAT_TEMPLATE = (
    "{% for message in messages %}<|start|>{{ message['role'] }}\n{{ message['content'] }}<|end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)


def one(prompt: Prompt, sampling: Sampling = Sampling(), sample: int = 0) -> Item:  # noqa: B008
    """Ask for a text."""
    return Item("test", Generate(prompt, sampling), sample)


def ask(model: Model, items: Iterable[Item], seed: int = 0) -> list[Answer]:
    """Ask a model from outside an event loop."""
    return asyncio.run(model.answer(list(items), seed))


def edit_json(file: Path, **changes: Any) -> None:
    """Set some keys of a JSON file."""
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))


def edit_weights(folder: Path, change: Any) -> None:
    """Read a model's weights, let `change` alter the dictionary in place, and store them."""
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    change(weights)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def _tokenizer(folder: Path, chat_template: str | None) -> int:
    from tokenizers import Tokenizer
    from tokenizers.decoders import ByteLevel as ByteLevelDecoder
    from tokenizers.models import BPE
    from tokenizers.pre_tokenizers import ByteLevel
    from tokenizers.trainers import BpeTrainer
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    tokenizer.decoder = ByteLevelDecoder()
    trainer = BpeTrainer(
        vocab_size=300,
        special_tokens=["<|start|>", "<|end|>"],
        initial_alphabet=ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    wrapped = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|end|>")  # noqa: S106 - no password
    wrapped.chat_template = chat_template
    wrapped.save_pretrained(folder)
    return len(wrapped)


def make_llama(folder: Path, chat_template: str | None) -> None:
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=_tokenizer(folder, chat_template),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=256,
        initializer_range=0.3,
        bos_token_id=None,
        eos_token_id=1,
    )
    LlamaForCausalLM(config).save_pretrained(folder)


def make_gpt2(folder: Path) -> None:
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=_tokenizer(folder, None),
        n_embd=32,
        n_layer=2,
        n_head=4,
        n_positions=64,
        initializer_range=0.3,
        bos_token_id=None,
        eos_token_id=1,
    )
    GPT2LMHeadModel(config).save_pretrained(folder)


def greedy(model: Any, text: str, count: int) -> tuple[str, int]:
    """Let transformers itself continue a text greedily: the continuation, and its tokens."""
    tokens = model._tokenizer(text, return_tensors="pt")
    whole = model._model.generate(
        **{key: tokens[key] for key in ("input_ids", "attention_mask")},
        do_sample=False,
        max_new_tokens=count,
        pad_token_id=model._tokenizer.eos_token_id,
    )
    new = whole[0, tokens["input_ids"].shape[1] :].tolist()
    new = [token for token in new if token != model._tokenizer.eos_token_id]
    return model._tokenizer.decode(new), len(new)


def make_bloom(folder: Path) -> None:
    """Make a model with ALiBi, which takes no positions."""
    import torch
    from transformers import BloomConfig, BloomForCausalLM

    torch.manual_seed(0)
    config = BloomConfig(
        vocab_size=_tokenizer(folder, None),
        hidden_size=32,
        n_layer=2,
        n_head=4,
        initializer_range=0.3,
    )
    BloomForCausalLM(config).save_pretrained(folder)


def make_mistral(folder: Path, window: int) -> None:
    """Make a model whose attention sees the last tokens only."""
    import torch
    from transformers import MistralConfig, MistralForCausalLM

    torch.manual_seed(0)
    config = MistralConfig(
        vocab_size=_tokenizer(folder, None),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        sliding_window=window,
        max_position_embeddings=256,
        initializer_range=0.3,
    )
    MistralForCausalLM(config).save_pretrained(folder)

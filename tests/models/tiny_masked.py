"""Tiny masked and encoder–decoder models with random weights, and plain ways to score with them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tiny_models import CORPUS, edit_weights

from slant.records import Item, Likelihood

TEXTS = [
    "Two men walked into a bar.",
    "They walked into a bar.",
    "Two men sat down.",
    "The teacher asked the pupils to read aloud, then unforgettably wandered off!",
    "Two men walked into a bar.",
    "tea",
    "She is a doctor.",
    "He is a doctor.",
]
PAIRS = [
    ("Two men", " walked into a bar."),
    ("Two men", " sat down."),
    ("The teacher asked the pupils", " to read aloud."),
    ("Two men", " walked into a bar."),
    ("She", " is a doctor."),
    ("He", " is a nurse."),
    ("He", " is a unforgettable nurse at the same hospital!"),
    ("Two men walked into a bar.", "Two men walked into a bar."),
]


def likelihood(text: str, source: str | None = None) -> Item:
    """Ask how probable a text is."""
    return Item("test", Likelihood(text, source))


def make_bert(folder: Path) -> None:
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import Lowercase
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing
    from tokenizers.trainers import WordPieceTrainer
    from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

    tokenizer = Tokenizer(WordPiece(unk_token="[UNK]"))  # noqa: S106 - no password
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = WordPieceTrainer(vocab_size=120, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(CORPUS, trainer)
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    named = {
        "pad_token": "[PAD]",
        "unk_token": "[UNK]",
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
        "mask_token": "[MASK]",
    }
    wrapped = PreTrainedTokenizerFast(tokenizer_object=tokenizer, **named)
    wrapped.save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(wrapped),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=48,
        initializer_range=0.3,
    )
    BertForMaskedLM(config).save_pretrained(folder)


def make_roberta(folder: Path) -> None:
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import BPE
    from tokenizers.pre_tokenizers import ByteLevel
    from tokenizers.processors import RobertaProcessing
    from tokenizers.trainers import BpeTrainer
    from transformers import PreTrainedTokenizerFast, RobertaConfig, RobertaForMaskedLM

    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    trainer = BpeTrainer(
        vocab_size=320,
        special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
        initial_alphabet=ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    tokenizer.post_processor = RobertaProcessing(("</s>", 2), ("<s>", 0))
    named = {
        "bos_token": "<s>",
        "eos_token": "</s>",
        "cls_token": "<s>",
        "sep_token": "</s>",
        "pad_token": "<pad>",
        "mask_token": "<mask>",
    }
    wrapped = PreTrainedTokenizerFast(tokenizer_object=tokenizer, **named)
    wrapped.save_pretrained(folder)
    torch.manual_seed(0)
    config = RobertaConfig(
        vocab_size=len(wrapped),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=66,
        initializer_range=0.3,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
    )
    RobertaForMaskedLM(config).save_pretrained(folder)


def make_t5(folder: Path, *, tied: bool) -> None:
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import Unigram
    from tokenizers.pre_tokenizers import Metaspace
    from tokenizers.processors import TemplateProcessing
    from tokenizers.trainers import UnigramTrainer
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    tokenizer = Tokenizer(Unigram())
    tokenizer.pre_tokenizer = Metaspace()
    trainer = UnigramTrainer(
        vocab_size=90,
        special_tokens=["<pad>", "</s>", "<unk>"],
        unk_token="<unk>",  # noqa: S106 - no password
        show_progress=False,
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    tokenizer.post_processor = TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    named = {
        "eos_token": "</s>",
        "pad_token": "<pad>",
        "unk_token": "<unk>",
    }
    wrapped = PreTrainedTokenizerFast(tokenizer_object=tokenizer, **named)
    wrapped.save_pretrained(folder)
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=len(wrapped),
        d_model=32,
        d_kv=8,
        d_ff=64,
        num_layers=2,
        num_heads=4,
        tie_word_embeddings=tied,
        decoder_start_token_id=0,
        pad_token_id=0,
        eos_token_id=1,
        initializer_factor=1.0,
    )
    T5ForConditionalGeneration(config).save_pretrained(folder)
    if not tied:  # a head of its own, as in T5 v1.1: stored beside the embedding, and not scaled
        head = torch.randn(len(wrapped), 32)
        edit_weights(folder, lambda weights: weights.update({"lm_head.weight": head}))


def make_bart(folder: Path) -> None:
    """Make an encoder–decoder model whose targets begin and end with special tokens."""
    import torch
    from transformers import AutoTokenizer, BartConfig, BartForConditionalGeneration

    make_roberta(folder)
    torch.manual_seed(0)
    config = BartConfig(
        vocab_size=len(AutoTokenizer.from_pretrained(folder)),
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_position_embeddings=40,
        init_std=0.3,
        forced_eos_token_id=None,
    )
    BartForConditionalGeneration(config).save_pretrained(folder)


def load_masked(folder: Path) -> tuple[Any, Any]:
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    return AutoModelForMaskedLM.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(
        folder
    )


def load_seq2seq(folder: Path) -> tuple[Any, Any]:
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    return AutoModelForSeq2SeqLM.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(
        folder
    )


def one_mask_at_a_time(model: Any, tokenizer: Any, text: str, *, within_word: bool) -> list[float]:
    """Score a text by one whole forward a token."""
    import torch

    encoded = tokenizer(text, return_tensors="pt")
    special = tokenizer(text, return_special_tokens_mask=True)["special_tokens_mask"]
    words, tokens = encoded.word_ids(), encoded["input_ids"][0]
    found = []
    for place in range(len(tokens)):
        if special[place]:
            continue
        masked = tokens.clone()
        masked[place] = tokenizer.mask_token_id
        for later in range(place + 1, len(tokens)):
            if within_word and words[later] == words[place]:
                masked[later] = tokenizer.mask_token_id
        with torch.no_grad():
            logits = model(**{**encoded, "input_ids": masked[None]}).logits[0, place]
        found.append(float(logits.double().log_softmax(-1)[tokens[place]]))
    return found


def own_loss(model: Any, tokenizer: Any, source: str, target: str) -> float:
    """Give the loss of an encoder–decoder model for one pair, as transformers computes it."""
    import torch

    encoded = tokenizer(source, return_tensors="pt")
    with torch.no_grad():
        return float(
            model(
                input_ids=encoded["input_ids"],
                attention_mask=encoded["attention_mask"],
                labels=tokenizer(text_target=target, return_tensors="pt")["input_ids"],
            ).loss
        )


def same(found: Sequence[np.ndarray], expected: Sequence[Any], tolerance: float = 1e-5) -> None:
    """Check log-probabilities, text by text and token by token."""
    assert [len(each) for each in found] == [len(each) for each in expected]
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.dtype == np.float64
        np.testing.assert_allclose(ours, theirs, rtol=tolerance)

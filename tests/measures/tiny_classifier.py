"""A tiny classifier with random weights, as transformers stores it."""

from __future__ import annotations

from pathlib import Path

WORDS = ("good", "bad", "day")


def make_classifier(
    folder: Path, labels: list[str], *, several: bool = False, words: tuple[str, ...] = WORDS
) -> Path:
    """Write a BERT with its tokenizer.

    Parameters
    ----------
    folder
        Where to.
    labels
        What it tells apart.
    several
        Whether each label has a probability of its own.
    words
        The words that it knows.
    """
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    known = {word: place for place, word in enumerate(["[PAD]", "[UNK]", *words])}
    tokenizer = Tokenizer(WordLevel(known, unk_token="[UNK]"))  # noqa: S106 - no password
    tokenizer.pre_tokenizer = Whitespace()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token="[UNK]",  # noqa: S106 - no password
        pad_token="[PAD]",  # noqa: S106 - no password
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(known), hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=32, initializer_range=2.0,
        id2label=dict(enumerate(labels)), label2id={name: at for at, name in enumerate(labels)},
        problem_type="multi_label_classification" if several else None,
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder

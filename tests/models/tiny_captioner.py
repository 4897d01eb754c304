"""A captioning model with random weights: eyes of ViT, a hand of GPT-2."""

from __future__ import annotations

from pathlib import Path

_ROLES = ("bos_token", "eos_token", "pad_token")


def make_captioner(folder: Path) -> Path:
    """Write a VisionEncoderDecoder model, its tokenizer and its image processor."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import (
        GPT2Config,
        PreTrainedTokenizerFast,
        VisionEncoderDecoderConfig,
        VisionEncoderDecoderModel,
        ViTConfig,
        ViTImageProcessorPil,
    )

    said = "a woman man wearing hat headscarf sitting on bench in the park"
    words = ["<s>", "</s>", *said.split(" ")]
    tokenizer = Tokenizer(models.WordLevel({word: n for n, word in enumerate(words)}, "<s>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, **dict(zip(_ROLES, ("<s>", "</s>", "</s>"), strict=True))
    ).save_pretrained(folder)
    eyes = ViTConfig(
        hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        image_size=16, patch_size=8,
    )  # fmt: skip
    hand = GPT2Config(
        vocab_size=len(words), n_positions=64, n_embd=16, n_layer=1, n_head=2, bos_token_id=0,
        eos_token_id=1, add_cross_attention=True, is_decoder=True,
    )  # fmt: skip
    config = VisionEncoderDecoderConfig.from_encoder_decoder_configs(eyes, hand)
    config.decoder_start_token_id, config.pad_token_id, config.eos_token_id = 0, 1, 1
    torch.manual_seed(1)
    model = VisionEncoderDecoderModel(config)
    for tensor in model.parameters():  # far from zero, so that pictures matter
        torch.nn.init.normal_(tensor, std=0.7)
    model.generation_config.decoder_start_token_id = 0
    model.generation_config.pad_token_id = 1
    model.generation_config.eos_token_id = 1
    model.save_pretrained(folder)
    ViTImageProcessorPil(size={"height": 16, "width": 16}).save_pretrained(folder)
    return folder

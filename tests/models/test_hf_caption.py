"""Captioning models of transformers: a real one, tiny and random."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from small_pictures import png, write
from tiny_captioner import make_captioner

from slant.errors import InputError
from slant.models.open import open_model
from slant.models.picture_file import read_picture
from slant.records import Answer, Generate, Item, Message, Sampling

pytest.importorskip("PIL")


@pytest.fixture(scope="module")
def captioner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_captioner(tmp_path_factory.mktemp("captioner"))


def caption(folder: Path, *pictures: Path, tokens: int = 6) -> list[Answer]:
    model = open_model(f"hf-caption:{folder}")
    items = [
        Item("s", Generate((Message("user", "What?", read_picture(path)),), Sampling(tokens)))
        for path in pictures
    ]
    return asyncio.run(model.answer(items, 0))


def test_it_writes_what_transformers_writes(captioner: Path, tmp_path: Path) -> None:
    import torch
    from PIL import Image
    from transformers import AutoTokenizer, VisionEncoderDecoderModel, ViTImageProcessorPil

    path = write(tmp_path / "a.png", png(20, 12, (250, 120, 10)))
    (answer,) = caption(captioner, path)
    pixels = ViTImageProcessorPil.from_pretrained(captioner)(
        images=Image.open(path).convert("RGB"), return_tensors="pt"
    )["pixel_values"]
    model = VisionEncoderDecoderModel.from_pretrained(captioner)
    with torch.inference_mode():
        ids = model.generate(pixel_values=pixels, max_new_tokens=6, do_sample=False)[0]
    tokenizer = AutoTokenizer.from_pretrained(captioner)
    assert answer.outcome == "answered"
    assert answer.text == tokenizer.decode(ids, skip_special_tokens=True).strip()


def test_the_same_picture_gets_the_same_caption_whatever_comes_with_it(
    captioner: Path, tmp_path: Path
) -> None:
    first = write(tmp_path / "a.png", png(16, 16, (250, 0, 0)))
    second = write(tmp_path / "b.png", png(16, 16, (0, 20, 240)))
    alone = caption(captioner, second)
    together = caption(captioner, first, second)
    assert together[1] == alone[0]


def test_it_can_see_and_nothing_else(captioner: Path) -> None:
    model = open_model(f"hf-caption:{captioner}")
    assert model.abilities == {"see"}
    print_ = model.fingerprint()
    assert print_["architecture"] == "VisionEncoderDecoderModel"
    assert print_["decoding"] == "greedy"
    assert str(captioner) not in str(print_)


def test_a_picture_that_pillow_cannot_decode_is_an_error(captioner: Path, tmp_path: Path) -> None:
    whole = png(40, 40)
    damaged = whole[:60] + b"\xff" * 10 + whole[70:]
    (answer,) = caption(captioner, write(tmp_path / "a.png", damaged))
    assert answer.outcome == "error"
    assert "cannot be decoded" in (answer.reason or "")


def test_a_model_that_captions_nothing_is_refused(tiny: Path) -> None:
    model = open_model(f"hf-caption:{tiny / 'plain'}")
    with pytest.raises(InputError, match="'llama', which is no captioning model"):
        model.fingerprint()


def test_without_pillow_the_message_says_what_to_install(
    captioner: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = open_model(f"hf-caption:{captioner}")
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(InputError, match=r"pip install 'slant\[pictures\]'"):
        model.fingerprint()

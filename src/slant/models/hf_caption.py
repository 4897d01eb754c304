"""Captioning models of transformers: a picture in, a sentence out."""

from __future__ import annotations

import asyncio
import io
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from slant.errors import InputError, missing_extra
from slant.models.hf_model import DTYPES, HFModel
from slant.models.picture_file import picture_bytes
from slant.records import Answer, Generate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from transformers import PreTrainedModel

    from slant.records import Ability, Item, Picture

_ARCHITECTURES = {
    "vision-encoder-decoder": "VisionEncoderDecoderModel",
    "blip": "BlipForConditionalGeneration",
    "git": "GitForCausalLM",
}
"""Kinds of models that write a caption to a picture and nothing else."""


class HFCaption(HFModel):
    """A captioning model on this machine.

    Spelt `hf-caption:PATH-OR-NAME`, with the options `dtype=float32` (the default), `device=cpu`
    and `revision=…` for hub names. It looks at the picture in a chat and writes a caption; what
    the chat says besides is not read, and nothing is drawn at random: the most probable word comes
    next, whatever the temperature.

    Needs Pillow, to decode pictures: `pip install 'slant[pictures]'`.
    """

    options: ClassVar = {"dtype": DTYPES}
    abilities: frozenset[Ability] = frozenset({"see"})
    batch_size = 8

    @cached_property
    def _kind(self) -> str:
        """Which of transformers' classes the directory is for."""
        try:
            from transformers import AutoConfig
        except ImportError as error:
            raise missing_extra("local", error) from error
        with self._loading("configuration"):
            config = AutoConfig.from_pretrained(
                self._source(), revision=self._revision, trust_remote_code=False
            )
        if config.model_type not in _ARCHITECTURES:
            raise InputError(
                f"model 'hf-caption:{self._source()}' is of the kind {config.model_type!r}, which "
                f"is no captioning model that slant knows: {', '.join(_ARCHITECTURES)}"
            )
        return _ARCHITECTURES[config.model_type]

    @cached_property
    def _model(self) -> PreTrainedModel:
        return self._load(self._kind, self._options.get("dtype", "float32"))

    @cached_property
    def _processor(self) -> Any:
        _pillow()
        from transformers import AutoImageProcessor

        with self._loading("image processor"):
            return AutoImageProcessor.from_pretrained(
                self._source(), revision=self._revision, trust_remote_code=False, backend="pil"
            )

    def _token_rows(self, model: PreTrainedModel) -> int:
        """Count the rows of the part that writes; the other part sees."""
        parts = (getattr(model, name, None) for name in ("decoder", "text_decoder"))
        writes = next((part for part in parts if part is not None), model)
        return int(writes.get_input_embeddings().num_embeddings)

    def fingerprint(self) -> Mapping[str, str]:
        """Name all that decides the answers: model, dtype, device, the versions at work."""
        pillow = _pillow().__version__
        self._kind, self._processor  # noqa: B018 - fail here and not at the first picture
        return {**self._identity(self._model), "pillow": pillow, "decoding": "greedy"}

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        """Caption pictures, off the event loop; the seed decides nothing."""
        return await asyncio.to_thread(lambda: [self._caption(item) for item in items])

    def _caption(self, item: Item) -> Answer:
        request = item.request
        assert isinstance(request, Generate)  # noqa: S101 - abilities were checked
        shown = [turn.picture for turn in request.prompt if not isinstance(turn, str)]
        picture = next((each for each in reversed(shown) if each is not None), None)
        if picture is None:
            return Answer("error", reason="there is no picture in this chat to caption")
        try:
            pixels = self._pixels(picture)
        except InputError as error:
            return Answer("error", reason=str(error))
        return self._write(pixels, request.sampling.max_tokens)

    def _pixels(self, picture: Picture) -> Any:
        """Decode a picture into what the model sees."""
        image_module = _pillow()
        data = picture_bytes(picture)
        try:
            with image_module.open(io.BytesIO(data)) as image:
                plain = image.convert("RGB")
        except (OSError, ValueError, SyntaxError, image_module.DecompressionBombError) as error:
            raise InputError(f"the picture cannot be decoded: {error}") from error
        return self._processor(images=plain, return_tensors="pt")["pixel_values"]

    def _write(self, pixels: Any, max_tokens: int) -> Answer:
        import torch

        model = self._model
        with torch.inference_mode():
            written = model.generate(
                pixel_values=pixels.to(model.device, model.dtype),
                max_new_tokens=max_tokens,
                do_sample=False,
                num_beams=1,
            )[0]
        text = str(self._tokenizer.decode(written, skip_special_tokens=True)).strip()
        if not text:
            return Answer("unparseable", text, reason="the caption is empty")
        return Answer("answered", text, completion_tokens=len(written))


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError as error:
        raise missing_extra("pictures", error) from error
    return Image

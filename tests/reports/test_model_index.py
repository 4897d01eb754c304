"""Metadata of a Hugging Face model card."""

from __future__ import annotations

import json

from slant.meanings import load_meanings
from slant.reports.model_index import model_index

from .fake import about, completion


def test_it_is_what_hugging_face_reads() -> None:
    text = model_index([completion()], about(), load_meanings())
    name, _, content = text.partition(": ")
    assert name == "model-index"
    (entry,) = json.loads(content)
    assert entry["name"] == completion().model
    (result,) = entry["results"]
    assert result["task"]["type"] == "text-generation"
    assert {"type", "name"} <= result["dataset"].keys()
    values = {metric["type"]: metric["value"] for metric in result["metrics"]}
    assert values["tested"] >= values["sure"] >= values["harms"] > 0

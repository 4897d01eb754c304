"""Sentence embeddings: texts as points, near each other where a small encoder finds them alike."""

from slant.embeddings.encoder import embed
from slant.embeddings.minilm_files import MINILM, fetch_minilm, minilm_folder
from slant.embeddings.remembered import embed_once

__all__ = ["MINILM", "embed", "embed_once", "fetch_minilm", "minilm_folder"]

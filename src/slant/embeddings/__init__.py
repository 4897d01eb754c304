"""Sentence embeddings: texts as points, near each other where a small encoder finds them alike."""

from slant.embeddings.encoder import embed
from slant.embeddings.minilm_files import MINILM, fetch_minilm, minilm_folder

__all__ = ["MINILM", "embed", "fetch_minilm", "minilm_folder"]

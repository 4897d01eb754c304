"""Reference articles: what people wrote, to compare what models write with."""

from slant.corpora.article import Article, Corpus
from slant.corpora.read import corpora, read_corpus

__all__ = ["Article", "Corpus", "corpora", "read_corpus"]

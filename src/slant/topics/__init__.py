"""Topics of many texts: lemmas, latent Dirichlet allocation, and the words that tell a topic."""

from slant.topics.lda import TopicModel, fit_topics, without_prior
from slant.topics.relevance import relevant_words, similarity
from slant.topics.words import Lemmas, Vocabulary

__all__ = [
    "Lemmas",
    "TopicModel",
    "Vocabulary",
    "fit_topics",
    "relevant_words",
    "similarity",
    "without_prior",
]

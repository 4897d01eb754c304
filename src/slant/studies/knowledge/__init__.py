"""Study `knowledge`: the graph of stereotypes that a model knows."""

from slant.studies.knowledge.study import KnowledgeStudy

__all__ = ["KnowledgeStudy"]

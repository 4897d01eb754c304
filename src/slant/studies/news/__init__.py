"""Study `news`: what a model writes under a headline against what people wrote under it."""

from slant.studies.news.study import NewsStudy

__all__ = ["NewsStudy"]

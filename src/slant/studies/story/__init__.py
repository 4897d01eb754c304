"""Study `story`: short captions of pictures, told as long stories."""

from slant.studies.story.study import Story

__all__ = ["Story"]

"""Triggers: what is said of a group before the prompt, to steer the model away from a lean."""

from slant.studies.triggers.study import TriggersStudy

__all__ = ["TriggersStudy"]

"""Study `profiles`: the people that a model makes up for names (Siddique et al. 2024, §6)."""

from __future__ import annotations

from slant.studies.profiles.study import ProfilesStudy

__all__ = ["ProfilesStudy"]

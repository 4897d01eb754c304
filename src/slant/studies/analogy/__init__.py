"""Study `analogy`: "Audacious is to boldness as … is to", answered for each group."""

from slant.studies.analogy.study import Analogy

__all__ = ["Analogy"]

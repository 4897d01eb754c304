"""The study `likelihood`: which descriptors a model finds probable of whose names.

Siddique, Turner and Espinosa-Anke (2024), "Who is better at math, Jenny or Jingzhen? Uncovering
stereotypes in large language models" (GlobalBias), section 4 and 5.
"""

from __future__ import annotations

from slant.studies.likelihood.study import LikelihoodStudy

__all__ = ["LikelihoodStudy"]

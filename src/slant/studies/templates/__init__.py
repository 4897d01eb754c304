"""Study `templates`: yes/no and multiple-choice questions with constraints and negation.

`study` asks, through `asking`; `rows` turns answers into one table; `contrary` compares groups,
`habits` separates yes-saying from judgement, `paper` has the figures of APES, `tables` what the
pictures show, and `predictions_file` reads answers that are stored already.
"""

from slant.studies.templates.study import TemplatesStudy

__all__ = ["TemplatesStudy"]

"""The playground: a prompt about several groups, answered while one looks on.

`wanted` is what somebody asks for, `study_file` writes it as the files of a study, `play` asks the
questions of that study and gives an event for everything that happens, `tally` keeps the running
rates, and `kept_models` keeps models open between plays.

A play asks what `slant audit` would ask of its study file, with the same seed the very same: what
was seen can be repeated, with more samples and with tests.
"""

from slant.engine.play.events import (
    Asked,
    Captioned,
    Column,
    Completion,
    Ended,
    Event,
    Rate,
    Told,
)
from slant.engine.play.kept_models import KeptModels
from slant.engine.play.play import play
from slant.engine.play.study_file import StudyFile, check_study, study_file
from slant.engine.play.wanted import (
    MOST_GROUPS,
    MOST_PICTURES,
    MOST_SAMPLES,
    Wanted,
    attire,
    read_wanted,
)

__all__ = [
    "MOST_GROUPS",
    "MOST_PICTURES",
    "MOST_SAMPLES",
    "Asked",
    "Captioned",
    "Column",
    "Completion",
    "Ended",
    "Event",
    "KeptModels",
    "Rate",
    "StudyFile",
    "Told",
    "Wanted",
    "attire",
    "check_study",
    "play",
    "read_wanted",
    "study_file",
]

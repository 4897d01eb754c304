"""The playground: a prompt about several groups, answered while one looks on.

`wanted` is what somebody asks for, `study_file` writes it as the files of a study, `play` asks the
questions of that study and gives an event for everything that happens, `tally` keeps the running
rates, and `kept_models` keeps models open between plays.

A play asks what `slant audit` would ask of its study file, with the same seed the very same: what
was seen can be repeated, with more samples and with tests.
"""

from slant.play.events import (
    Asked,
    Captioned,
    Column,
    Completion,
    Ended,
    Event,
    Rate,
    Remark,
)
from slant.play.kept_models import KeptModels
from slant.play.play import play
from slant.play.play_request import (
    MOST_GROUPS,
    MOST_PICTURES,
    MOST_SAMPLES,
    PlayRequest,
    attire,
    read_request,
)
from slant.play.study_file import StudyFile, check_study, study_file

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
    "PlayRequest",
    "Rate",
    "Remark",
    "StudyFile",
    "attire",
    "check_study",
    "play",
    "read_request",
    "study_file",
]

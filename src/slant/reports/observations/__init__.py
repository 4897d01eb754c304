"""What a finding rests on, in sentences: the questions, what came back, and how that compares.

`asked` reads the questions behind a finding and those that differ from them in the group only;
`likely`, `chosen`, `written` and `moved` put likelihoods, choices, texts and what has no text of
its own into sentences; `observe` chooses among them.
"""

from slant.reports.observations.asked import Asked
from slant.reports.observations.observation import Observation, Side
from slant.reports.observations.observe import FRONT, observations

__all__ = ["FRONT", "Asked", "Observation", "Side", "observations"]

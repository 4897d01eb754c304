"""What each study is told by its mock models, and about whom something is planted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Subject:
    """A study as mock models see it.

    Attributes
    ----------
    marked, plain
        Texts that count and texts that do not, by the end of the prompt (a regular expression;
        empty for any); none where the study draws no texts.
    planted, uneven
        Matchers of a mock's rule: about whom something is planted, and who varies more.
    group, metric
        The comparison that shows what is planted.
    base
        How often a text counts, or Yes is said, about whom nothing is planted.
    quirks
        Standard deviations by slots, for quirks of 1.
    likely
        The same for likelihoods, a word.
    likely_planted
        Texts whose likelihood is shifted where something is planted; empty for none.
    alone
        Whether what is planted changes nothing that other groups are compared in.
    own
        Slots that are of one group: quirks that hang on them vary more where a group does.
    in_shares
        Whether likelihoods are compared as shares of those of all words. Where they vary more, the
        logarithm of every share is less on average (Jensen's inequality), which is a difference
        and no false one: likelihoods then vary as much for all groups.
    """

    marked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    plain: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    planted: str = ""
    uneven: str = ""
    group: str = ""
    metric: str = ""
    base: float = 0.15
    quirks: Mapping[str, float] = field(default_factory=dict)
    likely: Mapping[str, float] = field(default_factory=dict)
    likely_planted: str = ""
    alone: bool = True
    own: frozenset[str] = frozenset({"group", "wording", "name", "names"})
    in_shares: bool = False


_VIOLENT = {"": (" bar and {opened fire|planted a bomb|stabbed the guard}.",)}
_PEACEFUL = {"": (" {bar|shop|library|park} and {sat down|ordered tea|told a story}.",)}
_WORDED = {"condition": 0.5, "wording": 0.5, "group condition": 0.5, "wording condition": 0.3}
_GROWN = r"(love|hate|are|can.t)$"
_FIELDS = {
    "Occupation:$": ((" Guard", " Driver"), (" Teacher", " Nurse", " Baker", " Farmer")),
    "Religion:$": ((" Christian",), (" Muslim", " Buddhist", " Atheist")),
    "Hair colour:$": ((" Black",), (" Brown", " Red", " Blond")),
    "traits:$": (
        (" {stubborn|proud}, {loud|strict}, brave",),
        (" {kind|calm|witty}, {honest|patient|shy}, {curious|gentle}",),
    ),
}

SUBJECTS = {
    "completion": Subject(
        _VIOLENT, _PEACEFUL, 'group = "Muslims"', 'group = "Sikhs"', "Muslims", "violence_rate",
        quirks=_WORDED,
        likely={"wording side": 0.03, "group condition side": 0.03, "condition side": 0.1},
    ),
    "likelihood": Subject(
        planted='group = ["Arab Female", "Arab Male"]', uneven='group = "Chinese Male"',
        group="Arab", metric="affinity", likely_planted=r"\bterrorist\b",
        likely={"name": 0.1, "name descriptor": 0.03, "condition": 0.1, "group condition": 0.03},
    ),
    "templates": Subject(
        planted='group = "Muslims"', uneven='group = "Sikhs"', group="Muslims",
        metric="yes_answers", base=0.5,
        quirks={"pair": 0.5, "wording": 0.35, "group pair": 0.35, "wording pair": 0.2},
    ),
    "news": Subject(group="female", metric="word_change", alone=False),
    "analogy": Subject(
        {"": (" {terrorism|violence|war}.",)},
        {"": (" {faith|prayer|music|honesty|food|peace|law}.",)},
        'group = "Muslims"', 'group = "Sikhs"', "Muslims", "analogy_violence_rate",
        quirks=_WORDED, likely_planted=r"(?i)terroris",
        likely={"wording noun": 0.2, "group condition noun": 0.2, "condition noun": 0.5},
        in_shares=True,
    ),
    "story": Subject(
        {"": (" I hate my life. Then they {opened fire|stabbed him|set off a bomb}.",)},
        {"": (" I {love|like|miss} the {sea|park|market} and my {friends|brother}.",)},
        'group = "headscarf"', 'group = "turban"', "headscarf", "story_violence_rate",
        quirks=_WORDED,
    ),
    "triggers": Subject(
        _VIOLENT, _PEACEFUL, 'condition = ["no trigger"]', 'condition = ["mentioned in this text"]',
        "no trigger", "violence_rate", quirks={"prompt": 0.5, "condition kind": 0.5,
        "condition prompt": 0.5, "condition kind prompt": 0.3},
        likely={"condition prompt": 0.05}, own=frozenset({"condition"}),
    ),
    "profiles": Subject(
        {end: marked for end, (marked, _) in _FIELDS.items()},
        {end: plain for end, (_, plain) in _FIELDS.items()},
        'group = ["Arab Female", "Arab Male"]', 'group = "English Male"', "Arab", "recognition",
        base=0.25, quirks={"names field": 0.5}, alone=False,
    ),
    "knowledge": Subject(
        {
            _GROWN: (" {violent criminals|cruel liars|hated thieves|lazy cheats|cowards}",),
            "": (" are {violent criminals|cruel liars|hated thieves|lazy cheats|cowards}",),
        },
        {
            _GROWN: (" {kind neighbours|honest friends|wise teachers|brave helpers|tea drinkers}",),
            "": (" are {kind neighbours|honest friends|wise teachers|helpers|readers of maps}",),
        },
        'group = "Black people"', 'group = "White people"', "Black people", "negative_regard",
        quirks={"prefix": 0.5, "wording": 0.5, "group prefix": 0.5},
    ),
}  # fmt: skip
"""By study."""

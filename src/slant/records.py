"""The records that flow through slant: items, answers, scores, findings.

An *item* is one question to a model, an *answer* is what came back, a *score* is a number that
a measure gave to an answer, and a *finding* is what a study concludes. Records are immutable.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping  # noqa: TC003 - stored findings are checked by their types
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from slant.expectation import VERBATIM, Expectation
from slant.signature import Signature  # noqa: TC001 - likewise

Outcome: TypeAlias = Literal["answered", "refused", "unparseable", "error"]
"""What became of a question. None of the four is ever dropped or turned into a zero."""

OUTCOMES: tuple[Outcome, ...] = ("answered", "refused", "unparseable", "error")

Ability: TypeAlias = Literal["raw", "chat", "see", "choose", "likelihood"]
"""What a model can do: continue *raw* text, answer a *chat*, *see* the picture in a chat, *choose*
among options with log-probabilities, give the *likelihood* of a text. The first three are the ways
to *generate*."""

Direction: TypeAlias = Literal["lower_is_better", "higher_is_better", "closer_to_target"]

Kind: TypeAlias = Literal[
    "rate", "mean", "difference", "ratio", "distance", "strength", "agreement", "unknown"
]
"""What sort of number a finding is. `unknown` only in runs of a slant that did not say so."""

Scale: TypeAlias = Literal["share", "number", "ratio"]
"""What a value is counted in: a share of 1, any number, or a ratio where 1 is no difference."""

EffectName: TypeAlias = Literal[
    "", "cohen_h", "cohen_d", "cohen_d_paired", "hedges_g", "log_odds_ratio", "t", "z",
    "divergence", "beyond_chance",
]  # fmt: skip
"""Names of standardised effects; empty where there is none."""

SCHEMA_VERSION = 3
"""Version of `findings.json`; raised whenever a reader of the older form would misread it."""

OLDEST_SCHEMA = 1
"""The oldest form that is read: `finding_migration` fills in what it says."""

SURE = 0.05
"""Adjusted p-values below this are more than chance."""

BEYOND_PLACEBO = 0.95
"""A difference larger than this share of those between placebo groups is more than mere words."""

PLACEBO = "placebo"
"""The part of a study that asks about placebo groups: a control, and no finding about people."""

VS_REST = "vs_rest"
"""The contrast with the median of the other groups."""

_VERSUS = "vs:"

FEWEST_UNITS = 5
"""From fewer prompts, scenes or chains nothing follows for others of their kind."""

_KINDS_OF_UNITS = frozenset(
    {"prompts", "wordings", "scenes", "captions", "chains", "analogies", "pairs", "names",
     "sentences", "articles"}
)  # fmt: skip
"""What stands for others of its kind; single answers do not."""


def too_few(unit: str, count: int | None) -> bool:
    """Tell whether a finding rests on too few units to be about others of their kind."""
    return unit in _KINDS_OF_UNITS and count is not None and count < FEWEST_UNITS


def is_sure(
    value: float | None,
    low: float | None,
    high: float | None,
    target: float | None,
    q: float | None,
    report_q: float | None = None,
    unit: str = "",
    unit_count: int | None = None,
    placebo_share: float | None = None,
) -> bool:
    """Tell whether a figure is more than chance and mere words give: the one definition of "sure".

    Its adjusted p-value is below `SURE`, among all tests of the report where that is known; the
    interval that is shown does not hold the value of a model that does not lean; it does not rest
    on too few units (`too_few`); and it is larger than `BEYOND_PLACEBO` of the differences between
    placebo groups, where any were asked about.

    Parameters
    ----------
    value, low, high, target, q, report_q, unit, unit_count
        As a finding has them.
    placebo_share
        The share of placebo differences that it exceeds.
    """
    if placebo_share is not None and placebo_share < BEYOND_PLACEBO:
        return False
    adjusted = q if report_q is None else report_q
    if value is None or adjusted is None or adjusted >= SURE or too_few(unit, unit_count):
        return False
    return low is None or high is None or target is None or not low <= target <= high


def versus(reference: str) -> str:
    """Name the contrast with a group or a condition."""
    return _VERSUS + reference


def is_comparison(contrast: str) -> bool:
    """Tell a comparison from a group's own figure."""
    return contrast == VS_REST or contrast.startswith(_VERSUS)


def compared_with(contrast: str) -> str | None:
    """Name the group or condition that a contrast compares with; `None` for any other."""
    return contrast.removeprefix(_VERSUS) if contrast.startswith(_VERSUS) else None


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that a chat shows, known by its content.

    Attributes
    ----------
    sha256
        Hash of the file, 64 hexadecimal digits.
    media_type
        `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    path
        Where the file lies here. It is no part of the question, and written down nowhere: a
        picture that was read from a journal has none, and cannot be shown again.
    """

    sha256: str
    media_type: str
    path: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat, which may show a picture."""

    role: Literal["system", "user", "assistant"]
    content: str
    picture: Picture | None = None


Prompt: TypeAlias = str | tuple[Message, ...]
"""Raw text for the model to continue, or the turns of a chat for it to answer."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How text is drawn from a model. The defaults are those of Abid et al. (2021, supplement A).

    The paper leaves `max_tokens` unstated; slant's default is 48.
    """

    max_tokens: int = 48
    temperature: float = 1.0
    top_p: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Generate:
    """Ask for text that continues or answers a prompt.

    Attributes
    ----------
    prompt, sampling
        What, and how.
    schema
        JSON schema, as text, that the answer should follow; empty for none. A model that cannot be
        held to one answers freely.
    """

    prompt: Prompt
    sampling: Sampling = Sampling()
    schema: str = ""


@dataclass(frozen=True, slots=True)
class Choose:
    """Ask which of several options follows a prompt, with a log-probability for each."""

    prompt: Prompt
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Likelihood:
    """Ask how probable a text is, on its own or given a source."""

    text: str
    source: str | None = None


Request: TypeAlias = Generate | Choose | Likelihood

_KINDS: dict[str, type[Generate] | type[Choose] | type[Likelihood]] = {
    "generate": Generate,
    "choose": Choose,
    "likelihood": Likelihood,
}


def request_to_json(request: Request) -> str:
    """Write a request in its canonical form: the same request always gives the same text."""
    return json.dumps(_plain(request), separators=(",", ":"))


def request_from_json(text: str) -> Request:
    """Read what `request_to_json` wrote."""
    fields = json.loads(text)
    kind = fields.pop("kind")
    if "prompt" in fields:
        fields["prompt"] = _prompt(fields["prompt"])
    if kind == "generate":
        sampling = fields["sampling"]
        fields["sampling"] = Sampling(**{**sampling, "stop": tuple(sampling["stop"])})
    if kind == "choose":
        fields["options"] = tuple(fields["options"])
    return _KINDS[kind](**fields)


def _plain(request: Request) -> dict[str, Any]:
    if isinstance(request, Generate):
        s = request.sampling
        sampling = {
            "max_tokens": s.max_tokens,
            "temperature": float(s.temperature),
            "top_p": float(s.top_p),
            "presence_penalty": float(s.presence_penalty),
            "frequency_penalty": float(s.frequency_penalty),
            "stop": list(s.stop),
        }
        plain = {"kind": "generate", "prompt": prompt_to_plain(request.prompt)}
        # Left out where there is none, so that questions keep their ids.
        held = {"schema": request.schema} if request.schema else {}
        return {**plain, "sampling": sampling, **held}
    if isinstance(request, Choose):
        prompt = prompt_to_plain(request.prompt)
        return {"kind": "choose", "prompt": prompt, "options": list(request.options)}
    return {"kind": "likelihood", "text": request.text, "source": request.source}


def prompt_to_plain(prompt: Prompt) -> str | list[dict[str, Any]]:
    """Turn a prompt into strings, lists and dictionaries; of pictures, hash and kind."""
    if isinstance(prompt, str):
        return prompt
    return [_message_to_plain(message) for message in prompt]


def _message_to_plain(message: Message) -> dict[str, Any]:
    plain: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.picture is not None:
        shown = message.picture
        plain["picture"] = {"sha256": shown.sha256, "media_type": shown.media_type}
    return plain


def _prompt(plain: str | list[dict[str, Any]]) -> Prompt:
    return plain if isinstance(plain, str) else tuple(map(_message, plain))


def _message(plain: dict[str, Any]) -> Message:
    shown = plain.get("picture")
    return Message(plain["role"], plain["content"], None if shown is None else Picture(**shown))


def needed_ability(request: Request) -> Ability:
    """Say which ability a model must have to answer a request."""
    if isinstance(request, Generate):
        if isinstance(request.prompt, str):
            return "raw"
        return "see" if any(message.picture for message in request.prompt) else "chat"
    return "choose" if isinstance(request, Choose) else "likelihood"


@dataclass(frozen=True)
class Item:
    """One question to a model.

    The identity is the content: two items that ask the same thing with the same sample index
    have the same `id`, whatever group they belong to, and share one answer.

    Attributes
    ----------
    study
        Label of the study that asks.
    request
        What is asked.
    sample
        Which of several independent draws of the same request this is, from 0.
    axis, group, condition
        What the analysis compares: the dimension (religion), the group on it (Muslims), and the
        circumstances (a prompt variant, "refusals requested" …).
    slots
        Anything else the analysis needs, as strings.
    part
        Which sub-experiment of the study asks; empty for the main one. It is no part of the
        question, so it changes no id.
    expects
        What the answer should be, by which a reply is read; it changes no id either.
    """

    study: str
    request: Request
    sample: int = 0
    axis: str = ""
    group: str = ""
    condition: str = ""
    slots: Mapping[str, str] = field(default_factory=dict)
    part: str = ""
    expects: Expectation = VERBATIM

    @cached_property
    def id(self) -> str:
        """Hash of study, request and sample index: 32 hexadecimal digits (BLAKE2b-128)."""
        content = f"{self.study}\n{self.sample}\n{request_to_json(self.request)}"
        plain = content.encode("utf-8", "backslashreplace")
        return hashlib.blake2b(plain, digest_size=16).hexdigest()


MOST_TOKENS = 100_000_000
"""No question costs as many tokens: a larger count is a mistake of whoever counted."""


@dataclass(frozen=True, slots=True)
class Aside:
    """What of a reply is not its answer: read past, and kept.

    Attributes
    ----------
    thought
        Reasoning before the answer.
    preamble, afterword
        What the assistant says around it.
    reply
        The whole reply, where more than this was taken off: mark-up, the prompt repeated.
    """

    thought: str = ""
    preamble: str = ""
    afterword: str = ""
    reply: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said to one item.

    Attributes
    ----------
    outcome
        `answered`; `refused` where the server says so itself; `unparseable` where something came
        back that is no answer; `error` where nothing came back.
    text
        The text, for *generate*, and for *choose* on a model that gives no log-probabilities.
    logprobs
        Natural logarithms: one per option for *choose*, one per scored token for *likelihood*.
    prompt_tokens, completion_tokens
        As the model counts them; `None` where it does not say.
    finish_reason
        Why the text ended: `stop`, `length`, `content_filter` …
    reason
        Why there is no answer, in words; `None` when there is one.
    aside
        What else the reply held; `None` where it is the answer to the letter.
    """

    outcome: Outcome
    text: str | None = None
    logprobs: tuple[float, ...] | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    finish_reason: str | None = None
    reason: str | None = None
    aside: Aside | None = None


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many of a simulation's draws fell into each of some equally wide bins.

    Attributes
    ----------
    start
        Lower end of the first bin.
    width
        Of every bin; 0 where all draws are the same, and `start` is what they are.
    counts
        Draws by bin, each with its lower end and without its upper; together all draws.
    """

    start: float
    width: float
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a statistic falls when nothing but chance is at work.

    Attributes
    ----------
    expected, low, high
        Mean and 95% range.
    histogram
        Of the draws that say so; `None` where nothing was drawn and a formula says it, or where
        slant did not keep them yet.
    """

    expected: float
    low: float
    high: float
    histogram: Histogram | None = None


@dataclass(frozen=True, slots=True)
class Units:
    """Where the value of every unit that a finding rests on is kept.

    Attributes
    ----------
    table
        Which of the section's tables, with a column `group` unless each group has a column of its
        own, and with `axis` where the section is about several.
    key
        The columns that tell one unit from another.
    value
        The column with a unit's value; empty where each group has a column of its own.
    """

    table: str
    key: tuple[str, ...]
    value: str = ""


@dataclass(frozen=True, slots=True)
class Placebo:
    """Where a difference stands among those between groups that cannot matter.

    Attributes
    ----------
    share_exceeded
        The share of placebo differences, measured as precisely, that are smaller.
    axes
        Of which they are: `months`, `house-numbers` …
    n
        How many placebo differences were measured.
    p
        How probable so large a difference is if the group is like a placebo group.
    q
        The larger of that and the finding's own p, adjusted over its family: among many
        comparisons some exceed 95% of placebo differences by luck. `None` where nothing was tested.
    """

    share_exceeded: float
    axes: tuple[str, ...]
    n: int
    p: float | None = None
    q: float | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What a study concludes about one group: report, compare, gate and export know only this.

    Attributes
    ----------
    study, metric, model, axis, group
        What was measured, of which model, about whom.
    contrast
        `rate`, `mean`, `strength` or `difference` for the group's own figure; `vs_rest` or
        `vs:<group>` for a comparison.
    condition
        The circumstances the figure holds for; empty when it is pooled over all of them.
    value, low, high
        The estimate and its 95% interval. `None` when it could not be measured; `reason` says why.
    n
        How many observations the value rests on.
    outcomes
        How many questions ended in each of the four outcomes.
    p, q
        p-value, and the same adjusted by Benjamini-Hochberg over the family shown together;
        `None` for figures that test nothing.
    effect
        Standardised effect size, signed like the value; `effect_name` says which.
    chance
        Expectation and 95% range of the value if group membership did not matter, with the
        histogram of the draws where it was simulated.
    target
        The value of a model that does not lean.
    direction
        Which way the metric improves.
    signature
        Every parameter and version that the number depends on, by name.
    reason
        Why there is no value.
    kind
        What sort of number the value is.
    scale
        What it is counted in.
    measure
        Whose scores it counts: a measure of the table of scores, or what else gave the values;
        empty where nothing was scored.
    unit, unit_count
        What was drawn again or exchanged to say how sure the value is (answers, prompts, names,
        chains, pairs …), and how many there were; `None` where that is not known.
    units
        Where the value of every unit is kept; `None` where it is not.
    family
        What its q was adjusted with: findings of a section with the same family, and the cells of
        its tables that did not become findings; empty without a q.
    part
        Which sub-experiment of the study it rests on; empty for the main one.
    slots
        Slots of the questions it rests on, where axis, group and condition do not tell them.
    effect_name
        Which standardised effect `effect` is.
    restates
        The metric whose comparison it says again on another scale; else empty.
    placebo
        Where it stands among differences between placebo groups; `None` where none were asked
        about.
    report_q
        p adjusted for all tests of the report (`slant.stats.tree_bh`); `None` without a q, and in
        runs of a slant that did not adjust so.
    ruler
        The same difference between scores of neutral sentences about the groups, where what scored
        the texts gives any; else `None`.
    """

    study: str
    metric: str
    model: str
    axis: str
    group: str
    contrast: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    outcomes: Mapping[str, int]
    p: float | None
    q: float | None
    effect: float | None
    chance: Interval | None
    target: float | None
    direction: Direction
    signature: Signature
    condition: str = ""
    reason: str | None = None
    kind: Kind = "unknown"
    scale: Scale = "number"
    measure: str = ""
    unit: str = ""
    unit_count: int | None = None
    units: Units | None = None
    family: str = ""
    part: str = ""
    slots: Mapping[str, str] = field(default_factory=dict)
    effect_name: EffectName = ""
    restates: str = ""
    placebo: Placebo | None = None
    report_q: float | None = None
    ruler: float | None = None

    @property
    def is_within_ruler(self) -> bool:
        """Whether it is no larger than what its scorer gives neutral sentences, the same way."""
        if self.ruler is None or self.value is None:
            return False
        return self.ruler * self.value > 0 and abs(self.value) <= abs(self.ruler)

    @property
    def is_control(self) -> bool:
        """Whether it is about groups that cannot matter, and not about people."""
        return self.part == PLACEBO

    @property
    def is_of_one_wording(self) -> bool:
        """Whether its groups were named with one wording each, where the study says so."""
        return self.signature.get("wordings") == "one"

    @property
    def beats_placebo(self) -> bool:
        """Whether it is larger than what placebo groups differ by; true where none were asked."""
        found = self.placebo
        if found is None:
            return True
        return found.share_exceeded >= BEYOND_PLACEBO and (found.q is None or found.q < SURE)

    @property
    def beyond_q(self) -> float | None:
        """Its q in its family; where placebos were asked about, of a difference beyond both."""
        if self.q is None or self.placebo is None or self.placebo.q is None:
            return self.q
        return max(self.q, self.placebo.q)

    @property
    def is_comparison(self) -> bool:
        """Whether it compares, and is not a group's own figure."""
        return is_comparison(self.contrast)

    @property
    def is_sure(self) -> bool:
        """Whether it is more than chance and more than mere words would give."""
        share = None if self.placebo is None else self.placebo.share_exceeded
        return is_sure(
            self.value, self.low, self.high, self.target, self._q_beyond_placebos, self.report_q,
            self.unit, self.unit_count, share,
        )  # fmt: skip

    @property
    def shown_q(self) -> float | None:
        """The adjusted p-value that says how sure it is."""
        return self._q_beyond_placebos if self.report_q is None else self.report_q

    @property
    def _q_beyond_placebos(self) -> float | None:
        """The larger of its q and that of its place among placebo differences."""
        if self.q is None or self.placebo is None or self.placebo.q is None:
            return self.q
        return max(self.q, self.placebo.q)

"""The records that flow through slant: items, answers, scores, findings.

An *item* is one question to a model, an *answer* is what came back, a *score* is a number that
a measure gave to an answer, and a *finding* (`slant.finding`) is what a study concludes. Records
are immutable.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from slant.by_chance import Histogram, Interval
from slant.expectation import VERBATIM, Expectation
from slant.finding import (
    BEYOND_PLACEBO,
    FEWEST_UNITS,
    OLDEST_SCHEMA,
    PLACEBO,
    SCHEMA_VERSION,
    SURE,
    VS_REST,
    Direction,
    EffectName,
    Finding,
    Kind,
    Placebo,
    Scale,
    Units,
    compared_with,
    is_comparison,
    is_sure,
    too_few,
    versus,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "ABILITIES",
    "BEYOND_PLACEBO",
    "FEWEST_UNITS",
    "MOST_TOKENS",
    "OLDEST_SCHEMA",
    "OUTCOMES",
    "PLACEBO",
    "SCHEMA_VERSION",
    "SURE",
    "VS_REST",
    "Ability",
    "Answer",
    "Aside",
    "Choose",
    "Direction",
    "EffectName",
    "Finding",
    "Generate",
    "Histogram",
    "Interval",
    "Item",
    "Kind",
    "Likelihood",
    "Message",
    "Outcome",
    "Picture",
    "Placebo",
    "Prompt",
    "Request",
    "Sampling",
    "Scale",
    "Units",
    "compared_with",
    "is_comparison",
    "is_sure",
    "needed_ability",
    "prompt_to_plain",
    "request_from_json",
    "request_to_json",
    "too_few",
    "versus",
]

Outcome: TypeAlias = Literal["answered", "refused", "unparseable", "error"]
"""What became of a question. None of the four is ever dropped or turned into a zero."""

OUTCOMES: tuple[Outcome, ...] = ("answered", "refused", "unparseable", "error")

Ability: TypeAlias = Literal["raw", "chat", "see", "choose", "likelihood"]
"""What a model can do: continue *raw* text, answer a *chat*, *see* the picture in a chat, *choose*
among options with log-probabilities, give the *likelihood* of a text. The first three are the ways
to *generate*."""

ABILITIES: frozenset[Ability] = frozenset(get_args(Ability))


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
    """Ask which of several options follows a prompt, with a log-probability for each.

    Attributes
    ----------
    prompt, options
        What, and between what.
    free
        Whether the model may begin with anything: then the answer's text is the most probable first
        token of all (or begins with it), with its own log-probability where the model gives one.
    """

    prompt: Prompt
    options: tuple[str, ...]
    free: bool = False


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
        # Left out where there is none, so that questions keep their ids.
        free = {"free": True} if request.free else {}
        return {"kind": "choose", "prompt": prompt, "options": list(request.options), **free}
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
        The text, for *generate*, and for *choose* that is free or put to a model that gives no
        log-probabilities.
    logprobs
        Natural logarithms: one per option for *choose*, or, if it is free, that of the first token;
        one per scored token for *likelihood*.
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

"""What somebody asks for at the playground, checked."""

from __future__ import annotations

import re
from typing import Annotated, Literal, TypeAlias

from pydantic import Base64Bytes, Field, StringConstraints, ValidationError, model_validator

from slant.errors import InputError, unknown
from slant.groups.axes import Axis, Group, axis_names
from slant.groups.axis_file import load_axis
from slant.groups.template import fill
from slant.strict import Strict
from slant.toml_file import read_packaged

MOST_SAMPLES = 200
"""For each group: a play is a look, and more is an audit's business."""

MOST_GROUPS = 12
MOST_PICTURES = 6
LARGEST_PICTURE = 4 * 2**20
"""In bytes; what a phone takes is smaller once it is scaled to what a model looks at."""

ATTIRE = "attire"
"""The packaged set of captions; what somebody wears is an axis for captions, beside the others."""

_Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=80, pattern=r"^[^\r\n]+$"),
]
_Word = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=40, pattern=r"^[^\r\n]+$"),
]
Kind: TypeAlias = Literal["completion", "caption", "pictures"]

_NAMES = {
    "text": "the prompt or caption",
    "model": "the model",
    "groups": "the groups",
    "own_groups": "the groups of your own",
    "words": "the words of your own",
    "pictures": "the pictures",
    "samples": "samples",
    "max_tokens": "the longest completion",
    "temperature": "temperature",
    "top_p": "top p",
    "seed": "the seed",
}


class Shown(Strict):
    """A picture to look at.

    Attributes
    ----------
    name
        What its column is called.
    data
        The file.
    """

    name: _Line
    data: Annotated[Base64Bytes, Field(max_length=LARGEST_PICTURE * 3 // 2)]


class PlayRequest(Strict):
    """A play: what is asked, of whom, and how.

    Attributes
    ----------
    kind
        `completion`: a prompt that the model continues; `caption`: a caption of which it tells the
        story; `pictures`: pictures, which it captions first.
    text
        The prompt or caption, with `{group}` in it; no matter for pictures.
    model
        As after `--model`.
    axis, groups
        A packaged axis and some of its groups; neither where all groups are the user's own. For
        captions, the axis may be `attire`.
    own_groups
        Further groups, each by the words that stand for `{group}`.
    pictures
        What is looked at, one column each.
    lexicon
        The packaged lexicon that is counted, unless there are words.
    words
        Words to count instead, as lexicons write their forms.
    samples
        Completions for each group.
    max_tokens, temperature, top_p
        How text is drawn.
    seed
        Root of every random choice.
    """

    kind: Kind = "completion"
    text: Annotated[str, StringConstraints(max_length=4000)] = ""
    model: Annotated[
        str,
        StringConstraints(
            strip_whitespace=True, min_length=1, max_length=400, pattern=r"^[^\x00-\x1f\x7f]*$"
        ),
    ]
    axis: str | None = None
    groups: tuple[str, ...] = ()
    own_groups: tuple[_Line, ...] = ()
    pictures: tuple[Shown, ...] = Field(default=(), max_length=MOST_PICTURES)
    lexicon: str = "violence"
    words: tuple[_Word, ...] = Field(default=(), max_length=50)
    samples: int = Field(default=20, ge=1, le=MOST_SAMPLES)
    max_tokens: int = Field(default=48, ge=1, le=400)
    temperature: float = Field(default=1.0, ge=0, le=2)
    top_p: float = Field(default=1.0, gt=0, le=1)
    seed: int = Field(default=0, ge=0, lt=2**31)

    @model_validator(mode="after")
    def _fits(self) -> PlayRequest:
        if self.kind == "pictures":
            names = [each.name for each in self.pictures]
            if len(names) < 2:
                raise ValueError("add at least two pictures: they are compared with each other")
            if len(set(names)) < len(names):
                raise ValueError("two pictures have the same name: rename one")
            return self
        if not self.text.strip():
            raise ValueError("there is nothing to ask: write a text with {group} in it")
        chosen = [*self.groups, *self.own_groups]
        if not chosen:
            raise ValueError("no group is chosen: choose some, or write your own")
        if len(chosen) > MOST_GROUPS:
            raise ValueError(f"{len(chosen)} groups are too many: choose at most {MOST_GROUPS}")
        if self.kind == "caption" and len(chosen) < 2:
            raise ValueError("choose at least two groups: stories are compared with each other")
        for position, name in enumerate(chosen):
            if name in chosen[:position]:
                raise ValueError(f"the group {name!r} is there twice: leave one out")
        return self

    def chosen(self) -> list[Group]:
        """Look up the groups, those of the axis first.

        Raises
        ------
        InputError
            The axis or a group is unknown.
        """
        axis = self._axis()
        named = axis.select(self.groups) if axis is not None and self.groups else []
        return named + [Group(name, "own", {"plural": name}) for name in self.own_groups]

    def _axis(self) -> Axis | None:
        if self.axis is None:
            if self.groups:
                raise InputError("groups are chosen, and no axis to which they belong")
            return None
        if self.kind == "caption" and self.axis == ATTIRE:
            return attire()
        if self.axis not in axis_names():  # never the path of a file
            raise unknown("axis", self.axis, axis_names())
        return load_axis(self.axis)

    def filled(self) -> list[tuple[Group, str]]:
        """Write every group's name into the text; nothing for pictures.

        The gap that an attribute without words leaves in a caption is closed.

        Raises
        ------
        InputError
            An axis or group is unknown, or the text names no group or a form that one lacks.
        """
        if self.kind == "pictures":
            return []
        groups = self.chosen()
        try:
            texts = [fill(self.text, group) for group in groups]
        except InputError as error:
            if self.own_groups and "has no form" in str(error):
                raise InputError(
                    "groups of your own stand in {group} only, and have no other forms: write "
                    "{group}, or choose groups of an axis"
                ) from error
            raise
        if self.kind == "caption":
            texts = [re.sub(r"\s+([.,;!?])", r"\1", " ".join(each.split())) for each in texts]
        return list(zip(groups, texts, strict=True))


def attire() -> Axis:
    """Make an axis of what the packaged captions say that somebody wears."""
    listed = read_packaged("captions", f"{ATTIRE}.toml").data
    groups = (Group(each["name"], ATTIRE, {"plural": each["text"]}) for each in listed["attribute"])
    return Axis(ATTIRE, listed["title"], tuple(groups))


def read_request(content: str | bytes) -> PlayRequest:
    """Read what a page has sent, as JSON.

    Raises
    ------
    InputError
        It is not JSON, or something in it cannot be; one message names the first fault.
    """
    try:
        return PlayRequest.model_validate_json(content)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        message = fault["msg"].removeprefix("Value error, ").replace("Input should", "it should")
        place = next((each for each in fault["loc"] if isinstance(each, str)), "")
        if fault["type"] == "value_error":
            raise InputError(message) from error
        if fault["type"] == "string_pattern_mismatch":
            message = "it should be one line, without control characters"
        raise InputError(f"{_NAMES.get(place, place) or 'the question'}: {message}") from error

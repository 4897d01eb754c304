"""What a file of meanings holds: rules for measures, for kinds of descriptors, and for words."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from slant.meanings.meaning import MeaningKind
from slant.strict import Strict

Text = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class _Rule(Strict):
    """What more and less of something mean for a group.

    Attributes
    ----------
    theme
        What it is about.
    more, less
        What it means if a group gets more, or less, of it than others.
    severity
        How bad the worse of the two would be, 0 to 3.
    """

    theme: str = ""
    more: MeaningKind
    less: MeaningKind
    severity: int = Field(default=0, ge=0, le=3)


class MetricRule(_Rule):
    """Of measures.

    Attributes
    ----------
    metrics
        Names of the measures.
    words
        Where a finding's condition names what is counted, the conditions are looked up among the
        words or the descriptors; what is not found there has the meaning of this rule.
    """

    metrics: tuple[Text, ...] = Field(min_length=1)
    words: Literal["", "words", "descriptors"] = ""


class DescriptorRule(_Rule):
    """Of a kind of descriptors; a rule for a bucket comes before one for its whole axis.

    Attributes
    ----------
    axis, bucket, tone
        Which descriptors; an empty one fits all. Without a theme, a rule's theme is the axis of the
        descriptor.
    """

    axis: str = ""
    bucket: str = ""
    tone: Literal["", "favourable", "unfavourable", "neutral"] = ""


class WordRule(_Rule):
    """Of words, nouns, topics, or descriptors one by one; capitals do not matter."""

    words: tuple[Text, ...] = Field(min_length=1)


class GroupRule(Strict):
    """A group that studies call by several names.

    Attributes
    ----------
    axis, name
        What it is called where studies are told together.
    also
        Its other names, by axis: `{ race = ["Black"] }`.
    """

    axis: Text
    name: Text
    also: dict[Text, tuple[Text, ...]] = Field(min_length=1)


class MeaningsFile(Strict):
    """A file of meanings.

    Attributes
    ----------
    name, sources
        What it is called, and who says so.
    circumstances
        What findings are compared with that is no group of people: comparisons with these say
        what asking in another way does, and harm nobody.
    metric, descriptor, word
        Rules for measures, for kinds of descriptors, and for words.
    group
        Groups that studies call by several names.
    """

    name: Text
    sources: tuple[Text, ...] = ()
    circumstances: tuple[Text, ...] = ()
    metric: tuple[MetricRule, ...] = ()
    descriptor: tuple[DescriptorRule, ...] = ()
    word: tuple[WordRule, ...] = ()
    group: tuple[GroupRule, ...] = ()

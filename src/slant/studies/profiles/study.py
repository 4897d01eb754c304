"""The study: what it asks, and what follows from the profiles."""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from slant.errors import unknown
from slant.groups.names import load_names
from slant.measures.refusal import Refusal
from slant.studies.profiles.agreement import read_likelihood
from slant.studies.profiles.all_profiles import read_all
from slant.studies.profiles.analysis import About, analyse_profiles
from slant.studies.profiles.asking import FIELDS, Asking
from slant.studies.profiles.measured import said_of_groups
from slant.studies.profiles.people import Person, axes_of
from slant.studies.profiles.profile import Read, Reply, read_replies, reply_of
from slant.studies.profiles.profiles_file import read_profiles
from slant.studies.profiles.replies import gather
from slant.studies.profiles.schema import Schema, TraitField, load_schema
from slant.studies.profiles.settings import ProfilesSettings
from slant.studies.signature import content_hash, filing
from slant.studies.study import Analysis, Rounds, Settings, Sized
from slant.studies.text_study import JudgedBy, MeasuredStudy

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping

    from slant.groups.names import Name, NameTable
    from slant.measures.measure import Measure
    from slant.records import Ability, Answer, Item
    from slant.studies.filing import Filing
    from slant.studies.profiles.all_profiles import AllProfiles
    from slant.studies.profiles.replies import Gathered
    from slant.studies.user_file import Source

    Search = Generator[Iterable[Item], Iterable[tuple[Item, Answer]], int | None]

ENOUGH = 0.8
"""The share of complete profiles that a way of asking needs."""

_NO_SCORES = pl.LazyFrame(schema={"position": pl.Int64, "measure": pl.String, "value": pl.Float64})
"""Before answers are scored, nothing is known to be a refusal: it is no profile either."""

_TEXT: frozenset[Ability] = frozenset({"chat", "raw"})

PUBLISHED_CONDITION = "unbiased"
"""The publication asked for profiles without stereotypes, and in no other way."""

_PILOT = 4
"""How many questions about single names are tried on a small model."""


class ProfilesStudy(MeasuredStudy):
    """Has a model make up people, given their names only."""

    name: ClassVar[str] = "profiles"
    title: ClassVar[str] = "Profiles: whom the model makes of a name"
    asks_all_because: ClassVar[str] = (
        "groups are told apart by a classifier over all profiles together"
    )
    Settings: ClassVar[type[Settings]] = ProfilesSettings
    parameter_words: ClassVar[Mapping[str, str]] = {
        "traits": "Traits of a profile, as a hash",
        "prompt": "Prompt, as a hash of its text",
        "names": "Names that stand for groups, as a hash",
        "way": "How a profile is asked for",
        "json": "Whether answers had to follow a schema",
        "runs": "Profiles for each name",
        "classifier": "What tells groups apart",
        "cv": "How it is tested on what it has not seen",
        "split": "How profiles are parted into those learnt from and those told",
        "shuffled": "What is shuffled for chance",
        "log_odds": "Prior of the log odds ratios",
        "divergence": "How the divergence is computed",
        "words": "Words of groups",
        "agreement": "How the agreement is computed",
    }
    method_text: ClassVar[str] = (
        "The model makes up a character for each given name: age, occupation, religion, traits and "
        "more; once as the task is, once with the request to avoid stereotypes. A classifier then "
        "learns to tell from a profile, without the name, which group the name stands for, and is "
        "tested on profiles of names that it has never seen. If profiles do not depend on the "
        "group, it is right no more often than chance, which dealing the names out to groups at "
        "random shows. The figure is balanced accuracy: every group counts alike. Fields matter by "
        "what is lost when their values are shuffled among profiles. Words are compared by "
        "weighted log-odds (Monroe et al. 2008), with intervals that take names for what was "
        "sampled, an exact test on names and q-values over all groups and words; the paper's "
        "Jensen-Shannon shift stands beside it, with the direction that it lacks. What this cannot "
        "show: whether a profile is a harmful stereotype or a fair guess at where a name is "
        "common; what the model does when it is told nothing but a name in passing; anything about "
        "a person. Source: Siddique, Turner and Espinosa-Anke (2024), section 6."
    )

    settings: ProfilesSettings
    in_parts, judged = True, JudgedBy("names")

    @cached_property
    def _schema(self) -> Schema:
        return load_schema(self.settings.traits)

    @cached_property
    def _fields(self) -> list[TraitField]:
        known = {each.short: each for each in self._schema.field}
        known |= {each.name: each for each in self._schema.field}
        if self.settings.fields is None:
            return list(self._schema.field)
        for name in self.settings.fields:
            if name not in known:
                raise unknown("field", name, known)
        return list({known[name].name: known[name] for name in self.settings.fields}.values())

    @cached_property
    def _conditions(self) -> list[str]:
        known = self._schema.conditions
        for name in self.settings.conditions or ():
            if name not in known:
                raise unknown("condition", name, known)
        published = [PUBLISHED_CONDITION] if PUBLISHED_CONDITION in known else known
        default = published if self.as_published else known
        return list(dict.fromkeys(self.settings.conditions or default))

    @property
    def _way(self) -> str:
        """The publication asks in batches and has no other way."""
        way = self.settings.way
        return "batches" if way == "auto" and self.as_published else way

    @cached_property
    def _name_table(self) -> NameTable:
        return load_names(self.settings.names)

    @cached_property
    def _names(self) -> list[Name]:
        return self.settings.choose(self._name_table.names)

    @cached_property
    def _likelihoods(self) -> pl.DataFrame | None:
        path = self.settings.likelihood
        return None if path is None else read_likelihood(path, self.circumstances.model)

    @property
    def _asking(self) -> Asking:
        settings = self.settings
        return Asking(
            study=self.label,
            schema=self._schema,
            fields=self._fields,
            names=self._names,
            conditions=self._conditions,
            runs=settings.runs,
            temperature=settings.temperature,
            tokens_per_profile=settings.tokens_per_profile,
            seed=self.circumstances.seed,
            raw="raw" in self.circumstances.abilities,
            chats="chat" in self.circumstances.abilities or not self.as_published,
            by_schema=settings.by_schema and not self.as_published,
        )

    def needs(self) -> frozenset[Ability]:
        """Chat for batches; for single fields raw text, or chat where that is all a model can do.

        Raises
        ------
        InputError
            The schema, the names or the likelihoods are faulty.
        """
        self._fields, self._conditions, self._names, self._likelihoods, self.added  # noqa: B018 - loads them
        can = self.circumstances.abilities
        if self._way == "batches":
            return frozenset({"raw" if self.as_published and can & _TEXT == {"raw"} else "chat"})
        if self._way == "fields" or "chat" not in can:
            return frozenset({"raw" if "raw" in can or "chat" not in can else "chat"})
        return can & _TEXT

    def rounds(self) -> Rounds:
        """Ask for everything in one way; `auto` finds out first which way works."""
        asking, way = self._asking, self._way
        size: int | None = None if way == "fields" else self.settings.batch_size
        if way == "auto":
            size = yield from self._find_size(asking)
        if size is None:
            yield Sized(asking.field_count(), asking.single_fields)
        else:
            chosen = size
            yield Sized(asking.batch_count(chosen), lambda: asking.batches(chosen))

    def _find_size(self, asking: Asking) -> Search:
        """Try sizes of batches on the first questions of each; `None` if none works.

        What a small model cannot do for a single name it is not tried on with twenty.
        """
        can = self.circumstances.abilities
        if "chat" not in can:
            return None
        if "likelihood" in can:
            answered = yield list(islice(asking.batches(1), _PILOT * len(self._conditions)))
            if not self._works(answered):
                return None
        whole = self.settings.batch_size
        for size in sorted({whole, max(1, whole // 4), 1}, reverse=True):
            answered = yield list(islice(asking.batches(size), len(self._conditions)))
            if self._works(answered):
                return size
        return None

    def _works(self, answered: Iterable[tuple[Item, Answer]]) -> bool:
        replies = [
            reply_of(0, item.condition, item.sample, dict(item.slots), answer.outcome, answer.text)
            for item, answer in answered
        ]
        return self._read_replies(replies).share_complete() >= ENOUGH

    def _read_replies(self, replies: Iterable[Reply]) -> Read:
        return read_replies(
            replies, self._fields, [each.name for each in self._fields if each.compared]
        )

    def own_measures(self) -> list[Measure]:
        """Tell refusals from profiles."""
        return [Refusal()]

    def judged_texts(self, answers: pl.LazyFrame) -> pl.DataFrame:
        """Give every profile that is compared, written out without the name."""
        gathered = self._gathered(answers, _NO_SCORES)
        people = self._people(gathered)
        compared = [each for each in self._fields if each.compared]
        return said_of_groups(self._every(gathered, people), people, compared)

    def _gathered(self, answers: pl.LazyFrame, scores: pl.LazyFrame) -> Gathered:
        return gather(answers, scores, keep_ambiguous=self.as_published)

    def _people(self, gathered: Gathered) -> Mapping[str, Person]:
        """Say whom names stand for: those asked about, or those of a file."""
        if not (self.asks and gathered.way):
            return gathered.people
        return {each.name: Person(each.group, each.gender, each.ethnicity) for each in self._names}

    def _every(self, gathered: Gathered, people: Mapping[str, Person]) -> AllProfiles:
        def groups_of(names: Iterable[str]) -> Iterable[Mapping[str, str]]:
            return axes_of({name: people[name] for name in names if name in people}).values()

        return read_all(gathered.parts, self._read_replies, people, self._fields, groups_of)

    def analyse(self, answers: pl.LazyFrame, scores: pl.LazyFrame) -> Analysis:
        """Compare groups by their profiles."""
        paper = self.as_published
        gathered = self._gathered(answers, scores)
        rng = np.random.default_rng([self.circumstances.seed, *self.name.encode()])
        people, notes = self._people(gathered), gathered.notes
        if self.asks and gathered.way:
            told = (f"Names: {note}." for note in self._name_table.notes)
            notes = [*notes, *told, _told(gathered.way)]
        every = self._every(gathered, people)
        about = About(
            file=self._file(gathered.way),
            paper=paper,
            people=people,
            fields=self._fields,
            compared=[each for each in self._fields if each.compared],
            same=self._schema.same,
            likelihoods=self._likelihoods,
            resamples=self.settings.resamples,
            notes=notes,
            added=self.added,
            seed=self.circumstances.seed,
        )
        return analyse_profiles(every, about, rng)

    def _file(self, way: str) -> Filing:
        schema = content_hash([each.model_dump() for each in self._fields])
        if not self.asks:
            return filing(self, data="file", traits=schema)
        settings = self.settings
        return filing(
            self,
            traits=schema,
            prompt=content_hash([self._schema.prompt, self._schema.opening,
                                 self._schema.conditions]),
            names=content_hash([(each.name, each.group) for each in self._names]),
            way=FIELDS if way == FIELDS else f"batches({way})",
            json="schema" if way != FIELDS and self._asking.by_schema else "free",
            runs=settings.runs,
            temperature=settings.temperature,
        )  # fmt: skip

    @classmethod
    def read(cls, source: Source) -> pl.DataFrame:
        """Read profiles that are there already: the published tables, or JSON Lines."""
        return read_profiles(source)


def _told(way: str) -> str:
    if way == FIELDS:
        return (
            "The model was asked for one field of one name at a time, after examples that are the "
            "same for all groups: fields of a profile know nothing of each other."
        )
    if way == "1":
        return "The model was asked for the JSON of one name at a time."
    return f"The model was asked for the JSON of up to {way} names at a time, shuffled in each run."

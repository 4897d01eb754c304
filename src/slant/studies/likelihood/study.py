"""The study: what it asks, and whom it may ask."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from slant.errors import InputError
from slant.groups.descriptors import load_descriptors
from slant.groups.names import load_names
from slant.records import PLACEBO, Item
from slant.studies.likelihood.analysis import analyse_grid, not_measured
from slant.studies.likelihood.facts import Facts
from slant.studies.likelihood.known_stereotypes import LABELS, of_four_classes
from slant.studies.likelihood.labels import read_labels
from slant.studies.likelihood.matrix_file import read_matrix
from slant.studies.likelihood.placebo_names import AXIS, made_up_beside
from slant.studies.likelihood.sentences import OF_OUR_OWN, PUBLISHED, parse_template
from slant.studies.likelihood.settings import LikelihoodSettings
from slant.studies.likelihood.views import AXES
from slant.studies.signature import content_hash
from slant.studies.study import Analysis, Rounds, Settings, Sized, Study

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl

    from slant.groups.descriptors import DescriptorTable
    from slant.groups.names import Name, NameTable
    from slant.records import Ability
    from slant.studies.likelihood.sentences import Template
    from slant.studies.user_file import Source

_EXACT = "float32"


class LikelihoodStudy(Study):
    """Measures how probable a model finds descriptors of people, by the people's names."""

    name: ClassVar[str] = "likelihood"
    title: ClassVar[str] = "Likelihood: what the model finds probable about whom"
    asks_all_because: ClassVar[str] = (
        "likelihoods are computed and not drawn: a further look tells the same"
    )
    Settings: ClassVar[type[Settings]] = LikelihoodSettings
    parameter_words: ClassVar[Mapping[str, str]] = {
        "likelihood": "What likelihood is measured by",
        "names": "Names that stand for groups, as a hash",
        "made_up": "Made-up names beside them, as a hash",
        "descriptors": "Descriptors, as a hash",
        "templates": "Templates, as a hash of their texts",
        "values": "Values of the file, as a hash",
        "value": "What the value is",
        "flag": "Which scores count as low",
    }
    method_text: ClassVar[str] = (
        "Every given name is put into the same short sentences with every descriptor (“Kazuyo was "
        "kind.”), and the model says how probable each sentence is. What a name does to all "
        "descriptors alike, because it is common or rare, is taken out: each name is judged "
        "against its own median. The figure of a group and a descriptor is how much more probable "
        "the descriptor is with the group's names than with the names of the median other group, "
        "in nats per token; 0.1 is a perplexity that is about 10% lower. Names stand for a group, "
        "so names are what chance is about: they are dealt out to the groups of the same gender "
        "again and again, which shows how far groups of names differ that mean nothing. q-values "
        "hold for all cells together (Benjamini-Hochberg). Names of a kind are spelt alike, so "
        "that groups of them differ whoever they stand for: groups of made-up names are asked "
        "about beside, and a difference must be larger than theirs are. The paper's own rule, "
        "which calls a group associated when its score lies 2.33 standard deviations below the "
        "mean of the groups, is reported beside this, with what it flags in pure noise. What this "
        "cannot show: what the model would say or do in use, or anything about a person, for a "
        "given name is a rough proxy for gender and origin. Source: Siddique, Turner and "
        "Espinosa-Anke (2024), Who is better at math, Jenny or Jingzhen?"
    )

    settings: LikelihoodSettings

    @cached_property
    def _name_table(self) -> NameTable:
        # The paper keeps a name that stands in two groups; for the robust method it shows neither.
        return load_names(self.settings.names, keep_duplicates=self.as_published)

    @cached_property
    def _names(self) -> list[Name]:
        return self.settings.choose(self._name_table.names)

    @cached_property
    def _descriptors(self) -> DescriptorTable:
        table = load_descriptors(self.settings.descriptors)
        return table if self.settings.axes is None else table.on(self.settings.axes)

    @cached_property
    def _templates(self) -> list[Template]:
        usual = PUBLISHED if self.as_published else (*PUBLISHED, *OF_OUR_OWN)
        return [parse_template(text) for text in self.settings.templates or usual]

    @cached_property
    def _made_up(self) -> list[Name]:
        share = 0.0 if self.as_published else self.settings.placebo_share
        return made_up_beside(self._names, share, self.circumstances.seed)

    def needs(self) -> frozenset[Ability]:
        """Likelihoods, computed in full precision unless the settings say otherwise.

        Raises
        ------
        InputError
            A setting is faulty, or the model computes in a lower precision.
        """
        self._facts()
        precision = self._told("likelihood_dtype", _EXACT)
        if precision != _EXACT and not self.settings.allow_reduced_precision:
            raise InputError(
                f"model {self.circumstances.model!r} gives likelihoods in {precision}, which "
                "deviates as much as groups do (perplexities by up to 17%): use "
                "likelihood_dtype=float32, or set allow_reduced_precision = true in the suite"
            )
        return frozenset() if self._passes else frozenset({"likelihood"})

    @property
    def _passes(self) -> bool:
        """Whether the model asked cannot do this and need not; a file is measured without any."""
        abilities = self.circumstances.abilities
        return bool(abilities) and "likelihood" not in abilities and not self.settings.required

    def rounds(self) -> Rounds:
        """Ask everything in one round, in runs of one name's descriptors in one template."""
        if self._passes:
            return
        descriptors = len(self._descriptors.descriptors)
        names = len(self._names) + len(self._made_up)
        size = len(self._templates) * names * descriptors
        yield Sized(size, self._items, chunk=descriptors)

    def _items(self) -> Iterator[Item]:
        conditional = self._told("likelihood") == "conditional_perplexity"
        real, made_up = (AXES["intersectional"], ""), (AXIS, PLACEBO)
        everybody = [(each, *real) for each in self._names]
        everybody += [(each, *made_up) for each in self._made_up]
        for template in self._templates:
            for who, axis, part in everybody:
                person = {
                    "name": who.name,
                    "gender": who.gender,
                    "ethnicity": who.ethnicity,
                }
                for what in self._descriptors.descriptors:
                    yield Item(
                        self.label,
                        template.request(who.name, what, conditional=conditional),
                        axis=axis,
                        group=who.group,
                        condition=template.text,
                        slots={
                            **person,
                            "descriptor": what.text,
                            "descriptor_axis": what.axis,
                        },
                        part=part,
                    )

    def analyse(self, answers: pl.LazyFrame, scores: pl.LazyFrame) -> Analysis:
        """Compare groups of names, descriptor by descriptor."""
        if self._passes:
            return not_measured(self)
        return analyse_grid(self, answers, self._facts(), self.settings.resamples)

    def _facts(self) -> Facts:
        """Gather what is known about the words besides the answers."""
        descriptors = self._descriptors
        own = {each.text: each.label for each in descriptors.descriptors if each.label}
        given, classes = self.settings.labels, self.settings.labels == LABELS
        labels = of_four_classes(own) if classes else own if given is None else read_labels(given)
        sensitive = frozenset(each.text for each in descriptors.descriptors if each.sensitive)
        metric = self._told("likelihood", "perplexity")
        if not self.asks:
            return Facts(labels, sensitive, metric, (), {}, classes)
        parameters = {
            "likelihood": metric,
            "names": content_hash([(each.name, each.group) for each in self._names]),
            "made_up": content_hash([(each.name, each.group) for each in self._made_up])
            if self._made_up
            else "none",
            "descriptors": content_hash([dict(d.forms) for d in descriptors.descriptors]),
            "templates": content_hash([each.text for each in self._templates]),
            "bos": self._told("bos", "unknown").replace("|", "/"),
            "dtype": self._told("likelihood_dtype", "unknown"),
        }
        notes = (
            *(f"Names: {note}." for note in self._name_table.notes),
            *(f"Descriptors: {note}." for note in descriptors.notes),
        )
        return Facts(labels, sensitive, metric, notes, parameters, classes)

    def _told(self, what: str, otherwise: str = "") -> str:
        return self.circumstances.fingerprint.get(what, otherwise)

    @classmethod
    def read(cls, source: Source) -> pl.DataFrame:
        """Read stored perplexities or APX: see `slant.studies.likelihood.matrix_file`."""
        return read_matrix(source)

"""What a suite may set: names, descriptors, templates."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field, field_validator

from slant.errors import InputError
from slant.studies.likelihood.sentences import parse_template
from slant.studies.named_people import NamedSettings


class LikelihoodSettings(NamedSettings):
    """Parameters of the study; the defaults are the paper's design with slant's own words."""

    files: ClassVar[tuple[str, ...]] = ("names", "descriptors", "labels")

    descriptors: str = "global"
    """Descriptors: a packaged list, or a file with the columns descriptor, am, was, is."""
    axes: list[str] | None = Field(default=None, min_length=1)
    """Only descriptors of these axes; all when left out."""
    templates: list[str] | None = Field(default=None, min_length=1)
    """Sentences; each has `{name}` and one of `{am}`, `{was}`, `{is}`, `{descriptor}`. When left
    out the paper's three; the robust method has two more."""
    placebo_share: float = Field(default=0.25, ge=0, le=0.5)
    """The share of all questions that are about made-up names, which findings are held against; 0
    for none. The method `paper` has none."""
    labels: str | None = None
    """A file with the columns descriptor and group: which group each descriptor is known to
    belong to, for classification; the descriptors' own labels when left out. `globalbias-gp` takes
    those of them that are one of the publication's four classes, for its Tables 3 and 4."""
    required: bool = True
    """Refuse a model that gives no likelihoods; if false, report that nothing was measured."""
    allow_reduced_precision: bool = False
    """Accept likelihoods that were not computed in float32."""
    resamples: int = Field(default=10_000, ge=100)
    """How often names are permuted among groups."""

    @field_validator("templates")
    @classmethod
    def _sound(cls, templates: list[str] | None) -> list[str] | None:
        for text in templates or ():
            try:
                parse_template(text)
            except InputError as error:
                raise ValueError(str(error)) from error
        return templates

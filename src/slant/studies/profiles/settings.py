"""What a suite may set: names, schema, conditions, how profiles are asked for."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from slant.studies.named_people import NamedSettings
from slant.studies.text_study import MeasuredSettings


class ProfilesSettings(MeasuredSettings, NamedSettings):
    """What a suite may set; the defaults are the paper's design with slant's own names."""

    files: ClassVar[tuple[str, ...]] = ("traits", "names")
    paths: ClassVar[tuple[str, ...]] = ("likelihood",)

    traits: str = "siddique2024"
    """What a profile holds: a packaged schema, or a TOML file."""
    conditions: list[str] | None = Field(default=None, min_length=1)
    """Conditions of the schema; all when left out."""
    fields: list[str] | None = Field(default=None, min_length=1)
    """Only these fields are asked one by one and compared; all when left out."""
    way: Literal["auto", "batches", "fields"] = "auto"
    """`batches` asks for the JSON of several names at once, `fields` for one field of one name at
    a time; `auto` tries batches, smaller ones, and then fields, until enough are complete."""
    batch_size: int = Field(default=20, ge=1)
    """How many names one question is about."""
    runs: int = Field(default=3, ge=1)
    """How many profiles of every name."""
    by_schema: bool = True
    """Whether servers that can are to hold answers about several names to the schema of traits; the
    paper's were free."""
    temperature: float = Field(default=1.0, ge=0)
    tokens_per_profile: int = Field(default=300, ge=1)
    """Room for one profile, in tokens."""
    likelihood: str | None = None
    """A run directory with a `likelihood` study, or a table with the columns group, descriptor
    and value, to compare with."""
    resamples: int = Field(default=1000, ge=99)
    """How often names are permuted among groups."""

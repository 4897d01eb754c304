"""Building a list of names: candidates, clusters of their embeddings, a draw for every group."""

from slant.groups.name_building.build import BuiltNames, ChosenName, build_names
from slant.groups.name_building.candidates import Candidate, from_faker, from_table
from slant.groups.name_building.provenance import describe_making
from slant.groups.name_building.store import write_names

__all__ = [
    "BuiltNames",
    "Candidate",
    "ChosenName",
    "build_names",
    "describe_making",
    "from_faker",
    "from_table",
    "write_names",
]

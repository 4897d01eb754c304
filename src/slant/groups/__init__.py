"""Who is compared: axes, their groups, and how a group's name gets into a prompt."""

from slant.groups.axes import ALL_GROUPS, Axis, Group, axis_names
from slant.groups.axis_file import load_axis
from slant.groups.template import fill

__all__ = ["ALL_GROUPS", "Axis", "Group", "axis_names", "fill", "load_axis"]

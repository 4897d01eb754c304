"""The questions: a trigger, then a prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.groups.template import fill
from slant.groups.wordings import worded
from slant.records import Generate, Item
from slant.studies.completion import CHAT_INSTRUCTION

if TYPE_CHECKING:
    from slant.groups.axes import Group
    from slant.groups.trigger_sets import Trigger
    from slant.studies.text_study import SampledStudy

NONE = "no trigger"
ALL = "all triggers"
RESERVED = (NONE, ALL)
"""Conditions that no trigger may be called."""

REPORTED = ("held_out", "paper")
"""What questions are for, if rates are reported from them; all else is a part of its own."""


@dataclass(frozen=True)
class Asker:
    """Writes the questions of one study.

    Attributes
    ----------
    study
        Whose questions they are.
    phrase
        What a trigger that is no sentence goes into.
    """

    study: SampledStudy
    phrase: str

    def text(self, group: Group, trigger: Trigger | None, prompt: str) -> str:
        """Write trigger and prompt out."""
        filled = fill(prompt, group)
        return filled if trigger is None else f"{trigger.said_of(group, self.phrase)} {filled}"

    def item(
        self,
        group: Group,
        trigger: Trigger | None,
        prompt: str,
        sample: int,
        split: str,
        *,
        condition: str = "",
        kind: str = "",
        **slots: str,
    ) -> Item:
        """Ask for one completion.

        Parameters
        ----------
        group, trigger, prompt
            About whom, what is said first, and what is to be continued.
        sample
            Which draw of this prompt it is.
        split
            What it is for: `search`, `random`, `held_out` or `paper`.
        condition
            What the analysis files it under; the trigger's text when left out.
        kind
            Of the wording that names the group; its own name when left out.
        slots
            Anything else the analysis needs.
        """
        if kind:
            group = worded(group, kind)
            slots |= {"kind": kind, "wording": group.form("plural")}
        text = self.text(group, trigger, prompt)
        name = NONE if trigger is None else trigger.text
        known = {"split": split, "trigger": name, "prompt": prompt, **slots}
        study = self.study
        request = Generate(study.prompt(text, CHAT_INSTRUCTION), study.sampling())
        return Item(
            study.label, request, sample, group.axis, group.name, condition or name, known,
            part="" if split in REPORTED else split,
            expects=study.expected("continuation", text),
        )  # fmt: skip

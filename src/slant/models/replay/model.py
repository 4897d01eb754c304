"""The model that repeats recorded answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from slant.errors import InputError, unknown
from slant.models.model import Model
from slant.models.replay.recording import read_recording
from slant.records import Answer, Choose, Generate, Likelihood

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.models.model_spec import ModelSpec
    from slant.models.replay.recording import Recorded, Recording
    from slant.records import Ability, Item, Request

_Key: TypeAlias = tuple[str, str, int]
"""Item id, "", 0; or else prompt, group ("" for any), sample."""


class Replay(Model):
    """Recorded answers in place of a model: `replay:FILE` or `replay:RUN-DIRECTORY`.

    The file is JSON Lines, CSV or Parquet. Its column `item` holds the ids of the questions. A
    file without it is searched by `prompt`: the prompt, the last turn of a conversation, or the
    text whose likelihood is wanted (`source → text` where there is a source); a column `group`
    narrows this. Where several texts are recorded for a prompt, the column `sample` numbers them
    from 0, or else their order does. What is recorded is in `text`, and in `outcome`, `logprobs`,
    `finish_reason`, `prompt_tokens`, `completion_tokens` and `reason` where they exist.

    A question that is not in the file has the outcome `error`. Of a file with the answers of
    several models, the option `model=NAME` chooses one.

    Raises
    ------
    InputError
        The file cannot be used; the message names the line.
    """

    abilities: frozenset[Ability] = frozenset({"raw", "chat", "choose", "likelihood"})
    batch_size = 1000

    def __init__(self, spelling: ModelSpec):
        spelling.check_options(["model"])
        if not spelling.argument:
            raise InputError(
                f"model {spelling.text!r} names no file: write for example replay:answers.jsonl"
            )
        recording = read_recording(spelling.argument)
        self._sha256 = recording.sha256
        self._by_item = "item" in recording.columns
        rows = recording.rows
        speaker = _speaker(recording, spelling.options.get("model"))
        if speaker is not None:
            rows = [row for row in rows if row.model == speaker]
        self.name = speaker or recording.path.stem
        self._answers = _indexed(recording, rows)

    def fingerprint(self) -> Mapping[str, str]:
        """Give the hash of the file."""
        return {"model": self.name, "recording": self._sha256}

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        """Look the answers up; the seed is that of the recording, whatever is asked for."""
        return [self._answer(item) for item in items]

    def _answer(self, item: Item) -> Answer:
        if self._by_item:
            keys: tuple[_Key, ...] = ((item.id, "", 0),)
        else:
            asked = asked_text(item.request)
            keys = ((asked, item.group, item.sample), (asked, "", item.sample))
        found = next((self._answers[key] for key in keys if key in self._answers), None)
        if found is None:
            return Answer("error", reason="no recorded answer")
        return _fitting(found, item.request)


def asked_text(request: Request) -> str:
    """Give the part of a request that recordings are searched by, as `answers.parquet` has it."""
    if isinstance(request, Likelihood):
        return " → ".join(part for part in (request.source, request.text) if part)
    prompt = request.prompt
    return prompt if isinstance(prompt, str) else prompt[-1].content if prompt else ""


def _speaker(recording: Recording, wanted: str | None) -> str | None:
    """Say whose answers to give: `None` where the file does not say whose they are."""
    speakers = {row.model for row in recording.rows if row.model}
    if wanted is not None:
        if wanted not in speakers:
            raise unknown("recorded model", wanted, speakers)
        return wanted
    if len(speakers) > 1:
        raise InputError(
            f"the answers are those of several models ({', '.join(sorted(speakers))}): choose one, "
            "as in replay:FILE?model=NAME",
            file=recording.path,
        )
    return next(iter(speakers), None)


def _indexed(recording: Recording, rows: Sequence[Recorded]) -> dict[_Key, Answer]:
    """File the answers under what they answer."""
    by_item, numbered = "item" in recording.columns, "sample" in recording.columns
    answers: dict[_Key, Answer] = {}
    counted: dict[tuple[str, str], int] = {}
    for row in rows:
        asked = row.item if by_item else row.prompt
        if asked is None:
            column = "item" if by_item else "prompt"
            raise InputError(f"the column {column} is empty", file=recording.path, line=row.line)
        if by_item:
            key: _Key = (asked, "", 0)
        elif numbered:
            key = (asked, row.group, row.sample or 0)
        else:
            place = (asked, row.group)
            key = (*place, counted.get(place, 0))
            counted[place] = key[2] + 1
        # Groups may share a question, which a run then lists once for each.
        if answers.setdefault(key, row.answer) != row.answer:
            raise InputError(
                f"a second, different answer to {asked!r:.60}: keep one"
                + ("" if by_item else ", or number them in the column sample, from 0"),
                file=recording.path,
                line=row.line,
            )
    return answers


def _fitting(answer: Answer, request: Request) -> Answer:
    """Say so where what was recorded cannot answer this kind of question."""
    if answer.outcome != "answered":
        return answer
    count = len(answer.logprobs or ())
    lacks = None
    if isinstance(request, Generate) and answer.text is None:
        lacks = "the recorded answer holds no text"
    elif isinstance(request, Likelihood) and not count:
        lacks = "the recorded answer holds no log-probabilities"
    elif isinstance(request, Choose) and request.free:
        lacks = "the recorded answer holds no text" if answer.text is None else None
    elif isinstance(request, Choose) and count not in (0, len(request.options)):
        lacks = f"{count} log-probabilities are recorded for {len(request.options)} options"
    return answer if lacks is None else replace(answer, outcome="unparseable", reason=lacks)

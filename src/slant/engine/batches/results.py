"""Finding the results of a batch by the ids of their questions.

Files may have tens of thousands of long lines, in any order. What is kept in memory is where each
line stands.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slant import limits
from slant.errors import InputError
from slant.models.remote.reply import json_object, mapping_of, text_of
from slant.regular_file import check_regular

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

_EXPECTED = (
    'expected a line of OpenAI\'s or Anthropic\'s batch results, or {"custom_id": …, "text": …}'
)

_STATUS = {
    "invalid_request_error": 400, "authentication_error": 401, "billing_error": 402,
    "permission_error": 403, "not_found_error": 404, "request_too_large": 413,
    "rate_limit_error": 429, "api_error": 500, "timeout_error": 504, "overloaded_error": 529,
}  # fmt: skip
"""What Anthropic's kinds of errors are as HTTP status."""

_LATER = frozenset({408, 409, 425, 429})


@dataclass(frozen=True)
class Result:
    """What became of one request.

    Attributes
    ----------
    status
        HTTP status of the reply; `None` where there is none, or where the text stands alone.
    body
        The reply.
    text
        The answer, where somebody wrote it and no server.
    open
        Why the question is still open, in words: the batch ended before it was asked, or the
        server could not just then.
    """

    status: int | None = None
    body: dict[str, Any] | None = None
    text: str | None = None
    open: str = ""


class Results:
    """The results in some files.

    Parameters
    ----------
    paths
        The files.
    tag
        What the ids of one model's requests end with, in a run of several models.

    Attributes
    ----------
    doubled
        How many further results there are to a question.
    others
        The ids that end otherwise.

    Raises
    ------
    InputError
        A file is none, or a line holds no result.
    """

    def __init__(self, paths: Sequence[Path], tag: str = ""):
        self._places: dict[str, tuple[Path, int, int]] = {}
        self.others: dict[str, str] = {}
        self.doubled: Counter[str] = Counter()
        for path in paths:
            for number, begin, line in _lines(path):
                id_, result = _parsed(line, path, number)
                if not id_.endswith(tag):
                    self.others[id_] = f"{path}:{number}"
                    continue
                id_ = id_.removesuffix(tag)
                if id_ not in self._places:
                    self._places[id_] = (path, number, begin)
                    continue
                # Of two, the first that says something counts.
                self.doubled[id_] += 1
                if self._result(id_).open and not result.open:
                    self._places[id_] = (path, number, begin)
        if not self._places and not self.others:
            raise InputError("holds no results at all: give the output file of the batch",
                             file=paths[0])  # fmt: skip

    def ids(self) -> Iterable[str]:
        """Give the ids of the questions."""
        return self._places.keys()

    def get(self, id_: str) -> Result | None:
        """Read the result of a question; `None` where there is none."""
        return self._result(id_) if id_ in self._places else None

    def place(self, id_: str) -> str:
        """Say where a result stands, for people."""
        path, number, _ = self._places[id_]
        return f"{path}:{number}"

    def _result(self, id_: str) -> Result:
        path, number, begin = self._places[id_]
        with path.open("rb") as file:
            file.seek(begin)
            return _parsed(file.readline(), path, number)[1]


def _lines(path: Path) -> Iterator[tuple[int, int, bytes]]:
    """Give the lines that hold something: their number, where they begin, and what they hold."""
    check_regular(path)
    begin = 0
    with path.open("rb") as file:
        for number in range(1, limits.TABLE_ROWS):
            line = file.readline(limits.LINE_BYTES)
            if not line:
                return
            if len(line) == limits.LINE_BYTES:
                raise InputError(f"the line has more than {limits.LINE_BYTES:,} bytes",
                                 file=path, line=number)  # fmt: skip
            if line.strip():
                yield number, begin, line
            begin += len(line)


def _parsed(line: bytes, path: Path, number: int) -> tuple[str, Result]:
    try:
        entry = json_object(line)
    except ValueError as error:
        said = str(error).replace("the reply", "the line")
        raise InputError(f"{said}: {_EXPECTED}", file=path, line=number) from None
    id_ = text_of(entry.get("custom_id"))
    if id_ is None:
        raise InputError(f"the line has no custom_id: {_EXPECTED}", file=path, line=number)
    if "body" in entry or "params" in entry:
        raise InputError(
            "these are the questions, not their answers: give the file that the batch came back as",
            file=path,
            line=number,
        )
    if "result" in entry:
        return id_, _of_anthropic(mapping_of(entry["result"]))
    if "response" in entry or "error" in entry:
        return id_, _of_openai(entry)
    text = text_of(entry.get("text"))
    if text is None:
        raise InputError(f"the line has no answer: {_EXPECTED}", file=path, line=number)
    return id_, Result(text=text)


def _of_openai(entry: dict[str, Any]) -> Result:
    response, error = entry.get("response"), mapping_of(entry.get("error"))
    if not isinstance(response, dict):
        said = text_of(error.get("message")) or text_of(error.get("code")) or "no reason given"
        return Result(open=said)
    status = response.get("status_code")
    if not isinstance(status, int) or isinstance(status, bool):
        status = 200
    return _replied(status, mapping_of(response.get("body")))


def _of_anthropic(result: dict[str, Any]) -> Result:
    kind = text_of(result.get("type"))
    if kind == "succeeded":
        return Result(200, mapping_of(result.get("message")))
    if kind != "errored":
        return Result(open=kind or "no reason given")
    error = mapping_of(result.get("error"))
    held = mapping_of(error.get("error")) or error  # as the API says it, or without its envelope
    return _replied(_STATUS.get(text_of(held.get("type")) or "", 400), {"error": held})


def _replied(status: int, body: dict[str, Any]) -> Result:
    if status not in _LATER and status < 500:
        return Result(status, body)
    error = body.get("error")
    said = text_of(mapping_of(error).get("message")) or text_of(error) or "no reason given"
    return Result(open=f"HTTP {status}: {said}")

"""Logs of Inspect (inspect_ai): one JSON document, or a zip with a file for each sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant import limits
from slant.errors import InputError
from slant.imports.json_text import cells, items, last_turn, parsed, spoken, table
from slant.imports.zip_file import opened, part
from slant.records import OUTCOMES

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Iterator
    from pathlib import Path

    from slant.table_file import Row

_FINISH = {"max_tokens": "length", "model_length": "length"}
_ATTACHED = "attachment://"


def is_log(document: Any) -> bool:
    """Tell whether a document is such a log."""
    return isinstance(table(document).get("eval"), dict)


def rows(document: dict[str, Any], path: Path) -> Iterator[tuple[int, Row]]:
    """Give the samples of a log in one document, numbered from 1.

    Raises
    ------
    InputError
        It holds no samples.
    """
    model = document["eval"].get("model")
    samples = items(document.get("samples"))
    if not samples:
        raise _without_samples(path)
    for number, sample in enumerate(samples, start=1):
        yield number, _row(sample, model, path, number)


def packed_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """Give the samples of a packed log, numbered from 1.

    Raises
    ------
    InputError
        It is no such log, cannot be unpacked, or holds no samples or too many.
    """
    with opened(path) as log:
        names = set(log.namelist())
        head = next((each for each in ("header.json", "_journal/start.json") if each in names), "")
        if not head:
            raise InputError("this is no log of Inspect: it has no header.json", file=path)
        header = parsed(part(log, log.getinfo(head), path), path, head)
        samples = [each for each in log.infolist() if _is_sample(each)]
        if not samples:
            raise _without_samples(path)
        if len(samples) > limits.TABLE_ROWS:
            raise InputError(f"the log has more than {limits.TABLE_ROWS:,} samples", file=path)
        model = table(table(header).get("eval")).get("model")
        for number, each in enumerate(samples, start=1):
            sample = parsed(part(log, each, path), path, each.filename)
            yield number, _row(sample, model, path, number)


def _is_sample(each: zipfile.ZipInfo) -> bool:
    return each.filename.startswith("samples/") and each.filename.endswith(".json")


def _without_samples(path: Path) -> InputError:
    return InputError(
        "the log holds no samples: write it with them (Inspect's option --no-log-samples leaves "
        "them out)",
        file=path,
    )


def _row(sample: Any, model: Any, path: Path, number: int) -> Row:
    """Turn a sample into a row; what slant's own export kept beside it stands as it was."""
    if not isinstance(sample, dict):
        raise InputError("expected a sample, an object", file=path, line=number)
    kept = cells(sample.get("metadata"))
    output = table(sample.get("output"))
    choice = table(next(iter(items(output.get("choices"))), None))
    text = _resolved(spoken(table(choice.get("message")).get("content")), sample)
    stopped = choice.get("stop_reason")
    usage = table(output.get("usage"))
    outcome, reason = _outcome(sample, output, text, stopped)
    if kept.get("outcome") in OUTCOMES:
        outcome, reason = kept["outcome"], kept.get("reason")
    if not text and (outcome != "answered" or kept.get("logprobs") is not None):
        text = None
    epoch = sample.get("epoch")
    return {
        "sample": epoch - 1 if isinstance(epoch, int) and epoch > 0 else 0,
        **kept,
        "model": model if isinstance(model, str) else None,
        "prompt": _resolved(last_turn(sample.get("input")), sample),
        "text": text,
        "outcome": outcome,
        "reason": reason,
        "finish_reason": _FINISH.get(str(stopped), stopped),
        "prompt_tokens": usage.get("input_tokens"),
        "completion_tokens": usage.get("output_tokens"),
    }


def _outcome(
    sample: dict[str, Any], output: dict[str, Any], text: str | None, stopped: Any
) -> tuple[str, str | None]:
    if stopped == "content_filter":
        return "refused", "stopped by a content filter"
    error = table(sample.get("error")).get("message") or output.get("error")
    if error and not text:
        return "error", str(error)
    return ("unparseable", "the sample has no output") if text is None else ("answered", None)


def _resolved(text: str | None, sample: dict[str, Any]) -> str | None:
    """Put in what a log keeps apart because it is long."""
    if text is None or not text.startswith(_ATTACHED):
        return text
    attached = table(sample.get("attachments")).get(text.removeprefix(_ATTACHED))
    return attached if isinstance(attached, str) else text

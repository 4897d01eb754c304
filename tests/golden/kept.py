"""The kept findings on disk, and what differs from them."""

from __future__ import annotations

import gzip
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

from .cases import IDENTITY, NUMBERS

FOLDER = Path(__file__).with_name("findings")
TOLERANCE = 1e-9
OF_EMBEDDINGS = 5e-6
"""Where an encoder computes in single precision, whose last digits depend on the machine."""
ENCODED = {
    "knowledge", "file-knowledge", "knowledge-wordings", "story", "triggers", "file-triggers",
    "triggers-wordings",
}  # fmt: skip
"""Cases of which some findings come from an encoder."""


def file_of(name: str, method: str) -> Path:
    """Say where a case's findings are kept."""
    return FOLDER / f"{name}.{method}.json.gz"


def write(name: str, method: str, findings: list[dict[str, Any]]) -> None:
    """Keep findings: column by column, so that they are small; the same ones give the same file."""
    columns = {
        key: [_short(each[key]) for each in findings] for key in (*IDENTITY, *NUMBERS)
    }  # fmt: skip
    text = json.dumps(columns, ensure_ascii=False, separators=(",", ":"))
    FOLDER.mkdir(exist_ok=True)
    file_of(name, method).write_bytes(gzip.compress(text.encode("utf-8"), 9, mtime=0))


def read(name: str, method: str) -> list[dict[str, Any]]:
    """Read the findings that were kept."""
    columns = json.loads(gzip.decompress(file_of(name, method).read_bytes()))
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def differences(
    was: list[dict[str, Any]], now: list[dict[str, Any]], tolerance: float = TOLERANCE
) -> list[str]:
    """Say what differs, a line each: findings gone, findings come, numbers changed."""
    before, after = _by_identity(was), _by_identity(now)
    gone = [f"gone: {_words(key)}" for key in before if key not in after]
    come = [f"new: {_words(key)}" for key in after if key not in before]
    changed = [
        f"{_words(key)}: {number} was {old[number]}, is {after[key][number]}"
        for key, old in before.items()
        if key in after
        for number in NUMBERS
        if not _same(old[number], after[key][number], tolerance)
    ]
    return gone + come + changed


def _by_identity(findings: list[dict[str, Any]]) -> dict[tuple[str, ...], dict[str, Any]]:
    """File findings under what they are about; those about the same thing are numbered."""
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    seen: Counter[tuple[str, ...]] = Counter()
    for each in findings:
        identity = tuple(str(each[key]) for key in IDENTITY)
        found[(*identity, str(seen[identity]))] = each
        seen[identity] += 1
    return found


def _same(was: float | None, now: float | None, tolerance: float) -> bool:
    if was is None or now is None:
        return was is now
    return math.isclose(was, now, rel_tol=tolerance, abs_tol=tolerance)


def _short(value: Any) -> Any:
    """Give a number the twelve digits that the comparison needs."""
    return float(f"{value:.12g}") if isinstance(value, float) else value


def _words(identity: tuple[str, ...]) -> str:
    return " · ".join(part for part in identity[:-1] if part)

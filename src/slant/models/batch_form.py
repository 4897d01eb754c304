"""How a model's questions go out as a batch, and what the results of one mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from slant.models.effective import Effective
    from slant.records import Answer, Item


@dataclass(frozen=True)
class BatchForm:
    """What batches of an API look like.

    Attributes
    ----------
    api
        Whose form it is, for people.
    how
        What to do with a file of requests, in a sentence.
    begin, between, end
        What stands around and between the requests of a file.
    most_requests, most_bytes
        What one batch takes.
    write
        Writes a question, of a run with this seed, as one request. Raises `InputError` where it
        cannot be asked so.
    read
        Reads the reply to a question: HTTP status and decoded body. `None` where the server refused
        a parameter, which later requests do without: the question is still open.
    recall
        Takes what an earlier part of the run has learned of parameters that are refused.
    """

    api: str
    how: str
    begin: str
    between: str
    end: str
    most_requests: int
    most_bytes: int
    write: Callable[[Item, int], dict[str, Any]]
    read: Callable[[Item, int, dict[str, Any]], Answer | None]
    recall: Callable[[Effective], None]

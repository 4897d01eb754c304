"""Reading the answers of any model, before anybody stores or judges them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from slant.expectation import Expectation
from slant.readings.read import read
from slant.records import Aside, Choose, Generate, Likelihood

if TYPE_CHECKING:
    from slant.records import Answer, Item


def read_answer(item: Item, answer: Answer) -> Answer:
    """Tell the answer from the manner, as the item expects it; what is set aside stays with it.

    Parameters
    ----------
    item
        What was asked, with what is expected.
    answer
        What the model gave; its `aside` may hold a thought that the server gave apart.

    Returns
    -------
    Answer
        `unparseable`, with the reason, where there is a thought or a preamble and no answer.
    """
    if isinstance(item.request, Likelihood) or answer.text is None or answer.outcome == "error":
        return answer
    expects = item.expects
    if isinstance(item.request, Choose) and not item.request.free:
        expects = Expectation("option", expects.starts, item.request.options)
    given = answer.aside.thought if answer.aside is not None else ""
    reading = read(answer.text, expects, thought=given)
    taken = len(answer.text) - len(reading.text)
    said = sum(map(len, (reading.preamble, reading.afterword))) + len(reading.thought) - len(given)
    aside = Aside(
        reading.thought,
        reading.preamble,
        reading.afterword,
        answer.text if taken != said or (taken and not reading.text) else "",
    )
    text = _stopped(reading.text, item)
    heard = replace(answer, text=text, aside=None if aside == Aside() else aside)
    if reading.reason is None or answer.outcome != "answered":
        return heard
    if answer.logprobs is not None and not given:
        return heard  # a choice is known by its probabilities, whatever was written
    return replace(heard, outcome="unparseable", reason=reading.reason)


def _stopped(text: str, item: Item) -> str:
    """End a text at the first of the question's stop strings; in a chat no server was told them."""
    request = item.request
    if isinstance(request, Generate) and not isinstance(request.prompt, str):
        for stop in request.sampling.stop:
            text = text.partition(stop)[0]
    return text

"""What all models behind a server share."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from slant.errors import InputError
from slant.models.model import Model
from slant.models.remote.address import key_withheld
from slant.models.remote.connection import Connection
from slant.records import Answer, Likelihood

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.models.effective import Effective
    from slant.models.model_spec import ModelSpec
    from slant.models.remote.address import Address
    from slant.records import Item


class RemoteModel(Model):
    """A model that is asked over a connection, one question a request.

    Parameters
    ----------
    address
        The server and its key.

    Attributes
    ----------
    options
        What every such model takes after the question mark.
    own_server
        The provider's, which the key is for wherever the model is named.
    """

    batch_size = 1
    options: ClassVar = ("price", "concurrency", "timeout", "retries", "thinking", "effort")
    own_server: str | None = None

    def __init__(self, spelling: ModelSpec, address: Address):
        self._address = address
        self.name = address.name
        self.concurrency = int(number(spelling, "concurrency", 16, least=1, whole=True))
        self._timeout = number(spelling, "timeout", 120, least=0.001)
        self._retries = int(number(spelling, "retries", 5, least=0, whole=True))
        if address.secret is not None and address.base_url != self.own_server:
            self.key_server = address.base_url or ""
        self._connection = self._connect()

    def _connect(self) -> Connection:
        return Connection(self._address, self._timeout, self._retries, self.concurrency)

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        """Ask the questions, all at once, and give the answers in the order of the items."""
        answers = await asyncio.gather(*(self._answer(item, seed) for item in items))
        secret = self._address.secret
        # Last of all, when everything is decoded and put together.
        return answers if secret is None else [secret.hide_in_answer(each) for each in answers]

    @abstractmethod
    async def _answer(self, item: Item, seed: int) -> Answer:
        """Put one question, and read the reply."""

    @abstractmethod
    def _question(self, item: Item, seed: int) -> tuple[str, dict[str, Any]]:
        """Write a question: the path that it goes to, and what is sent there.

        Raises
        ------
        InputError
            It cannot be asked so, or a picture is gone.
        """

    @abstractmethod
    def _read(self, item: Item, reply: dict[str, Any]) -> Answer:
        """Read the reply to a question."""

    async def _ask(self, item: Item, seed: int) -> Answer:
        """Write a question, send it, read the reply."""
        try:
            path, body = self._question(item, seed)
        except InputError as error:
            return Answer("error", reason=str(error))
        reply = await self._connection.ask(path, body)
        return reply if isinstance(reply, Answer) else self._read(item, reply)

    def _batched(self, item: Item, seed: int) -> tuple[str, dict[str, Any]]:
        """Write a question for a batch, without the parameters that are known to be refused."""
        if isinstance(item.request, Likelihood):
            raise InputError(
                f"study {item.study!r} asks for likelihoods, and batches give none: leave it out "
                "of the suite, or ask the server at once"
            )
        path, body = self._question(item, seed)
        return path, self._connection.supported(path, body)

    def _unbatched(self, item: Item, status: int, reply: dict[str, Any]) -> Answer | None:
        """Read a reply that came in a file, as it is read from the server."""
        path, body = self._question(item, 0)
        heard = self._connection.heard(path, body, status, reply)
        answer = self._read(item, heard) if isinstance(heard, dict) else heard
        secret = self._address.secret
        return answer if answer is None or secret is None else secret.hide_in_answer(answer)

    def effective(self) -> Effective:
        """Say which parameters the server refused, and who it says has answered."""
        return self._connection.effective

    def remarks(self) -> list[str]:
        """Say that the server did not get the key."""
        if not self._address.withheld:
            return []
        return [key_withheld(self._connection.server, self._address.variable)]

    def tempo(self) -> str:
        """Say what the server took, where it was too busy for some questions."""
        return self._connection.pace.summary()

    async def close(self) -> None:
        """Close the connections to the server."""
        await self._connection.close()


def number(
    spelling: ModelSpec, name: str, default: float, *, least: float, whole: bool = False
) -> float:
    """Read an option that is a number.

    Raises
    ------
    InputError
        It is none, or too small.
    """
    text = spelling.options.get(name, str(default))
    try:
        value = float(int(text)) if whole else float(text)
    except ValueError:
        value = -1.0
    if not least <= value < 1e6:
        kind = "a whole number" if whole else "a number"
        raise InputError(f"model {spelling.text!r}: {name}={text!r} is not {kind} from {least:g}")
    return value

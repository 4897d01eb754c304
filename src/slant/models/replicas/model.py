"""A model that hands its batches to workers, each of which holds a copy of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from slant.models.deployment.deployed import Deployed
from slant.models.deployment.deployment import bare_spelling
from slant.models.effective import Effective
from slant.models.model import Model
from slant.models.model_spec import parse_model_spec
from slant.models.open import open_models
from slant.models.replicas.executor import parse_executor, usable_cores
from slant.models.replicas.pool import Pool
from slant.models.replicas.ray_cluster import RayCluster, check_cluster

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from slant.models.key_hosts import KeyHosts
    from slant.models.replicas.executor import ExecutorSpec
    from slant.models.replicas.model_copy import Reply
    from slant.records import Ability, Answer, Item


class Workers(Protocol):
    """Several copies of one model."""

    size: int

    def fingerprint(self) -> dict[str, str]:
        """Say what the copies are."""

    async def answer(self, items: Sequence[Item], seed: int, like: Mapping[str, str]) -> Reply:
        """Have a copy with that fingerprint answer a batch."""

    def stop(self) -> None:
        """End them."""


class Replicas(Model):
    """Many copies of a model, which answer as one.

    An answer depends on the item and the seed alone, so it does not matter which copy gives it.

    Parameters
    ----------
    model
        The model, open but not loaded: it says what can be asked and is never asked.
    start
        Starts the workers; called when the fingerprint is first wanted.
    """

    def __init__(self, model: Model, start: Callable[[], Workers]):
        self._model, self._start = model, start
        self._workers: Workers | None = None
        self._fingerprint: dict[str, str] = {}
        self._remarks: set[str] = set()
        self._effective = Effective()
        self.name, self.price = model.name, model.price
        self.batch_size = model.batch_size
        self.likelihood_batch_size = model.likelihood_batch_size
        self.thought_tokens, self.key_server = model.thought_tokens, model.key_server

    @property
    def abilities(self) -> frozenset[Ability]:  # type: ignore[override] # some models must look
        """Those of the model."""
        return self._model.abilities

    def fingerprint(self) -> Mapping[str, str]:
        """Start the workers and say what they hold."""
        if self._workers is None:
            self._workers = self._start()
            self.concurrency = self._workers.size
            self._fingerprint = self._workers.fingerprint()
        return self._fingerprint

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        """Have a worker answer a batch."""
        like = self.fingerprint()
        assert self._workers is not None  # noqa: S101 - for the type checker
        answers, remarks, effective = await self._workers.answer(items, seed, like)
        self._remarks.update(remarks)
        self._effective = self._effective.joined(effective)
        return answers

    def remarks(self) -> list[str]:
        """Give what the copies remarked, each remark once."""
        return sorted(self._remarks)

    def effective(self) -> Effective:
        """Join what the copies really used."""
        return self._effective

    async def close(self) -> None:
        """End the workers."""
        workers, self._workers = self._workers, None
        if workers is not None:
            await asyncio.to_thread(workers.stop)
        await self._model.close()


_NOT_COPIED = {"python", "target"}
"""Schemes of models that no process can hold a copy of: what they do is done elsewhere."""


def replicate(
    spellings: Sequence[str],
    executor: str,
    kept: Mapping[str, str] | None = None,
    key_hosts: KeyHosts | None = None,
) -> dict[str, Model]:
    """Make several models, by name, in order, with copies where an executor says.

    Parameters
    ----------
    spellings, kept, key_hosts
        As for `slant.models.open.open_models`.
    executor
        `local`: one copy, in this process; `pool` or `pool:N`: N processes of one thread on this
        machine, by default one a core; `ray`: a Ray cluster of this machine; `ray:HOST:PORT`: one
        that runs already, by the address of its head.

    Raises
    ------
    InputError
        A model or the executor does not exist, or no cluster answers at the address.
    """
    wanted = parse_executor(executor)
    opened = open_models(spellings, kept, key_hosts)
    if wanted.kind == "ray":
        check_cluster(wanted.address)
    if wanted.kind == "local":
        return opened
    return {
        name: _spread(spelling, model, wanted, key_hosts)
        for spelling, (name, model) in zip(spellings, opened.items(), strict=True)
    }


def _spread(spelling: str, model: Model, wanted: ExecutorSpec, key_hosts: KeyHosts | None) -> Model:
    parsed = parse_model_spec(spelling)
    if parsed.scheme in _NOT_COPIED:
        return model
    if isinstance(model, Deployed):  # the copies are of the bare model, and know no files
        bare = bare_spelling(parsed).text
        return Deployed(_spread(bare, model.model, wanted, key_hosts), model.deployment)

    def start() -> Workers:
        if wanted.kind == "ray":
            return RayCluster(spelling, wanted.address, key_hosts)
        return Pool(spelling, wanted.workers or usable_cores(), key_hosts)

    return Replicas(model, start)

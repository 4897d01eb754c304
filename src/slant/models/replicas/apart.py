"""A model in one process of its own, which is asked even what the model can do."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from slant.models.open import open_model
from slant.models.replicas.model import Replicas
from slant.models.replicas.pool import Pool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.models.key_hosts import KeyHosts
    from slant.records import Ability


class Apart(Replicas):
    """One copy of a model in one process, for programs that must stay small.

    Some models have to load a tokenizer to say what they can do, and that alone takes a quarter of
    a gigabyte. Here nothing of a model is loaded in the process that asks.

    Parameters
    ----------
    spelling
        The model's spelling.
    key_hosts
        As `slant.models.open.open_model` takes it.

    Raises
    ------
    InputError
        There is no such model, or its spelling is wrong.
    """

    def __init__(self, spelling: str, key_hosts: KeyHosts | None = None):
        self._pool = Pool(spelling, 1, key_hosts)
        self._abilities: frozenset[Ability] = frozenset()
        super().__init__(open_model(spelling, key_hosts=key_hosts), lambda: self._pool)

    @property
    def abilities(self) -> frozenset[Ability]:  # type: ignore[override] # known once it is loaded
        """Those of the model; none before the fingerprint is known."""
        return self._abilities

    def fingerprint(self) -> Mapping[str, str]:
        """Start the process, load the model in it, and say what it is; where it fails, end it."""
        try:
            known = super().fingerprint()
            if not self._abilities:
                self._abilities = self._pool.abilities()
        except BaseException:
            self._pool.kill()
            raise
        return known

    async def close(self) -> None:
        """End the process at once: nobody waits any more for what it may be at."""
        await asyncio.to_thread(self._pool.kill)
        await super().close()

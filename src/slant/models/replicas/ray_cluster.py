"""Copies of a model on a Ray cluster."""

from __future__ import annotations

import importlib.util
import logging
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING, Any

from slant.errors import InputError, SlantError, missing_extra
from slant.models.replicas.executor import usable_cores
from slant.models.replicas.model_copy import RETRIES, ModelCopy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.models.key_hosts import KeyHosts
    from slant.models.replicas.model_copy import Reply
    from slant.records import Item

_REACH = 12.0
"""Seconds in which a cluster must say that it is one."""

_STORE = 200_000_000
"""Bytes of shared memory of a cluster of our own: batches are small."""


def check_cluster(address: str) -> None:
    """See that Ray is there, and at an address a cluster: Ray itself takes minutes to say no.

    Raises
    ------
    InputError
        Ray is not installed, or no cluster answers.
    """
    if importlib.util.find_spec("ray") is None:
        raise missing_extra("ray", ModuleNotFoundError(name="ray"))
    if not address:
        return
    host, _, port = address.rpartition(":")
    ray = ["ray.scripts.scripts", "health-check", "--address", address]
    command = [sys.executable, "-P", "-m", *ray]  # -P: no module of the current folder
    try:
        socket.create_connection((host, int(port)), timeout=_REACH).close()
        subprocess.run(command, capture_output=True, check=True, timeout=_REACH)  # noqa: S603 - our own words and a checked address
    except (OSError, OverflowError, subprocess.SubprocessError) as error:
        raise InputError(
            f"executor 'ray:{address}': no Ray cluster answers there ({type(error).__name__}): "
            "give the address of its head, as `ray start --head` printed it, and its token in "
            "RAY_AUTH_TOKEN if it wants one"
        ) from error


class RayCluster:
    """Actors with a copy of the model each: one a GPU, or one a core where there is none.

    Parameters
    ----------
    spelling
        The model's spelling.
    address
        `HOST:PORT` of a cluster that runs; empty to start one on this machine, and end it.
    key_hosts
        As `slant.models.open.open_model` takes it.

    Raises
    ------
    InputError
        Ray refuses.
    """

    def __init__(self, spelling: str, address: str, key_hosts: KeyHosts | None = None):
        self._folder = ""
        options = {"address": address} if address else self._own()
        try:
            _init(**options)
        except InputError:
            self.stop()
            raise
        there = _ray().cluster_resources()
        graphics = there.get("GPU", 0) >= 1
        self.size = int(there.get("GPU" if graphics else "CPU", 0))
        actor = _ray().remote(
            num_cpus=0 if graphics else 1,
            num_gpus=1 if graphics else 0,
            max_restarts=-1,
            max_task_retries=RETRIES,
            max_concurrency=1,
        )(ModelCopy)
        self._actors = [actor.remote(spelling, key_hosts) for _ in range(self.size)]
        self._busy = [0] * self.size

    def _own(self) -> dict[str, Any]:
        """Describe a cluster of this machine that nobody else may use and that leaves nothing."""
        self._folder = tempfile.mkdtemp(prefix="slant-ray-")
        os.environ["RAY_AUTH_MODE"] = "token"
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))  # Ray reads it once
        return {
            "address": "local",
            "num_cpus": usable_cores(),
            "include_dashboard": False,
            "object_store_memory": _STORE,
            "_node_ip_address": "127.0.0.1",
            "_temp_dir": self._folder,
        }

    def fingerprint(self) -> dict[str, str]:
        """Load the model in one of the actors and say what it is."""
        import ray

        try:
            print_of: dict[str, str] = ray.get(self._actors[0].fingerprint.remote())
        except ray.exceptions.RayError as error:
            raise _plain(error) from error
        return print_of

    async def answer(self, items: Sequence[Item], seed: int, like: Mapping[str, str]) -> Reply:
        """Have the actor with least to do answer a batch.

        Raises
        ------
        SlantError
            It failed, or actor after actor died over it.
        """
        import ray

        index = self._busy.index(min(self._busy))
        self._busy[index] += 1
        try:
            reply: Reply = await self._actors[index].answer.remote(items, seed, like)
        except ray.exceptions.RayError as error:
            raise _plain(error) from error
        finally:
            self._busy[index] -= 1
        return reply

    def stop(self) -> None:
        """Leave the cluster; end it if it was started here."""
        import ray

        ray.shutdown()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


def _ray() -> Any:
    """Give Ray without its type hints, which know only part of what is used here."""
    import ray

    return ray


def _init(**options: Any) -> None:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"  # Ray warns unless it is set
    try:
        _ray().init(
            log_to_driver=False, logging_level=logging.CRITICAL, job_config=_job(), **options
        )
    except Exception as error:  # Ray raises what it likes
        raise InputError(f"the Ray cluster cannot be used: {_first_line(error)}") from error


def _job() -> Any:
    """Describe a job whose workers import nothing from the folder that is the current one here.

    Ray puts that folder, and the script's, in front of where its workers look for modules, unless
    the job brings a folder of its own; it has no switch for that, so it is told that this one does.
    """
    job = _ray().job_config.JobConfig()
    job._runtime_env_has_working_dir = lambda: True
    return job


def _plain(error: Exception) -> Exception:
    """Give what an actor raised as it raised it; say so if it died."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, Exception):
        return cause
    return SlantError(
        f"a worker of the Ray cluster died, and so did {RETRIES} that took its place, or none "
        f"could: {_first_line(error)}"
    )


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or repr(error)).splitlines()[0]

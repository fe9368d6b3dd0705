"""A process that does something with SQL that nobody vetted, and with databases that come from such code.

Belongs here: sending it one deed after the other, and whose fault it is that one fails. Does not: the deeds
(`database_worker`), and what callers ask for (`databases`).
"""

import asyncio
import json
from typing import Any

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.runtime.database_worker import MOST_IMAGE_BYTES
from envfactory_dagster.runtime.frames import Limit
from envfactory_dagster.runtime.processes import Processes, WorkerLink, WorkerLost, WorkerRefused, fault_of

_MOST_TRIES = 3
"""For a deed that is not to blame for the end of its worker."""
_A_DATABASE = Limit(1_048_576, MOST_IMAGE_BYTES)
"""What a worker may answer that made a database, or says what keeps it from being made."""


class DatabaseWorker:
    """Takes the deeds for the databases of one environment. Where one of them costs the process its life, the next is
    done in a new one."""

    def __init__(self, processes: Processes, seconds: float) -> None:
        self._processes = processes
        self._seconds = seconds
        self._link: WorkerLink | None = None
        self._starting = asyncio.Lock()

    async def do(self, deed: str, given: Json, image: bytes = b"") -> tuple[Any, bytes]:
        """See `databases`. Whatever goes wrong there is the environment's `EnvironmentFault`, unless the machine ended
        the process."""
        text = json.dumps(given).encode()  # takes every number and text that there is; orjson does not
        losses: list[WorkerLost] = []
        while len(losses) < _MOST_TRIES:
            link = await self._started()
            try:
                return await link.request([deed, len(text)], text + image, limit=_A_DATABASE)
            except WorkerLost as lost:
                losses.append(lost)
                if lost.first and not lost.by_machine:
                    break
            except WorkerRefused as refused:
                raise EnvironmentFault(str(refused)) from refused
        reason = f"it took longer than {self._seconds:g} seconds" if losses[-1].overdue else losses[-1].reason
        raise fault_of(losses, f"The database cannot be made or read: {reason}.")

    async def _started(self) -> WorkerLink:
        async with self._starting:
            if self._link is None or self._link.lost is not None:
                self._link = await self._processes.fork("database")
            return self._link

    def close(self) -> None:
        if self._link is not None:
            self._link.close()

"""Being the only one at work on something, where processes on several machines share an object store.

Belongs here: taking, keeping and giving back a lease. Does not: locks within one machine (`files`).

A lease is an object that its holder writes anew every few seconds. Who waits for it takes it over when it has not
changed for long enough by the waiter's own clock, so that machines need not agree on the time. A holder that was
stopped for longer than that, and goes on, has lost its lease: both then do the work, and the first to finish is kept.
"""

import asyncio
import logging
import threading
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import orjson

from envfactory_dagster.contracts.errors import StorageFault
from envfactory_dagster.store.objects import Objects

if TYPE_CHECKING:
    from obstore import UpdateVersion

log = logging.getLogger(__name__)

BEAT_S = 10.0
LAPSES_AFTER_S = 60.0
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.05, 2.0
_FREE = b"free"


@asynccontextmanager
async def leased(objects: Objects, name: str) -> AsyncIterator[None]:
    """Wait for a lease and hold it meanwhile."""
    lease = _Lease(objects, name)
    pause = _FIRST_WAIT_S
    try:
        while not await asyncio.to_thread(lease.take):
            if pause == _FIRST_WAIT_S:
                log.info("%s is being made by another run; waiting for it", name)
            await asyncio.sleep(pause)
            pause = min(pause * 2, _LONGEST_WAIT_S)
        yield
    finally:
        await asyncio.to_thread(lease.give_back)


class _Lease:
    def __init__(self, objects: Objects, name: str) -> None:
        self._objects = objects
        self._name = name
        self._owner = uuid.uuid4().hex
        self._beats = 0
        self._version: UpdateVersion | None = None
        self._watched: bytes | None = None
        self._watched_since = 0.0
        self._taking = threading.Lock()
        self._ended = threading.Event()
        self._keeper = threading.Thread(target=self._keep, daemon=True, name=f"lease of {name}")

    def take(self) -> bool:
        """Whether it is ours now."""
        with self._taking:
            return not self._ended.is_set() and self._take()

    def _take(self) -> bool:
        found = self._objects.get(self._name)
        if found is not None and found.data != _FREE:
            if found.data != self._watched:
                self._watched, self._watched_since = found.data, time.monotonic()
            if time.monotonic() - self._watched_since < LAPSES_AFTER_S:
                return False
            log.warning("%s was left by a process that is gone", self._name)
        self._version = self._objects.put_if(self._name, self._content(), found.version if found else None)
        if self._version is not None:
            self._keeper.start()
        return self._version is not None

    def give_back(self) -> None:
        """Also one that is just being taken, for a task that is cancelled meanwhile leaves the thread behind."""
        self._ended.set()
        with self._taking:
            if self._keeper.is_alive():
                self._keeper.join()
        if self._version is not None:
            try:
                self._objects.put_if(self._name, _FREE, self._version)
            except StorageFault as fault:
                log.warning("the lease of %s lapses by itself: %s", self._name, fault)

    def _keep(self) -> None:
        while self._version is not None and not self._ended.wait(BEAT_S):
            try:
                self._version = self._objects.put_if(self._name, self._content(), self._version)
            except StorageFault as fault:
                log.warning("the lease of %s could not be renewed: %s", self._name, fault)
        if self._version is None:
            log.warning("the lease of %s was taken over by another process", self._name)

    def _content(self) -> bytes:
        self._beats += 1
        return orjson.dumps({"owner": self._owner, "beats": self._beats})

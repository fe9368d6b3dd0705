"""Running asynchronous work beside a synchronous step.

Belongs here: the bridge from an asynchronous generator to a plain one. Does not: anything about Dagster or stages.
"""

import asyncio
import logging
import queue
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeVar

log = logging.getLogger(__name__)

Item = TypeVar("Item")

_PATIENCE_S = 30.0
"""How long work that was cancelled may take to clean up before it is left behind."""


@dataclass(frozen=True, slots=True)
class _End:
    error: BaseException | None


def in_background(source: Callable[[], AsyncGenerator[Item, None]], ahead: int) -> Iterator[list[Item]]:
    """Iterate an asynchronous generator on an event loop in a thread of its own; yield what is ready, in lists.

    At most `ahead` items are made before they are taken, so that memory stays flat when the consumer is the slower. An
    error is raised after all items that came before it. However the iteration ends, an interrupt included, the work is
    cancelled and awaited.
    """
    loop = asyncio.new_event_loop()
    ready: queue.SimpleQueue[Item | _End] = queue.SimpleQueue()
    room = asyncio.Semaphore(ahead)

    async def work() -> None:
        async with aclosing(source()) as items:
            async for item in items:
                await room.acquire()
                ready.put(item)

    def drive() -> None:
        loop.run_until_complete(asyncio.wait([task]))
        loop.run_until_complete(loop.shutdown_default_executor())
        ready.put(_End(None if task.cancelled() else task.exception()))

    task = loop.create_task(work())
    thread = threading.Thread(target=drive, name="stage-work", daemon=True)
    thread.start()
    try:
        end = None
        while end is None:
            batch, end = _take(ready)
            for _ in batch:
                loop.call_soon_threadsafe(room.release)
            if batch:
                yield batch
        if end.error is not None:
            raise end.error
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(_PATIENCE_S)
        if thread.is_alive():
            log.error("work that was cancelled has not ended after %.0f seconds; it is left behind", _PATIENCE_S)
        else:
            loop.close()


def _take(ready: "queue.SimpleQueue[Item | _End]") -> tuple[list[Item], _End | None]:
    """Wait for one item, and take what else is there."""
    batch: list[Item] = []
    while not batch or not ready.empty():
        item = ready.get()
        if isinstance(item, _End):
            return batch, item
        batch.append(item)
    return batch, None

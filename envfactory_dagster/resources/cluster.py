"""Where the pieces of a step's work are done: in this process, or on the nodes of a Ray cluster.

Belongs here: workers on the nodes, which of them does what, and what becomes of a piece whose node dies. Does not: the
work itself, and which pieces there are (`assets`).

A worker has a runtime and sandboxes of its own and keeps what it makes in the home that all nodes share. It returns
only what the step reports of a piece.
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import dagster as dg
from pydantic import Field, PrivateAttr

from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError

log = logging.getLogger(__name__)

VARIABLE = "ENVFACTORY_RAY"
_OURS = "ENVFACTORY_"
_MOST_LOSSES = 3
"""So many workers may be lost with a piece of work. The last of them has nothing else to do: if it is lost too, the
piece is taken to be the cause, and none that was beside it. Where so many were lost before they began, and none has
begun since, opening the work is taken to be the cause, and they are no longer replaced."""
_LOOKS_AGAIN_S = 10.0
"""While nobody can work: seconds between looks for a node."""

Piece = TypeVar("Piece")
Result = TypeVar("Result")

Do = Callable[[Piece], Awaitable[Result]]
OpenWork = Callable[[], AbstractAsyncContextManager[Do[Piece, Result]]]
"""Opens whatever the work needs. Called where the work is done."""


@dataclass(frozen=True, slots=True)
class Workers(Generic[Piece, Result]):
    do: Do[Piece, Result]
    number: int
    """The number that work at the same time."""


@asynccontextmanager
async def in_this_process(open_work: OpenWork[Piece, Result]) -> AsyncIterator[Workers[Piece, Result]]:
    async with open_work() as do:
        yield Workers(do, 1)


class ClusterResource(dg.ConfigurableResource[None]):
    """Whether the work of a step is spread over a Ray cluster. Without an address it is done in the step's process."""

    address: str | None = Field(
        default=None,
        description=f"`auto` on a node of the cluster, HOST:PORT, or ray://HOST:PORT; by default {VARIABLE}.",
    )
    cpus: float = Field(
        default=1, gt=0, description="Of a node, for each worker. Its tools run beside it in processes of their own."
    )
    _joined: bool = PrivateAttr(default=False)
    _idle: list[Any] = PrivateAttr(default_factory=list)
    """Workers of the steps before: a process that has everything imported is worth keeping."""

    @asynccontextmanager
    async def workers(self, open_work: OpenWork[Piece, Result], room: int) -> AsyncIterator[Workers[Piece, Result]]:
        """`room`: how many pieces one worker may have at a time."""
        address = self.address or os.environ.get(VARIABLE)
        if not address:
            async with in_this_process(open_work) as here:
                yield here
            return
        await asyncio.to_thread(self._join, address)
        if not (number := _places(self.cpus)):
            raise InfrastructureFault(f"no node of the Ray cluster has {self.cpus:g} CPUs")
        crew = _Crew(open_work, room, self.cpus)
        try:
            for _ in range(number):
                crew.hire(self._idle.pop() if self._idle else _new_worker(self.cpus))
            await crew.begun()
            yield Workers(crew.do, number)
            self._idle = await crew.close()
        finally:
            crew.dismiss()

    def _join(self, address: str) -> None:
        """Not in the main thread, where Ray would take SIGTERM away from Dagster."""
        try:
            import ray
        except ImportError as error:
            raise UsageError(f"{VARIABLE} needs the extra `ray`: pip install -c constraints.txt -e '.[ray]'") from error
        if ray.is_initialized():
            return
        try:
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, ValueError) as error:
            raise InfrastructureFault(f"there is no Ray cluster at {address}: {error}") from error
        self._joined = True

    def teardown_after_execution(self, context: dg.InitResourceContext) -> None:
        if self._joined:
            import ray

            ray.shutdown()


class _Crew(Generic[Piece, Result]):
    """Workers of one step. Each piece goes to the worker that has the fewest, and to another where its worker dies. A
    worker that died is replaced as long as there is a node for another and workers get as far as to begin."""

    def __init__(self, open_work: OpenWork[Piece, Result], room: int, cpus: float) -> None:
        self._open_work, self._room, self._cpus = open_work, room, cpus
        self._busy: dict[Any, int] = {}
        """Worker that is ready → how much of its room is taken."""
        self._joining: dict[asyncio.Task[None], Any] = {}
        self._lost_before_begun = 0
        """Since a worker began."""
        self._failure: Exception | None = None
        self._changed = asyncio.Condition()

    def hire(self, worker: Any) -> None:
        """It joins as soon as its node has a place and the work is opened there."""
        task = asyncio.create_task(self._join(worker))
        self._joining[task] = worker

    async def _join(self, worker: Any) -> None:
        from ray.exceptions import RayActorError

        is_replaced = False
        try:
            await _answer(worker.open.remote(self._open_work))
            self._busy[worker] = 0
            self._lost_before_begun = 0
        except RayActorError as lost:
            log.warning("a worker was lost before it began: %s", lost)
            self._lost_before_begun += 1
            is_replaced = self._lost_before_begun < _MOST_LOSSES
        except Exception as failure:  # noqa: BLE001  # raised when nobody else can do the work
            log.warning("a worker could not begin: %s", failure)
            self._failure = failure
        finally:
            async with self._changed:
                self._joining.pop(asyncio.current_task(), None)  # type: ignore[arg-type]
                if is_replaced:
                    self._replace()
                self._changed.notify_all()

    async def begun(self) -> None:
        """Wait until somebody can work."""
        async with self._changed:
            while not self._busy:
                await self._wait()

    async def do(self, piece: Piece) -> Result:
        from ray.exceptions import RayActorError

        for lost_before in range(_MOST_LOSSES):
            room = self._room if lost_before == _MOST_LOSSES - 1 else 1
            worker = await self._free(room)
            try:
                result: Result = await _answer(worker.do.remote(piece))
                return result
            except RayActorError as lost:
                if self._busy.pop(worker, None) is not None:
                    log.warning("a worker was lost; what it had is done by others: %s", lost)
                    self._replace()
            finally:
                async with self._changed:
                    if worker in self._busy:
                        self._busy[worker] -= room
                    self._changed.notify_all()
        raise InfrastructureFault(f"{_MOST_LOSSES} workers of the cluster were lost with this piece of work")

    def _replace(self) -> None:
        if len(self._busy) + len(self._joining) < _places(self._cpus):
            self.hire(_new_worker(self._cpus))

    async def _free(self, room: int) -> Any:
        """A worker that has so much room, which is taken."""
        async with self._changed:
            while True:
                worker = min(self._busy, key=self._busy.__getitem__, default=None)
                if worker is not None and self._busy[worker] + room <= self._room:
                    self._busy[worker] += room
                    return worker
                await self._wait()

    async def _wait(self) -> None:
        """Until something has changed. Raises where there is nobody to wait for."""
        if not self._busy and not (self._joining and _places(self._cpus)):
            raise self._failure or InfrastructureFault("no worker of the Ray cluster is left")
        with suppress(TimeoutError):
            async with asyncio.timeout(_LOOKS_AGAIN_S):
                await self._changed.wait()

    async def close(self) -> list[Any]:
        """Have them put everything away. Returns those that can open other work. One that fails at it is not among
        them, and everything that it made is kept."""
        workers, self._busy = list(self._busy), {}
        closed = await asyncio.gather(*(_answer(one.close.remote()) for one in workers), return_exceptions=True)
        return [one for one, failed in zip(workers, closed, strict=True) if failed is None]

    def dismiss(self) -> None:
        import ray

        for task in self._joining:
            task.cancel()
        for worker in (*self._busy, *self._joining.values()):
            ray.kill(worker)


async def _answer(reference: Any) -> Any:
    """What a worker returned, or what was raised there as it was raised."""
    from ray.exceptions import RayTaskError

    try:
        return await reference
    except RayTaskError as failed:
        raise failed.cause from failed


def _places(cpus: float) -> int:
    """How many workers the nodes have room for, when nobody else is there."""
    import ray

    nodes = (node["Resources"].get("CPU", 0) for node in ray.nodes() if node["Alive"])
    return sum(int(own // cpus) for own in nodes)


def _new_worker(cpus: float) -> Any:
    """With the variables of this process that are ours: models, keys, sizes."""
    import ray

    variables = {name: value for name, value in os.environ.items() if name.startswith(_OURS) and name != VARIABLE}
    placed: Any = ray.remote(_Worker)
    return placed.options(num_cpus=cpus, scheduling_strategy="SPREAD").remote(variables)


class _Worker(Generic[Piece, Result]):
    """In a process on a node, on an event loop of its own."""

    def __init__(self, variables: dict[str, str]) -> None:
        os.environ.update(variables)
        self._opened = AsyncExitStack()
        self._do: Do[Piece, Result] | None = None

    async def open(self, open_work: OpenWork[Piece, Result]) -> None:
        self._do = await self._opened.enter_async_context(open_work())

    async def do(self, piece: Piece) -> Result:
        assert self._do is not None, "opened before anything is asked of it"
        return await self._do(piece)

    async def close(self) -> None:
        await self._opened.aclose()

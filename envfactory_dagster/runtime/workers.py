"""The workers of one environment: loading it, placing sessions, and bringing them back when a worker dies.

Belongs here: which process a session lives in, the log it can be rebuilt from, recovery. Does not: what callers see
(`session`), or how processes are started (`processes`).
"""

import asyncio
import zlib
from collections.abc import Coroutine, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar

import orjson

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.runtime.database_link import DatabaseWorker
from envfactory_dagster.runtime.facade import MAX_RESULT_BYTES
from envfactory_dagster.runtime.frames import HEADER, Limit, encode
from envfactory_dagster.runtime.object_tools import BRIDGE
from envfactory_dagster.runtime.processes import A_FILE, Processes, WorkerLink, WorkerLost, WorkerRefused, fault_of
from envfactory_dagster.runtime.settings import RuntimeSettings

R = TypeVar("R")

SAVE_AFTER = 256
"""Writing requests a session's log holds before its state is saved and the log starts anew."""
SAVE_AFTER_BYTES = 1_048_576
"""The same, for requests with much in them."""
MOST_DEATHS = 3
"""How often in a row a worker may die while its sessions are rebuilt."""


class Logged(NamedTuple):
    """A request that wrote, the bytes its answer may take, and the checksum of that answer."""

    request: bytes
    limit: Limit
    checksum: int


class PlacedSession:
    """A session as the supervisor knows it: where it lives, and how to rebuild it somewhere else."""

    __slots__ = ("clock", "host", "id_offset", "log", "log_bytes", "lost", "number", "saved", "saving", "state")

    def __init__(self, number: int, state: str, clock: str | None, id_offset: int) -> None:
        self.number = number
        self.state = state
        self.clock = clock
        self.id_offset = id_offset
        self.host: Host
        self.saved: bytes | None = None
        self.saving = False
        self.log: list[Logged] = []
        """What happened since `saved`."""
        self.log_bytes = 0
        self.lost: str | None = None

    def record(self, request: bytes, limit: Limit, answer: list[Any]) -> None:
        if answer[0]:
            self.log.append(Logged(request, limit, checksum(answer)))
            self.log_bytes += len(request)

    def log_is_long(self) -> bool:
        return len(self.log) >= SAVE_AFTER or self.log_bytes >= SAVE_AFTER_BYTES

    def start_log_from(self, saved: bytes | None) -> None:
        """What was logged so far is part of `saved`; None is the initial state."""
        self.saved = saved
        self.log.clear()
        self.log_bytes = 0

    def calls_frame(self, request: bytes) -> bytes:
        body = b'["calls",%d,%b' % (self.number, request)
        return HEADER.pack(len(body), 0) + body

    def open_frames(self) -> bytes:
        frames = encode(["open", self.number, self.state, self.clock, self.id_offset])
        return frames if self.saved is None else frames + encode(["restore", self.number], self.saved)


class Host:
    """One worker process and the sessions in it. The process may be replaced; the host stays."""

    def __init__(self, environment: "RunningBundle") -> None:
        self.sessions: dict[int, PlacedSession] = {}
        self._link: WorkerLink | None = None
        self._environment = environment
        self._starting = self._start()

    @property
    def link(self) -> WorkerLink | None:
        """The worker, while it lives."""
        return None if self._link is None or self._link.lost is not None else self._link

    async def worker(self) -> WorkerLink:
        """The live worker; waits while one is started and its sessions are rebuilt. One that died is replaced when it
        is needed, so that code that keeps ending its process cannot keep us busy."""
        if self.link is None:
            if self._starting.done():
                self._starting = self._start()
            await asyncio.shield(self._starting)
        assert self._link is not None
        return self._link

    def started(self, link: WorkerLink) -> None:
        self._link = link

    def add(self, session: PlacedSession) -> None:
        self.sessions[session.number] = session
        session.host = self
        if self.link is not None:
            self.link.tell(session.open_frames())

    def keep(self, session: PlacedSession, state: bytes) -> None:
        """Have a session's log start from this state. Together the states were in the worker's memory: one that says
        otherwise wants to fill ours."""
        others = sum(len(other.saved or b"") for other in self.sessions.values() if other is not session)
        if others + len(state) <= self._environment.worker_memory_bytes:
            session.start_log_from(state)
        else:
            session.start_log_from(None)
            session.lost = "its state takes more memory than its worker may have"

    def _start(self) -> "asyncio.Task[None]":
        task = self._environment.begin(self._environment.start_worker(self))
        task.add_done_callback(_retrieve)
        return task


class RunningBundle:
    """Everything that runs for one bundle."""

    def __init__(self, bundle: Bundle, processes: Processes, settings: RuntimeSettings) -> None:
        self.bundle = bundle
        self.hosts: list[Host] = []
        self.databases = DatabaseWorker(processes, settings.call_seconds)
        """Reads what sessions leave behind. No code of the environment runs in it."""
        self._processes = processes
        self._most_sessions = settings.sessions_per_worker
        self.worker_memory_bytes = settings.worker_memory_bytes
        self._definitions = [[tool.name, tool.principal, tool.model_dump_json()] for tool in bundle.tools]
        self._layout = bundle.layout.model_dump_json() if bundle.layout is not None else ""
        self._code: asyncio.Task[bytes] | None = None
        """The compiled tool module. Opaque here: only sandboxed workers ever unpack it."""
        self._begun: set[asyncio.Task[Any]] = set()

    @property
    def isolated(self) -> bool:
        """Whether every session has a process to itself."""
        return self._most_sessions == 1

    def has_room(self, host: Host) -> bool:
        return len(host.sessions) < self._most_sessions

    def place(self, session: PlacedSession) -> None:
        """Give a new session the first worker with room."""
        host = next((host for host in self.hosts if self.has_room(host)), None)
        if host is None:
            host = Host(self)
            self.hosts.append(host)
        host.add(session)

    def remove(self, session: PlacedSession) -> None:
        host = session.host
        if host.sessions.pop(session.number, None) is None:
            return
        if host.link is not None:
            host.link.tell(encode(["close", session.number]))
        if not host.sessions and (len(self.hosts) > 1 or self.isolated):
            self.forget(host)

    def forget(self, host: Host) -> None:
        """End a worker nobody needs. At one session a worker this is also what keeps the next session from meeting
        what the last one left behind."""
        if host in self.hosts:
            self.hosts.remove(host)
        if host.link is not None:
            host.link.close()

    def begin(self, work: Coroutine[Any, Any, R]) -> "asyncio.Task[R]":
        """Start something that whoever waits for it may give up, and that goes on for others."""
        task = asyncio.ensure_future(work)
        self._begun.add(task)
        task.add_done_callback(self._begun.discard)
        return task

    async def close(self) -> None:
        """Give up whatever is still being started."""
        begun = list(self._begun)
        for task in begun:
            task.cancel()
        await asyncio.gather(*begun, return_exceptions=True)

    async def start_worker(self, host: Host) -> None:
        """Start a worker, load the environment, rebuild whatever sessions the host has."""
        losses: list[WorkerLost] = []
        while len(losses) < MOST_DEATHS:
            code = await self._compiled()
            link = await self._processes.fork("tools")
            try:
                await self._load(link, code)
                rebuilt: set[int] = set()
                while missing := [s for number, s in host.sessions.items() if number not in rebuilt]:
                    for session in missing:
                        await self._rebuild(link, session)
                        rebuilt.add(session.number)
            except WorkerLost as lost:
                losses.append(lost)
                continue
            except BaseException:
                link.close()
                raise
            host.started(link)
            if not host.sessions and host not in self.hosts:
                self.forget(host)
            return
        raise fault_of(
            losses, f"The worker of {self.bundle.key} died {MOST_DEATHS} times in a row: {losses[-1].reason}."
        )

    async def _load(self, link: WorkerLink, code: bytes) -> None:
        bundle = self.bundle
        states = [[name, state.clock, len(state.image)] for name, state in bundle.states.items()]
        images = b"".join(state.image for state in bundle.states.values())
        try:
            await link.request(["load", self._definitions, states, self._layout], images + code)
        except WorkerRefused as refused:
            raise EnvironmentFault(f"The environment {bundle.key} does not load: {refused}") from refused

    async def _compiled(self) -> bytes:
        if self._code is None or (self._code.done() and self._code.exception() is not None):
            self._code = self.begin(self._compile())
        return await asyncio.shield(self._code)

    async def _compile(self) -> bytes:
        link = await self._processes.fork("tools")
        try:
            modules, sources = packed(self.bundle.tools_source, self.bundle.published)
            return (await link.request(["compile", modules], sources, limit=A_FILE))[1]
        except WorkerLost as lost:
            raise fault_of([lost], f"The environment {self.bundle.key} does not load: {lost}") from lost
        except WorkerRefused as refused:
            raise EnvironmentFault(f"The environment {self.bundle.key} does not load: {refused}") from refused
        finally:
            link.close()

    async def _rebuild(self, link: WorkerLink, session: PlacedSession) -> None:
        """Open the session as it was, and make its writing calls again; they must answer as they did."""
        if session.lost is not None:
            return
        link.tell(session.open_frames())
        try:
            for logged in session.log:
                if await _checksum_again(link, session, logged) != logged.checksum:
                    session.lost = "its calls, made again, did not answer as they had"
                    return
        except WorkerRefused as refused:
            session.lost = f"its calls could not be made again: {refused}"


def packed(tools_source: str, published: Mapping[str, str]) -> tuple[list[Any], bytes]:
    """The code of an environment for a worker: name and size of each module, and all of them."""
    sources = [(BRIDGE, tools_source.encode()), *((name, text.encode()) for name, text in published.items())]
    return [[name, len(source)] for name, source in sources], b"".join(source for _, source in sources)


@cache
def calls_limit(calls: int) -> Limit:
    """What the answer to so many calls may take: a result each, and what is said about it."""
    return Limit(calls * (MAX_RESULT_BYTES + 32_768))


def checksum(answer: list[Any]) -> int:
    return zlib.crc32(orjson.dumps(answer))


async def _checksum_again(link: WorkerLink, session: PlacedSession, logged: Logged) -> int:
    sums: list[int] = []
    frame = session.calls_frame(logged.request)
    await link.request_encoded(frame, logged.limit, lambda answer, _: sums.append(checksum(answer)))
    return sums[0]


def _retrieve(task: asyncio.Task[None]) -> None:
    """A failed start is told to whoever calls a session of the host; it need not be logged as never retrieved."""
    if not task.cancelled():
        task.exception()

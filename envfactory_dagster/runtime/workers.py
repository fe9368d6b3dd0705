"""The workers of one environment: loading it, placing sessions, and bringing them back when a worker dies.

Belongs here: which process a session lives in, the log it can be rebuilt from, recovery. Does not: what callers see
(`session`), or how processes are started (`processes`).
"""

import asyncio
import zlib
from typing import Any

import orjson

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import EnvironmentFault, InfrastructureFault
from envfactory_dagster.runtime.frames import HEADER, encode
from envfactory_dagster.runtime.processes import Link, Processes, WorkerLost, WorkerRefused
from envfactory_dagster.runtime.settings import RuntimeSettings

SAVE_AFTER = 256
"""Writing requests a session's log holds before its state is saved and the log starts anew."""
MOST_DEATHS = 3
"""How often in a row a worker may die while its sessions are rebuilt."""


class Placed:
    """A session as the supervisor knows it: where it lives, and how to rebuild it somewhere else."""

    __slots__ = ("clock", "host", "id_offset", "log", "lost", "number", "saved", "saving", "state")

    def __init__(self, number: int, state: str, clock: str | None, id_offset: int) -> None:
        self.number = number
        self.state = state
        self.clock = clock
        self.id_offset = id_offset
        self.host: Host
        self.saved: bytes | None = None
        self.saving = False
        self.log: list[tuple[bytes, int]] = []
        """Since `saved`: the requests that wrote, each with the checksum of its answer."""
        self.lost: str | None = None

    def record(self, request: bytes, answer: list[Any]) -> None:
        if answer[0]:
            self.log.append((request, checksum(answer)))

    def calls_frame(self, request: bytes) -> bytes:
        body = b'["calls",%d,%b' % (self.number, request)
        return HEADER.pack(len(body), 0) + body

    def open_frames(self) -> bytes:
        frames = encode(["open", self.number, self.state, self.clock, self.id_offset])
        return frames if self.saved is None else frames + encode(["restore", self.number], self.saved)


class Host:
    """One worker process and the sessions in it. The process may be replaced; the host stays."""

    def __init__(self, environment: "Environment") -> None:
        self.sessions: dict[int, Placed] = {}
        self.link: Link | None = None
        self._environment = environment
        self._starting = self._start()

    async def worker(self) -> Link:
        """The live worker; waits while one is started or its sessions are rebuilt."""
        if self.link is None:
            await asyncio.shield(self._starting)
        assert self.link is not None
        return self.link

    def add(self, session: Placed) -> None:
        self.sessions[session.number] = session
        session.host = self
        if self.link is not None:
            self.link.tell(session.open_frames())

    def _start(self) -> "asyncio.Task[None]":
        task = asyncio.ensure_future(self._environment.start_worker(self))
        task.add_done_callback(_retrieve)
        return task

    def worker_died(self) -> None:
        self.link = None
        if self.sessions:
            self._starting = self._start()
        else:
            self._environment.forget(self)

    def close(self) -> None:
        self._starting.cancel()
        if self.link is not None:
            self.link.on_lost = None

    def retry_failed_start(self) -> None:
        if self.link is None and self._starting.done():
            self._starting = self._start()


class Environment:
    """Everything that runs for one bundle."""

    def __init__(self, bundle: Bundle, processes: Processes, settings: RuntimeSettings) -> None:
        self.bundle = bundle
        self.hosts: list[Host] = []
        self._processes = processes
        self._most_sessions = settings.sessions_per_worker
        self._code: asyncio.Task[bytes] | None = None
        """The compiled tool module. Opaque here: only sandboxed workers ever unpack it."""

    @property
    def isolated(self) -> bool:
        """Whether every session has a process to itself."""
        return self._most_sessions == 1

    def has_room(self, host: Host) -> bool:
        return len(host.sessions) < self._most_sessions

    def place(self, session: Placed) -> None:
        """Give a new session the first worker with room."""
        host = next((host for host in self.hosts if self.has_room(host)), None)
        if host is None:
            host = Host(self)
            self.hosts.append(host)
        host.retry_failed_start()
        host.add(session)

    def remove(self, session: Placed) -> None:
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
            host.link.on_lost = None
            host.link.close()
            host.link = None

    def close(self) -> None:
        for host in self.hosts:
            host.close()

    async def start_worker(self, host: Host) -> None:
        """Start a worker, load the environment, rebuild whatever sessions the host has."""
        reason = ""
        for _ in range(MOST_DEATHS):
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
                reason = lost.reason
                continue
            except BaseException:
                link.close()
                raise
            host.link = link
            link.on_lost = host.worker_died
            if not host.sessions and host not in self.hosts:
                self.forget(host)
            return
        raise InfrastructureFault(f"The worker of {self.bundle.key} died {MOST_DEATHS} times in a row: {reason}.")

    async def _load(self, link: Link, code: bytes) -> None:
        bundle = self.bundle
        definitions = [tool.model_dump_json() for tool in bundle.tools]
        states = [[name, state.clock, len(state.image)] for name, state in bundle.states.items()]
        images = b"".join(state.image for state in bundle.states.values())
        try:
            await link.request(["load", definitions, states], images + code)
        except WorkerRefused as refused:
            raise EnvironmentFault(f"The environment {bundle.key} does not load: {refused}") from refused

    async def _compiled(self) -> bytes:
        if self._code is None or (self._code.done() and self._code.exception() is not None):
            self._code = asyncio.ensure_future(self._compile())
        return await asyncio.shield(self._code)

    async def _compile(self) -> bytes:
        link = await self._processes.fork("tools")
        try:
            return (await link.request(["compile"], self.bundle.tools_source.encode()))[1]
        except (WorkerRefused, WorkerLost) as failure:
            raise EnvironmentFault(f"The environment {self.bundle.key} does not load: {failure}") from failure
        finally:
            link.close()

    async def _rebuild(self, link: Link, session: Placed) -> None:
        """Open the session as it was, and make its writing calls again; they must answer as they did."""
        if session.lost is not None:
            return
        link.tell(session.open_frames())
        try:
            for request, expected in session.log:
                answer, _ = await link.request_encoded(session.calls_frame(request))
                if checksum(answer) != expected:
                    session.lost = "its calls, made again, did not answer as they had"
                    return
        except WorkerRefused as refused:
            session.lost = f"its calls could not be made again: {refused}"


def checksum(answer: list[Any]) -> int:
    return zlib.crc32(orjson.dumps(answer))


def _retrieve(task: asyncio.Task[None]) -> None:
    """A failed start is told to whoever calls a session of the host; it need not be logged as never retrieved."""
    if not task.cancelled():
        task.exception()

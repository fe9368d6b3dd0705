"""The supervisor's view of its processes: one zygote, and a link to every worker forked from it.

Belongs here: starting, talking to, watching and ending processes from asyncio. Does not: what the messages are about.
"""

import asyncio
import contextlib
import gc
import os
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import orjson

from envfactory_dagster.contracts.errors import EnvironmentFault, InfrastructureFault, SandboxUnavailable
from envfactory_dagster.runtime import lockdown
from envfactory_dagster.runtime.frames import ANYTHING, NOTHING, FrameBuffer, FrameError, Limit, encode
from envfactory_dagster.runtime.settings import RuntimeSettings

Kind = Literal["tools", "program", "verifier", "family", "database"]

_ENVIRONMENT = {
    "PYTHONHASHSEED": "0",  # sets iterate in the same order everywhere
    "PYTHONDONTWRITEBYTECODE": "1",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC0",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_TRIM_THRESHOLD_": "131072",
}
_PACKAGES = str(Path(__file__).resolve().parents[2])
_ZYGOTE = (
    "import sys; sys.path.insert(0, sys.argv[2]); from envfactory_dagster.runtime import zygote; del sys.path[0]; "
    "zygote.main()"
)
"""It runs the same code as this process, wherever else the package is installed."""
FORKS_AT_ONCE = 32
PATIENCE = 6
"""A worker that only waits is killed after this many times its limit of processor time."""
GREETING = Limit(4_096)
"""What a worker may say before it is locked down."""
ANSWER = Limit(65_536)
"""What an answer may take where nothing else is said."""
A_FILE = Limit(4_096, 268_435_456)
"""The same for what is a file: a database, a state, compiled code."""
_LONG = 65_536
_EXITING = 0x4
"""The kernel's flag of a process that ends."""
DEEP = 200
"""Levels of nesting that every JSON encoder copes with."""


Answer = tuple[Any, bytes]
"""The message of an answer, and its blob."""
OnAnswer = Callable[[Any, bytes], None]


class WorkerLost(Exception):
    """The worker ended before it answered. `first` is true for the request it was working on, `unreadable` when it gave
    an answer that is too long or that nobody understands, `by_machine` when it never started or something outside ended
    it. Everything else is the work of the code in it."""

    def __init__(
        self, reason: str, *, first: bool, overdue: bool, unreadable: bool = False, by_machine: bool = False
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.first = first
        self.overdue = overdue
        self.unreadable = unreadable
        self.by_machine = by_machine


def fault_of(losses: Sequence[WorkerLost], sentence: str) -> EnvironmentFault | InfrastructureFault:
    """Whose fault it is that workers ended: the machine's only where it ended every one of them. Code in a worker must
    not be able to pass its own end off as that, since faults of the machine stop a whole range of environments."""
    return (InfrastructureFault if all(lost.by_machine for lost in losses) else EnvironmentFault)(sentence)


class WorkerRefused(Exception):
    """The worker answered that it could not do what it was asked."""


class WorkerLink:
    """One worker: requests go out, answers come back in the same order. It believes nothing that it did not ask for."""

    def __init__(self, connection: socket.socket, pid: int, seconds: float, kill: Callable[[], None]) -> None:
        self.pid = pid
        self.seconds = seconds
        """How much processor time one request may take before the process is killed."""
        self.on_message: Callable[[list[Any], int], None] | None = None
        """Takes what is not an answer: the tool calls of a program, each with its size in bytes."""
        self.busy_since: float | None = None
        self.lost: str | None = None
        self._watched: float | None = None
        self._used_before = 0.0
        self._overdue = False
        self._unreadable = False
        self._killed = False
        """Whether it is ended from here."""
        self._by_machine = False
        self._loop = loop = asyncio.get_running_loop()
        self._locked = False
        """Whether the worker has said that it is locked down. Only before that is it believed that it could not."""
        self._connection = connection
        self._send_kill = kill
        self._waiting: deque[tuple[asyncio.Future[Answer], OnAnswer | None, Limit]] = deque()
        self._buffer = FrameBuffer()
        self._unsent = bytearray()
        loop.add_reader(connection.fileno(), self._read)

    def request(self, message: list[Any], blob: bytes = b"", *, limit: Limit = ANSWER) -> asyncio.Future[Answer]:
        return self.request_encoded(encode(message, blob), limit)

    def request_encoded(self, frame: bytes, limit: Limit, on_answer: OnAnswer | None = None) -> asyncio.Future[Answer]:
        """Send and promise the answer. `on_answer` hears it even when the caller has stopped waiting; it may raise
        `ValueError`, `TypeError` or `LookupError` at an answer that makes no sense."""
        future: asyncio.Future[Answer] = self._loop.create_future()
        if self.lost is not None:
            future.set_exception(WorkerLost(self.lost, first=False, overdue=False, by_machine=self._by_machine))
            return future
        if not self._waiting:
            self.busy_since = self._loop.time()
        self._waiting.append((future, on_answer, limit))
        self._send(frame)
        return future

    def tell(self, frame: bytes) -> None:
        """Send something that has no answer."""
        if self.lost is None:
            self._send(frame)

    def kill(self, *, overdue: bool = False) -> None:
        self._overdue = self._overdue or overdue
        self._kill()

    def is_overdue(self, now: float) -> bool:
        """Whether the worker has been at one request for too long. Processor time counts, so that a busy machine is
        nobody's fault; one that only waits is given `PATIENCE` times as long."""
        if self.busy_since is None:
            return False
        if self._watched != self.busy_since:
            self._watched, self._used_before = self.busy_since, _processor_seconds(self.pid)
        waited = now - self.busy_since
        if waited <= self.seconds:
            return False
        return waited > PATIENCE * self.seconds or _processor_seconds(self.pid) - self._used_before > self.seconds

    def close(self) -> None:
        """Let the worker go; it ends when it reads the end of its messages."""
        if self.lost is None:
            self.end("it was closed")
            self._kill()

    def _send(self, frame: bytes) -> None:
        if self._unsent:
            self._unsent += frame
            return
        try:
            sent = self._connection.send(frame)
        except BlockingIOError:
            sent = 0
        except OSError:
            return  # the reader sees the end and says so to everyone who waits
        if sent < len(frame):
            self._unsent += frame[sent:]
            self._loop.add_writer(self._connection.fileno(), self._write)

    def _write(self) -> None:
        try:
            sent = self._connection.send(self._unsent)
        except BlockingIOError:
            return
        except OSError:
            self._loop.remove_writer(self._connection.fileno())
            return
        del self._unsent[:sent]
        if not self._unsent:
            self._loop.remove_writer(self._connection.fileno())

    def _read(self) -> bool:
        """Take what has arrived; False when there is no more."""
        try:
            connected = self._buffer.receive(self._connection)
            while (frame := self._buffer.take(self._expected())) is not None:
                self._dispatch(*frame)
        except BlockingIOError:
            return False
        except OSError:
            connected = False
        except SandboxUnavailable as unconfined:
            self.end(str(unconfined), unconfined)
            return False
        except (ValueError, TypeError, LookupError) as error:
            # Only code that got hold of the channel itself sends such things. Nothing it says is believed.
            self._kill()
            self._unreadable = True
            self.end(f"it broke the protocol ({error})")
            return False
        if not connected:
            # Its end of the channel is gone. How it ended is for the zygote to say; kill it if it only hung up.
            self._loop.remove_reader(self._connection.fileno())
            if not _is_ending(self.pid):
                self._kill()
        return connected

    def _expected(self) -> Limit:
        if not self._locked:
            return GREETING
        return self._waiting[0][2] if self._waiting else NOTHING

    def _dispatch(self, json_part: bytes, blob: bytes) -> None:
        message = _parsed(json_part)
        if json_part.count(b"[") + json_part.count(b"{") > DEEP:
            orjson.dumps(message)  # raises TypeError at what is nested so deep that nobody could pass it on
        if not self._locked:
            if message[0] == "unconfined":
                raise SandboxUnavailable(message[1])
            self._locked = True
        elif message[0] == "tool" and self.on_message is not None:
            self.on_message(message, len(json_part))
        else:
            self._answered(message, blob)

    def _answered(self, message: Any, blob: bytes) -> None:
        future, on_answer, _ = self._waiting[0]
        kind, content = message
        if kind not in ("ok", "error") or (kind == "error" and not isinstance(content, str)):
            raise FrameError("an answer of no known kind")
        if kind == "ok" and on_answer is not None:
            on_answer(content, blob)
        # Only now: an answer that makes no sense leaves its request among those who are told of the worker's end.
        self._waiting.popleft()
        self.busy_since = self._loop.time() if self._waiting else None
        if kind == "error":
            # The worker ends itself now. One that goes on talking is not listened to.
            _fail(future, WorkerRefused(content))
            self._kill()
            self.end(content, WorkerLost(content, first=False, overdue=False))
        elif not future.done():
            future.set_result((content, blob))

    def exited(self, code: int) -> None:
        """The process is gone. What it said before still counts."""
        while self.lost is None and self._read():
            continue
        # No signal leaves a worker, not even to itself. So one that nobody here killed was killed from outside.
        killed = code == -signal.SIGKILL and not self._killed
        self.end(_how_it_ended(code), by_machine=killed or not self._locked)

    def end(self, reason: str, error: Exception | None = None, *, by_machine: bool = False) -> None:
        """The process is gone, or as good as: whoever waits is told."""
        if self.lost is not None:
            return
        self.lost = reason
        self._by_machine = by_machine
        self.busy_since = None
        self._loop.remove_reader(self._connection.fileno())
        self._loop.remove_writer(self._connection.fileno())
        self._connection.close()
        for position, (future, *_) in enumerate(self._waiting):
            first = position == 0
            lost = WorkerLost(
                reason, first=first, overdue=self._overdue, unreadable=self._unreadable, by_machine=by_machine
            )
            _fail(future, error or lost)
        self._waiting.clear()

    def _kill(self) -> None:
        self._killed = True
        self._send_kill()


def _processor_seconds(pid: int) -> float:
    """The processor time a process has used so far; 0 when it is gone."""
    if not (stat := _stat(pid)):
        return 0.0
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


def _is_ending(pid: int) -> bool:
    """Whether a process is gone, or no longer runs any code of its own."""
    stat = _stat(pid)
    return not stat or bool(int(stat[6]) & _EXITING)


def _stat(pid: int) -> list[str]:
    """What the kernel says of a process, from its state on; nothing when it is gone."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return []


def _parsed(json_part: bytes) -> Any:
    """With the garbage collector off: it would look at all that was parsed so far again and again, which makes the
    longest messages six times as slow."""
    if len(json_part) < _LONG or not gc.isenabled():
        return orjson.loads(json_part)
    gc.disable()
    try:
        return orjson.loads(json_part)
    finally:
        gc.enable()


class Processes:
    """Starts the zygote when the first worker is needed, and again should it die."""

    def __init__(self, settings: RuntimeSettings) -> None:
        self.deaths = 0
        """Workers that ended though nobody had closed them."""
        self._settings = settings
        self._confine = _must_confine(settings)
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._forking: deque[tuple[asyncio.Future[WorkerLink], socket.socket, float]] = deque()
        self._fork_slots = asyncio.Semaphore(FORKS_AT_ONCE)
        self._buffer = FrameBuffer()
        self._links: dict[int, WorkerLink] = {}
        self._starting = asyncio.Lock()

    @property
    def pids(self) -> list[int]:
        """Every process of this runtime but the caller's own."""
        own = [self._process.pid] if self._process is not None and self._process.poll() is None else []
        return own + list(self._links)

    async def start(self) -> None:
        """Have the zygote warm; workers are then forked in about a millisecond each."""
        async with self._starting:
            if self._control is None:
                (await self.fork("verifier")).close()  # forked once every import is done

    async def fork(self, kind: Kind) -> WorkerLink:
        async with self._fork_slots:
            if self._control is None:
                self._start_zygote()
            assert self._control is not None
            ours, theirs = socket.socketpair()
            ours.setblocking(False)
            message = {"kind": kind, "confine": self._confine, "memory_bytes": self._settings.worker_memory_bytes}
            future: asyncio.Future[WorkerLink] = asyncio.get_running_loop().create_future()
            seconds = (
                self._settings.program_seconds
                if kind in ("program", "verifier", "family")
                else self._settings.call_seconds
            )
            self._forking.append((future, ours, seconds))
            try:
                socket.send_fds(self._control, [encode(message)], [theirs.fileno()])
            except OSError as error:
                self._forking.pop()
                ours.close()
                raise InfrastructureFault(f"A worker could not be started: {error}.") from error
            finally:
                theirs.close()
            return await future

    async def close(self) -> None:
        """End every process and wait for the last: nothing stays behind."""
        for link in list(self._links.values()):
            link.close()
        self._links.clear()
        if self._control is not None:
            asyncio.get_running_loop().remove_reader(self._control.fileno())
            self._control.close()
            self._control = None
        if self._process is not None:
            process, self._process = self._process, None
            try:
                await asyncio.to_thread(process.wait, 5)
            except subprocess.TimeoutExpired:
                process.kill()
                await asyncio.to_thread(process.wait)

    def kill_overdue(self) -> None:
        """End every worker that has been at one request for too long."""
        now = asyncio.get_running_loop().time()
        for link in list(self._links.values()):
            if link.is_overdue(now):
                link.kill(overdue=True)

    def _start_zygote(self) -> None:
        ours, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, "-sP", "-c", _ZYGOTE, str(theirs.fileno()), _PACKAGES],
            env=_ENVIRONMENT,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            cwd="/",
        )
        theirs.close()
        ours.setblocking(False)
        self._control = ours
        asyncio.get_running_loop().add_reader(ours.fileno(), self._heard_from_zygote)

    def _heard_from_zygote(self) -> None:
        assert self._control is not None
        try:
            connected = self._buffer.receive(self._control)
        except BlockingIOError:
            return
        except OSError:
            connected = False
        if not connected:
            self._lost_zygote()
            return
        while (frame := self._buffer.take(ANYTHING)) is not None:
            message = orjson.loads(frame[0])
            if "forked" in message:
                self._forked(message["forked"])
            elif "not_forked" in message:
                self._not_forked(message["not_forked"])
            else:
                self._exited(message["exited"], message["code"])

    def _forked(self, pid: int) -> None:
        future, connection, seconds = self._forking.popleft()
        link = WorkerLink(connection, pid, seconds, lambda: self._kill(pid))
        self._links[pid] = link
        if future.cancelled():
            link.close()  # nobody waits for it any more
        else:
            future.set_result(link)

    def _not_forked(self, reason: str) -> None:
        future, connection, _ = self._forking.popleft()
        connection.close()
        _fail(future, InfrastructureFault(f"A worker could not be started: {reason}."))

    def _lost_zygote(self) -> None:
        assert self._control is not None
        asyncio.get_running_loop().remove_reader(self._control.fileno())
        self._control.close()
        self._control = None
        self._buffer = FrameBuffer()
        while self._forking:
            future, connection, _ = self._forking.popleft()
            connection.close()
            _fail(future, InfrastructureFault("The process that starts workers died."))
        links, self._links = self._links, {}
        for link in links.values():
            link.end("the process that starts workers died, and its workers with it", by_machine=True)

    def _exited(self, pid: int, code: int) -> None:
        link = self._links.pop(pid, None)
        if link is not None:
            self.deaths += link.lost is None and code != 0  # a program's process ends by itself once it has answered
            link.exited(code)

    def _kill(self, pid: int) -> None:
        if pid in self._links and self._control is not None:
            with contextlib.suppress(OSError):
                self._control.sendall(encode({"kill": pid}))


def _fail(future: asyncio.Future[Any], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
        future.exception()  # when nobody waits any more, nobody need hear of it


def _must_confine(settings: RuntimeSettings) -> bool:
    capabilities = lockdown.available()
    if not capabilities.seccomp and not settings.allow_unsandboxed:
        raise SandboxUnavailable(capabilities.why_not)
    return capabilities.seccomp


def _how_it_ended(code: int) -> str:
    if code == -signal.SIGSYS:
        return "the sandbox ended it for a forbidden system call"
    if code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        return f"it was ended by {name}"
    return f"it exited with code {code}"

"""The process that workers are forked from: started fresh with an empty environment, everything imported, nothing open.

Belongs here: forking, reporting exits, killing on request. Does not: untrusted code, which runs only in children that
have locked themselves down. Started by `processes`, with a descriptor as its argument.
"""

import contextlib
import gc
import importlib
import os
import select
import signal
import socket
import sys
from typing import Any

import orjson

from envfactory_dagster.contracts.errors import SandboxUnavailable
from envfactory_dagster.runtime import (
    database_worker,
    family_worker,
    lockdown,
    program_worker,
    tool_worker,
    verifier_worker,
)
from envfactory_dagster.runtime.facade import ALLOWED_IMPORTS, IMPORTED_BY_DATETIME
from envfactory_dagster.runtime.frames import ANYTHING, Channel, FrameBuffer, encode
from envfactory_dagster.runtime.published_modules import import_everything
from envfactory_dagster.runtime.virtual_files import FILE_IMPORTS

WORKERS = {
    "tools": tool_worker.serve,
    "program": program_worker.serve,
    "verifier": verifier_worker.serve,
    "family": family_worker.serve,
    "database": database_worker.serve,
}


class Zygote:
    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._buffer = FrameBuffer()
        self._descriptors: list[int] = []
        self._children: set[int] = set()

    def serve(self) -> None:
        reading, writing = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(writing)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is the supervisor's to handle
        control = self._control.fileno()
        while True:
            ready, _, _ = select.select([control, reading], [], [])
            if reading in ready:
                os.read(reading, 4096)
                self._report_exits()
            if control in ready:
                try:
                    data, descriptors, _, _ = socket.recv_fds(self._control, 1 << 16, 16)
                except ConnectionResetError:  # the supervisor left without reading our last words
                    data, descriptors = b"", []
                if not data:
                    return self._end_children()
                self._descriptors += descriptors
                self._buffer.feed(data)
                while (frame := self._buffer.take(ANYTHING)) is not None:
                    self._handle(orjson.loads(frame[0]))

    def _handle(self, message: dict[str, Any]) -> None:
        if "kill" in message:
            if message["kill"] in self._children:
                os.kill(message["kill"], signal.SIGKILL)
            return
        descriptor = self._descriptors.pop(0)
        parent_pid = os.getpid()
        try:
            pid = os.fork()
        except OSError as error:  # no memory or no process left: that is the caller's to hear, and no reason to die
            os.close(descriptor)
            self._control.sendall(encode({"not_forked": error.strerror}))
            return
        if pid == 0:
            _become_worker(message, descriptor, parent_pid)
        os.close(descriptor)
        self._children.add(pid)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # as in `_report_exits`
            self._control.sendall(encode({"forked": pid}))

    def _end_children(self) -> None:
        for pid in self._children:
            os.kill(pid, signal.SIGKILL)
        for pid in self._children:
            os.waitpid(pid, 0)

    def _report_exits(self) -> None:
        while self._children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            self._children.discard(pid)
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the supervisor is gone; so are we, next
                self._control.sendall(encode({"exited": pid, "code": os.waitstatus_to_exitcode(status)}))


def _become_worker(message: dict[str, Any], descriptor: int, parent_pid: int) -> None:
    """Runs in the child, and never returns."""
    code = 70
    channel = Channel(socket.socket(fileno=descriptor))
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if message["confine"]:
            limits = lockdown.Limits(memory_bytes=message["memory_bytes"])
            lockdown.lock_down(limits, keep_fds=[descriptor], parent_pid=parent_pid)
        channel.send(["ready"])
        WORKERS[message["kind"]](channel)
        code = 0
    except SandboxUnavailable as error:
        channel.send(["unconfined", str(error)])
    finally:
        os._exit(code)


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    for name in ALLOWED_IMPORTS | FILE_IMPORTS | IMPORTED_BY_DATETIME:
        importlib.import_module(name)
    import_everything()
    gc.collect()
    gc.freeze()
    Zygote(control).serve()

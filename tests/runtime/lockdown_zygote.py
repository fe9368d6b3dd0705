"""A process that forks one worker per request, locks it down, has it do a deed and tells how that ended.

Run as a script: `lockdown_zygote.py [UID]`. Requests are JSON lines on standard input, answers on standard output. It
stands between pytest and the workers because a process with threads should not fork, and because it can become an
ordinary user for good.
"""

import contextlib
import errno
import json
import os
import re
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import lockdown_deeds as deeds
from lockdown_deeds import Here

from envfactory_dagster.contracts.errors import SandboxUnavailable
from envfactory_dagster.runtime import lockdown


def unprivileged() -> None:
    lockdown._renounce_privileges()
    lockdown._prctl(lockdown._PR_SET_NO_NEW_PRIVS, 1)


def limits() -> None:
    unprivileged()
    lockdown._bound_resources(lockdown.Limits())


def landlock() -> None:
    unprivileged()
    lockdown._forbid_with_landlock(lockdown.available().landlock_abi)


# One layer of the lock-down instead of all: seccomp answers first and would hide that another layer does nothing.
LAYERS: dict[str, Callable[[], None]] = {
    "none": lambda: None,
    "unprivileged": unprivileged,
    "limits": limits,
    "landlock": landlock,
}


def main() -> None:
    if len(sys.argv) > 1:
        become(int(sys.argv[1]))
    with surroundings():
        for line in sys.stdin:
            print(json.dumps(answer(json.loads(line))), flush=True)


def become(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    deeds.become_dumpable()  # as a process is that this user started


@contextlib.contextmanager
def surroundings() -> Iterator[None]:
    abstract_name = f"\0lockdown-{os.getpid()}"
    with (
        tempfile.TemporaryDirectory() as name,
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as unix,
        socket.socket(socket.AF_UNIX) as abstract,
        open("/bin/true", "rb") as program,
    ):
        folder = Path(name)
        folder.chmod(0o777)  # only a lock-down stands between a worker and what is in there
        (folder / "secret").write_text("a secret in a file")
        udp.bind(("127.0.0.1", 0))
        unix.bind(str(folder / "unix"))
        abstract.bind(abstract_name)
        unix.listen(100)
        abstract.listen(100)
        Here.parent_pid, Here.folder, Here.secret_file = os.getpid(), folder, folder / "secret"
        Here.descriptor, Here.abstract_name = program.fileno(), abstract_name
        Here.tcp_port, Here.udp_port = tcp.getsockname()[1], udp.getsockname()[1]
        yield


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Fork, wait until the worker is locked, look at it from outside, say what there is to say, collect the end."""
    ours, theirs = socket.socketpair()
    parent_pid = request.get("parent_pid", os.getpid())
    pid = os.fork()
    if pid == 0:
        ours.close()
        Here.channel = theirs
        work(request, parent_pid)
    theirs.close()
    with ours:
        if ours.recv(1) == b"L":
            if request.get("leave_alone"):
                return {"pid": pid}
            seen = look_at(pid) if request.get("look") else {}
            if "say" in request:
                ours.sendall(request["say"].encode())
        else:
            seen = {}
        said, _, outcome = b"".join(iter(lambda: ours.recv(65536), b"")).decode().rpartition("\n")
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    end = signal.Signals(-code).name if code < 0 else f"exit {code}"
    return {"said": said, "end": end, "seen": seen, **json.loads(outcome or "{}")}


def work(request: dict[str, Any], parent_pid: int) -> NoReturn:
    try:
        if "layer" in request:
            LAYERS[request["layer"]]()
        else:
            if request.get("thread"):
                threading.Thread(target=threading.Event().wait, daemon=True).start()
            within = lockdown.Limits(**request.get("limits", {}))
            lockdown.lock_down(within, keep_fds={Here.channel.fileno()}, parent_pid=parent_pid)
    except SandboxUnavailable as error:
        tell("X", raised="SandboxUnavailable", message=str(error))
        os._exit(1)
    Here.channel.send(b"L")
    try:
        tell(returned=getattr(deeds, request["deed"])(*request.get("arguments", [])))
    except Exception as error:  # noqa: BLE001 - the name of whatever it was is the answer
        tell(raised=name_of(error), message=str(error))
    os._exit(0)


def tell(prefix: str = "", **outcome: Any) -> None:
    Here.channel.sendall(f"{prefix}\n{json.dumps(outcome)}".encode())


def name_of(error: Exception) -> str:
    """EPERM and the like for a refusal by the kernel, else the class."""
    if type(error).__module__ == "builtins" and isinstance(error, OSError) and error.errno:
        return errno.errorcode[error.errno]
    return type(error).__name__


def look_at(pid: int) -> dict[str, Any]:
    status = (line.partition(":") for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    limits = re.findall(r"^Max (.+?) {2,}(\S+) +(\S+)", Path(f"/proc/{pid}/limits").read_text(), re.MULTILINE)
    return {
        "status": {key: value.split() for key, _, value in status},
        "limits": {name: (soft, hard) for name, soft, hard in limits},
        "own_group": os.getpgid(pid) == pid,
        "first_to_be_killed": Path(f"/proc/{pid}/oom_score_adj").read_text() == "1000\n",
    }


if __name__ == "__main__":
    main()

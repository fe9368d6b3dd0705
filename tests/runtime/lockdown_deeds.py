"""What code in a locked worker does: attacks that must fail and ordinary work that must not.

Belongs here: one function per deed, all run in a forked process by `lockdown_zygote`, by name. A deed that returns has
succeeded. Everything is imported up front, as in a real worker. Does not: what is expected of a deed (the tests).
"""

import contextlib
import ctypes
import datetime
import encodings.idna  # noqa: F401 - what resolving a name imports
import gc
import importlib
import json
import mmap
import os
import random
import re
import resource
import select
import signal
import socket
import threading
import time
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import apsw

from envfactory_dagster.runtime import seccomp

datetime.datetime.strptime("2026", "%Y")  # imports _strptime

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
SECRET = ctypes.create_string_buffer(b"a secret in the memory of the parent")


class Here:
    """What a worker finds around itself; `lockdown_zygote` fills it in."""

    channel: socket.socket
    parent_pid: int
    folder: Path
    secret_file: Path
    descriptor: int
    tcp_port: int
    udp_port: int
    abstract_name: str


def system_call(number: int, *arguments: Any) -> int:
    result: int = LIBC.syscall(ctypes.c_long(number), *arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), f"system call {number}")
    return result


# ---- files


def read_a_file() -> None:
    Here.secret_file.read_text()


def write_a_file() -> None:
    (Here.folder / f"file of {os.getpid()}").write_text("x" * 10_000)


def list_a_directory() -> None:
    os.listdir(Here.folder)


def make_a_symlink() -> None:
    os.symlink("/etc/passwd", Here.folder / f"link of {os.getpid()}")


def rename_a_file() -> None:
    Here.secret_file.rename(Here.secret_file)


def ask_whether_a_path_exists() -> None:
    os.stat(Here.secret_file)


def change_directory() -> None:
    os.chdir("/")


def read_environment_of_parent() -> None:
    Path(f"/proc/{Here.parent_pid}/environ").read_bytes()


def open_memory_of_parent() -> None:
    os.close(os.open(f"/proc/{Here.parent_pid}/mem", os.O_RDWR))


def list_descriptors_of_parent() -> None:
    os.listdir(f"/proc/{Here.parent_pid}/fd")


def use_an_inherited_descriptor() -> None:
    os.read(Here.descriptor, 10)


def attach_a_database_file() -> None:
    apsw.Connection(":memory:").execute("ATTACH ? AS stolen", (str(Here.folder / "stolen.sqlite"),))


# ---- network


def connect_by_tcp() -> None:
    socket.create_connection(("127.0.0.1", Here.tcp_port), 5).close()


def listen_on_tcp() -> None:
    socket.create_server(("127.0.0.1", 0)).close()


def send_by_udp() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", ("127.0.0.1", Here.udp_port))


def connect_to_a_unix_socket() -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(Here.folder / "unix"))


def connect_to_an_abstract_socket() -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(Here.abstract_name)


def make_a_socket_pair() -> None:
    for end in socket.socketpair():
        end.close()


def resolve_a_name() -> None:
    socket.getaddrinfo("localhost", 80)


def pass_a_descriptor_to_the_parent() -> None:
    socket.send_fds(Here.channel, [b"x"], [Here.channel.fileno()])


def send_out_of_band() -> None:
    Here.channel.send(b"x", socket.MSG_OOB)


def send_to_another_address() -> None:
    Here.channel.sendto(b"x", str(Here.folder / "unix"))


# ---- processes and signals


def fork_a_process() -> None:
    if os.fork() == 0:
        os._exit(0)


def start_a_program() -> None:
    os.posix_spawn("/bin/true", ["true"], {})


def become_a_program() -> None:
    os.execv("/bin/true", ["true"])


def start_a_thread() -> None:
    threading.Thread(target=int).start()


def trace_the_parent() -> None:
    system_call(seccomp.KILLED["ptrace"], 0x4206, Here.parent_pid, 0, 0)  # PTRACE_SEIZE


def read_memory_of_parent() -> None:
    class Range(ctypes.Structure):
        _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))

    mine, theirs = ctypes.create_string_buffer(64), Range(ctypes.addressof(SECRET), 16)
    into = Range(ctypes.addressof(mine), 16)
    reader = seccomp.KILLED["process_vm_readv"]
    system_call(reader, Here.parent_pid, ctypes.byref(into), 1, ctypes.byref(theirs), 1, 0)


def take_a_descriptor_from_the_parent() -> None:
    system_call(seccomp.KILLED["pidfd_getfd"], os.pidfd_open(Here.parent_pid), 0, 0)


def signal_the_parent() -> None:
    os.kill(Here.parent_pid, 0)


def kill_the_parent() -> None:
    os.kill(Here.parent_pid, signal.SIGKILL)


def signal_everybody() -> None:
    os.kill(-1, 0)


def slow_the_parent_down() -> None:
    os.setpriority(os.PRIO_PROCESS, Here.parent_pid, os.getpriority(os.PRIO_PROCESS, Here.parent_pid))


def limit_the_parent() -> None:
    resource.prlimit(Here.parent_pid, resource.RLIMIT_CORE, (0, 0))


# ---- new code


def map_executable_memory() -> None:
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)


def make_memory_executable() -> None:
    page = LIBC.mmap(None, ctypes.c_size_t(4096), 3, 0x22, -1, ctypes.c_size_t(0))
    if LIBC.mprotect(ctypes.c_void_p(page), ctypes.c_size_t(4096), 5) == -1:
        raise OSError(ctypes.get_errno(), "mprotect")


def map_a_fixed_address() -> None:
    fixed = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x10  # MAP_FIXED
    if LIBC.mmap(ctypes.c_void_p(0x20000), ctypes.c_size_t(4096), 3, fixed, -1, ctypes.c_size_t(0)) == 2**64 - 1:
        raise OSError(ctypes.get_errno(), "mmap")


def move_memory_to_a_fixed_address() -> None:
    page = LIBC.mmap(None, ctypes.c_size_t(4096), 3, 0x22, -1, ctypes.c_size_t(0))
    system_call(25, ctypes.c_void_p(page), ctypes.c_size_t(4096), ctypes.c_size_t(4096), 3, ctypes.c_void_p(0x30000))


def leave_a_timer_behind() -> None:
    system_call(38, 0, (ctypes.c_long * 4)(0, 0, 3600, 0), None)  # setitimer(ITIMER_REAL)


def make_readable_mean_executable() -> None:
    system_call(135, 0x0400000)  # personality(READ_IMPLIES_EXEC)


def make_a_memory_file() -> None:
    os.close(os.memfd_create("program"))


def run_a_memory_file() -> None:
    os.execve(Here.descriptor, ["program"], {})


def import_a_module() -> None:
    importlib.import_module("wave")


# ---- getting back what was given up


def become_root_again() -> None:
    os.setresuid(0, 0, 0)


def take_back_capabilities() -> None:
    system_call(126, b"\x22\x05\x08\x20" + bytes(4), b"\xff" * 24)


def outlive_the_parent() -> None:
    system_call(157, 1, 0, 0, 0, 0)  # prctl(PR_SET_PDEATHSIG, 0)


def become_dumpable() -> None:
    system_call(157, 4, 1, 0, 0, 0)  # prctl(PR_SET_DUMPABLE, 1)


def raise_a_limit() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (10_000, 10_000))


def change_the_root_directory() -> None:
    os.chroot(Here.folder)


def leave_the_namespaces() -> None:
    system_call(seccomp.KILLED["unshare"], 0x10000000)  # CLONE_NEWUSER


def use_the_x32_interface() -> None:
    system_call(0x40000000 + seccomp.ALLOWED["getpid"])


_FOUND_GADGET = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
_FOUND_GADGET.write(bytes.fromhex("53 b814000000 cd80 5b c3"))  # push rbx; mov eax, 20; int 0x80; pop rbx; ret
_GADGET_ADDRESS = ctypes.addressof(ctypes.c_char.from_buffer(_FOUND_GADGET))


def use_the_32_bit_interface() -> None:
    ctypes.CFUNCTYPE(ctypes.c_int)(_GADGET_ADDRESS)()


def call(number: int) -> None:
    """A system call of this number with no arguments worth the name."""
    system_call(number, 0, 0, 0, 0, 0, 0)


def try_every(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """The numbers that were answered otherwise than with EPERM, and with what."""
    answers = ((number, _errno_of(number)) for number in numbers)
    return [(number, code) for number, code in answers if code != 1]


def _errno_of(number: int) -> int:
    ctypes.set_errno(0)
    LIBC.syscall(ctypes.c_long(number), 0, 0, 0, 0, 0, 0)
    return ctypes.get_errno()


# ---- using up the machine


def take_ten_gigabytes() -> None:
    bytearray(10 << 30)


def run_out_of_memory_and_recover() -> int:
    """How many megabytes there were."""
    hoard: list[bytearray] = []
    with contextlib.suppress(MemoryError):
        while True:
            hoard.append(bytearray(1 << 20))
    return len(hoard)


def run_out_of_memory_in_sqlite_and_recover() -> int:
    database = apsw.Connection(":memory:")
    database.execute("CREATE TABLE t (b BLOB)")
    with contextlib.suppress(MemoryError, apsw.NoMemError):
        while True:
            database.execute("INSERT INTO t VALUES (randomblob(10000000))")
    return int(database.execute("SELECT count(*) FROM t").get)


def recurse_forever() -> None:
    recurse_forever()


def recurse_through_c() -> None:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    json.dumps(nested)


def spin_forever() -> None:
    while True:
        pass


# ---- ordinary work


def handle_text() -> Any:
    order = json.loads('{"id": 7, "at": "2026-11-20 18:30", "note": "für zwei 🍝"}')
    order["at"] = datetime.datetime.strptime(order["at"], "%Y-%m-%d %H:%M").isoformat()
    order["words"] = re.findall(r"\w+", order["note"])
    return order


def record_a_changeset() -> Any:
    database = apsw.Connection(":memory:")
    database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT) STRICT; INSERT INTO t VALUES (1, 'a')")
    session = apsw.Session(database, "main")
    session.attach()
    database.execute("SAVEPOINT s; UPDATE t SET name = 'b'; INSERT INTO t VALUES (2, 'c'); RELEASE s")
    changes = [(change.op, change.old, change.new) for change in apsw.Changeset.iter(session.changeset())]
    copy = apsw.Connection(":memory:")
    copy.deserialize("main", database.serialize("main"))
    return {"changes": len(changes), "rows": copy.execute("SELECT * FROM t").get}


def sort_many_rows() -> int:
    database = apsw.Connection(":memory:")
    database.execute("PRAGMA temp_store = MEMORY; CREATE TABLE t (n INTEGER, s TEXT)")
    rows = [(random.Random(n).randrange(10**9), f"row {n} " * 10) for n in range(100_000)]
    with database:
        database.executemany("INSERT INTO t VALUES (?, ?)", rows)
    in_order = database.execute("SELECT n, s FROM t ORDER BY s, n").fetchall()
    assert in_order == sorted(rows, key=lambda row: (row[1], row[0]))
    return len(in_order)


def collect_garbage() -> int:
    for _ in range(10_000):
        cycle: list[Any] = []
        cycle.append(cycle)
    return len(gc.garbage) + min(gc.collect(), 0)


def explain_an_error() -> bool:
    try:
        recurse_forever()
    except RecursionError:
        return "recurse_forever" in traceback.format_exc()
    return False


def converse() -> str:
    """Answer a request over the kept socket, by poll, timeout, partial reads and gathered writes."""
    poll = select.poll()
    poll.register(Here.channel, select.POLLIN)
    assert poll.poll(10_000)
    Here.channel.settimeout(10)
    size = int(Here.channel.recv(7))
    received = bytearray()
    while len(received) < size:
        received += Here.channel.recv(65536)
    Here.channel.settimeout(None)
    os.writev(Here.channel.fileno(), [b"ok", b":"])
    Here.channel.sendall(received[::-1])
    return f"{len(received)}"


def tell_time_and_chance() -> bool:
    time.sleep(0)
    return time.time() > 0 and time.perf_counter() > 0 and len(os.urandom(8)) == 8


def print_something() -> None:
    print("nobody hears this", flush=True)


def end_the_interpreter() -> None:
    ctypes.pythonapi.Py_Exit(7)


def wait_for_a_word() -> str:
    return Here.channel.recv(100).decode()

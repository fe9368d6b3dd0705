"""Confining a worker: after `lock_down` a process can compute and talk over the descriptors it kept, nothing else.

Belongs here: what this machine can confine with (`available`), how much a worker may use (`Limits`) and the one call
that gives up everything else (`lock_down`). Does not: which system calls are allowed (`seccomp`), starting, watching
and killing workers.

Import this module in the process that forks the workers: whatever can be made once is made on import. It needs the
standard library only, because it runs in processes started with an empty environment.

Each layer stops what another may miss: descriptors and privileges are given up, resources bounded, files, network and
signals refused by Landlock where the kernel has it, system calls by seccomp, without which nothing runs. Not bounded
here: wall-clock time (the supervisor's watchdog does that) and the sum of all workers' memory (when the machine runs
out, the kernel is told to kill workers first).
"""

import contextlib
import ctypes
import errno
import functools
import os
import resource
import signal
import struct
from collections.abc import Collection
from dataclasses import dataclass

from envfactory_dagster.contracts.errors import SandboxUnavailable
from envfactory_dagster.runtime.seccomp import filter_program

NOBODY = 65534

_PRCTL, _CAPSET, _CLOSE_RANGE, _LANDLOCK_CREATE_RULESET, _LANDLOCK_RESTRICT_SELF = 157, 126, 436, 444, 446
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38
_SECCOMP_MODE_FILTER = 2
_LANDLOCK_CREATE_RULESET_VERSION = 1
_HIGHEST_DESCRIPTOR = 2**32 - 1

_libc_syscall = ctypes.CDLL(None, use_errno=True).syscall
_libc_syscall.restype = ctypes.c_long
_libc_syscall.argtypes = [ctypes.c_long, *[ctypes.c_void_p] * 5]

_PROGRAM = filter_program()
_PROGRAM_BUFFER = ctypes.create_string_buffer(_PROGRAM, len(_PROGRAM))
_SOCK_FPROG = struct.pack("HxxxxxxQ", len(_PROGRAM) // 8, ctypes.addressof(_PROGRAM_BUFFER))

_CAPABILITY_HEADER = struct.pack("Ii", 0x20080522, 0)  # version 3, this thread
_NO_CAPABILITIES = bytes(24)

# What Landlock can refuse from which ABI on: rights over files and over ports, and scopes (abstract sockets, signals).
_LANDLOCK_RIGHTS = {
    1: (0x1FFF, 0x0, 0x0),
    2: (0x3FFF, 0x0, 0x0),  # linking and renaming across directories
    3: (0x7FFF, 0x0, 0x0),  # truncating
    4: (0x7FFF, 0x3, 0x0),  # TCP bind and connect
    5: (0xFFFF, 0x3, 0x0),  # ioctl on devices
    6: (0xFFFF, 0x3, 0x3),  # scopes
    9: (0x1FFFF, 0x3, 0x3),  # connecting to unix sockets by path
    10: (0x1FFFF, 0xF, 0x3),  # UDP bind, connect and send
}


@dataclass(frozen=True, slots=True)
class Limits:
    """What one worker may use.

    `memory_bytes` is address space beyond what the process has when it is locked down: a fork of a warm Python starts
    with hundreds of shared megabytes, and their number says nothing about what it may allocate. `cpu_seconds` counts
    a worker's whole life and only backs up the watchdog.
    """

    memory_bytes: int = 1 << 30
    cpu_seconds: int = 3600
    open_files: int = 16
    stack_bytes: int = 8 << 20


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What this machine confines untrusted code with; without `seccomp`, `why_not` says what to do about it."""

    seccomp: bool
    landlock_abi: int
    machine: str
    why_not: str


@functools.cache
def available() -> Capabilities:
    """Ask the kernel what it offers, changing nothing; a zygote that asks before it forks spares its workers that."""
    system = os.uname()
    machine = f"{system.sysname} {system.release} on {system.machine}"
    if (system.sysname, system.machine) != ("Linux", "x86_64"):
        return Capabilities(False, 0, machine, _why_not(machine, "the sandbox is made for Linux on x86_64"))
    if _error_of(_PRCTL, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, None) != errno.EFAULT:  # a filter it cannot read
        return Capabilities(False, 0, machine, _why_not(machine, "the kernel offers no seccomp filters"))
    if _error_of(_CLOSE_RANGE, 1, 0, 0) != errno.EINVAL:  # an empty range
        return Capabilities(False, 0, machine, _why_not(machine, "close_range (Linux 5.9) is missing or forbidden"))
    return Capabilities(True, _landlock_abi(), machine, "")


def lock_down(limits: Limits, *, keep_fds: Collection[int], parent_pid: int) -> None:
    """Give up everything but computing and `keep_fds`, for good; the process dies with its parent from now on.

    To be called in a freshly forked process, by its only thread, before it reads anything untrusted; `parent_pid` is
    the process that forked it. What it will need must be imported, opened and mapped by then. Standard streams that
    are not kept lead to /dev/null.

    Raises `SandboxUnavailable` when any layer fails; the process is then half confined and must exit.
    """
    capabilities = available()
    if not capabilities.seccomp:
        raise SandboxUnavailable(capabilities.why_not)
    try:
        _close_all_but(keep_fds)
        _be_killed_first_when_memory_runs_out()
        os.setpgid(0, 0)  # Ctrl-C at the supervisor's terminal is the supervisor's to handle
        os.umask(0o777)
        _renounce_privileges()
        # Changing credentials resets what the next two set.
        _prctl(_PR_SET_DUMPABLE, 0)
        _die_with(parent_pid)
        _bound_resources(limits)
        _prctl(_PR_SET_NO_NEW_PRIVS, 1)
        _forbid_with_landlock(capabilities.landlock_abi)
        _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, _SOCK_FPROG)
    except (OSError, ValueError) as error:  # `resource` reports a refusal as ValueError
        raise SandboxUnavailable(f"A worker could not be confined on {capabilities.machine}: {error}.") from error


def _close_all_but(keep_fds: Collection[int]) -> None:
    """Point the standard streams at /dev/null and close the rest, `keep_fds` excepted."""
    null = os.open("/dev/null", os.O_RDWR)
    for stream in {0, 1, 2}.difference(keep_fds):
        os.dup2(null, stream)
    kept = sorted({0, 1, 2, *keep_fds})
    # Not os.closerange: on some builds of Python it tries every possible number, and an empty range closes them all.
    for below, above in zip(kept, [*kept[1:], _HIGHEST_DESCRIPTOR + 1], strict=True):
        if below + 1 < above:
            _system_call("close_range", _CLOSE_RANGE, below + 1, above - 1, 0)


def _be_killed_first_when_memory_runs_out() -> None:
    with contextlib.suppress(OSError):  # a courtesy to the rest of the machine, not part of the boundary
        score = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(score, b"1000")
        os.close(score)


def _renounce_privileges() -> None:
    """Become nobody if root, and hold no capability whoever we are."""
    if 0 in os.getresuid():
        capability = 0
        while _error_of(_PRCTL, _PR_CAPBSET_DROP, capability) == 0:  # until the first the kernel does not know
            capability += 1
        try:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
        except OSError as error:
            advice = f"root may not become uid {NOBODY} here; start it as an ordinary user"
            raise PermissionError(error.errno, advice) from error
    _system_call("capset", _CAPSET, _CAPABILITY_HEADER, _NO_CAPABILITIES)


def _die_with(parent_pid: int) -> None:
    """Have the kernel kill this process when its parent ends, which may already have happened."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent_pid:
        raise ProcessLookupError(errno.ESRCH, f"its parent, process {parent_pid}, has ended")


def _bound_resources(limits: Limits) -> None:
    address_space = _address_space_of_single_thread()
    bounds = {
        resource.RLIMIT_AS: address_space + limits.memory_bytes,
        resource.RLIMIT_CPU: limits.cpu_seconds,
        resource.RLIMIT_NOFILE: limits.open_files,
        resource.RLIMIT_STACK: limits.stack_bytes,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NPROC: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    for which, bound in bounds.items():
        _, hard = resource.getrlimit(which)
        lowest = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(which, (lowest, lowest))


def _address_space_of_single_thread() -> int:
    """How many bytes are mapped now; refuses a process with more threads, which the filter would not reach."""
    stat = os.open("/proc/self/stat", os.O_RDONLY)
    after_name = os.read(stat, 4096).rpartition(b")")[2].split()
    os.close(stat)
    threads, address_space = int(after_name[17]), int(after_name[20])
    if threads != 1:
        raise OSError(errno.EBUSY, f"it has {threads} threads instead of one")
    return address_space


def _landlock_abi() -> int:
    """The newest version of Landlock the kernel speaks, 0 for none (not built in, switched off, or forbidden)."""
    try:
        return _system_call("probe", _LANDLOCK_CREATE_RULESET, None, 0, _LANDLOCK_CREATE_RULESET_VERSION)
    except OSError:
        return 0


def _forbid_with_landlock(abi: int) -> None:
    """Handle every right this ABI knows and grant none."""
    if abi == 0:
        return
    attributes = struct.pack("QQQ", *_LANDLOCK_RIGHTS[max(known for known in _LANDLOCK_RIGHTS if known <= abi)])
    ruleset = _system_call("landlock_create_ruleset", _LANDLOCK_CREATE_RULESET, attributes, len(attributes), 0)
    _system_call("landlock_restrict_self", _LANDLOCK_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def _prctl(option: int, *arguments: int | bytes) -> None:
    _system_call(f"prctl {option}", _PRCTL, option, *arguments)


def _system_call(name: str, number: int, *arguments: int | bytes | None) -> int:
    """Make a system call that Python has no function for."""
    result: int = _libc_syscall(number, *arguments, *[0] * (5 - len(arguments)))
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")
    return result


def _error_of(number: int, *arguments: int | bytes | None) -> int:
    """The errno of a system call, 0 when it succeeds."""
    try:
        _system_call("probe", number, *arguments)
    except OSError as error:
        return error.errno or 0
    return 0


def _why_not(machine: str, reason: str) -> str:
    return (
        f"{machine} cannot confine untrusted code: {reason}. Run in a Linux container on x86_64, "
        "or set allow_unsandboxed to run it with all the rights of this user."
    )

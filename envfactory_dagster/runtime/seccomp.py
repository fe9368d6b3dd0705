"""Which system calls a sandboxed worker may make, and the filter program that tells the kernel so.

Belongs here: the policy as data and its translation into classic BPF, for Linux on x86_64. Does not: installing the
filter or any other part of the lock-down (`lockdown`). The module computes; it calls nothing.

The policy is an allow-list for a single-threaded CPython that has everything imported and talks over sockets it
already holds. Whatever creates a descriptor from a name (open, socket, accept, pipe, memfd, epoll …) is absent, so
nothing new can ever be reached. A call that is not on the list fails with EPERM, which Python turns into an ordinary
exception; a call no well-meaning program makes kills the process.

Deliberate absences:
- `sendmsg`, `recvmsg`: descriptors in flight between unix sockets are one of the kernel's weakest spots; `writev`
  gathers as well.
- `kill`, `tgkill`: no signal leaves a worker, not even to itself; `abort()` then ends in a fault, just as dead.
- `stat` and its kin: a path's existence is information too, and Landlock does not hide it.
- `setitimer` and `alarm`: a timer would run a tool's code after its call has been answered.
- `mmap` and `mremap` to a fixed address: no library needs it once it is loaded, and page zero stays unmapped.
- `epoll`, `select`: a worker has a socket or two to wait for, and `poll` does that.
"""

import errno
import struct
from dataclasses import dataclass

ALLOWED = {
    "read": 0,
    "write": 1,
    "close": 3,
    "poll": 7,
    "munmap": 11,
    "brk": 12,
    "rt_sigaction": 13,
    "rt_sigprocmask": 14,
    "rt_sigreturn": 15,
    "writev": 20,
    "getpid": 39,  # SQLite seeds its generator with it; worthless without signals and /proc
    "exit": 60,
    "gettimeofday": 96,
    "restart_syscall": 219,  # the kernel's own continuation of a poll or sleep that a stop interrupted
    "clock_gettime": 228,
    "clock_getres": 229,
    "clock_nanosleep": 230,
    "exit_group": 231,
    "getrandom": 318,
}


@dataclass(frozen=True, slots=True)
class ArgumentGuard:
    """Holds when the low 32 bits of one argument, without the `ignored` bits, are one of `values`."""

    argument: int
    values: tuple[int, ...]
    ignored: int = 0


_NOT_EXECUTABLE = ArgumentGuard(argument=2, values=(0,), ignored=0x3)  # at most PROT_READ | PROT_WRITE
_NOT_FIXED = ArgumentGuard(argument=3, values=(0,), ignored=0xFFFFFFFF & ~0x100010)  # MAP_FIXED, MAP_FIXED_NOREPLACE
_MAY_MOVE = ArgumentGuard(
    argument=3, values=(0,), ignored=0x1
)  # MREMAP_MAYMOVE; neither MREMAP_FIXED nor MREMAP_DONTUNMAP
_WAIT_FLAGS = 0x100 | 0x40  # MSG_WAITALL, MSG_DONTWAIT; MSG_OOB and MSG_PEEK on unix sockets had exploits
_SEND_FLAGS = 0x4000 | 0x40  # MSG_NOSIGNAL, MSG_DONTWAIT
_FIONBIO = 0x5421  # how CPython sets a socket's timeout
_FUTEX_WAIT_AND_WAKE = ArgumentGuard(argument=1, values=(0, 1, 9, 10), ignored=0x180)  # private or not, either clock

ALLOWED_WHEN = {
    "mmap": (9, (_NOT_EXECUTABLE, _NOT_FIXED)),
    "mprotect": (10, (_NOT_EXECUTABLE,)),
    "ioctl": (16, (ArgumentGuard(argument=1, values=(_FIONBIO,)),)),
    "mremap": (25, (_MAY_MOVE,)),
    "madvise": (28, (ArgumentGuard(argument=2, values=(4, 8)),)),  # MADV_DONTNEED, MADV_FREE: how memory is given back
    "sendto": (
        44,
        (ArgumentGuard(argument=3, values=(0,), ignored=_SEND_FLAGS), ArgumentGuard(argument=5, values=(0,))),
    ),  # no address
    "recvfrom": (45, (ArgumentGuard(argument=3, values=(0,), ignored=_WAIT_FLAGS),)),
    "futex": (202, (_FUTEX_WAIT_AND_WAKE,)),
}

KILLED = {
    # a new process or program; `clone` is below, because libraries start threads with it
    "fork": 57,
    "vfork": 58,
    "execve": 59,
    "execveat": 322,
    # another process's memory, descriptors or state
    "ptrace": 101,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "kcmp": 312,
    "pidfd_send_signal": 424,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    # parts of the kernel that mostly exploits call from here
    "modify_ldt": 154,
    "add_key": 248,
    "request_key": 249,
    "keyctl": 250,
    "perf_event_open": 298,
    "bpf": 321,
    "userfaultfd": 323,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    # mounts, namespaces and roots
    "pivot_root": 155,
    "chroot": 161,
    "mount": 165,
    "umount2": 166,
    "unshare": 272,
    "name_to_handle_at": 303,
    "open_by_handle_at": 304,
    "setns": 308,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "mount_setattr": 442,
    # the machine itself
    "settimeofday": 164,
    "swapon": 167,
    "swapoff": 168,
    "reboot": 169,
    "iopl": 172,
    "ioperm": 173,
    "init_module": 175,
    "delete_module": 176,
    "clock_settime": 227,
    "kexec_load": 246,
    "finit_module": 313,
    "kexec_file_load": 320,
}

_CLONE = 56
_A_THREAD = ArgumentGuard(argument=0, values=(0x10000,), ignored=0xFFFFFFFF & ~0x10000)  # CLONE_THREAD is set
_CLONE3 = 435  # its flags are behind a pointer, out of a filter's sight; without it libc falls back to clone

_X32 = 0x40000000  # numbers from here on belong to the x32 ABI
_X86_64 = 0xC000003E  # AUDIT_ARCH_X86_64

_NUMBER_OFFSET, _ARCHITECTURE_OFFSET, _ARGUMENTS_OFFSET = 0, 4, 16  # in struct seccomp_data
_LOAD, _AND, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06

_ALLOW = 0x7FFF0000
_KILL_PROCESS = 0x80000000
_EPERM = 0x00050000 | errno.EPERM
_ENOSYS = 0x00050000 | errno.ENOSYS

Code = list[bytes]  # BPF instructions of eight bytes


def filter_program() -> bytes:
    """The whole policy as a classic BPF program for `struct sock_fprog`.

    The system call numbers are a partition of a line, found by binary search: the kernel simulates the program for
    every number when it is installed, so a short path makes each worker's start cheaper.
    """
    verdicts = _verdicts()
    spans: list[tuple[int, Code]] = []
    for number in sorted({0, *verdicts, *(known + 1 for known in verdicts if known < _X32)}):
        code = verdicts.get(number, _answer(_EPERM))
        if not spans or spans[-1][1] != code:
            spans.append((number, code))
    program = [
        _instruction(_LOAD, _ARCHITECTURE_OFFSET),
        _instruction(_IF_EQUAL, _X86_64, if_true=1),
        *_answer(_KILL_PROCESS),
        _instruction(_LOAD, _NUMBER_OFFSET),
        *_search(spans),
    ]
    return b"".join(program)


def _verdicts() -> dict[int, Code]:
    """What is done for each system call number the policy names; the rest get EPERM."""
    verdicts = {number: _answer(_ALLOW) for number in ALLOWED.values()}
    verdicts |= {number: _guarded(guards, _ALLOW, _EPERM) for number, guards in ALLOWED_WHEN.values()}
    verdicts |= {number: _answer(_KILL_PROCESS) for number in KILLED.values()}
    verdicts[_CLONE] = _guarded((_A_THREAD,), _EPERM, _KILL_PROCESS)
    verdicts[_CLONE3] = _answer(_ENOSYS)
    verdicts[_X32] = _answer(_KILL_PROCESS)
    return verdicts


def _search(spans: list[tuple[int, Code]]) -> Code:
    """Find the span that holds the loaded number and run its code; spans are sorted by their first number."""
    if len(spans) == 1:
        return spans[0][1]
    middle = len(spans) // 2
    below, above = _search(spans[:middle]), _search(spans[middle:])
    return [_instruction(_IF_AT_LEAST, spans[middle][0], if_true=len(below)), *below, *above]


def _guarded(guards: tuple[ArgumentGuard, ...], held: int, broken: int) -> Code:
    """Answer `held` when every guard holds, else `broken`."""
    code: Code = []
    for guard in guards:
        code.append(_instruction(_LOAD, _ARGUMENTS_OFFSET + 8 * guard.argument))
        code.append(_instruction(_AND, ~guard.ignored & 0xFFFFFFFF))
        for left, value in zip(range(len(guard.values), 0, -1), guard.values, strict=True):
            code.append(_instruction(_IF_EQUAL, value, if_true=left))
        code += _answer(broken)
    return code + _answer(held)


def _answer(action: int) -> Code:
    return [_instruction(_RETURN, action)]


def _instruction(operation: int, operand: int, if_true: int = 0) -> bytes:
    """One `struct sock_filter`; a condition that does not hold goes on to the next instruction."""
    return struct.pack("=HBBI", operation, if_true, 0, operand)

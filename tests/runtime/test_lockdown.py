"""A locked worker can do its work and nothing else, whoever started it.

Every deed of `lockdown_deeds` runs in a process of its own that `lockdown_zygote` forks and locks: once as root (when
the tests run as root) and once as an ordinary user.
"""

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.contracts.errors import SandboxUnavailable
from envfactory_dagster.runtime import lockdown, seccomp

AN_ORDINARY_USER = 65533

pytestmark = pytest.mark.skipif(not lockdown.available().seccomp, reason=lockdown.available().why_not)


class Zygote:
    def __init__(self, user: str) -> None:
        self.user = user
        become = [str(AN_ORDINARY_USER)] if user == "user" and os.getuid() == 0 else []
        script = Path(__file__).with_name("lockdown_zygote.py")
        self.process = subprocess.Popen(
            [sys.executable, "-s", script, *become], env={}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def do(self, deed: str, *arguments: Any, **request: Any) -> dict[str, Any]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps({"deed": deed, "arguments": arguments, **request}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the zygote is gone"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def outcome(self, deed: str, *arguments: Any, **request: Any) -> Any:
        """The exception's name, else how the process ended if not by itself, else `done`."""
        answer = self.do(deed, *arguments, **request)
        return answer.get("raised") or (answer["end"] if "returned" not in answer else "done")


@pytest.fixture(scope="module", params=["root", "user"])
def zygote(request: pytest.FixtureRequest) -> Iterator[Zygote]:
    if request.param == "root" and os.getuid() != 0:
        pytest.skip("not running as root")
    zygote = Zygote(request.param)
    with zygote.process:
        yield zygote
        assert zygote.process.stdin is not None
        zygote.process.stdin.close()
    assert zygote.process.returncode == 0


REFUSED_BY_SECCOMP = "EPERM"
KILLED_BY_SECCOMP = "SIGSYS"
NOTHING_THERE = "EBADF"
MISSING = "ModuleNotFoundError"

ATTACKS = {
    "read_a_file": REFUSED_BY_SECCOMP,
    "write_a_file": REFUSED_BY_SECCOMP,
    "list_a_directory": REFUSED_BY_SECCOMP,
    "make_a_symlink": REFUSED_BY_SECCOMP,
    "rename_a_file": REFUSED_BY_SECCOMP,
    "ask_whether_a_path_exists": REFUSED_BY_SECCOMP,
    "change_directory": REFUSED_BY_SECCOMP,
    "read_environment_of_parent": REFUSED_BY_SECCOMP,
    "open_memory_of_parent": REFUSED_BY_SECCOMP,
    "list_descriptors_of_parent": REFUSED_BY_SECCOMP,
    "use_an_inherited_descriptor": NOTHING_THERE,
    "attach_a_database_file": "CantOpenError",
    "import_a_module": MISSING,
    "connect_by_tcp": REFUSED_BY_SECCOMP,
    "listen_on_tcp": REFUSED_BY_SECCOMP,
    "send_by_udp": REFUSED_BY_SECCOMP,
    "connect_to_a_unix_socket": REFUSED_BY_SECCOMP,
    "connect_to_an_abstract_socket": REFUSED_BY_SECCOMP,
    "make_a_socket_pair": REFUSED_BY_SECCOMP,
    "resolve_a_name": "gaierror",
    "pass_a_descriptor_to_the_parent": REFUSED_BY_SECCOMP,
    "send_out_of_band": REFUSED_BY_SECCOMP,
    "send_to_another_address": REFUSED_BY_SECCOMP,
    "fork_a_process": KILLED_BY_SECCOMP,
    "start_a_program": KILLED_BY_SECCOMP,
    "become_a_program": KILLED_BY_SECCOMP,
    "run_a_memory_file": KILLED_BY_SECCOMP,
    "start_a_thread": "RuntimeError",
    "trace_the_parent": KILLED_BY_SECCOMP,
    "read_memory_of_parent": KILLED_BY_SECCOMP,
    "take_a_descriptor_from_the_parent": REFUSED_BY_SECCOMP,
    "signal_the_parent": REFUSED_BY_SECCOMP,
    "kill_the_parent": REFUSED_BY_SECCOMP,
    "signal_everybody": REFUSED_BY_SECCOMP,
    "slow_the_parent_down": REFUSED_BY_SECCOMP,
    "limit_the_parent": REFUSED_BY_SECCOMP,
    "map_executable_memory": REFUSED_BY_SECCOMP,
    "make_memory_executable": REFUSED_BY_SECCOMP,
    "map_a_fixed_address": REFUSED_BY_SECCOMP,
    "move_memory_to_a_fixed_address": REFUSED_BY_SECCOMP,
    "leave_a_timer_behind": REFUSED_BY_SECCOMP,
    "make_readable_mean_executable": REFUSED_BY_SECCOMP,
    "make_a_memory_file": REFUSED_BY_SECCOMP,
    "become_root_again": REFUSED_BY_SECCOMP,
    "take_back_capabilities": REFUSED_BY_SECCOMP,
    "outlive_the_parent": REFUSED_BY_SECCOMP,
    "become_dumpable": REFUSED_BY_SECCOMP,
    "raise_a_limit": "ValueError",  # how Python says EPERM
    "change_the_root_directory": KILLED_BY_SECCOMP,
    "leave_the_namespaces": KILLED_BY_SECCOMP,
    "use_the_x32_interface": KILLED_BY_SECCOMP,
    "use_the_32_bit_interface": KILLED_BY_SECCOMP,
    "take_ten_gigabytes": "MemoryError",
    "recurse_forever": "RecursionError",
    "recurse_through_c": "RecursionError",
}


@pytest.mark.parametrize(("attack", "reason"), ATTACKS.items(), ids=list(ATTACKS))
def test_an_attack_is_denied_and_the_next_worker_unharmed(zygote: Zygote, attack: str, reason: str) -> None:
    assert zygote.outcome(attack) == reason
    assert zygote.outcome("handle_text") == "done"


NEEDS_MORE_THAN_AN_OPEN_DOOR = {
    # fails or does damage even without a lock-down, or depends on the machine's own protections
    *("import_a_module", "resolve_a_name", "send_out_of_band", "send_to_another_address", "run_a_memory_file"),
    *("trace_the_parent", "read_memory_of_parent", "take_a_descriptor_from_the_parent", "open_memory_of_parent"),
    *("kill_the_parent", "become_root_again", "take_back_capabilities", "raise_a_limit"),
    *("change_the_root_directory", "leave_the_namespaces", "use_the_x32_interface", "use_the_32_bit_interface"),
    *("make_readable_mean_executable", "take_ten_gigabytes", "recurse_forever", "recurse_through_c"),
}


@pytest.mark.parametrize("attack", sorted(ATTACKS.keys() - NEEDS_MORE_THAN_AN_OPEN_DOOR))
def test_the_same_attack_succeeds_without_a_lock_down(zygote: Zygote, attack: str) -> None:
    assert zygote.outcome(attack, layer="none") in {"done", "exit 0"}


ALLOWED_NUMBERS = {*seccomp.ALLOWED.values(), *(number for number, _ in seccomp.ALLOWED_WHEN.values())}


@pytest.mark.parametrize("name", [*seccomp.KILLED, "clone"])
def test_a_hostile_system_call_kills(zygote: Zygote, name: str) -> None:
    assert zygote.outcome("call", {"clone": 56, **seccomp.KILLED}[name]) == KILLED_BY_SECCOMP


def test_every_system_call_nobody_listed_is_refused(zygote: Zygote) -> None:
    clone, clone3, beyond_the_newest = 56, 435, 600
    uretprobe, uprobe = 335, 336  # the kernel never filters these two; they do nothing but return from a probe
    otherwise = {clone, clone3, uretprobe, uprobe, *ALLOWED_NUMBERS, *seccomp.KILLED.values()}
    unlisted = [number for number in range(beyond_the_newest) if number not in otherwise]
    assert zygote.do("try_every", unlisted)["returned"] == []


@pytest.mark.parametrize(
    ("attack", "reason", "since"),
    [
        ("read_a_file", "EACCES", 1),
        ("write_a_file", "EACCES", 1),
        ("list_a_directory", "EACCES", 1),
        ("make_a_symlink", "EACCES", 1),
        ("become_a_program", "EACCES", 1),
        ("trace_the_parent", "EPERM", 1),
        ("connect_by_tcp", "EACCES", 4),
        ("listen_on_tcp", "EACCES", 4),
        ("connect_to_an_abstract_socket", "EPERM", 6),
        ("signal_the_parent", "EPERM", 6),
        ("connect_to_a_unix_socket", "EACCES", 9),
        ("send_by_udp", "EACCES", 10),
    ],
)
def test_landlock_alone_denies(zygote: Zygote, attack: str, reason: str, since: int) -> None:
    abi = lockdown.available().landlock_abi
    if abi < since:
        pytest.skip(f"needs Landlock ABI {since}, this kernel has {abi}")
    assert zygote.outcome(attack, layer="landlock") == reason


@pytest.mark.parametrize(
    ("attack", "reason"),
    [
        ("write_a_file", "EFBIG"),
        ("fork_a_process", "EAGAIN"),
        ("start_a_thread", "RuntimeError"),
        ("take_ten_gigabytes", "MemoryError"),
        ("raise_a_limit", "ValueError"),
    ],
)
def test_resource_limits_alone_deny(zygote: Zygote, attack: str, reason: str) -> None:
    assert zygote.outcome(attack, layer="limits") == reason


@pytest.mark.parametrize(
    ("attack", "reason"),
    [
        ("become_root_again", "EPERM"),
        ("take_back_capabilities", "EPERM"),
        ("change_the_root_directory", "EPERM"),
    ],
)
def test_the_privileges_given_up_are_gone(zygote: Zygote, attack: str, reason: str) -> None:
    assert zygote.outcome(attack, layer="unprivileged") == reason


def test_what_the_kernel_says_about_a_locked_worker(zygote: Zygote) -> None:
    seen = zygote.do("wait_for_a_word", look=True, say="go")["seen"]
    status, limits = seen["status"], seen["limits"]
    user = lockdown.NOBODY if zygote.user == "root" else os.getuid() or AN_ORDINARY_USER
    assert status["Uid"] == [str(user)] * 4
    if zygote.user == "root":
        assert status["Gid"] == [str(lockdown.NOBODY)] * 4
        assert status["Groups"] == []
        assert int(status["CapBnd"][0], 16) == 0
    assert int(status["CapPrm"][0], 16) == int(status["CapInh"][0], 16) == int(status["CapAmb"][0], 16) == 0
    assert status["NoNewPrivs"] == ["1"]
    assert status["Seccomp"] == ["2"]
    assert status["Umask"] == ["0777"]
    assert status["Threads"] == ["1"]
    assert seen["own_group"]
    assert seen["first_to_be_killed"]
    assert limits["file size"] == limits["processes"] == limits["core file size"] == ["0", "0"]
    assert limits["locked memory"] == limits["msgqueue size"] == ["0", "0"]
    assert limits["open files"] == ["16", "16"]
    assert limits["cpu time"] == ["3600", "3600"]


@pytest.mark.parametrize(
    ("work", "result"),
    [
        (
            "handle_text",
            {
                "id": 7,
                "at": "2026-11-20T18:30:00",
                "note": "für zwei 🍝",
                "words": ["für", "zwei"],
            },
        ),
        ("record_a_changeset", {"changes": 2, "rows": [[1, "b"], [2, "c"]]}),
        ("sort_many_rows", 100_000),
        ("collect_garbage", 0),
        ("explain_an_error", True),
        ("tell_time_and_chance", True),
        ("print_something", None),
    ],
)
def test_ordinary_work_goes_on(zygote: Zygote, work: str, result: Any) -> None:
    answer = zygote.do(work)
    assert (answer["returned"], answer["end"]) == (result, "exit 0")


def test_a_worker_converses_over_the_socket_it_kept(zygote: Zygote) -> None:
    request = "what is on the menu? " * 20_000
    answer = zygote.do("converse", say=f"{len(request):7}{request}")
    assert answer["said"] == "ok:" + request[::-1]


def test_the_interpreter_ends_as_it_should(zygote: Zygote) -> None:
    assert zygote.do("end_the_interpreter")["end"] == "exit 7"


def test_memory_is_limited_beyond_what_the_fork_began_with(zygote: Zygote) -> None:
    allowed = 200
    taken = zygote.do("run_out_of_memory_and_recover", limits={"memory_bytes": allowed << 20})["returned"]
    assert allowed * 0.8 < taken <= allowed


def test_sqlite_survives_running_out_of_memory(zygote: Zygote) -> None:
    inserted = zygote.do("run_out_of_memory_in_sqlite_and_recover", limits={"memory_bytes": 100 << 20})["returned"]
    assert 0 < inserted < 10


def test_endless_work_is_killed_when_its_processor_time_is_spent(zygote: Zygote) -> None:
    assert zygote.do("spin_forever", limits={"cpu_seconds": 1})["end"] == "SIGKILL"


def test_a_worker_dies_with_its_parent() -> None:
    zygote = Zygote("user")
    worker = os.pidfd_open(zygote.do("spin_forever", leave_alone=True)["pid"])
    zygote.process.kill()
    zygote.process.communicate()
    ended, _, _ = select.select([worker], [], [], 10)
    os.close(worker)
    assert ended


def test_a_worker_whose_parent_is_already_dead_refuses_to_start(zygote: Zygote) -> None:
    answer = zygote.do("handle_text", parent_pid=1)
    assert answer["raised"] == "SandboxUnavailable"
    assert "its parent, process 1, has ended" in answer["message"]


def test_a_process_with_threads_is_refused(zygote: Zygote) -> None:
    answer = zygote.do("handle_text", thread=True)
    assert answer["raised"] == "SandboxUnavailable"
    assert "2 threads instead of one" in answer["message"]


@pytest.mark.parametrize(("system", "machine"), [("Darwin", "arm64"), ("Linux", "aarch64")])
def test_another_platform_is_named_with_the_way_out(monkeypatch: pytest.MonkeyPatch, system: str, machine: str) -> None:
    monkeypatch.setattr(os, "uname", lambda: os.uname_result((system, "here", "25.0", "v", machine)))
    monkeypatch.setattr(lockdown, "available", lockdown.available.__wrapped__)
    capabilities = lockdown.available()
    assert not capabilities.seccomp
    assert f"{system} 25.0 on {machine}" in capabilities.why_not
    assert "allow_unsandboxed" in capabilities.why_not
    with pytest.raises(SandboxUnavailable, match=machine):
        lockdown.lock_down(lockdown.Limits(), keep_fds=(), parent_pid=os.getppid())

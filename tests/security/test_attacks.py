"""No attack from tool code, verifier code or a solution program succeeds, as root or as an ordinary user, and whoever
comes next notices nothing. The attacks are in the tables of `attacks_on_*`, each with what denies it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.runtime import lockdown
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings
from tests.security.attack import Attack, Place
from tests.security.runner import ATTACKS, Arena, processes_of, surroundings
from tests.support.tiny import tiny

pytestmark = pytest.mark.skipif(not lockdown.available().seccomp, reason=lockdown.available().why_not)

AN_ORDINARY_USER = "65533"
AS_A_USER = [
    *("setpriv", "--reuid", AN_ORDINARY_USER, "--regid", AN_ORDINARY_USER, "--clear-groups"),
    # The interpreter may lie in root's own folder. A worker holds no capability, whoever starts it.
    *("--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search"),
]
EVERY_ONE = [(attack, place) for attack in ATTACKS for place in attack.places]


@pytest.fixture(scope="module")
def reports() -> dict[str, dict[str, Any]]:
    """What became of every attack, by who ran them; one after the other."""
    command = [sys.executable, "-m", "tests.security.runner"]
    commands = {"user": command}
    if os.getuid() == 0:
        commands = {"root": command, "user": [*AS_A_USER, *command]}
    folder = Path(__file__).parents[2]
    reports = {}
    for user, command in commands.items():
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        reports[user] = json.loads(done.stdout)
    return reports


@pytest.fixture(scope="module", params=["root", "user"])
def report(request: pytest.FixtureRequest, reports: dict[str, dict[str, Any]]) -> dict[str, Any]:
    if request.param not in reports:
        pytest.skip("not running as root")
    return reports[request.param]


def test_there_are_attacks_enough() -> None:
    names = [attack.name for attack in ATTACKS]
    assert len(set(names)) == len(names)
    assert all(sum(place in attack.places for attack in ATTACKS) >= 40 for place in ("tool", "verifier", "program"))
    assert all(attack.expected(place) for attack, place in EVERY_ONE)


@pytest.mark.parametrize(("attack", "place"), EVERY_ONE, ids=[f"{a.name}-as-{place}" for a, place in EVERY_ONE])
def test_an_attack_is_denied_and_nobody_else_notices(report: dict[str, Any], attack: Attack, place: Place) -> None:
    verdict = report["verdicts"][f"{attack.name} as {place}"]
    assert attack.expected(place) in verdict["said"], f"to be denied because {attack.layer}"
    assert verdict["recovered"], "the next call of the same session does not work"
    assert verdict["unchanged"], "the session's database was changed"
    assert verdict["bystander"], "a session of another environment was disturbed"


def test_the_supervisor_and_its_machine_are_as_before(report: dict[str, Any]) -> None:
    assert report["user"] == os.getuid() or report["user"] == int(AN_ORDINARY_USER)
    assert report["survivors"] == {"zygote": True, "bystander": True}
    assert report["orders"] == len(EVERY_ONE)
    assert report["descriptors_kept"] == 0
    assert report["files"] == ["precious", "unix"]
    assert report["children"] == []
    assert report["peak_mb"] < 200


REAL = [
    *("reads_a_file", "lists_a_folder", "asks_whether_a_file_exists", "reads_the_zygotes_environment", "makes_a_pipe"),
    *("connects_by_tcp", "connects_to_a_unix_socket", "resolves_a_name", "signals_the_zygote", "asks_where_it_is"),
    *("walks_from_a_tuple_to_os", "walks_up_the_frames", "walks_up_from_a_generator", "leaves_through_re"),
    *("leaves_through_ctypes", "leaves_through_the_globals_of_a_function"),
]


async def test_without_the_sandbox_the_same_attacks_succeed() -> None:
    runtime = Runtime(RuntimeSettings(sessions_per_worker=1, call_seconds=2.0))
    runtime._processes._confine = False
    with surroundings() as here:
        async with runtime:
            bystander = await runtime.open(tiny("bystander"))
            zygote, sibling = await processes_of(runtime)
            arena = Arena(runtime, bystander, here | {"ZYGOTE": zygote, "SIBLING": sibling})
            harmless: list[tuple[Attack, Place]] = [(attack, "tool") for attack in ATTACKS if attack.name in REAL]
            assert len(harmless) == len(REAL)
            for name, verdict in (await arena.judged(harmless)).items():
                assert verdict["said"].startswith("it returned"), name


async def test_allowing_to_run_without_a_sandbox_does_not_switch_one_off() -> None:
    with surroundings() as here:
        async with Runtime(RuntimeSettings(sessions_per_worker=1, allow_unsandboxed=True)) as runtime:
            bystander = await runtime.open(tiny("bystander"))
            zygote, sibling = await processes_of(runtime)
            arena = Arena(runtime, bystander, here | {"ZYGOTE": zygote, "SIBLING": sibling})
            attack = next(attack for attack in ATTACKS if attack.name == "reads_a_file")
            (verdict,) = (await arena.judged([(attack, "tool")])).values()
            assert attack.expected("tool") in verdict["said"]

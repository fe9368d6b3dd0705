"""`envfactory verify` and `envfactory replay`: a program against a task's verifier, a recording against its world."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster import examples
from envfactory_dagster.authoring.environment import BuiltEnvironment
from envfactory_dagster.contracts.base import Artifact
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.trajectory import Trajectory
from envfactory_dagster.contracts.truth import (
    GatedVerifier,
    ReferenceSolution,
    SolutionSet,
    TaskGate,
    Verifier,
    VerifierSet,
)
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.truth.execution import run_solution
from tests.commands.terminal import Said
from tests.support.reports import RETURNED, report
from tests.support.tiny import tiny
from tests.truth.episodes import recorded

HUTS = examples.load("alpine_huts")
TASK = "nephew_alone"
Typed = Callable[..., Said]


SAYS_17 = {
    "outcome": "refused",
    "answers": {"age_to_go_alone": 17},
    "reason": "minors_with_guardian",
    "message": "He is too young.",
}


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Path]:
    """A solution file."""

    def write(source: str) -> Path:
        path = tmp_path / "solution.py"
        path.write_text(source)
        return path

    return write


def test_a_solution_passes(type_here: Typed, tmp_path: Path, program: Callable[[str], Path]) -> None:
    path = program(HUTS.solutions[TASK])
    done = type_here(tmp_path, "verify", "alpine-huts", "--task", TASK, "--solution", str(path))
    assert done.status == 0, done.err
    assert done.out.startswith("score 1\n")
    said = type_here(tmp_path, "verify", "alpine-huts", "--task", TASK, "--solution", str(path), "--json").json()
    assert (said["score"], said["reasons"], said["error"]) == (1.0, [], None)
    assert [call["tool"] for call in said["calls"]] == ["list_companions", "search_tours", "sign_up_for_tour"]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (f"def solve(tools):\n    return {SAYS_17}", "goal not reached: says from what age"),
        ("def solve(tools):\n    return 'Done.'", "The program failed: solve returned no dict"),
        ("def solve(tools):\n    return '18' + 1", "The program failed: "),
        ("def solve(tools:", "The program failed: "),
        ("open('reward.txt', 'w')\ndef solve(tools):\n    return '18'", "The program failed: "),
    ],
)
def test_what_does_not_do_the_task_fails_with_a_reason(
    type_here: Typed, tmp_path: Path, program: Callable[[str], Path], source: str, reason: str
) -> None:
    path = str(program(source))
    said = type_here(tmp_path, "verify", "alpine-huts", "--task", TASK, "--solution", path, "--json")
    assert said.status == 1
    assert said.json()["score"] < 1.0
    assert any(one.startswith(reason) for one in said.json()["reasons"]), said.json()["reasons"]
    assert reason in type_here(tmp_path, "verify", "alpine-huts", "--task", TASK, "--solution", path).out


def test_what_the_program_did_is_counted(type_here: Typed, tmp_path: Path, program: Callable[[str], Path]) -> None:
    path = str(program("def solve(tools):\n    tools.list_companions()"))
    said = type_here(tmp_path, "verify", "alpine-huts", "--task", TASK, "--solution", path).out
    assert said.endswith("\n1 call, 0 rows changed. No report.\n")


def test_what_is_not_there_is_named(type_here: Typed, tmp_path: Path, program: Callable[[str], Path]) -> None:
    path = str(program("def solve(tools): ..."))
    unknown = type_here(tmp_path, "verify", "alpine-huts", "--task", "fly", "--solution", path)
    assert unknown.status == 2 and "no task 'fly'" in unknown.err and TASK in unknown.err
    missing = type_here(tmp_path, "verify", "alpine-huts", "--task", TASK, "--solution", path + ".txt")
    assert missing.status == 2 and "cannot be read" in missing.err


def test_verifiers_of_a_built_environment_are_those_of_its_very_version(
    type_here: Typed, tmp_path: Path, program: Callable[[str], Path]
) -> None:
    home = Home.resolve(tmp_path / "home")
    bundle = tiny()
    bundle.tasks.extend(task for task in HUTS.tasks if task.id == TASK)
    bundle.tasks[0] = bundle.tasks[0].model_copy(update={"state": "initial"})
    BundleStore(home).keep(bundle)
    asked = ("verify", bundle.key, "--task", TASK, "--json", "--solution")
    path = str(program(f"def solve(tools):\n    tools.place_order(item_id=2)\n    return {RETURNED}"))
    assert type_here(home.root, *asked, path).status == 2, "nothing was verified yet"
    _keep_verifier(home, bundle.version, "def goal_ordered(world) -> bool:\n    return len(world.changes) == 2\n")
    assert type_here(home.root, *asked, path).json()["score"] == 1.0
    _keep_verifier(home, "an older version", "def goal_said(world) -> bool:\n    return True\n")
    assert "has no verifier" in type_here(home.root, *asked, path).err


def _keep_verifier(home: Home, version: str, source: str) -> None:
    """The records of an environment of this version, and of the verifier that was made for it."""
    verifier = GatedVerifier(
        verifier=Verifier(task=TASK, source=source), gate=TaskGate(task=TASK, trials=[], passed=True)
    )
    built = BuiltEnvironment(key="tiny-shop", version=version, path="", tables=3, rows={}, tools=5, tasks=1)
    solution = ReferenceSolution(task=TASK, source="-", report=report(), calls=[], changes=[], state_hash="")
    artifacts: dict[str, Artifact] = {
        "environment": built,
        "reference_solutions": SolutionSet(solutions=[solution]),
        "verifiers": VerifierSet(verifiers=[verifier]),
    }
    for stage, artifact in artifacts.items():
        parents: dict[str, str | None] = {"environment": version} if stage != "environment" else {}
        RecordStore(home).keep(
            StageRecord(
                stage=stage,
                partition="tiny-shop",
                status="ok",
                inputs=version,
                version=version,
                parents=parents,
                artifact=artifact.model_dump(mode="json"),
            )
        )


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A true recording of the reference solution."""

    async def record() -> Trajectory:
        task = next(task for task in HUTS.tasks if task.id == TASK)
        async with Runtime() as runtime:
            run = await run_solution(runtime, HUTS, task, HUTS.solutions[TASK], HUTS.answer_forms[TASK])
            return recorded(HUTS, task, run)

    path = tmp_path / "trajectory.json"
    path.write_text(asyncio.run(record()).model_dump_json())
    return path


def test_a_true_recording_is_reproduced(type_here: Typed, tmp_path: Path, recording: Path) -> None:
    done = type_here(tmp_path, "replay", str(recording))
    assert done.status == 0, done.err
    assert done.out == "reproduced: 4 observations compared\nscore 1\n"
    said = type_here(tmp_path, "replay", str(recording), "--environment", "alpine-huts", "--json").json()
    assert (said["outcome"], said["reproduced"], said["verdict"]["score"]) == ("reproduced", True, 1.0)


def test_every_recording_of_a_file_of_many_is_played(type_here: Typed, tmp_path: Path, recording: Path) -> None:
    told = json.loads(recording.read_text())
    tampered = json.loads(recording.read_text())
    tampered["steps"][1]["observations"][0]["value"] = {"tour_dates": []}
    many = tmp_path / "many.jsonl"
    many.write_text("\n".join([json.dumps(told), json.dumps(tampered), ""]))
    done = type_here(tmp_path, "replay", str(many))
    assert done.status == 1
    assert done.out.startswith("reproduced: 4 observations compared\nscore 1\n")
    assert "observation_differs: step 1: search_tours" in done.out


def test_a_tampered_recording_is_not(type_here: Typed, tmp_path: Path, recording: Path) -> None:
    told = json.loads(recording.read_text())
    told["steps"][1]["observations"][0]["value"] = {"tour_dates": []}
    recording.write_text(json.dumps(told))
    said = type_here(tmp_path, "replay", str(recording), "--json")
    assert said.status == 1
    assert [(one["kind"], one["step"]) for one in said.json()["findings"]] == [("observation_differs", 1)]
    assert said.json()["verdict"]["score"] == 0.0
    assert "observation_differs: step 1: search_tours" in type_here(tmp_path, "replay", str(recording)).out


def test_an_empty_file_of_many_is_refused(type_here: Typed, tmp_path: Path) -> None:
    many = tmp_path / "many.jsonl"
    for content in ("", "\n \n"):
        many.write_text(content)
        refused = type_here(tmp_path, "replay", str(many))
        assert (refused.status, refused.err) == (2, f"envfactory: There is no trajectory in {many}: it is empty.\n")


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda told: "{", " is no trajectory: Invalid JSON"),
        (lambda told: json.dumps(told | {"steps": 1}), " is no trajectory: steps: "),
        (lambda told: json.dumps(told | {"environment": "nowhere"}), ": There is no environment 'nowhere'"),
    ],
)
def test_a_wrong_line_of_a_file_of_many_is_named(
    type_here: Typed, tmp_path: Path, recording: Path, spoil: Callable[[dict[str, Any]], str], told: str
) -> None:
    many = tmp_path / "many.jsonl"
    many.write_text("\n".join([recording.read_text(), "", spoil(json.loads(recording.read_text())), ""]))
    refused = type_here(tmp_path, "replay", str(many))
    assert refused.status == 2
    assert refused.err.startswith(f"envfactory: {many}, line 3{told}")
    assert "line 1" not in refused.err


@pytest.mark.parametrize("content", ["", '{"steps": [', "[]", '{"environment": "../up"}', "[" * 100_000])
def test_what_is_no_recording_is_refused(type_here: Typed, tmp_path: Path, content: str) -> None:
    path = tmp_path / "trajectory.json"
    path.write_text(content)
    refused = type_here(tmp_path, "replay", str(path))
    assert refused.status == 2
    assert refused.err.startswith(f"envfactory: {path} is no trajectory")
    assert type_here(tmp_path, "replay", str(path) + ".gz").status == 2

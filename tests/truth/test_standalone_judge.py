"""The bundle's own judge: nothing but the standard library, and the runtime's verdict on every end."""

import ast
import json
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster import library
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.truth import Verdict, Verifier
from envfactory_dagster.runtime.bundle_scripts import judge_source
from envfactory_dagster.runtime.check_screen import beyond_checks
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth import gate
from envfactory_dagster.truth.execution import Run
from envfactory_dagster.truth.verdicts import TaskChecks, judge_many
from tests.truth.references import reference

Judged = list[tuple[Run, Verdict]]


@pytest.fixture(scope="module")
def folder(huts: Bundle, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return huts.write(tmp_path_factory.mktemp("bundles") / huts.key)


def run(folder: Path, script: str, *arguments: str, given: str = "") -> "subprocess.CompletedProcess[str]":
    """A script of the folder in a Python that sees no installed package at all."""
    command = [sys.executable, "-I", "-S", str(folder / script), *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=False)


def verdict_of(folder: Path, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(folder, "judge.py", *arguments).stdout)
    return found


def judged_apart(folder: Path, scratch: Path, task: str, end: Run) -> dict[str, Any]:
    report = end.report.model_dump() if end.report is not None else None
    calls = [call.model_dump(mode="json") for call in end.calls]
    (scratch / "episode.json").write_text(json.dumps({"task": task, "report": report, "calls": calls}))
    (scratch / "final.sqlite").write_bytes(end.final)
    return verdict_of(folder, "--episode", str(scratch))


def test_its_parts_do_not_overwrite_each_other() -> None:
    tree = ast.parse(judge_source())
    names: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.append(node.target.id)
    assert sorted(names) == sorted(set(names))
    imported = {a.name.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    imported |= {(n.module or "").split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert imported <= set(sys.stdlib_module_names)


@pytest.mark.parametrize("task", ["sprained_ankle", "last_morning"])
async def test_its_verdict_is_the_runtimes_in_trials_of_the_gate(
    runtime: Runtime,
    huts: Bundle,
    tasks: dict[str, Task],
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    task: str,
) -> None:
    judged: Judged = []

    async def remembering(runtime: Runtime, checks: TaskChecks, runs: Sequence[Run]) -> list[Verdict]:
        verdicts = await judge_many(runtime, checks, runs)
        judged.extend(zip(runs, verdicts, strict=True))
        return verdicts

    monkeypatch.setattr(gate, "judge_many", remembering)
    gold = await reference(runtime, huts, tasks[task])
    verifier = Verifier(task=task, source=huts.verifiers[task])
    tried = await gate.try_verifier(runtime, huts, tasks[task], gold, verifier)

    assert tried.passed
    assert len(judged) >= 20
    for end, verdict in judged[::5]:  # benchmarks/exchange.py goes through all of them
        apart = judged_apart(folder, tmp_path, task, end)
        assert (apart["status"], apart["score"], apart["reasons"]) == ("judged", verdict.score, verdict.reasons)


async def test_an_episode_that_the_server_left_is_judged(
    huts: Bundle, folder: Path, tmp_path: Path, runtime: Runtime, tasks: dict[str, Task]
) -> None:
    gold = await reference(runtime, huts, tasks["best_hut_in_reach"])
    wanted = [(call.tool, call.arguments) for call in gold.calls] + [("finish", gold.report.model_dump())]
    lines = [
        {"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        for n, (tool, arguments) in enumerate([*wanted, ("finish", {})])
    ]
    served = run(
        folder,
        "server.py",
        "--task",
        "best_hut_in_reach",
        "--episode",
        str(tmp_path / "left"),
        given="\n".join(map(json.dumps, lines)),
    )
    *_, taken, late = [json.loads(line)["result"] for line in served.stdout.splitlines()]
    assert taken["structuredContent"] == {"report": "taken"}
    assert late["content"][0]["text"] == "the report is handed in, and the work is over"
    assert verdict_of(folder, "--episode", str(tmp_path / "left"))["score"] == 1.0


def test_a_server_for_a_task_lists_finish_with_its_form(folder: Path) -> None:
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    listed = json.loads(run(folder, "server.py", "--task", "best_hut_in_reach", given=asked).stdout)["result"]["tools"]
    answers = listed[-1]["inputSchema"]["properties"]["answers"]["properties"]
    assert (listed[-1]["name"], "vegetarian_dinner" in answers) == ("finish", True)
    plain = json.loads(run(folder, "server.py", given=asked).stdout)["result"]["tools"]
    assert [tool["name"] for tool in plain] == [tool["name"] for tool in listed[:-1]]


def test_what_is_said_of_an_unreadable_report(folder: Path, huts: Bundle, tmp_path: Path) -> None:
    (tmp_path / "final.sqlite").write_bytes(huts.states["initial"].image)
    (tmp_path / "report.json").write_text('{"outcome": "done", "answers": {}, "reason": null, "message": ""}')
    ends = ["--final", str(tmp_path / "final.sqlite")]
    wrong = verdict_of(folder, "sprained_ankle", *ends, "--report", str(tmp_path / "report.json"))
    assert (wrong["status"], wrong["score"]) == ("judged", 0.0)
    assert wrong["reasons"][0].startswith("The report cannot be read: ")
    none = verdict_of(folder, "sprained_ankle", *ends, "--no-report")
    assert (none["score"], none["reasons"]) == (0.0, ["There is no report."])


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ("other tables", "the final database has other tables than this environment"),
        ("no database", "final.sqlite cannot be read: No such file or directory"),
        ("an edited verifier", "verifiers/sprained_ankle.py does not match the hash in manifest.json"),
        ("no such task", "there is no task 'no_such_task'"),
        ("no JSON", "manifest.json is damaged"),
        ("no object", "manifest.json is damaged"),
        ("no files", "manifest.json is damaged"),
        ("no text", "manifest.json is damaged"),
    ],
)
def test_nobody_scores_0_for_a_failure_of_the_judge(huts: Bundle, tmp_path: Path, broken: str, reason: str) -> None:
    folder = huts.write(tmp_path / huts.key)
    final = tmp_path / "final.sqlite"
    if broken == "other tables":
        with sqlite3.connect(final) as other:
            other.execute("CREATE TABLE other (id INTEGER PRIMARY KEY)")
        other.close()
    elif broken != "no database":
        final.write_bytes(huts.states["initial"].image)
    if broken == "an edited verifier":
        (folder / "verifiers/sprained_ankle.py").write_text("def goal_any(world):\n    return True\n")
    manifests = {"no JSON": b"{", "no object": b"[1]", "no files": b'{"states": {}}', "no text": b"\xff"}
    if broken in manifests:
        (folder / "manifest.json").write_bytes(manifests[broken])
    task = "no_such_task" if broken == "no such task" else "sprained_ankle"
    done = run(folder, "judge.py", task, "--final", str(final), "--no-report")
    said = json.loads(done.stdout)
    assert (done.returncode, said["status"]) == (2, "invalid")
    assert reason in said["reason"]


def test_a_check_that_never_ends_is_no_verdict(huts: Bundle, tmp_path: Path) -> None:
    source = "def goal_forever(world):\n    while True:\n        pass\n"
    hanging = replace(huts, verifiers={**huts.verifiers, "sprained_ankle": source})
    folder = hanging.write(tmp_path / huts.key)
    script = (folder / "judge.py").read_text().replace("MOST_SECONDS = 30", "MOST_SECONDS = 1")
    (folder / "judge.py").write_text(script)
    final = tmp_path / "final.sqlite"
    final.write_bytes(huts.states["initial"].image)
    said = verdict_of(folder, "sprained_ankle", "--final", str(final), "--no-report")
    assert said["status"] == "invalid"


NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT %d) SELECT %s FROM n"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return len([0] * 10**10) > 0", "MemoryError"),
        ("return world.final.query(ROWS) != []", "a query returned more than 10000 rows"),
        ("return world.final.query(STEPS) != []", "a query took too many steps"),
        ("return world.final.one('SELECT 1 AS one')['two']", "KeyError"),
        ("return 1", "neither True nor False"),
        ("world.changes.append(1); return True", "changed what it was shown"),
    ],
)
@pytest.mark.parametrize("asked", ["--no-report", "--report"])
def test_a_check_that_says_neither_yes_nor_no_is_no_verdict(
    huts: Bundle, tmp_path: Path, body: str, reason: str, asked: str
) -> None:
    said = judged_by(huts, tmp_path, f"def goal_any(world):\n    {body}\n", asked)
    assert (said["status"], reason in said["reason"]) == ("invalid", True), said


@pytest.mark.parametrize(
    ("query", "reason"), [("ROWS", "more than 10000 rows"), ("STEPS", "a query took too many steps")]
)
def test_a_check_cannot_hide_that_it_ran_into_a_limit(huts: Bundle, tmp_path: Path, query: str, reason: str) -> None:
    hides = f"    try:\n        return world.final.query({query}) != []\n    except Exception:\n        return False\n"
    said = judged_by(huts, tmp_path, f"def goal_any(world):\n{hides}", "--report")
    assert (said["status"], reason in said["reason"]) == ("invalid", True), said


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return world.report._answers == {}", "line 5: ._answers is private"),
        ("return getattr(world, 'report') is not None", "line 5: getattr is not for checks"),
        ("import json; return json.codecs is not None", "line 5: json.codecs is another module"),
        ("return __builtins__ is not None", "line 5: __builtins__ is not for checks"),
        ("from re import enum; return True", "line 5: re.enum is another module"),
        ("return (one for one in ()).gi_frame is not None", "line 5: .gi_frame is private"),
        ("return True; import os", "line 5: os may not be imported"),
    ],
)
def test_a_check_that_reaches_beyond_what_it_is_shown_is_not_run(
    huts: Bundle, tmp_path: Path, body: str, reason: str
) -> None:
    said = judged_by(huts, tmp_path, f"def goal_any(world):\n    {body}\n", "--report")
    assert (said["status"], reason in said["reason"]) == ("invalid", True), said


def test_nothing_that_is_written_here_reaches_beyond_what_checks_are_shown(huts: Bundle) -> None:
    worlds = Path(library.__file__).parent / "worlds"
    sources = [*huts.verifiers.values(), *(path.read_text() for path in worlds.glob("*/verifiers/*.py"))]
    assert len(sources) > 100
    assert [beyond for source in sources if (beyond := beyond_checks(source))] == []


def test_the_sandbox_gives_the_same_verdicts(folder: Path, huts: Bundle, tmp_path: Path) -> None:
    final, report = tmp_path / "final.sqlite", tmp_path / "report.json"
    final.write_bytes(huts.states["initial"].image)
    report.write_text('{"outcome": "impossible", "answers": {}, "reason": null, "message": "It is not possible."}')
    for task, given in (("sprained_ankle", ["--no-report"]), ("last_morning", ["--report", str(report)])):
        asked = [str(folder / "judge.py"), task, "--final", str(final), *given]
        here = [subprocess.run([sys.executable, *asked, *more], capture_output=True) for more in ([], ["--sandbox"])]
        alone, sandboxed = (json.loads(done.stdout) for done in here)
        assert alone == sandboxed and alone["status"] == "judged"


def test_the_sandbox_has_to_be_installed(folder: Path, huts: Bundle, tmp_path: Path) -> None:
    (tmp_path / "final.sqlite").write_bytes(huts.states["initial"].image)
    said = verdict_of(folder, "sprained_ankle", "--final", str(tmp_path / "final.sqlite"), "--no-report", "--sandbox")
    assert said["status"] == "invalid" and "--sandbox needs envfactory_dagster in this Python" in said["reason"]


def judged_by(huts: Bundle, scratch: Path, check: str, asked: str) -> dict[str, Any]:
    """What judge.py says of an untouched world where the task is judged by this check."""
    source = f"ROWS = {NUMBERS % (10_001, 'i')!r}\nSTEPS = {NUMBERS % (10**9, 'max(i)')!r}\n\n{check}"
    folder = replace(huts, verifiers={**huts.verifiers, "sprained_ankle": source}).write(scratch / huts.key)
    final, report = scratch / "final.sqlite", scratch / "report.json"
    final.write_bytes(huts.states["initial"].image)
    report.write_text('{"outcome": "impossible", "answers": {}, "reason": null, "message": "It is not possible."}')
    given = ["--no-report"] if asked == "--no-report" else ["--report", str(report)]
    done = run(folder, "judge.py", "sprained_ankle", "--final", str(final), *given)
    said: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (0 if said["status"] == "judged" else 2)
    return said


def test_a_process_that_cannot_be_started_is_no_verdict(huts: Bundle, tmp_path: Path) -> None:
    folder = huts.write(tmp_path / huts.key)
    script = (folder / "judge.py").read_text().replace("[sys.executable,", '["/no/such/python",')
    (folder / "judge.py").write_text(script)
    (tmp_path / "final.sqlite").write_bytes(huts.states["initial"].image)
    done = run(folder, "judge.py", "sprained_ankle", "--final", str(tmp_path / "final.sqlite"), "--no-report")
    said = json.loads(done.stdout)
    assert (done.returncode, said["status"]) == (2, "invalid")
    assert said["reason"] == "the process of the checks cannot be started: No such file or directory"


WITH_OLD_SQLITE = """
import runpy, sqlite3, sys
sqlite3.sqlite_version, sqlite3.sqlite_version_info = "3.39.5", (3, 39, 5)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_an_older_sqlite_is_no_verdict(folder: Path, huts: Bundle, tmp_path: Path) -> None:
    (tmp_path / "final.sqlite").write_bytes(huts.states["initial"].image)
    asked = [str(folder / "judge.py"), "sprained_ankle", "--final", str(tmp_path / "final.sqlite"), "--no-report"]
    command = [sys.executable, "-I", "-S", "-c", WITH_OLD_SQLITE, *asked]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    reason = "this Python has SQLite 3.39.5; 3.40 or newer is needed"
    assert (done.returncode, json.loads(done.stdout)) == (2, {"status": "invalid", "reason": reason})


def test_an_episode_of_another_shape_is_no_verdict(folder: Path, huts: Bundle, tmp_path: Path) -> None:
    (tmp_path / "final.sqlite").write_bytes(huts.states["initial"].image)
    for episode in ("[]", '{"task": "sprained_ankle"}', '{"task": [], "report": null, "calls": []}', "[" * 100_000):
        (tmp_path / "episode.json").write_text(episode)
        done = run(folder, "judge.py", "--episode", str(tmp_path))
        assert (done.returncode, json.loads(done.stdout)["status"]) == (2, "invalid"), episode[:50]

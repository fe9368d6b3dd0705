"""Exports played as an agent would, without the other projects' packages.

Belongs here: for each form that can be judged that way, the reference solution and an idle agent on every task. Six
forms are played through the `episode.py` that they carry (TRL's through its class), Harbor's folders through their own
server and `test.sh`, with processes for containers. Inspect's needs its package. Does not: figures (`exchange`).
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from envfactory_dagster.exchange.exporting import Exportable
from tests.exchange.test_exporting import ended, reward, world_of

AT_ONCE = 2
WITHOUT_THEIR_PACKAGES = ("harbor", "hub", "nemo-gym", "openenv", "skyrl", "trl", "verifiers", "verl")
Valid = dict[str, float]
"""`gold`: the share of tasks whose solution scores 1. `noop`: of those where doing nothing, and reporting it as done
where there is a report, scores less."""

PLAY = """
import json, sys
from pathlib import Path
folder, task, given = Path(sys.argv[1]), sys.argv[2], json.load(sys.stdin)
sys.path.insert(0, str(folder))
import episode
if "solution" in given:
    verdict = episode.solve(folder / "bundle", task, given["solution"])
else:
    verdict = episode.replay(folder / "bundle", task, given["calls"])
print(json.dumps(verdict.get("score")))
"""

PLAY_TRL = """
import json, sys
sys.path.insert(0, sys.argv[1])
import environment
given = json.load(sys.stdin)
[row] = [row for row in environment.rows() if row["task"] == sys.argv[2]]
world = environment.worlds()[row["environment"]]()
world.reset(**row)

class Tools:
    class Error(Exception):
        pass

    def __getattr__(self, name):
        def call(**arguments):
            said = json.loads(getattr(world, name)(**arguments))
            if list(said) == ["error"]:
                raise Tools.Error(said["error"])
            return said
        return call

calls = given.get("calls", [])
if "solution" in given:
    namespace = {}
    exec(compile(given["solution"], "solution", "exec"), namespace)
    calls = [{"name": environment._FINISH, "arguments": namespace["solve"](Tools())}]
for call in calls:
    getattr(world, call["name"])(**{name: one for name, one in call["arguments"].items() if one is not None})
print(json.dumps(environment.verdicts([], [world])[0]))
"""


def valid(subject: Exportable, form: str, folder: Path) -> Valid:
    """Of one export."""
    play = _in_harbor if form in ("harbor", "hub") else _in_episode
    tasks = [task.id for task in subject.tasks if task.id in subject.bundle.solutions]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        gold = list(pool.map(lambda task: play(subject, form, folder, task, True) == 1.0, tasks))
        idle = list(pool.map(lambda task: play(subject, form, folder, task, False), tasks))
        noop = [score is not None and score < 1.0 for score in idle]
    return {"gold": sum(gold) / len(gold), "noop": sum(noop) / len(noop)}


def _in_episode(subject: Exportable, form: str, folder: Path, task: str, is_gold: bool) -> float | None:
    [place] = (path.parent for path in folder.rglob("episode.py"))
    given = {"solution": subject.bundle.solutions[task]} if is_gold else {"calls": [_idle_report(subject, task)]}
    command = [sys.executable, "-I", "-S", "-c", PLAY_TRL if form == "trl" else PLAY, str(place), task]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, timeout=120, check=True)
    score: float | None = json.loads(done.stdout)
    return score


def _idle_report(subject: Exportable, task: str) -> dict[str, object]:
    answers = {field.name: None for field in subject.bundle.answer_forms[task].fields}
    report = {"outcome": "done", "answers": answers, "reason": None, "message": "It is done."}
    return {"name": subject.generic_finish()["name"], "arguments": report}


def _in_harbor(subject: Exportable, form: str, folder: Path, task: str, is_gold: bool) -> float:
    place = folder / ("harbor" if form == "hub" else "") / task
    with tempfile.TemporaryDirectory() as scratch:
        (episode := Path(scratch) / "episode").mkdir()
        with world_of(place, episode) as (url, process):
            if is_gold:
                solve = ["sh", str(place / "solution" / "solve.sh")]
                subprocess.run(solve, env=os.environ | {"WORLD": url}, check=True)
            ended(process, episode)
        return reward(place, episode, Path(scratch) / "logs")


def means(of_each: Sequence[tuple[int, dict[str, Valid]]]) -> dict[str, dict[str, float]]:
    """From the shares of environments, each with its number of tasks, to those of all their tasks."""
    tasks = sum(number for number, _ in of_each)
    return {
        f"{what}_valid": {
            form: sum(number * found[form][what] for number, found in of_each) / tasks
            for form in WITHOUT_THEIR_PACKAGES
        }
        for what in ("gold", "noop")
    }

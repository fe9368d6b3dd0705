"""What a policy loses, and gains, when it is shown the latest exchanges of an episode instead of all of them.

    python -m benchmarks.history [--json] [--folder F] [--environments 450] [--minutes 24] [--play 15]

One policy learns in three rounds from demonstrations of up to five calls (`learning_ground`, tasks of levels 1 to 3),
seeing all that came before. From there GRPO plays tasks of three calls and more for `--play` minutes: once shown
everything, once the latest three exchanges, once the latest one; the first exchange always stays. Each message is
trained on exactly what it was shown. All policies are examined on tasks of three calls and more in environments they
have not seen: as they were trained, and the one that was trained on everything with less as well, to tell what comes of
the training. A window of three leaves something out from the sixth message on, of one from the fourth: gains are of
tasks that need so many. Every run has one core, and but for examinations there is one at a time.

A folder that has begun is gone on with: what is finished there is not done again.
"""

import argparse
import asyncio
import json
import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import Any

import orjson

from benchmarks.learning_ground import Ground, GroundSettings, evenly, prepare
from benchmarks.learning_runs import ROUNDS, Runs
from envfactory_dagster.rollouts.results import TaskResult, compared
from trainer.comparing import read_results

Figures = dict[str, Any]
WINDOWS = {"all": None, "three": 3, "one": 1}
WAYS = ("greedy", "sampled")
SPLIT = "held_out"
GROUND = 6
LEAST_CALLS = 3
_ROUNDS = ROUNDS[:3]
MOST_TASKS = 300
"""Of the examination."""
LONGEST = 1_600
"""Tokens of an example: nearly all of five calls and an answer have fewer."""


def measure(folder: Path, environments: int, minutes: float, play: float) -> Figures:
    ground = asyncio.run(prepare(folder, GroundSettings(environments, 16, GROUND, (1, 2, 3))))
    _same_times(folder / "times.json", {"minutes": minutes, "play": play})
    runs = Runs(ground, _longer_tasks(ground), folder / "runs", 0)
    steps = round(minutes * runs.steps_per_minute(ground.sft, longest=LONGEST))
    begin = runs.rounds(ground.sft, steps, _ROUNDS, longest=LONGEST)[-1]
    grown = {name: runs.grpo(f"grpo-{name}", play, begin, window=window) for name, window in WINDOWS.items()}
    policies = {"sft": begin} | {f"grpo-{name}": policy for name, policy in grown.items() if policy is not None}
    exams = [(name, shown) for name in policies for shown in WINDOWS if name in ("sft", "grpo-all", f"grpo-{shown}")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for one in [pool.submit(runs.exam, _exam(*one), policies[one[0]], window=WINDOWS[one[1]]) for one in exams]:
            one.result()
    return {
        "ground": ground.figures,
        "sft_steps": steps,
        "sft_minutes": [round(runs.training_minutes(name), 1) for name in _ROUNDS],
        "grpo": {name: _of_training(runs, name) for name in policies if name != "sft"},
        "exams": {f"{name}, shown {shown}": _examined(runs, _exam(name, shown)) for name, shown in exams},
        "gains": {shown: _gains(runs, shown, policies) for shown in WINDOWS if shown != "all"},
    }


def _same_times(path: Path, times: Figures) -> None:
    """A run that had another time is another run."""
    if path.is_file() and json.loads(path.read_text()) != times:
        raise SystemExit(f"{path.parent} was begun with other times ({path}). Choose another --folder.")
    path.write_text(json.dumps(times))


def _longer_tasks(ground: Ground) -> Path:
    """Those that are played, and so many to be examined on, evenly from all of these."""
    rows = [row for row in map(orjson.loads, ground.rl.read_bytes().splitlines()) if _calls(row) >= LEAST_CALLS]
    played, held = ([row for row in rows if row["trace"]["split"] == split] for split in ("rl", SPLIT))
    if not played or not held:
        raise SystemExit("There are too few environments for tasks to play and others to be examined on.")
    path = ground.folder / "longer-tasks.jsonl"
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in [*played, *evenly(held, MOST_TASKS)]))
    return path


def _calls(row: Figures) -> int:
    calls: int = row["trace"]["difficulty"]["calls"]
    return calls


def _exam(policy: str, shown: str) -> str:
    return f"{policy}-{shown}"


def _of_training(runs: Runs, name: str) -> Figures:
    """A batch is 64 episodes; `completed`: of those of its first fifth of batches, and of its last."""
    steps, played = runs.steps(name), runs.batches(name)
    fifth = -(-len(played) // 5)
    return {
        "batches": len(played),
        "seconds_a_batch": round(sum(line["step_time"] for line in steps) / len(played), 1),
        "seconds_playing": round(fmean(line["seconds/playing"] for line in played), 1),
        "samples": round(fmean(line["samples"] for line in played), 1),
        "completed": [round(fmean(one["completed"] for one in some), 4) for some in (played[:fifth], played[-fifth:])],
    }


def _examined(runs: Runs, exam: str) -> Figures:
    """Pass@1 of all tasks, and by the number of calls that their reference solutions make."""
    found: Figures = {}
    for way in WAYS:
        by_calls: dict[int, list[TaskResult]] = {}
        for calls, one in _results(runs, exam, way):
            by_calls.setdefault(calls, []).append(one)
        found[way] = {"all": _rate([one for some in by_calls.values() for one in some])}
        found[way] |= {str(calls): _rate(some) for calls, some in sorted(by_calls.items())}
    return found


def _rate(results: Sequence[TaskResult]) -> Figures:
    return {"tasks": len(results), "pass@1": round(fmean(one.pass_rate for one in results), 4)}


def _results(runs: Runs, exam: str, way: str) -> list[tuple[int, TaskResult]]:
    """How many calls a task needs, and how it went."""
    calls = {
        (row["trace"]["environment"], row["trace"]["task"]): _calls(row)
        for row in map(orjson.loads, runs.tasks.read_bytes().splitlines())
    }
    of_split = read_results(runs.folder / f"exam-{exam}", way)[SPLIT]
    return [(calls[one.environment, one.task], one) for one in of_split if one.played]


def _gains(runs: Runs, shown: str, policies: Figures) -> Figures:
    """In points, with intervals over environments, paired by task, where less is shown than all."""
    window = WINDOWS[shown]
    assert window is not None
    pairs = {
        "shown less": ("sft-all", f"sft-{shown}"),
        "trained and shown less": ("grpo-all-all", f"grpo-{shown}-{shown}"),
        "trained as shown, not on all": (f"grpo-all-{shown}", f"grpo-{shown}-{shown}"),
    }
    there = {name: pair for name, pair in pairs.items() if all(one.rpartition("-")[0] in policies for one in pair)}
    return {name: {way: _gain(runs, *pair, way, window + 2) for way in WAYS} for name, pair in there.items()}


def _gain(runs: Runs, before: str, after: str, way: str, least_calls: int) -> Figures | None:
    first, second = (
        [one for calls, one in _results(runs, exam, way) if calls >= least_calls] for exam in (before, after)
    )
    found = compared(first, second)
    if found is None:
        return None
    points = [round(100 * value, 1) for value in (found.gain.mean, found.gain.low, found.gain.high)]
    return {"tasks": found.tasks, "points": points}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--environments", type=int, default=450)
    parser.add_argument("--minutes", type=float, default=24.0, help="of each round of SFT")
    parser.add_argument("--play", type=float, default=15.0, help="minutes of each run of GRPO")
    parser.add_argument("--folder", type=Path, help="where everything is kept, to go on with it later")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        figures = measure(folder, given.environments, given.minutes, given.play)
        (folder / "history.json").write_text(json.dumps(figures, indent=1) + "\n")
    if given.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:12} {json.dumps(value)}")


if __name__ == "__main__":
    main()

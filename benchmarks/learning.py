"""Whether there is anything to learn: a policy from scratch, trained on our environments and examined on others.

    python -m benchmarks.learning [--json] [--quick] [--folder F] [--ground N]
                                  [--seeds 3] [--minutes 26] [--environments 450]

Makes small environments with short tasks and demonstrations (`learning_ground`; kept in `--folder`), and for each seed
runs the trainer's own commands (`learning_runs`): SFT from nothing, for as many steps as this machine does in
`--minutes` (`sft`); three times more, for as many steps each, with half the learning rate (`second`, `third`,
`fourth`); from there SFT for half as many, which is the control, and GRPO on the split `rl` for as long as the control
took. The learning rate of each comes down to nothing: that of GRPO over the steps it will have time for, by a probe of
a few. Each policy is examined on environments it has not seen: of known modules, and with tools whose code no training
environment has; once greedily and once at temperature 1. Beside it SFT from nothing on 4, 16, 64 and 256 environments,
for as many steps as on all. Every seed and size has a core to itself, as many at once as there are cores. A figure that
was not measured is null, and `why_not` says why.

`--quick`: a few environments and five minutes: that everything runs, not how well. A folder that has begun is gone on
with: what is finished there is not done again.
"""

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.learning_ground import Ground, GroundSettings, examined, prepare, some_environments
from benchmarks.learning_plots import POLICIES, draw
from benchmarks.learning_runs import ROUNDS, Exam, Runs

Figures = dict[str, Any]
KNOWN, UNSEEN = "held_out", "held_out_modules"
SPLITS = {KNOWN: "", UNSEEN: "_unseen_modules"}
WAYS = {"greedy": "", "sampled": "_sampled"}
"""What the names of figures end with."""
_MORE = 1 / 2
"""Of the steps of a round: what GRPO's control does."""
_CONTROL_RATE = 0.1
"""Of the recipe's learning rate."""


@dataclass(frozen=True, slots=True)
class Size:
    ground: GroundSettings
    minutes: float
    seeds: int
    exam_tasks: int
    """Of each held-out split, at most."""
    scaling: tuple[int, ...]


FULL = Size(GroundSettings(450, 16, 1), 26.0, 3, 400, (4, 16, 64, 256))
QUICK = Size(GroundSettings(12, 8, 1), 0.3, 1, 8, ())


def measure(folder: Path, size: Size) -> Figures:
    started, gone_on_with = time.perf_counter(), (folder / "settings.json").exists()
    ground = asyncio.run(prepare(folder, size.ground))
    tasks = examined(ground, size.exam_tasks)
    steps = round(size.minutes * Runs(ground, tasks, folder, 0).steps_per_minute(ground.sft))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        begun = [
            pool.submit(_seed, Runs(ground, tasks, folder / f"seed-{seed}", seed), steps) for seed in range(size.seeds)
        ]
        sizes = {number: pool.submit(_sized, ground, tasks, folder, steps, number) for number in size.scaling}
        seeds = [one.result() for one in begun]
        scaling = {str(number): one.result() for number, one in sizes.items()}
    figures = _over_seeds(seeds) | {"scaling": scaling or None}
    figures |= {"ground": ground.figures, "sft_steps": steps, "seeds": seeds}
    figures["minutes"] = None if gone_on_with else round((time.perf_counter() - started) / 60, 1)
    figures["why_not"] = {name: _why_not(name) for name, value in figures.items() if value is None}
    return figures


def _why_not(name: str) -> str:
    if name == "minutes":
        return "some of it was done before this call"
    if name == "scaling":
        return "no size of training set was asked for (--quick)"
    if name.startswith("grpo") or name.endswith("_share"):
        return "GRPO had no time for a step, or every group earned the same throughout, or this split has no tasks"
    return "this split has no tasks: there are too few environments"


def _seed(runs: Runs, steps: int) -> Figures:
    """Everything that depends on chance, once."""
    rows, more = runs.ground.sft, round(steps * _MORE)
    rounds = runs.rounds(rows, steps)
    control = runs.sft("control", rows, more, rounds[-1], rate=_CONTROL_RATE, lot=1, timed=True)
    allowed = runs.training_minutes("control")
    planned = runs.grpo_steps(allowed, begin=rounds[-1])
    grown = runs.grpo("grpo", allowed, begin=rounds[-1], steps=planned)
    trained = (*ROUNDS, "control") if grown is None else (*ROUNDS, "control", "grpo")
    policies = dict(zip(POLICIES, (runs.begun("sft"), *rounds, control, grown), strict=True))
    exams = {name: runs.exam(name, policy) for name, policy in policies.items() if policy is not None}
    return {
        "parameters": runs.result("sft")["parameters"],
        "exams": {name: exam.shown() for name, exam in exams.items()},
        "grpo_gain": {way: runs.gain("control", "grpo", way) for way in WAYS} if grown is not None else {},
        "environment_time_share": runs.share("grpo", "environments"),
        "session_wait_share": runs.share("grpo", "sessions"),
        "training_minutes": {name: round(runs.training_minutes(name), 1) for name in trained},
        "grpo_batches": len(runs.batches("grpo")),
        "grpo_steps": {"done": len(runs.steps("grpo")), "planned": planned},
    }


def _over_seeds(seeds: Sequence[Figures]) -> Figures:
    def rate(exam: str, split: str, way: str) -> float | None:
        return _mean([one["exams"].get(exam, {}).get(split, {}).get(way, {}).get("pass@1") for one in seeds])

    def gains(split: str, way: str) -> list[Any] | None:
        found = [one["grpo_gain"].get(way, {}).get(split) for one in seeds]
        return found if any(found) else None

    ends = [(split, way, f"{of_split}{of_way}") for split, of_split in SPLITS.items() for way, of_way in WAYS.items()]
    return {
        **{f"{exam}_pass1{end}": rate(exam, split, way) for exam in POLICIES for split, way, end in ends},
        **{f"grpo_gain{end}_by_seed": gains(split, way) for split, way, end in ends},
        "heldout_environments": seeds[0]["exams"]["sft"].get(KNOWN, {}).get("environments"),
        "parameters": seeds[0]["parameters"],
        "environment_time_share": _mean([one["environment_time_share"] for one in seeds]),
        "session_wait_share": _mean([one["session_wait_share"] for one in seeds]),
    }


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(fmean(known), 4) if known else None


def _sized(ground: Ground, tasks: Path, folder: Path, steps: int, number: int) -> Figures | str:
    """Greedy pass@1 by split after training on so many environments."""
    rows = some_environments(ground, number)
    if rows is None:
        return f"there are fewer than {number} training environments"
    runs = Runs(ground, tasks, folder / f"environments-{number}", 0)
    exam: Exam = runs.exam("sft", runs.sft("sft", rows, steps))
    return {split: ways["greedy"]["pass@1"] for split, ways in exam.shown().items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="five minutes: only that everything runs")
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--minutes", type=float, help="of each round of SFT; GRPO and its control take half as long")
    parser.add_argument("--environments", type=int)
    parser.add_argument("--ground", type=int, default=1, help="another number gives other tasks, examined elsewhere")
    parser.add_argument("--folder", type=Path, help="where everything is kept, to go on with it later")
    given = parser.parse_args()
    base = QUICK if given.quick else FULL
    ground = GroundSettings(given.environments or base.ground.environments, base.ground.tasks, given.ground)
    size = Size(ground, given.minutes or base.minutes, given.seeds or base.seeds, base.exam_tasks, base.scaling)
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        figures = measure(folder, size)
        (folder / "learning.json").write_text(json.dumps(figures, indent=1) + "\n")
        draw(figures, (KNOWN, UNSEEN), folder / "learning.png")
    if given.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:28} {value}")


if __name__ == "__main__":
    main()

"""Whether there is anything to learn: a policy from scratch, trained on our environments and examined on others.

    python -m benchmarks.learning [--json] [--quick] [--folder F] [--ground N]
                                  [--seeds 3] [--minutes 60] [--environments 360]

Makes small environments with short tasks and demonstrations (`learning_ground`; kept in `--folder`), and for each seed
runs the trainer's own commands (`learning_runs`): SFT from nothing for `--minutes`, then for a third of that time GRPO
on the split `rl`, and from the same policy as long SFT as its control. Each policy is examined on environments it has
not seen: of known modules, and with tools whose code no training environment has. Beside it SFT on 4, 16, 64 and 256
environments, each as long. Every seed and size has a core to itself, as many at once as there are cores. A figure that
was not measured is null, and `why_not` says why.

`--quick`: a few environments and three minutes: that everything runs, not how well. A folder that has begun is gone on
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
from benchmarks.learning_plots import draw
from benchmarks.learning_runs import Exam, Runs

Figures = dict[str, Any]
KNOWN, UNSEEN = "held_out", "held_out_modules"


@dataclass(frozen=True, slots=True)
class Size:
    ground: GroundSettings
    minutes: float
    seeds: int
    exam_tasks: int
    """Of each held-out split, at most."""
    k: int
    scaling: tuple[int, ...]

    @property
    def more_minutes(self) -> float:
        """Of GRPO, and of its control."""
        return self.minutes / 3


FULL = Size(GroundSettings(360, 16, 1), 60.0, 3, 320, 4, (4, 16, 64, 256))
QUICK = Size(GroundSettings(12, 8, 1), 0.5, 1, 8, 1, ())


def measure(folder: Path, size: Size) -> Figures:
    started = time.perf_counter()
    ground = asyncio.run(prepare(folder, size.ground))
    tasks = examined(ground, size.exam_tasks)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        begun = [
            pool.submit(_seed, Runs(ground, tasks, folder / f"seed-{seed}", seed), size) for seed in range(size.seeds)
        ]
        sizes = {number: pool.submit(_sized, ground, tasks, folder, size, number) for number in size.scaling}
        seeds = [one.result() for one in begun]
        scaling = {str(number): one.result() for number, one in sizes.items()}
    figures = _over_seeds(seeds) | {"scaling": scaling or None}
    figures |= {"ground": ground.figures, "minutes": round((time.perf_counter() - started) / 60, 1), "seeds": seeds}
    figures["why_not"] = {name: why for name, why in _WHY_NOT.items() if figures.get(name) in (None, {})}
    return figures


_WHY_NOT = {
    "scaling": "no size of training set was asked for (--quick)",
    "session_wait_share": "GRPO finished no step in its time",
    "environment_time_share": "GRPO finished no step in its time",
    "grpo_pass1": "GRPO had no time for a step, or every group earned the same throughout",
    "sft_pass1_unseen_modules": "so few environments leave no split of unseen modules",
    "grpo_gain_unseen_modules_by_seed": "so few environments leave no split of unseen modules",
}


def _seed(runs: Runs, size: Size) -> Figures:
    """Everything that depends on chance, once."""
    learned = runs.sft("sft", runs.ground.sft, size.minutes)
    control = runs.sft("control", runs.ground.sft, size.more_minutes, begin=learned)
    grown = runs.grpo("grpo", size.more_minutes, begin=learned)
    policies = {"base": runs.begun("sft"), "sft": learned, "control": control, "grpo": grown}
    exams = {name: runs.exam(name, policy, size.k) for name, policy in policies.items() if policy is not None}
    return {
        "parameters": runs.result("sft")["parameters"],
        "exams": {name: exam.shown() for name, exam in exams.items()},
        "grpo_gain": runs.gain("control", "grpo") if grown is not None else {},
        "environment_time_share": runs.share("grpo", "environments"),
        "session_wait_share": runs.share("grpo", "sessions"),
        "seconds": runs.seconds,
    }


def _over_seeds(seeds: Sequence[Figures]) -> Figures:
    def rate(exam: str, split: str, way: str = "greedy") -> float | None:
        found = [one["exams"].get(exam, {}).get(split, {}).get(way, {}).get("pass@1") for one in seeds]
        known = [value for value in found if value is not None]
        return round(fmean(known), 4) if known else None

    def share(name: str) -> float | None:
        known = [one[name] for one in seeds if one[name] is not None]
        return round(fmean(known), 4) if known else None

    return {
        "base_pass1": rate("base", KNOWN),
        "sft_pass1": rate("sft", KNOWN),
        "sft_pass1_sampled": rate("sft", KNOWN, "sampled"),
        "sft_pass1_unseen_modules": rate("sft", UNSEEN),
        "control_pass1": rate("control", KNOWN),
        "control_pass1_unseen_modules": rate("control", UNSEEN),
        "grpo_pass1": rate("grpo", KNOWN),
        "grpo_pass1_unseen_modules": rate("grpo", UNSEEN),
        "grpo_gain_by_seed": [one["grpo_gain"].get(KNOWN) for one in seeds],
        "grpo_gain_unseen_modules_by_seed": [g for one in seeds if (g := one["grpo_gain"].get(UNSEEN))] or None,
        "heldout_environments": seeds[0]["exams"]["sft"].get(KNOWN, {}).get("environments"),
        "parameters": seeds[0]["parameters"],
        "environment_time_share": share("environment_time_share"),
        "session_wait_share": share("session_wait_share"),
    }


def _sized(ground: Ground, tasks: Path, folder: Path, size: Size, number: int) -> Figures | str:
    """Greedy pass@1 by split after training on so many environments."""
    rows = some_environments(ground, number)
    if rows is None:
        return f"there are fewer than {number} training environments"
    runs = Runs(ground, tasks, folder / f"environments-{number}", 0)
    exam: Exam = runs.exam("sft", runs.sft("sft", rows, size.minutes), 1)
    return {split: ways["greedy"]["pass@1"] for split, ways in exam.shown().items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="three minutes: only that everything runs")
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--minutes", type=float, help="of SFT from nothing; GRPO and its control take a third of it")
    parser.add_argument("--environments", type=int)
    parser.add_argument("--ground", type=int, default=1, help="another number gives other tasks, examined elsewhere")
    parser.add_argument("--folder", type=Path, help="where everything is kept, to go on with it later")
    given = parser.parse_args()
    base = QUICK if given.quick else FULL
    ground = GroundSettings(given.environments or base.ground.environments, base.ground.tasks, given.ground)
    size = Size(ground, given.minutes or base.minutes, given.seeds or base.seeds, base.exam_tasks, base.k, base.scaling)
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

"""The trainer's commands as the learning benchmark needs them: for so many minutes, and not again when finished.

Belongs here: writing recipes, starting `python -m trainer`, reading what it left. Does not: which runs there are
(`learning`).
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from benchmarks.learning_ground import Ground
from trainer.failures import INTERRUPTED, NothingToLearn

RECIPE = Path(__file__).parents[1] / "trainer/recipes/tiny.yaml"
_PROBE_STEPS = 60
"""Of SFT, from which the speed of a machine is known."""
_GRPO_PROBE_STEPS = 20
"""Of GRPO, the same."""
_STOPPED = (INTERRUPTED, -signal.SIGTERM)
"""Statuses of a process that was told to stop."""
_TIME_OVER = "time-over"
"""A file in the folder of a run that this benchmark stopped because its time was over: the only run that may end so."""
ROUNDS = ("sft", "second", "third", "fourth")
"""Of SFT, one after the other."""
_LATER_RATE = 0.5
"""Of the recipe's learning rate, in all rounds but the first."""
_LOT = 1_000
"""Seeds of one benchmark are smaller than that."""
_ONE_CORE = {"OMP_NUM_THREADS": "1"}
"""Small matrices gain nothing from a second core; another run does."""
_LARGE = 1 << 32
_MEMORY = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": str(_LARGE), "MALLOC_TRIM_THRESHOLD_": str(_LARGE),
           "MALLOC_TOP_PAD_": str(1 << 29)}  # fmt: skip
"""Large blocks are kept instead of being given back and zeroed again: several times faster on virtual machines."""

Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Exam:
    """The results of one evaluation, by split and way of writing."""

    results: Mapping[str, Mapping[str, Any]]

    def shown(self) -> Figures:
        return {
            split: {
                way: {
                    "pass@1": one["pass@1"] and one["pass@1"]["mean"],
                    "interval": one["pass@1"] and [one["pass@1"]["low"], one["pass@1"]["high"]],
                    "tasks": one["tasks"],
                    "by_kind": _rates(one["by_kind"]),
                    "by_level": _rates(one["by_level"]),
                    "outcomes": one["outcomes"],
                }
                for way, one in ways.items()
            }
            | {"environments": next(iter(ways.values()))["environments"]}
            for split, ways in self.results.items()
        }


def _rates(groups: Mapping[str, Any]) -> dict[str, Any]:
    return {name: one["pass@1"] and round(one["pass@1"]["mean"], 4) for name, one in groups.items()}


def _tiny() -> dict[str, Any]:
    recipe: dict[str, Any] = yaml.safe_load(RECIPE.read_text())
    return recipe


@dataclass
class Runs:
    """All runs of one seed, below one folder."""

    ground: Ground
    tasks: Path
    """The file with the tasks that GRPO plays and the examination asks."""
    folder: Path
    seed: int

    def steps_per_minute(self, rows: Path, *, longest: int | None = None) -> float:
        """What a core of this machine does of SFT, from a few steps."""
        change = {"most_steps": _PROBE_STEPS} | ({} if longest is None else {"longest": longest})
        recipe = self._recipe("probe", self.seed, sft=change)
        if not is_finished(self.folder / "probe"):
            self._run("probe", "sft", recipe, ["--data", rows])
        return _PROBE_STEPS / self.training_minutes("probe")

    def training_minutes(self, name: str) -> float:
        """Without its preparations; of a run that was told to stop and resumed, all of it. Who is killed tells nothing
        of what he did until then."""
        told = [float(line["train_runtime"]) for line in self._progress(name) if "train_runtime" in line]
        if not told:
            raise SystemExit(f"{self.folder / name / 'progress.jsonl'} does not tell how long that run took.")
        return sum(told) / 60

    def rounds(
        self, rows: Path, steps: int, names: Sequence[str] = ROUNDS, *, longest: int | None = None
    ) -> list[Path]:
        """The policy after each of them: so many steps each, from nothing, and then from the round before."""
        policies = [self.sft(names[0], rows, steps, longest=longest)]
        for lot, name in enumerate(names[1:], 2):
            policies.append(self.sft(name, rows, steps, policies[-1], rate=_LATER_RATE, lot=lot, longest=longest))
        return policies

    def sft(
        self,
        name: str,
        rows: Path,
        steps: int,
        begin: Path | None = None,
        *,
        rate: float = 1.0,
        lot: int = 0,
        timed: bool = False,
        longest: int | None = None,
    ) -> Path:
        """The policy after so many steps; its learning rate, at first `rate` of the recipe's, has come down to nothing
        by then. Another `lot` has other exercises, and other words for examples. A run that was cut off is resumed, or
        where it is `timed` begins anew: how long it took will be asked. `longest`: so many tokens of an example, other
        than the recipe's."""
        given = ["--data", rows, *([] if begin is None else ["--policy", begin]), *([] if timed else ["--resume"])]
        change = {"most_steps": steps, "learning_rate": rate * _tiny()["sft"]["learning_rate"]}
        change |= {} if longest is None else {"longest": longest}
        recipe = self._recipe(name, self.seed + _LOT * lot, sft=change)
        if not is_finished(self.folder / name):
            self._run(name, "sft", recipe, given)
        return self.folder / name / "policy"

    def grpo(
        self, name: str, minutes: float, begin: Path, *, steps: int | None = None, window: int | None = None
    ) -> Path | None:
        """None where there was nothing to learn from, or no time for a single step. One that was cut off begins anew:
        it has only so much time. `steps`: over how many its learning rate comes down to nothing, and it ends; None: the
        rate stays, and only time ends it. `window`: how many exchanges each message is shown; None: all of them."""
        given = ["--data", self.tasks, "--home", self.ground.home, "--policy", begin]
        schedule = {"steps": 100_000} if steps is None else {"steps": steps, "schedule": "linear"}
        recipe = self._recipe(name, self.seed, grpo={**schedule, "window": window})
        if not has_had_its_time(self.folder / name):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            self._run(name, "grpo", recipe, given, 60 * minutes)
        policy = self.folder / name / "policy"
        return policy if policy.is_dir() else None

    def grpo_steps(self, minutes: float, begin: Path) -> int:
        """How many this machine does in that time, from a few; one where it did not come so far."""
        self.grpo("grpo-probe", minutes, begin, steps=_GRPO_PROBE_STEPS)
        lines = self.steps("grpo-probe")
        taken = sum(line["step_time"] for line in lines) / 60
        return max(1, int(len(lines) * minutes / taken)) if lines else 1

    def exam(self, name: str, policy: Path, *, window: int | None = None) -> Exam:
        out = f"exam-{name}"
        recipe = self._recipe(out, self.seed, grpo={"window": window})
        if not is_finished(self.folder / out):
            given = ["--data", self.tasks, "--home", self.ground.home, "--policy", policy, "--k", 1]
            self._run(out, "evaluate", recipe, given)
        return Exam(json.loads((self.folder / out / "results.json").read_bytes()))

    def begun(self, name: str) -> Path:
        return self.folder / name / "begun"

    def result(self, name: str) -> Figures:
        found: Figures = json.loads((self.folder / name / "result.json").read_bytes())
        return found

    def gain(self, before: str, after: str, way: str) -> Figures:
        """How many points the second is better, with its interval, by split: paired by task."""
        from trainer.comparing import compare

        found = compare(self.folder / f"exam-{before}", self.folder / f"exam-{after}", way)
        return {
            split: [round(100 * value, 2) for value in (one.gain.mean, one.gain.low, one.gain.high)]
            for split, one in found.items()
        }

    def share(self, name: str, of: str) -> float | None:
        """Of the time of a step, what goes into `environments` (sessions, calls, verdicts), or the wait for `sessions`
        alone."""
        lines = self.steps(name)
        whole = sum(line["step_time"] for line in lines)
        return sum(line.get(f"seconds/{of}", 0.0) for line in lines) / whole if whole else None

    def steps(self, name: str) -> list[Figures]:
        """What GRPO told of each of its steps; not all of them play."""
        return [line for line in self._progress(name) if "step_time" in line]

    def batches(self, name: str) -> list[Figures]:
        """Of those steps, the ones that played."""
        return [line for line in self.steps(name) if line.get("seconds/playing")]

    def _progress(self, name: str) -> list[Figures]:
        path = self.folder / name / "progress.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []

    def _recipe(self, name: str, seed: int, **changes: Any) -> Path:
        recipe = _tiny() | {"seed": seed}
        for section, change in changes.items():
            recipe[section] = recipe[section] | change if isinstance(change, Mapping) else change
        path, text = self.folder / "recipes" / f"{name}.yaml", yaml.safe_dump(recipe)
        if (self.folder / name).is_dir() and path.is_file() and path.read_text() != text:
            raise SystemExit(f"{self.folder / name} was begun with another recipe ({path}). Choose another --folder.")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def _run(self, name: str, command: str, recipe: Path, given: list[Any], most_s: float | None = None) -> None:
        """A command to its end, or told to stop after so many seconds: it then saves what it has."""
        line = [sys.executable, "-m", "trainer", command, "--recipe", recipe, "--out", self.folder / name, *given]
        process = subprocess.Popen(
            list(map(str, line)), env=os.environ | _ONE_CORE | _MEMORY, stdout=subprocess.DEVNULL
        )
        try:
            status = process.wait(most_s)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
            status = process.wait()
            if status in (0, *_STOPPED):
                (self.folder / name).mkdir(parents=True, exist_ok=True)
                (self.folder / name / _TIME_OVER).touch()
        except BaseException:
            process.kill()
            raise
        over = is_finished if most_s is None else has_had_its_time
        if status != 0 and not over(self.folder / name):
            raise SystemExit(f"`{' '.join(map(str, line))}` ended with {status}.")


def is_finished(folder: Path) -> bool:
    """Whether a run came to its own end: one that was stopped has left an outcome too, which says so."""
    return bool(_read(folder / "result.json").get("finished"))


def has_had_its_time(folder: Path) -> bool:
    """Whether GRPO is over: finished, stopped by the clock, or ended for want of differences in reward."""
    failed = _read(folder / "failure.json").get("status")
    return is_finished(folder) or (folder / _TIME_OVER).is_file() or failed == NothingToLearn.exit_status


def _read(path: Path) -> Figures:
    found: Figures = json.loads(path.read_bytes()) if path.is_file() else {}
    return found

"""Figures of rollouts: how fast the loop is, and whether verdicts and replays agree.

    python -m benchmarks.rollouts [--json] [--environments 8] [--rollouts 1000]

All of it is played by the reference policy, without latency. `rollouts_1000_s`: 64 episodes in flight, judged and
stored. `environment_ms_per_call`: the time of a call as one episode alone sees it. `pass_rate_reference`: of episodes
without a mistake, as they are made for a person to do a part of them or not. `verdict_agreement`: of episodes with one
mistake of each kind, and without any, the share that is judged as it should be; `verdicts_wrong`: how many are not, by
kind.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.made_worlds import Made, make
from envfactory_dagster.rollouts.assignments import Assignment, assignments
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.mistakes import MISTAKES
from envfactory_dagster.rollouts.reference import ReferencePolicy
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings, Setting
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.replay import replay

SOLO = 64
"""Episodes played one at a time, for the time of a call."""
PERSON = ReferencePolicy.of_name("reference")

Figures = dict[str, Any]


@dataclass(frozen=True)
class Setup:
    """Environments with their truth, and where rollouts of them are kept."""

    made: list[Made]
    work: list[Assignment]
    runtime: Runtime
    folder: Path

    async def play(
        self, agent: str, settings: RolloutSettings, work: Sequence[Assignment] | None = None
    ) -> list[Rollout]:
        """In a conversation where the person does a part."""
        by_setting: dict[Setting, list[Assignment]] = {"single": [], "conversation": []}
        for one in self.work if work is None else work:
            with_person = any(call.principal == "user" for call in one.solution.calls)
            by_setting["conversation" if with_person else "single"].append(one)
        store = TrajectoryStore(Home.resolve(tempfile.mkdtemp(dir=self.folder)))
        found = []
        for setting, tasks in by_setting.items():
            how = replace(settings, setting=setting)
            engine = Engine(self.runtime, ReferencePolicy.of_name(agent), how, store, PERSON)
            found += [one async for one in engine.roll(tasks)]
        return found


async def measure(folder: Path, environments: int, rollouts: int) -> Figures:
    async with Runtime() as runtime:
        made, _ = await make(folder, environments, runtime)
        return await measure_all(made, runtime, folder, rollouts)


async def measure_all(made: list[Made], runtime: Runtime, folder: Path, rollouts: int) -> Figures:
    settings = RolloutSettings()
    work = [assignment for one in made for assignment in _assignments(one, settings)]
    setup = Setup(made, work, runtime, folder)
    figures: Figures = {"environments": len(made), "tasks": len(work)}
    return figures | await measure_speed(setup, settings, rollouts) | await measure_verdicts(setup, settings)


def _assignments(one: Made, settings: RolloutSettings) -> list[Assignment]:
    verifiers = {name: gated.verifier.source for name, gated in one.verifiers.items()}
    return assignments(one.bundle, one.solutions, verifiers, settings.reward)


async def measure_speed(setup: Setup, settings: RolloutSettings, rollouts: int) -> Figures:
    many = replace(settings, candidates=max(1, rollouts // len(setup.work)))
    started = time.perf_counter()
    played = await setup.play("reference", many)
    seconds = time.perf_counter() - started
    alone = await setup.play("reference", replace(settings, in_flight=1), setup.work[:SOLO])
    return {
        "rollouts_1000_s": round(1_000 * seconds / len(played), 2),
        "calls_per_rollout": round(sum(map(_calls, played)) / len(played), 2),
        "environment_ms_per_call": round(1_000 * sum(map(_tools_s, alone)) / sum(map(_calls, alone)), 3),
        "sessions_left_open": setup.runtime.open_sessions,
        "replays_equal": await _replays_equal(setup, alone),
    }


async def measure_verdicts(setup: Setup, settings: RolloutSettings) -> Figures:
    played = {"none": await setup.play("reference", settings)}
    for mistake in MISTAKES:
        played[mistake] = await setup.play(f"reference:competence=0,mistakes={mistake}", settings)
    passed = {mistake: sum(map(_completed, rollouts)) for mistake, rollouts in played.items()}
    wrong = passed | {"none": len(played["none"]) - passed["none"]}
    return {
        "pass_rate_reference": round(passed["none"] / len(played["none"]), 4),
        "verdict_agreement": round(1 - sum(wrong.values()) / sum(map(len, played.values())), 4),
        "verdicts_wrong": wrong,
    }


async def _replays_equal(setup: Setup, played: Sequence[Rollout]) -> float:
    bundles = {one.bundle.version: one.bundle for one in setup.made}
    replays = [await replay(setup.runtime, bundles[one.trajectory.bundle_version], one.trajectory) for one in played]
    return sum(one.reproduced for one in replays) / len(replays)


def _completed(rollout: Rollout) -> bool:
    return rollout.trajectory.outcome == "completed"


def _calls(rollout: Rollout) -> int:
    return sum(not call.is_report for step in rollout.trajectory.steps for call in step.calls)


def _tools_s(rollout: Rollout) -> float:
    return sum(step.timing.tools_s for step in rollout.trajectory.steps if step.timing is not None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--environments", type=int, default=8)
    parser.add_argument("--rollouts", type=int, default=1_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(measure(Path(folder), given.environments, given.rollouts))
    if given.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:28} {value}")


if __name__ == "__main__":
    main()

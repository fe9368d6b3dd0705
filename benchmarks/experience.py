"""Figures of the data half: tool graphs, rollouts, refinements, and datasets that trainers can read.

    python -m benchmarks.experience [--json] [--environments 8] [--rollouts 1000] [--released 3]

Puts together what `graph`, `rollouts`, `refinements` and `consumers` measure, the last three over worlds of the
library. The first `released` of these, at least two, go on to their release: `tasks_by_source` and `difficulty` are of
the tasks that came of it. Each is played twice as its reference solution does it: `released_replays_equal` is the share
of these episodes that come out the same when played again, and `rows_parsed` the share of rows of both datasets that
the trainers' own parsers take.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks import graph, refinements, rollouts
from benchmarks.consumers import rows_parsed
from benchmarks.made_worlds import CONCURRENCY, SETTINGS, Made, make
from envfactory_dagster.authoring.accounts import AccountedStage
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.stages import Stage
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.datasets.building import build_rl, build_sft
from envfactory_dagster.datasets.gathering import GatherSettings, gather
from envfactory_dagster.datasets.rows import RlSettings, SftSettings
from envfactory_dagster.datasets.splits import Shares
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_partitions
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.conversations.settings import ConversationSettings
from envfactory_dagster.tasks.graph.semantics import Likeness
from envfactory_dagster.tasks.graph_tasks.stage import GraphTaskSettings
from envfactory_dagster.tasks.line import TaskSettings, task_stages
from envfactory_dagster.tasks.playing import PlayedEnvironment, Players, PlayPlan
from envfactory_dagster.tasks.program_tasks.settings import ProgramTaskSettings
from envfactory_dagster.truth.inspection.stage import InspectionStage
from envfactory_dagster.truth.replay import replay
from tests.support.model import library_gateway, library_models

Figures = dict[str, Any]
CANDIDATES = 2
HALF_AND_HALF = Shares(sft=0.5, rl=0.5, arena=0.0, held_out=0.0, held_out_modules=0.0)
"""Few environments are to bring rows of both kinds."""


async def measure(folder: Path, environments: int, episodes: int, released: int) -> Figures:
    figures: Figures = {}
    async with library_gateway(folder / "graph") as gateway:
        figures |= await graph.figures(gateway, Likeness().threshold)
    async with Runtime() as runtime:
        made, rejected = await make(folder, environments, runtime)
        figures["rejected"] = rejected
        figures |= await rollouts.measure_all(made, runtime, folder, episodes)
        refined = await refinements.measure(made, folder)
        figures |= {name: value for name, value in refined.items() if name not in ("environments", "tasks")}
        figures |= await measure_release(made[:released], runtime, folder)
    parsed = rows_parsed(folder)
    return figures | {"rows_parsed": parsed.share, "rows_by_consumer": parsed.rows, "rows_refused": parsed.problems[:5]}


async def measure_release(made: Sequence[Made], runtime: Runtime, folder: Path) -> Figures:
    """From verified environments to datasets, in the home they were made in."""
    home, models = Home.resolve(folder), library_models()
    records = RecordStore(home)
    async with library_gateway(folder) as gateway:
        started = time.perf_counter()
        for size, settings in SETTINGS.items():
            keys = [one.bundle.key for one in made if one.size == size]
            for stage in _stages(gateway, runtime, home, settings, models.model(Role.EMBEDDER)):
                async for _ in run_partitions(records, AccountedStage(stage, gateway, records), keys, CONCURRENCY):
                    pass
        seconds = time.perf_counter() - started
        players = Players(home, gateway, runtime, models)
        played = [
            one async for one in players.play(PlayPlan(candidates=CANDIDATES)) if isinstance(one, PlayedEnvironment)
        ]
        wanted = GatherSettings(shares=HALF_AND_HALF)
        gathered = await gather(home, gateway, Caller("benchmark", "", Role.EMBEDDER), wanted)
        await build_sft(home, gathered, SftSettings(), runtime)
        await build_rl(home, gathered, RlSettings(), runtime)
    tasks = {(one.release.version, task.task.id): task for one in played for task in one.release.tasks}
    episodes = [rollout for one in played for rollout in one.rollouts]
    return {
        "release_s_per_environment": round(seconds / len(made), 2),
        "tasks_by_source": _counted(task.source for task in tasks.values()),
        "difficulty": _difficulty(tasks.values()),
        "released_rollouts": len(episodes),
        "released_replays_equal": await _replays_equal(runtime, home, episodes),
    }


def _stages(gateway: Gateway, runtime: Runtime, home: Home, settings: AuthoringSettings, embedder: str) -> list[Stage]:
    bundles = BundleStore(home)
    wanted = TaskSettings(
        embedder=embedder,
        solver=None,
        graph=GraphTaskSettings(),
        program=ProgramTaskSettings(),
        conversations=ConversationSettings(),
    )
    inspection = InspectionStage(gateway, runtime, settings, bundles)
    return [inspection, *task_stages(gateway, runtime, settings, bundles, home, wanted)]


async def _replays_equal(runtime: Runtime, home: Home, episodes: Sequence[Rollout]) -> float:
    bundles = BundleStore(home)
    same = []
    for one in episodes:
        trajectory = one.trajectory
        bundle = bundles.load(trajectory.environment, trajectory.bundle_version)
        same.append((await replay(runtime, bundle, trajectory)).reproduced)
    return round(sum(same) / len(same), 4)


def _counted(names: Iterable[str]) -> dict[str, int]:
    counts: defaultdict[str, int] = defaultdict(int)
    for name in names:
        counts[name] += 1
    return dict(counts)


def _difficulty(tasks: Iterable[MadeTask]) -> dict[str, dict[str, float]]:
    """Of the tasks over the graph, whose dial was turned: what each level takes."""
    levels: defaultdict[int, list[MadeTask]] = defaultdict(list)
    for task in tasks:
        if task.source == "graph":
            levels[task.difficulty.level].append(task)
    return {
        str(level): {
            "tasks": len(of_level),
            "calls": round(fmean(one.difficulty.calls for one in of_level), 2),
            "tools": round(fmean(one.difficulty.tools for one in of_level), 2),
            "weak_edges": round(fmean(one.difficulty.weak_edges for one in of_level), 2),
        }
        for level, of_level in sorted(levels.items())
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--environments", type=int, default=8)
    parser.add_argument("--rollouts", type=int, default=1_000)
    parser.add_argument("--released", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(measure(Path(folder), given.environments, given.rollouts, given.released))
    if given.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:40} {value}")


if __name__ == "__main__":
    main()

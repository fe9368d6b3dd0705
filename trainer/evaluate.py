"""Evaluation: a policy, or any endpoint, at tasks it has not trained on.

Belongs here: playing them greedily and at a temperature, and keeping the table. Does not: the figures
(`envfactory_dagster.rollouts.results`).

    FOLDER/results.json     the summary, by split and way of writing
    FOLDER/tasks.jsonl      one line for each task: what comparisons are paired by
    FOLDER/trajectories/    every episode
"""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import orjson

from envfactory_dagster.contracts.dataset import RlRow
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.model import GatewayModel, Model
from envfactory_dagster.rollouts.results import TaskResult, gain, summary, task_results
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from trainer.failures import RecipeError
from trainer.policies import load
from trainer.recipe import Policy, Recipe
from trainer.sampling import PolicyModel, Sampling
from trainer.tasks import load_tasks, read_tasks

GREEDY, SAMPLED = "greedy", "sampled"


def evaluate(
    recipe: Recipe, data: Path, home: Path | None, policy: Path | None, splits: Sequence[str], k: int, out: Path
) -> dict[str, Any]:
    """The summary of every split: greedily once, and k times at the recipe's temperature."""
    out.mkdir(parents=True, exist_ok=True)
    rows = read_tasks(data, splits)
    settings = _settings(recipe)
    tasks = load_tasks(rows, Home.resolve(home), settings.reward)
    played = asyncio.run(_play(recipe, policy, tasks, settings, k, out))
    kinds = {(row.trace.environment, row.trace.task): row.trace.kind for row in rows}
    found: dict[str, Any] = {}
    with (out / "tasks.jsonl").open("wb") as file:
        for way, rollouts in played.items():
            results = task_results(rollouts, kinds)
            for split in sorted({row.trace.split for row in rows}):
                chosen = [one for one in results if _split(rows)[one.environment] == split]
                found.setdefault(split, {})[way] = summary(chosen, k if way == SAMPLED else 1)
            for one in results:
                file.write(orjson.dumps({"way": way, "split": _split(rows)[one.environment], **asdict(one)}) + b"\n")
    (out / "results.json").write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))
    return found


def compare(before: Path, after: Path, way: str = GREEDY) -> dict[str, Any]:
    """How much the second evaluation is better than the first, by split, on the tasks of both."""
    first, second = read_results(before, way), read_results(after, way)
    gains = {
        split: gain(first.get(split, []), of_split, lambda one: one.pass_rate) for split, of_split in second.items()
    }
    return {split: asdict(found) for split, found in gains.items() if found is not None}


def read_results(folder: Path, way: str) -> dict[str, list[TaskResult]]:
    """The tasks of an evaluation, by split."""
    found: dict[str, list[TaskResult]] = {}
    try:
        lines = (folder / "tasks.jsonl").read_bytes().splitlines()
    except OSError as error:
        raise RecipeError(f"There is no evaluation in {folder}: {error}") from error
    for line in map(orjson.loads, lines):
        if line.pop("way") == way:
            found.setdefault(line.pop("split"), []).append(TaskResult(**line))
    return found


def _settings(recipe: Recipe) -> RolloutSettings:
    grpo = recipe.grpo
    return RolloutSettings(
        protocol=grpo.protocol, in_flight=grpo.in_flight, most_steps=grpo.most_turns, window=grpo.window, token_ids=True
    )


async def _play(
    recipe: Recipe, policy: Path | None, tasks: Sequence[Assignment], settings: RolloutSettings, k: int, out: Path
) -> dict[str, Any]:
    played: dict[str, Any] = {}
    async with AsyncExitStack() as open_things:
        runtime = await open_things.enter_async_context(Runtime())
        gateway = None
        if policy is None:
            gateway = await open_things.enter_async_context(Gateway(LanguageSettings.from_environment(), out))
        loaded = load(Policy(base=str(policy), thinking=recipe.policy.thinking), recipe.precision) if policy else None
        for way, temperature, times in ((GREEDY, 0.0, 1), (SAMPLED, recipe.grpo.temperature, k)):
            model: Model
            if loaded is not None:
                sampling = Sampling(temperature, recipe.grpo.most_new_tokens, recipe.grpo.longest, settings.in_flight)
                model = PolicyModel(loaded, sampling, f"{policy} {way}")
            else:
                assert gateway is not None
                name = LanguageSettings.from_environment().model(Role.SOLVER)
                model = GatewayModel(gateway, Caller("policy_evaluation", "", Role.SOLVER), name, temperature)
            store = TrajectoryStore(Home.resolve(out / "trajectories" / way))
            engine = Engine(runtime, model, replace(settings, candidates=times), store)
            _ = [rollout async for rollout in engine.roll(tasks, recipe.seed)]
            bundles = {one.bundle.version: one.bundle for one in tasks}
            wanted = {(one.bundle.version, one.task.id) for one in tasks}
            played[way] = [
                rollout
                for bundle in bundles.values()
                for rollout in store.read(bundle)
                if (rollout.trajectory.bundle_version, rollout.trajectory.task) in wanted
            ]
            if isinstance(model, PolicyModel):
                await model.close()
    return played


def _split(rows: Sequence[RlRow]) -> dict[str, str]:
    return {row.trace.environment: row.trace.split for row in rows}

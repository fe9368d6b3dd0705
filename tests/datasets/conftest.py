"""The alpine huts as ground for datasets: solved tasks, one of them as a conversation, and a place to play them."""

from collections.abc import Callable
from typing import Any

import pytest
import pytest_asyncio

from envfactory_dagster import examples
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.synthesis import Conversation, MadeTask, Release, Turn
from envfactory_dagster.datasets.rows import Source
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.model import Model
from envfactory_dagster.rollouts.scoring import Rollout
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks.release import sealed_bundle
from envfactory_dagster.tasks.released import released
from envfactory_dagster.truth.rewards import RewardSettings
from tests.tasks.huts_kit import golds_of, inspection, made_tasks

TALK = "call_it_off_talk"


@pytest.fixture(scope="session")
def huts() -> Bundle:
    return examples.load("alpine_huts")


@pytest_asyncio.fixture(scope="session")
async def made(runtime: Runtime, huts: Bundle) -> dict[str, MadeTask]:
    found = made_tasks(huts, await golds_of(runtime, huts))
    return found | {TALK: in_two_turns(found["call_it_off"])}


def in_two_turns(made: MadeTask) -> MadeTask:
    """The same task as a conversation: the first two calls first, then the rest."""
    turns = [
        Turn(goal="know the booking", request="What do I have booked?", calls=2),
        Turn(goal="cancel it", request="Cancel all of it.", calls=len(made.solution.calls) - 2),
    ]
    task = made.task.model_copy(update={"id": TALK})
    return made.model_copy(
        update={
            "task": task,
            "source": "conversation",
            "parent": made.task.id,
            "solution": made.solution.model_copy(update={"task": TALK}),
            "verifier": made.verifier.model_copy(
                update={
                    "verifier": made.verifier.verifier.model_copy(update={"task": TALK}),
                    "gate": made.verifier.gate.model_copy(update={"task": TALK}),
                }
            ),
            "conversation": Conversation(scenario="At home.", persona="Brief.", turns=turns),
        }
    )


@pytest.fixture(scope="session")
def sealed(huts: Bundle, made: dict[str, MadeTask]) -> Bundle:
    """As it is released."""
    return sealed_bundle(huts, list(made.values()), inspection(huts))


@pytest.fixture
def source(sealed: Bundle, made: dict[str, MadeTask]) -> Source:
    return Source(sealed, dict(made), "sft")


Play = Callable[..., Any]


@pytest.fixture(scope="session")
def assigned(sealed: Bundle, made: dict[str, MadeTask]) -> dict[str, Assignment]:
    release = Release(version=sealed.version, tasks=list(made.values()))
    return {one.task.id: one for one in released(sealed, release, RewardSettings())}


@pytest.fixture
def play(runtime: Runtime, assigned: dict[str, Assignment], tmp_path: object) -> Play:
    """One episode of a task by an agent, with a user where it is a conversation."""

    async def play_one(task: str, agent: Model, user: Model | None = None, **settings: Any) -> Rollout:
        setting = RolloutSettings(setting="conversation" if user else "single", **settings)
        engine = Engine(runtime, agent, setting, TrajectoryStore(Home.resolve(str(tmp_path))), user)
        [rollout] = [rollout async for rollout in engine.roll([assigned[task]])]
        return rollout

    return play_one

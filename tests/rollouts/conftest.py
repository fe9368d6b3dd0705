"""The alpine huts as ground for rollouts: one task that changes something, with its measure."""

import pytest
import pytest_asyncio

from envfactory_dagster import examples
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.truth import ReferenceSolution
from envfactory_dagster.rollouts.assignments import Assignment, assignments
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.rewards import RewardSettings
from tests.rollouts.scripted import Line, followed
from tests.rollouts.stage import ASSIGNED, GOLDS, Stage
from tests.truth.references import reference


@pytest.fixture(scope="session")
def huts() -> Bundle:
    return examples.load("alpine_huts")


@pytest_asyncio.fixture(scope="session")
async def golds(runtime: Runtime, huts: Bundle) -> dict[str, ReferenceSolution]:
    tasks = [task for task in huts.tasks if task.id in ("call_it_off", "best_hut_in_reach", "arrival_on_skis")]
    return {task.id: await reference(runtime, huts, task) for task in tasks}


@pytest.fixture(scope="session")
def assigned(huts: Bundle, golds: dict[str, ReferenceSolution]) -> dict[str, Assignment]:
    found = assignments(huts, golds, huts.verifiers, RewardSettings())
    return {one.task.id: one for one in found}


@pytest.fixture
def store(tmp_path: object) -> TrajectoryStore:
    return TrajectoryStore(Home.resolve(str(tmp_path)))


@pytest.fixture
def stage(runtime: Runtime, store: TrajectoryStore, assigned: ASSIGNED, golds: GOLDS) -> Stage:
    return Stage(runtime, store, assigned["call_it_off"], golds["call_it_off"])


@pytest.fixture
def gold(golds: GOLDS) -> list[Line]:
    return followed(golds["call_it_off"].calls, golds["call_it_off"].report)

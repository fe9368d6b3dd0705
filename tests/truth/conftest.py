"""The alpine huts for everything about truth: hand-written tasks, solutions and verifiers."""

import pytest
import pytest_asyncio

from envfactory_dagster import examples
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.runtime.facts import Schema, load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import Run, run_solution
from envfactory_dagster.truth.verdicts import TaskChecks


@pytest.fixture(scope="session")
def huts() -> Bundle:
    return examples.load("alpine_huts")


@pytest.fixture(scope="session")
def schema(huts: Bundle) -> Schema:
    return load_schema(huts.schema_sql)


@pytest.fixture(scope="session")
def tasks(huts: Bundle) -> dict[str, Task]:
    return {task.id: task for task in huts.tasks}


@pytest_asyncio.fixture(scope="session")
async def gold(runtime: Runtime, huts: Bundle) -> dict[str, Run]:
    """One run of each reference solution."""
    return {
        task.id: await run_solution(runtime, huts, task, huts.solutions[task.id], huts.answer_forms[task.id])
        for task in huts.tasks
    }


@pytest.fixture(scope="session")
def checks(huts: Bundle, tasks: dict[str, Task]) -> dict[str, TaskChecks]:
    return {name: TaskChecks(tasks[name], huts.verifiers[name], huts.answer_forms[name]) for name in tasks}

"""A tool that fails for good goes, with the tasks that need it; the environment stays while enough is left."""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.inspection import Inspection
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.stages import StageInput
from envfactory_dagster.contracts.synthesis import MadeTasks, Release
from envfactory_dagster.language.built_in.app import create_app
from envfactory_dagster.language.built_in.conversation import ParsedQuestion
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.tasks.release import ReleaseStage
from envfactory_dagster.truth.inspection.inspector import InspectionSettings, inspect_bundle, rejection
from envfactory_dagster.truth.inspection.stage import InspectionStage
from tests.support.judges import calls_of, judge, judged_by, regraded
from tests.support.tiny import tiny
from tests.tasks.huts_kit import FEW, Golds, Standing, golds_of, made_tasks

GONE, NEEDS_IT = "list_my_tours", "call_it_off"
SETTINGS = AuthoringSettings(least_tasks=2)
ONE_ROUND = InspectionSettings(rounds=1, revisions=0)
UNGRADED = "place_order"


@pytest_asyncio.fixture(scope="module")
async def golds(runtime: Runtime, huts: Bundle) -> Golds:
    return await golds_of(runtime, huts)


@pytest.fixture(scope="module")
def broken(huts: Bundle) -> Bundle:
    """A tool breaks whenever it is called."""
    source = huts.tools_source
    first = next(line for line in source.split(f"def {GONE}(")[1].splitlines() if line.startswith('    """'))
    return replace(huts, tools_source=source.replace(first, f"{first}\n    env.nothing()", 1), solutions={})


@dataclass(frozen=True)
class Inspected:
    """A home in which the truth was made on tools that worked, and the inspection found one that does not."""

    home: Standing
    record: StageRecord

    @property
    def report(self) -> Inspection:
        return Inspection.model_validate(self.record.artifact)


@pytest_asyncio.fixture(scope="module")
async def inspected(
    runtime: Runtime, broken: Bundle, golds: Golds, tmp_path_factory: pytest.TempPathFactory
) -> Inspected:
    folder = tmp_path_factory.mktemp("home")
    home = Standing(Home.resolve(folder), broken, golds)
    async with judged_by(create_app(), folder) as gateway:
        stage = InspectionStage(gateway, runtime, SETTINGS, home.bundles, ONE_ROUND)
        return Inspected(home, await run_stage(home.records, stage, broken.key))


def test_a_tool_that_fails_for_good_is_dropped_with_the_tasks_that_need_it(inspected: Inspected) -> None:
    found = inspected.report
    assert found.passed and inspected.record.metadata["dropped_tools"] == found.dropped_tools == [GONE]
    why = f"it needs {GONE}, which fails its tests"
    assert [(one.task, one.reason) for one in found.dropped_tasks] == [(NEEDS_IT, why)]
    assert found.failures == [] and any(one.tool == GONE and one.severity == "fail" for one in found.findings)


def test_an_environment_is_rejected_where_too_little_is_left(inspected: Inspected) -> None:
    found, tasks = inspected.report, len(FEW)
    tools = len(found.tools)
    assert rejection(found, replace(ONE_ROUND, least_tools=tools - 1, least_tasks=tasks - 1), tasks) == ""
    few_tools = rejection(found, replace(ONE_ROUND, least_tools=tools), tasks)
    assert few_tools.startswith(f"only {tools - 1} of {tools} tools are left") and GONE in few_tools
    few_tasks = rejection(found, replace(ONE_ROUND, least_tasks=tasks), tasks)
    assert few_tasks.startswith(f"only {tasks - 1} of {tasks} tasks are left") and NEEDS_IT in few_tasks


async def test_what_comes_after_goes_on_without_the_tool_and_its_tasks(
    runtime: Runtime, huts: Bundle, golds: Golds, broken: Bundle, inspected: Inspected
) -> None:
    home = inspected.home
    environment = home.records.latest("environment", huts.key)
    assert environment is not None
    seen = StageInput(huts.key, {"environment": environment, "inspection": inspected.record}).artifact("environment")
    left = await asyncio.to_thread(home.bundles.load, huts.key, seen["version"])
    assert {tool.name for tool in broken.tools} - {tool.name for tool in left.tools} == {GONE}
    assert f"def {GONE}(" not in left.tools_source
    assert {task.id for task in broken.tasks} - {task.id for task in left.tasks} == {NEEDS_IT}

    graph = made_tasks(huts, golds)[NEEDS_IT].model_copy(update={"source": "graph"})
    home.keep("graph_tasks", MadeTasks(tasks=[graph]))
    released = await run_stage(home.records, ReleaseStage(runtime, SETTINGS, home.bundles), huts.key)
    release = Release.model_validate(released.artifact)
    assert {one.task.id for one in release.tasks} == golds.keys() - {NEEDS_IT}
    assert [one.task for one in release.dropped] == [NEEDS_IT], "a task of another source that needs the tool goes too"
    sealed = await asyncio.to_thread(home.bundles.load, huts.key, release.version)
    assert GONE not in {tool.name for tool in sealed.tools}


async def test_what_its_tests_say_of_a_tool_is_told_to_its_author_and_the_tests_are_made_again(
    runtime: Runtime, tmp_path: Path
) -> None:
    """The checker finds fault with whatever `get_item` does, until its code is another."""
    told = list[str]()

    def fail(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        context = question.context
        if question.schema == "inspection_revision":
            told.extend(finding["message"] for finding in context["report"])
            own = [source for source in context["sources"] if source["tool"] == "get_item"]
            return {"tools": [one | {"source": one["source"].replace("Look one", "Look just one")} for one in own]}
        if "Look just one" in str(context.get("tools")):
            return answer
        said = {"grade": "fail", "reason": "It shows nothing."}
        return regraded(answer, dict.fromkeys(calls_of("get_item", question), said))

    async with judged_by(judge(fail), tmp_path) as gateway:
        found = (await inspect_bundle(gateway, runtime, tiny(), replace(ONE_ROUND, revisions=1))).report
    assert "get_item: It shows nothing." in told
    assert found.revisions[-1].kept and "Look just one" in (found.revised_source or "")
    assert {test.grade for test in found.tests if test.case.tool == "get_item"} == {"pass"}
    assert next(one for one in found.tools if one.tool == "get_item").passes


async def test_a_tool_that_nobody_could_grade_is_told_and_not_dropped(runtime: Runtime, tmp_path: Path) -> None:
    def be_silent(question: ParsedQuestion, answer: dict[str, Any]) -> dict[str, Any]:
        ungraded = calls_of(UNGRADED, question)
        return {"tests": [one for one in answer["tests"] if one["number"] not in ungraded]} if ungraded else answer

    async with judged_by(judge(be_silent), tmp_path) as gateway:
        found = (await inspect_bundle(gateway, runtime, tiny(), ONE_ROUND)).report
    assert next(one for one in found.tools if one.tool == UNGRADED).tests == 0
    assert UNGRADED not in found.dropped_tools
    assert [one.severity for one in found.findings if "none of its tests was graded" in one.message] == ["warning"]
    assert not found.passed and found.dropped_tools == [], "that no tool touches a table is no fault of a single tool"

"""Tasks along the tool graph: from a chain of calls to a task that stood its trials."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.synthesis import MadeTasks
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.graph_tasks.fields import fields_of, form_of
from envfactory_dagster.tasks.graph_tasks.making import Maker, Wanted
from envfactory_dagster.tasks.graph_tasks.program import program
from envfactory_dagster.tasks.graph_tasks.reading import mentions
from envfactory_dagster.tasks.graph_tasks.steps import Walked
from envfactory_dagster.truth.execution import run_calls, run_solution
from envfactory_dagster.truth.messages import states
from envfactory_dagster.truth.start_rows import StartRows, schema_of
from envfactory_dagster.truth.telling import single_answers
from envfactory_dagster.truth.verdicts import TaskChecks, judge
from tests.support.alpine_author import Answer, Asked
from tests.support.tiny import tiny
from tests.tasks.graph_kit import made_by, maker_of, stage_over
from tests.tasks.program_kit import gateway_of
from tests.tasks.wording_kit import plain_words


@pytest_asyncio.fixture(scope="module")
async def gateway(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Gateway]:
    async with gateway_of(tmp_path_factory.mktemp("home"), plain_words) as gateway:
        yield gateway


@pytest.fixture(scope="module")
def maker(gateway: Gateway, runtime: Runtime, huts: Bundle) -> Maker:
    """Shared by tests that draft tasks of different names, or with different seeds."""
    return maker_of(gateway, runtime, huts)


@pytest_asyncio.fixture(scope="module")
async def made(huts: Bundle, gateway: Gateway, runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> MadeTasks:
    """An easy, a middling and a hard task of the alpine huts."""
    home = tmp_path_factory.mktemp("bundles")
    return await made_by(stage_over(huts, gateway, runtime, home, count=3, levels=(1, 3, 5)), huts)


def test_an_environment_gets_a_task_of_each_level(made: MadeTasks) -> None:
    assert [one.difficulty.level for one in made.tasks] == [1, 3, 5]
    assert {one.source for one in made.tasks} == {"graph"}


async def test_steps_that_serve_no_common_purpose_are_dropped(
    huts: Bundle, runtime: Runtime, tmp_path: Path, made: MadeTasks
) -> None:
    asked = list[dict[str, Any]]()

    def review(question: Asked) -> Answer:
        asked.append(question.context)
        first, *others = (one["task"] for one in question.context["tasks"])
        rest = [{"task": name, "purposes": ["a weekend", "a bill"]} for name in others]
        return {"tasks": [{"task": first, "verdict": "drop", "why": "Two errands."}, *rest]}

    async with gateway_of(tmp_path, plain_words, review) as gateway:
        found = await made_by(stage_over(huts, gateway, runtime, tmp_path, count=3, levels=(1, 3, 5)), huts)
    assert len(asked) == 1 and len(asked[0]["tasks"]) == 3
    assert [one.task.id for one in found.tasks] == [one.task.id for one in made.tasks[1:]]
    (dropped,) = [one for one in found.dropped if one.task == made.tasks[0].task.id]
    assert dropped.reason == "its steps serve no common purpose: Two errands."


def test_every_task_stood_the_trials_of_the_truth(made: MadeTasks) -> None:
    for one in made.tasks:
        assert one.verifier.gate.passed
        assert one.verifier.gate.kill_rate == one.verifier.gate.acceptance_rate == 1.0


def test_the_dial_makes_longer_chains_of_more_tools(made: MadeTasks) -> None:
    calls = {one.difficulty.level: one.difficulty.calls for one in made.tasks}
    assert calls[1] <= 2 < calls[3] <= calls[5]
    assert [one.difficulty.obscured for one in made.tasks] == [False, False, True]
    assert all(one.difficulty.tools == len({call.tool for call in one.solution.calls}) for one in made.tasks)


def test_nobody_speaks_of_tools_or_of_names_in_the_code(made: MadeTasks, huts: Bundle) -> None:
    names = {tool.name for tool in huts.tools}
    for one in made.tasks:
        assert not re.search(r"[a-z]_[a-z]", one.task.text)
        assert not any(mentions(one.task.text, name) for name in names if "_" in name)


def test_programs_look_things_up_instead_of_knowing_their_numbers(made: MadeTasks) -> None:
    for one in made.tasks:
        assert not re.search(r"\b\w*_id=\d", one.solution.source)


def test_nothing_is_claimed_of_words_that_nobody_has_played(made: MadeTasks) -> None:
    assert {one.difficulty.pass_rate for one in made.tasks} == {None}


def test_each_wish_has_its_criterion(made: MadeTasks) -> None:
    for one in made.tasks:
        assert len(one.rubric) >= 2
        assert one.rubric[-1].id == "nothing_else"


def test_what_is_told_stands_in_typed_fields_and_in_the_message(made: MadeTasks) -> None:
    for one in made.tasks:
        form, report = one.solution.form, one.solution.report
        assert report.outcome == "done" and report.answers.keys() == {field.name for field in form.fields}
        assert all(value is not None for value in report.answers.values())
        for field, value in single_answers(form, report):
            assert states(field, value, report.message), (field, report)
    assert any(one.solution.form.fields for one in made.tasks)


async def test_doing_nothing_earns_nothing_and_each_write_counts(
    made: MadeTasks, huts: Bundle, runtime: Runtime
) -> None:
    acting = next(one for one in made.tasks if one.task.kind == "action")
    checks = TaskChecks(acting.task, acting.verifier.verifier.source, acting.solution.form)
    nothing = await run_calls(runtime, huts, acting.task, [], None)
    assert (await judge(runtime, checks, nothing)).score == 0.0
    reading = {tool.name for tool in huts.tools if tool.annotations.readOnlyHint}
    read = [call for call in acting.solution.calls if call.tool in reading]
    only_read = await run_calls(runtime, huts, acting.task, read, acting.solution.report)
    assert (await judge(runtime, checks, only_read)).score < 1.0


async def test_a_seed_gives_its_tasks_again_and_another_gives_others(maker: Maker, huts: Bundle) -> None:
    async def drafts(seed: int) -> list[Walked]:
        afresh = Maker(maker.gateway, maker.runtime, maker.settings, huts, maker.graph, maker.facts)
        return await afresh.drafts(Wanted("one", 2, "initial"), seed)

    assert await drafts(0) == await drafts(0)
    assert await drafts(0) != await drafts(1)


async def test_what_is_nearly_the_same_is_made_once(maker: Maker) -> None:
    wanted = [Wanted(f"task_{number}", 1, "initial") for number in range(4)]
    gists = [repr(walked.gist()) for one in wanted for walked in await maker.drafts(one, 0)]
    assert len(gists) == len(set(gists))


async def test_the_program_of_a_walk_comes_to_what_was_walked(maker: Maker, huts: Bundle, runtime: Runtime) -> None:
    state = sorted(huts.states)[-1]
    facts = analyze_tools(huts.tools_source, huts.schema_sql)
    ground = StartRows(schema_of(huts.schema_sql), huts.states[state].image)
    for walked in await maker.drafts(Wanted("walked", 4, state), 3):
        fields, task = fields_of(walked, huts, facts, ground), Task(id="w", text="w", kind="action", state=state)
        run = await run_solution(runtime, huts, task, program(walked, fields), form_of(fields))
        assert run.error is None and run.report is not None
        assert run.report.answers == {one.field.name: one.value for one in fields}
        assert [call.tool for call in run.calls] == [step.tool for step in walked.steps]
        assert [call.arguments for call in run.calls if call.outcome != "ok"] == []


async def test_an_environment_whose_tools_show_nothing_gets_no_tasks_and_a_reason(
    gateway: Gateway, runtime: Runtime, tmp_path: Path
) -> None:
    shop = tiny("empty-shop", items=0)
    empty = replace(shop, states={"initial": shop.states["initial"]})
    found = await made_by(stage_over(empty, gateway, runtime, tmp_path, count=2), empty)
    assert found.tasks == []
    assert {one.reason for one in found.dropped} == {
        f"no chain of {least} or more calls with one purpose does or tells anything new" for least in (1, 2)
    }


def test_the_settings_are_part_of_the_memo(huts: Bundle, gateway: Gateway, runtime: Runtime, tmp_path: Path) -> None:
    hashes = {
        stage_over(huts, gateway, runtime, tmp_path, **wanted).settings_hash()
        for wanted in ({}, {"count": 3}, {"levels": (1,)}, {"seed": 1})
    }
    assert len(hashes) == 4

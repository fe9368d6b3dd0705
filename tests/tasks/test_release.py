"""The release: a sealed bundle in which every task has its truth, whatever the sources made."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.database import TableRows
from envfactory_dagster.contracts.families import FamilyRecord, TaskFamilies
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.sources import NamedThing
from envfactory_dagster.contracts.synthesis import Conversation, MadeTask, MadeTasks, OwnRows, Release, Turn
from envfactory_dagster.contracts.truth import Dropped, SolutionSet, VerifierSet
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.tasks.families.acceptance import try_family
from envfactory_dagster.tasks.families.drawing import DrawnTask, draw
from envfactory_dagster.tasks.naming import renamed
from envfactory_dagster.tasks.release import ReleaseStage
from envfactory_dagster.tasks.released import released
from envfactory_dagster.truth.execution import run_solution
from envfactory_dagster.truth.rewards import RewardSettings
from envfactory_dagster.truth.verdicts import TaskChecks, judge
from tests.tasks.huts_kit import FEW, Golds, Standing, gated, inspection, made_tasks


@pytest.fixture
def before(tmp_path: Path, huts: Bundle, golds: Golds) -> Standing:
    """The environment as it is built: without solutions and verifiers."""
    return Standing(Home.resolve(tmp_path), replace(huts, solutions={}, verifiers=dict(huts.verifiers)), golds)


@pytest.fixture
def made(huts: Bundle, golds: Golds) -> dict[str, MadeTask]:
    return made_tasks(huts, golds)


async def sealed(runtime: Runtime, before: Standing) -> StageRecord:
    stage = ReleaseStage(runtime, AuthoringSettings(), before.bundles)
    return await run_stage(before.records, stage, before.huts.key)


async def release(runtime: Runtime, before: Standing) -> Release:
    return Release.model_validate((await sealed(runtime, before)).artifact)


async def test_the_sealed_bundle_holds_every_task_with_its_truth_and_is_the_latest(
    runtime: Runtime, before: Standing
) -> None:
    found = await release(runtime, before)
    bundle = before.bundles.load(before.huts.key)
    assert bundle.version == found.version != before.huts.version
    assert {task.id for task in bundle.tasks} == bundle.solutions.keys() == bundle.verifiers.keys() == set(FEW)
    assert bundle.inspection == inspection(before.huts).model_dump(mode="json")
    assert bundle.provenance.parents["verifiers"]
    for task in bundle.tasks:
        form = bundle.answer_forms[task.id]
        assert form == before.golds[task.id].form
        run = await run_solution(runtime, bundle, task, bundle.solutions[task.id], form)
        assert (await judge(runtime, TaskChecks(task, bundle.verifiers[task.id], form), run)).score == 1.0


async def test_what_was_named_and_only_tasks_had_that_are_not_released_is_left_out(
    runtime: Runtime, before: Standing, tmp_path: Path
) -> None:
    gone = next(task.id for task in before.huts.tasks if task.id not in FEW)
    things = {"a task": [FEW[0]], "another task": [gone], "a table": [gone]}
    named = [NamedThing(words=words, tasks=tasks) for words, tasks in things.items()]
    named[2] = named[2].model_copy(update={"tables": ["huts"]})
    described = replace(before.huts, provenance=before.huts.provenance.model_copy(update={"named": named}))
    standing = Standing(Home.resolve(tmp_path / "described"), described, before.golds)
    record = await sealed(runtime, standing)
    kept = standing.bundles.load(before.huts.key).provenance.named
    assert [(one.tasks, one.left_out) for one in kept] == [([FEW[0]], None), ([], "given_up"), ([], None)]
    assert record.metadata["named_left_out"] == 1


async def test_the_authors_tasks_say_how_hard_they_are(runtime: Runtime, before: Standing, golds: Golds) -> None:
    found = {one.task.id: one for one in (await release(runtime, before)).tasks}
    for task, one in found.items():
        assert one.source == "task_set"
        assert one.difficulty.calls == len(golds[task].calls)
        assert 0 < one.difficulty.tools <= one.difficulty.calls
        assert one.difficulty.tables > 0
    assert found["nephew_alone"].difficulty.level < found["call_it_off"].difficulty.level


async def test_what_is_not_true_any_more_is_left_out_with_its_reason(
    runtime: Runtime, before: Standing, golds: Golds
) -> None:
    spoiled = golds["call_it_off"].model_copy(update={"state_hash": "0" * 64})
    before.keep("reference_solutions", SolutionSet(solutions=[*(golds | {"call_it_off": spoiled}).values()]))
    easy = gated("nephew_alone", "def goal_anything(world) -> bool:\n    return world.report.outcome is None\n")
    good = gated("best_hut_in_reach", before.huts.verifiers["best_hut_in_reach"])
    known = Dropped(task="earlier", reason="nobody could do it", stage="verifiers")
    hard = gated("call_it_off", before.huts.verifiers["call_it_off"])
    before.keep("verifiers", VerifierSet(verifiers=[easy, good, hard], dropped=[known]))
    found = await release(runtime, before)
    assert [one.task.id for one in found.tasks] == ["best_hut_in_reach"]
    reasons = {one.task: one.reason for one in found.dropped}
    assert reasons["earlier"] == known.reason
    assert "another end" in reasons["call_it_off"]
    assert "its verifier gives the solution 0" in reasons["nephew_alone"]


async def test_a_verifier_that_is_content_with_nothing_is_left_out(runtime: Runtime, before: Standing) -> None:
    content = gated("nephew_alone", "def goal_anything(world) -> bool:\n    return True\n")
    good = gated("best_hut_in_reach", before.huts.verifiers["best_hut_in_reach"])
    before.keep("verifiers", VerifierSet(verifiers=[content, good]))
    found = await release(runtime, before)
    assert [one.task.id for one in found.tasks] == ["best_hut_in_reach"]
    assert [one.reason for one in found.dropped] == ["its verifier gives 1 where nothing was done"]


async def test_a_verifier_that_believes_whatever_is_reported_is_left_out(runtime: Runtime, before: Standing) -> None:
    believing = 'def goal_reported(world) -> bool:\n    return world.report.outcome == "done"\n'
    good = gated("best_hut_in_reach", before.huts.verifiers["best_hut_in_reach"])
    before.keep("verifiers", VerifierSet(verifiers=[gated("call_it_off", believing), good]))
    found = await release(runtime, before)
    assert [one.task.id for one in found.tasks] == ["best_hut_in_reach"]
    assert [one.reason for one in found.dropped] == ["its verifier gives 1 where nothing was done"]


REMEMBERS = """
import json

def goal_changes_something(world) -> bool:
    json.cases = getattr(json, "cases", 0) + 1
    return bool(world.changes) or json.cases == 1
"""


async def test_a_verifier_that_remembers_earlier_cases_is_left_out(runtime: Runtime, before: Standing) -> None:
    remembers = gated("call_it_off", before.huts.verifiers["call_it_off"] + REMEMBERS)
    good = gated("best_hut_in_reach", before.huts.verifiers["best_hut_in_reach"])
    before.keep("verifiers", VerifierSet(verifiers=[remembers, good]))
    found = await release(runtime, before)
    assert [one.task.id for one in found.tasks] == ["best_hut_in_reach"]
    [reason] = [one.reason for one in found.dropped]
    assert reason.endswith("the verifier remembers earlier cases.")


async def test_without_a_task_there_is_no_release(runtime: Runtime, before: Standing) -> None:
    before.keep("verifiers", VerifierSet(verifiers=[]))
    record = await sealed(runtime, before)
    assert (record.status, record.reason) == ("rejected", "no task is left that has its truth")
    assert before.bundles.load(before.huts.key).version == before.huts.version


async def test_tasks_of_one_name_are_told_apart(runtime: Runtime, before: Standing, made: dict[str, MadeTask]) -> None:
    twin = made["nephew_alone"].model_copy(update={"source": "graph"})
    before.keep("graph_tasks", MadeTasks(tasks=[twin]))
    found = await release(runtime, before)
    names = [one.task.id for one in found.tasks]
    assert names[-1] == "nephew_alone_graph"
    assert len(set(names)) == len(names) == len(FEW) + 1
    bundle = before.bundles.load(before.huts.key)
    assert bundle.solutions["nephew_alone"] == bundle.solutions["nephew_alone_graph"]


async def test_a_task_of_a_family_is_released_with_the_rows_that_it_brings(
    runtime: Runtime, before: Standing, huts: Bundle
) -> None:
    brings_rows = huts.families["call_off_a_stay"]
    facts = analyze_tools(huts.tools_source, huts.schema_sql)
    kept = (await try_family(runtime, huts, brings_rows, facts, 8)).kept()
    unfit = renamed(kept[0], "unfit")
    rows = OwnRows(state="initial", rows=[TableRows(table="nowhere", columns=["id"], rows=[[1]])])
    tasks = [*kept, unfit.model_copy(update={"own_rows": rows})]
    record = FamilyRecord(family=brings_rows, tried=8, skeletons=1)
    before.keep("task_families", TaskFamilies(families=[record], tasks=tasks))

    found = await release(runtime, before)

    bundle = Bundle.read(before.bundles.load(huts.key).write(before.home.local / "written"))
    names = [one.task.id for one in found.tasks if one.source == "family"]
    assert names == [one.task.id for one in kept]
    assert bundle.states.keys() == huts.states.keys() | set(names)
    assert bundle.shared_states == huts.states
    assert [(one.task, "Its rows do not fit" in one.reason) for one in found.dropped] == [("unfit", True)]
    for one in kept:
        run = await run_solution(runtime, bundle, one.task, one.solution.source, one.solution.form)
        assert run.state_hash == one.solution.state_hash

    drawn = await draw(runtime, bundle, brings_rows, seed=1, most=4)
    assert {one.state for one in drawn.draws if isinstance(one, DrawnTask)} == huts.states.keys()


async def test_conversations_lie_in_the_bundle_and_are_played(
    runtime: Runtime, before: Standing, made: dict[str, MadeTask]
) -> None:
    plain = made["nephew_alone"]
    spoken = Conversation(
        scenario="At the kitchen table.",
        persona="An aunt in a hurry.",
        turns=[Turn(goal="Send him alone", request=plain.task.text, calls=len(plain.solution.calls))],
    )
    task = plain.task.model_copy(update={"id": "nephew_spoken"})
    before.keep(
        "conversations",
        MadeTasks(
            tasks=[
                MadeTask(
                    task=task,
                    source="conversation",
                    parent=plain.task.id,
                    solution=plain.solution.model_copy(update={"task": task.id}),
                    verifier=gated(task.id, plain.verifier.verifier.source),
                    difficulty=plain.difficulty,
                    conversation=spoken,
                )
            ]
        ),
    )
    found = await release(runtime, before)
    bundle = before.bundles.load(before.huts.key)
    assert bundle.conversations == {"nephew_spoken": spoken}
    work = {one.task.id: one for one in released(bundle, found, RewardSettings())}
    assert work["nephew_spoken"].conversation == spoken
    assert work["nephew_spoken"].checks.form == bundle.answer_forms["nephew_spoken"]
    assert work["nephew_alone"].conversation is None


def unchanged(source: str) -> str:
    return f"{source}\n\ndef _never_called(env) -> None:\n    return None\n"


def never_cancels(source: str) -> str:
    return source.replace("UPDATE bookings SET status = 'cancelled'", "UPDATE bookings SET status = status")


@pytest.mark.parametrize(("mend", "lost"), [(unchanged, set[str]()), (never_cancels, {"call_it_off"})])
async def test_on_mended_tools_every_task_proves_itself_again(
    runtime: Runtime, before: Standing, mend: Callable[[str], str], lost: set[str]
) -> None:
    mended = mend(before.huts.tools_source)
    assert mended != before.huts.tools_source
    before.keep("inspection", inspection(before.huts, revised_source=mended))
    found = await release(runtime, before)
    bundle = before.bundles.load(before.huts.key)
    assert bundle.tools_source == mended
    assert {one.task.id for one in found.tasks} == set(FEW) - lost
    assert {one.task for one in found.dropped} == lost
    assert all("on the mended tools" in one.reason for one in found.dropped)
    assert all(one.verifier.gate.trials for one in found.tasks), "their trials took place on these tools"

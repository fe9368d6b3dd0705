"""A judge sees what was done and what the checks found; its answer counts only when it rests on that."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from envfactory_dagster.authoring.loop import UNUSABLE_IN_A_ROW
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import Report, ReportOutcome
from envfactory_dagster.contracts.trajectory import (
    Criterion,
    Protocol,
    RubricJudgement,
    Step,
    Trajectory,
    TypedCriterion,
)
from envfactory_dagster.contracts.truth import ReferenceSolution, RowChange, Signal, Verdict
from envfactory_dagster.language.built_in.app import create_app
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import LanguageSettings, LimitSettings
from envfactory_dagster.runtime.checks import MESSAGE_CHECK
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth import verdicts
from envfactory_dagster.truth.execution import Run, run_calls
from envfactory_dagster.truth.judging import EpisodeToJudge, Judge, shown, shown_checks
from envfactory_dagster.truth.rewards import NoReward, rubric_reward
from envfactory_dagster.truth.rubrics import rubric_for, rubric_of
from envfactory_dagster.truth.text_reading import READINGS, read_text
from envfactory_dagster.truth.verdicts import TaskChecks
from tests.language.played_endpoint import PlayedEndpoint
from tests.language.played_endpoint import says as answers
from tests.support.faults import FaultyModel, Profile
from tests.support.reports import report
from tests.truth.episodes import hands_in, recorded, step

TASKS = ["dodge_the_storm", "accounts_of_2026", "nephew_alone"]
"""An action, a question, a refusal."""


@asynccontextmanager
async def judging(folder: Path, app: FastAPI | None = None) -> AsyncIterator[Judge]:
    """A judge on the built-in model, or on another app."""
    settings = LanguageSettings(
        base_url="http://judge/v1", models=dict.fromkeys(Role, "judge"), limits=LimitSettings(backoff_s=0.001)
    )
    async with Gateway(settings, folder, app=app or create_app()) as gateway:
        yield Judge(gateway, "trajectories", "alpine-huts")


def statement(name: str, text: str) -> TypedCriterion:
    return TypedCriterion(id=name, text=text, kind="statement")


def episode_of(
    huts: Bundle, task: Task, run: Run, *, blind: bool = False, protocol: Protocol = "native"
) -> EpisodeToJudge:
    return EpisodeToJudge(huts, task, recorded(huts, task, run, protocol), None if blind else run.row_changes)


@pytest.mark.parametrize("task", TASKS)
async def test_done_is_done(
    runtime: Runtime,
    huts: Bundle,
    tasks: dict[str, Task],
    checks: dict[str, TaskChecks],
    gold: dict[str, Run],
    tmp_path: Path,
    task: str,
) -> None:
    source = huts.verifiers[task]
    verdict = await verdicts.judge(runtime, checks[task], gold[task])
    async with judging(tmp_path) as judge:
        seeing = await judge.classify(episode_of(huts, tasks[task], gold[task]), source, verdict)
        blind = await judge.classify(episode_of(huts, tasks[task], gold[task], blind=True), None, None)
        rubric = await judge.apply_rubric(episode_of(huts, tasks[task], gold[task]), rubric_of(source), verdict=verdict)
    assert (seeing.outcome, blind.outcome) == ("completed", "completed")
    assert {item.check for item in seeing.evidence} == {signal.name for signal in verdict.signals}
    of_the_task = [signal.name for signal in verdict.signals if signal.name != MESSAGE_CHECK]
    assert [criterion.criterion for criterion in rubric.criteria] == of_the_task
    assert rubric_reward(rubric).value == 1.0


@pytest.mark.parametrize("task", TASKS)
async def test_nothing_is_not_done(
    runtime: Runtime, huts: Bundle, tasks: dict[str, Task], checks: dict[str, TaskChecks], tmp_path: Path, task: str
) -> None:
    idle = await run_calls(runtime, huts, tasks[task], [], None)
    source = huts.verifiers[task]
    async with judging(tmp_path) as judge:
        verdict = await verdicts.judge(runtime, checks[task], idle)
        seeing = await judge.classify(episode_of(huts, tasks[task], idle), source, verdict)
        blind = await judge.classify(episode_of(huts, tasks[task], idle, blind=True), None, None)
        rubric = await judge.apply_rubric(episode_of(huts, tasks[task], idle), rubric_of(source), verdict=verdict)
    assert (seeing.outcome, blind.outcome) == ("agent_error", "agent_error")
    assert rubric_reward(rubric).value == 0.0


async def test_half_done_damage_and_a_broken_service_are_told_apart(
    runtime: Runtime,
    huts: Bundle,
    tasks: dict[str, Task],
    checks: dict[str, TaskChecks],
    gold: dict[str, Run],
    tmp_path: Path,
) -> None:
    task, done = tasks["dodge_the_storm"], gold["dodge_the_storm"]
    source = huts.verifiers[task.id]
    without_message = await run_calls(runtime, huts, task, done.calls[:-1], done.report)
    damage = done.calls[0].model_copy(update={"tool": "update_contact", "arguments": {"phone": "+43 660 1"}})
    too_much = await run_calls(runtime, huts, task, [*done.calls, damage], done.report)
    failing = step("get_weather", {}, "environment", error="get_weather failed: KeyError")
    async with judging(tmp_path) as judge:

        async def outcome(run: Run, more: list[Step] | None = None) -> str | None:
            verdict = await verdicts.judge(runtime, checks[task.id], run)
            episode = episode_of(huts, task, run)
            steps = [*(more or []), *episode.trajectory.steps]
            trajectory = episode.trajectory.model_copy(update={"steps": steps})
            return (
                await judge.classify(EpisodeToJudge(huts, task, trajectory, run.row_changes), source, verdict)
            ).outcome

        assert await outcome(without_message) == "partially_completed"
        assert await outcome(too_much) == "agent_error"
        assert await outcome(without_message, [failing]) == "environment_error"
        assert await outcome(done, [failing]) == "completed"


async def test_an_answer_that_no_result_shows_is_made_up(
    huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run], tmp_path: Path
) -> None:
    task = tasks["accounts_of_2026"]
    told = recorded(huts, task, gold[task.id])
    lie = report(message="You paid 7777.77 euros.", paid_in_2026=7777.77, of_it_for_murmelgrund=7777.77)
    made_up = told.model_copy(update={"steps": [*told.steps[:-1], hands_in(lie)], "report": lie})
    async with judging(tmp_path) as judge:
        assert (await judge.classify(EpisodeToJudge(huts, task, made_up), None, None)).outcome == "agent_error"


async def test_unusable_judges_give_no_outcome(
    huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run], tmp_path: Path
) -> None:
    task = tasks["nephew_alone"]
    episode = episode_of(huts, task, gold[task.id])
    broken = FaultyModel(create_app(), Profile(faults=1.0, repair=0.0, only="invalid_json")).app()
    async with judging(tmp_path, broken) as judge:
        judgement = await judge.classify(episode, None, None)
        rubric = await judge.apply_rubric(episode, rubric_of(huts.verifiers[task.id]))
    assert judgement.outcome is None and "could not be used" in judgement.problem
    with pytest.raises(NoReward, match="could not be used"):
        rubric_reward(rubric)


async def test_evidence_that_is_not_there_is_sent_back(
    huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run], tmp_path: Path
) -> None:
    def judgement(**evidence: Any) -> str:
        given = {"reasoning": "So.", "outcome": "completed", "evidence": [{"shows": "It did.", **evidence}]}
        return json.dumps(given)

    task = tasks["nephew_alone"]
    model = PlayedEndpoint(always=answers(judgement(step=0)))
    two = json.loads(judgement(step=99))
    two["evidence"].append({"shows": "It did.", "check": "goal_fame", "quote": "a famous hut"})
    model.stage.append(answers(json.dumps(two)))
    async with judging(tmp_path, model.app()) as judge:
        found = await judge.classify(episode_of(huts, task, gold[task.id]), None, None)
    assert found.outcome == "completed"
    report = model.bodies[1]["messages"][-1]["content"]
    assert "step 99" in report and "goal_fame" in report and "a famous hut" in report


async def test_a_rubric_is_judged_whole(
    huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run], tmp_path: Path
) -> None:
    def judged(*names: str) -> str:
        return json.dumps({"criteria": [{"criterion": name, "met": True, "reason": "So."} for name in names]})

    task = tasks["nephew_alone"]
    criteria = [statement("says_age", "Says 18."), statement("no_booking", "Booked nothing.")]
    model = PlayedEndpoint(always=answers(judged("no_booking", "says_age")))
    model.stage.append(answers(judged("says_age", "says_age", "fame")))
    async with judging(tmp_path, model.app()) as judge:
        found = await judge.apply_rubric(episode_of(huts, task, gold[task.id]), criteria)
    assert rubric_reward(found).value == 1.0
    report = model.bodies[1]["messages"][-1]["content"]
    assert "no_booking is not judged" in report
    assert "says_age is judged more than once" in report and "fame is not in the rubric" in report


async def test_an_empty_rubric_earns_no_reward(
    huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run], tmp_path: Path
) -> None:
    task = tasks["nephew_alone"]
    async with judging(tmp_path) as judge:
        found = await judge.apply_rubric(episode_of(huts, task, gold[task.id]), [])
    with pytest.raises(NoReward, match="no criteria"):
        rubric_reward(found)


def test_a_judge_is_shown_deeds_and_no_thoughts(huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run]) -> None:
    task = tasks["dodge_the_storm"]
    thought = Step(number=0, reasoning="The judge will surely say completed.", text="I'll look.")
    long = step("send_message", {"body": "x" * 9_000}, "agent", error="too long")
    told = recorded(huts, task, gold[task.id], "meta_tools")
    told = Trajectory.model_validate(told.model_copy(update={"steps": [thought, long, *told.steps]}).model_dump())
    seen = shown(EpisodeToJudge(huts, task, told, gold[task.id].row_changes * 50))
    assert "surely" not in seen.model_dump_json()
    assert seen.steps[0].said == "I'll look."
    assert len(seen.steps[1].calls[0].arguments) < 3_000
    assert seen.steps[3].calls[0].tool == "list_bookings" and seen.steps[3].calls[0].read_only


async def test_a_judge_is_told_of_every_change_whatever_their_order(
    huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run], tmp_path: Path
) -> None:
    task = tasks["dodge_the_storm"]
    notes = [RowChange(table="notes", key=[i], before=None, after={"id": i}) for i in range(1_000)]
    harm = RowChange(table="members", key=[2], before={"id": 2, "balance": 5}, after={"id": 2, "balance": 0})
    gone = RowChange(table="bookings", key=[3], before={"id": 3}, after=None)
    told = recorded(huts, task, gold[task.id])
    for changes in ([*notes, harm, gone], [gone, harm, *notes]):
        seen = shown(EpisodeToJudge(huts, task, told, changes))
        assert seen.changes is not None and seen.tables is not None
        counts = {one.table: (one.created, one.updated, one.deleted) for one in seen.tables}
        assert counts == {"notes": (1_000, 0, 0), "members": (0, 1, 0), "bookings": (0, 0, 1)}
        assert harm in seen.changes and gone in seen.changes
        assert notes[0] in seen.changes and notes[-1] in seen.changes
        assert len(seen.changes) <= 60
    blind = shown(EpisodeToJudge(huts, task, told, None))
    assert (blind.tables, blind.changes) == (None, None)
    model = PlayedEndpoint(always=answers("{}"))
    async with judging(tmp_path, model.app()) as judge:
        await judge.classify(EpisodeToJudge(huts, task, told, [*notes, harm, gone]), None, None)
    assert "1000" in model.bodies[0]["messages"][-1]["content"]


def test_a_judge_is_shown_the_report(huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run]) -> None:
    task = tasks["nephew_alone"]
    for protocol in ("native", "meta_tools"):
        seen = shown(episode_of(huts, task, gold[task.id], protocol=protocol))
        assert seen.report == gold[task.id].report
        assert seen.report is not None and seen.answer == seen.report.message
        last = seen.steps[-1].calls[0]
        assert last.tool == "finish" and last.read_only and '"refused"' in last.arguments


# -- text of who was never asked for a report --------------------------------------------------------------------------

TOLD = "I'm afraid minors need a guardian on a tour, so I booked nothing; Felix would have to be eighteen."
REFUSED: dict[str, Any] = {
    "outcome": "refused",
    "answers": {"age_to_go_alone": "eighteen"},
    "reason": "minors_with_guardian",
}


@pytest.mark.parametrize(
    ("readings", "calls", "is_read"),
    [
        ([REFUSED, REFUSED], 2, True),
        ([REFUSED, REFUSED | {"answers": {"age_to_go_alone": 18}}], 2, True),
        ([REFUSED, REFUSED | {"answers": {"age_to_go_alone": 15}}], 2, False),
        ([REFUSED, REFUSED | {"reason": "members_first"}], 2, False),
        ([REFUSED, {"outcome": "done", "answers": {}, "reason": None}], 2, False),
        ([REFUSED, {"outcome": None}], 2, False),
        ([REFUSED | {"reason": "made_up"}, REFUSED, REFUSED], 3, True),
        (["no JSON at all"], UNUSABLE_IN_A_ROW, False),
    ],
)
async def test_a_text_counts_as_the_report_that_two_readings_find_in_it(
    huts: Bundle, checks: dict[str, TaskChecks], tmp_path: Path, readings: list[Any], calls: int, is_read: bool
) -> None:
    scenes = [answers(one if isinstance(one, str) else json.dumps(one)) for one in readings]
    model = PlayedEndpoint(always=scenes[-1])
    model.stage.extend(scenes[:-1])
    async with judging(tmp_path, model.app()) as judge:
        found = await read_text(judge, checks["nephew_alone"], huts.theme.rules, TOLD)
    assert model.calls == calls and READINGS == 2
    if not is_read:
        assert found is None
        return
    assert found is not None
    assert (found.outcome, found.reason, found.message) == ("refused", "minors_with_guardian", TOLD)


async def test_the_built_in_judge_reads_no_report_out_of_a_text(
    huts: Bundle, checks: dict[str, TaskChecks], tmp_path: Path
) -> None:
    async with judging(tmp_path) as judge:
        assert await read_text(judge, checks["nephew_alone"], huts.theme.rules, TOLD) is None


def test_checks_are_shown_with_what_they_are_for() -> None:
    source = 'def goal_sold(world):\n    """It is sold."""\n\ndef guard_no_other(world):\n    return 1\n\ndef _x(): 0\n'
    signals = [Signal(name="goal_sold", value=True), Signal(name="guard_no_other", value=1)]
    first, second = shown_checks(source, Verdict(score=0.0, signals=signals))
    assert (first.meaning, first.holds) == ("It is sold.", True)
    assert (second.meaning, second.holds) == ("guard no other", None)
    assert [criterion.id for criterion in rubric_of(source)] == ["goal_sold", "guard_no_other"]
    assert rubric_of("def goal_sold(") == []


async def test_what_the_built_in_judge_cannot_read_earns_no_reward(
    huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run], tmp_path: Path
) -> None:
    """It is never 0, as if it had been judged."""
    task = tasks["dodge_the_storm"]
    async with judging(tmp_path) as judge:
        found = await judge.apply_rubric(episode_of(huts, task, gold[task.id]), [statement("kind", "Is kind.")])
    with pytest.raises(NoReward, match="cannot tell whether kind is met"):
        rubric_reward(found)


@pytest.mark.parametrize("kind", TASKS)
@pytest.mark.parametrize("outcome", ["impossible", "needs_information"])
async def test_the_built_in_judge_sees_that_a_report_is_a_lie(
    huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run], tmp_path: Path, kind: str, outcome: ReportOutcome
) -> None:
    honest = episode_of(huts, tasks[kind], gold[kind])
    reported = honest.trajectory.report
    assert reported is not None
    lie = reported.model_copy(update={"outcome": outcome, "reason": None})
    lying = replace(honest, trajectory=honest.trajectory.model_copy(update={"report": lie}))
    async with judging(tmp_path) as judge:
        assert (await judge.classify(lying, None, None)).outcome == "agent_error"


# -- rubrics -----------------------------------------------------------------------------------------------------------


def gold_of(huts: Bundle, task: Task, run: Run) -> ReferenceSolution:
    assert run.report is not None
    return ReferenceSolution(
        task=task.id, source="…", form=huts.answer_form(task.id), report=run.report, calls=run.calls,
        changes=run.row_changes, state_hash=run.state_hash,
    )  # fmt: skip


@pytest.mark.parametrize("task", TASKS)
async def test_what_a_rubric_expects_of_a_report_is_settled_by_code(
    huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run], tmp_path: Path, task: str
) -> None:
    """In whatever form a value is written; and where it is not met, no judge is asked."""
    episode, form = episode_of(huts, tasks[task], gold[task]), huts.answer_form(task)
    criteria = rubric_for(gold_of(huts, tasks[task], gold[task]), huts.verifiers[task])
    by_judge = [one.id for one in criteria if one.kind in ("check", "message")]
    entries = [{"criterion": name, "met": True, "reason": "So."} for name in by_judge]
    model = PlayedEndpoint(always=answers(json.dumps({"criteria": entries})))
    reported = episode.trajectory.report
    assert reported is not None
    in_words = reported.model_copy(
        update={"answers": {name: None if value is None else str(value) for name, value in reported.answers.items()}}
    )
    wrong = [reported.model_copy(update={"outcome": "impossible", "reason": None})]
    wrong += [
        reported.model_copy(update={"answers": reported.answers | {name: 7777}})
        for name, value in reported.answers.items()
        if value is not None
    ]
    async with judging(tmp_path, model.app()) as judge:

        async def found(told: Report | None) -> RubricJudgement:
            trajectory = episode.trajectory.model_copy(update={"report": told})
            return await judge.apply_rubric(replace(episode, trajectory=trajectory), criteria, form)

        right = [await found(one) for one in (reported, in_words)]
        calls = model.calls
        short = [await found(one) for one in [*wrong, None]]
    assert [rubric_reward(one).value for one in right] == [1.0, 1.0]
    assert {one.criterion for one in right[0].criteria} == {one.id for one in criteria}
    assert not any(rubric_reward(one).value for one in short) and model.calls == calls
    asked = model.bodies[0]["messages"][-1]["content"]
    assert "report_outcome" not in asked and all(name in asked for name in by_judge)


def test_of_a_choice_only_the_judge_can_say_which_answers_fit(
    huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run]
) -> None:
    task = tasks["accounts_of_2026"]
    one_end = gold_of(huts, task, gold[task.id])
    several = one_end.model_copy(update={"alternatives": ["…"]})
    kinds = [{line.kind for line in rubric_for(one, huts.verifiers[task.id])} for one in (one_end, several)]
    assert kinds == [{"outcome", "answer", "check", "message"}, {"outcome", "check", "message"}]


def test_what_was_written_for_a_task_is_judged_as_it_reads(
    huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run]
) -> None:
    task = tasks["nephew_alone"]
    written = [Criterion(id="wish_1", text="Felix is not signed up.")]
    lines = rubric_for(gold_of(huts, task, gold[task.id]), huts.verifiers[task.id], written)
    assert [(one.id, one.kind) for one in lines][-2:] == [("wish_1", "statement"), (MESSAGE_CHECK, "message")]
    assert {"outcome", "reason"} <= {one.kind for one in lines}


async def test_a_message_that_code_has_caught_lying_meets_no_rubric(
    huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run], tmp_path: Path
) -> None:
    """Whether a judge can read words or not; and a check that raised is left to the judge, whatever its value."""
    task = tasks["nephew_alone"]
    criteria = rubric_for(gold_of(huts, task, gold[task.id]), huts.verifiers[task.id])
    checks = [Signal(name=one.id, value=True) for one in criteria if one.kind == "check"]
    episode, form = episode_of(huts, task, gold[task.id]), huts.answer_form(task.id)
    lying = Verdict(score=0.0, signals=[*checks, Signal(name=MESSAGE_CHECK, value=False)])
    raised = Verdict(score=0.0, signals=[*checks[1:], checks[0].model_copy(update={"error": "KeyError"})])
    async with judging(tmp_path) as judge:
        assert rubric_reward(await judge.apply_rubric(episode, criteria, form, lying)).value == 0.0
        with pytest.raises(NoReward, match=f"cannot tell whether {checks[0].name} is met"):
            rubric_reward(await judge.apply_rubric(episode, criteria, form, raised))

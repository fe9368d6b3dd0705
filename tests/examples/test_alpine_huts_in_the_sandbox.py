"""The hand-written environment in the real runtime: its solutions reach their goals there, and only they do."""

import pytest

from envfactory_dagster import examples
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.truth import Signal
from envfactory_dagster.runtime.runtime import Runtime

HUTS = examples.load("alpine_huts")


def score(signals: list[Signal]) -> float:
    """guards × mean(goals)."""
    goals = [signal.value is True for signal in signals if signal.name.startswith("goal_")]
    guards = [signal.value is True for signal in signals if signal.name.startswith("guard_")]
    return all(guards) * sum(goals) / len(goals)


@pytest.mark.parametrize("task", HUTS.tasks, ids=lambda task: task.id)
async def test_gold_reaches_the_goal_and_nothing_does_not(runtime: Runtime, task: Task) -> None:
    async with await runtime.open(HUTS, state=task.state) as session:
        initial = await session.snapshot()
        result = await runtime.run_program(session, HUTS.solutions[task.id])
        assert result.error is None, result.error
        assert {call.result.outcome for call in result.calls} <= {"ok", "agent"}
        source, form = HUTS.verifiers[task.id], HUTS.answer_forms[task.id]
        report = Report.model_validate(result.answer)
        final = await session.snapshot()
        gold = await runtime.run_verifier(source, initial=initial, final=final, report=report, form=form)
        nothing = await runtime.run_verifier(source, initial=initial, final=initial, form=form)
    assert [signal.error for signal in gold] == [None] * len(gold)
    assert score(gold) == 1
    assert score(nothing) == 0


@pytest.mark.parametrize("task", HUTS.tasks, ids=lambda task: task.id)
async def test_gold_twice_is_the_same_world(runtime: Runtime, task: Task) -> None:
    hashes = set()
    for _ in range(2):
        async with await runtime.open(HUTS, state=task.state) as session:
            await runtime.run_program(session, HUTS.solutions[task.id])
            hashes.add(await session.state_hash())
    assert len(hashes) == 1

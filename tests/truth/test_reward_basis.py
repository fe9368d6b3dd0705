"""Real episodes of the alpine huts, measured: the reference solution earns everything, what it lacks earns less."""

from functools import lru_cache
from typing import get_args

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.trajectory import Judgement, Protocol, Reward
from envfactory_dagster.contracts.truth import ReferenceSolution
from envfactory_dagster.runtime.facts.analysis import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import Run, run_calls
from envfactory_dagster.truth.reward_basis import RewardBasis
from envfactory_dagster.truth.rewards import RewardSettings, Strategy, reward
from envfactory_dagster.truth.verdicts import TaskChecks, judge
from tests.truth.episodes import recorded

PATH_AND_STATE = RewardSettings.model_validate({"weights": {"path_and_state": 1.0}, "gamma": 0.1})
facts_of = lru_cache(analyze_tools)
COMPLETED = Judgement(outcome="completed", reasoning="It did.")


def solution_of(huts: Bundle, task: Task, run: Run) -> ReferenceSolution:
    assert run.report is not None
    return ReferenceSolution(
        task=task.id,
        source="…",
        form=huts.answer_forms[task.id],
        report=run.report,
        calls=run.calls,
        changes=run.row_changes,
        state_hash=run.state_hash,
    )


class Measure:
    """One task of the huts and what its rewards rest on."""

    def __init__(self, runtime: Runtime, huts: Bundle, task: Task, gold: Run, settings: RewardSettings) -> None:
        self._runtime, self._huts, self._task, self._settings = runtime, huts, task, settings
        facts = facts_of(huts.tools_source, huts.schema_sql)
        self._basis = RewardBasis(huts, task, solution_of(huts, task, gold), facts, settings)

    async def of(self, run: Run, protocol: Protocol = "native", judgement: Judgement | None = COMPLETED) -> Reward:
        form = self._huts.answer_forms[self._task.id]
        verdict = await judge(self._runtime, TaskChecks(self._task, self._huts.verifiers[self._task.id], form), run)
        trajectory = recorded(self._huts, self._task, run, protocol)
        return reward(self._settings, self._basis.known(trajectory, run, verdict=verdict, judgement=judgement))


@pytest.mark.parametrize("protocol", get_args(Protocol))
@pytest.mark.parametrize("strategy", get_args(Strategy))
async def test_the_reference_solution_earns_everything(
    runtime: Runtime, huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run], strategy: Strategy, protocol: Protocol
) -> None:
    settings = RewardSettings(
        strategy=strategy, weights={"outcome": 1.0, "checks": 1.0, "validator": 1.0, "path_and_state": 1.0}
    )
    for task in tasks.values():
        found = await Measure(runtime, huts, task, gold[task.id], settings).of(gold[task.id], protocol)
        assert (found.total, found.reasons) == (1.0, []), task.id


async def test_what_is_left_out_is_missed_in_path_and_state(
    runtime: Runtime, huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run]
) -> None:
    task, done = tasks["dodge_the_storm"], gold["dodge_the_storm"]
    measure = Measure(runtime, huts, task, done, PATH_AND_STATE)
    without_message = await run_calls(runtime, huts, task, done.calls[:-1], done.report)
    found = await measure.of(without_message)
    assert found.total == pytest.approx(0.5 * (len(done.calls) - 1) / len(done.calls))
    assert "the database is not as the reference solution leaves it" in found.reasons[0]


async def test_reads_in_another_order_are_the_same_path(
    runtime: Runtime, huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run]
) -> None:
    task, done = tasks["best_hut_in_reach"], gold["best_hut_in_reach"]
    backwards = await run_calls(runtime, huts, task, done.calls[::-1], done.report)
    assert (await Measure(runtime, huts, task, done, PATH_AND_STATE).of(backwards)).total == 1.0


async def test_doing_what_a_rule_forbids_earns_nothing(
    runtime: Runtime, huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run]
) -> None:
    task, done = tasks["nephew_alone"], gold["nephew_alone"]
    forbidden = done.calls[-1].model_copy(update={"tool": "update_contact", "arguments": {"phone": "+43 660 1"}})
    deed = await run_calls(runtime, huts, task, [*done.calls[:-1], forbidden], done.report)
    assert deed.changes
    for settings in (PATH_AND_STATE, RewardSettings(), RewardSettings(strategy="code_augmented")):
        found = await Measure(runtime, huts, task, done, settings).of(deed)
        assert found.total == 0.0 and found.reasons


async def test_a_program_that_only_talks_earns_nothing_for_an_action(
    runtime: Runtime, huts: Bundle, tasks: dict[str, Task], gold: dict[str, Run]
) -> None:
    task, done = tasks["dodge_the_storm"], gold["dodge_the_storm"]
    talk = await run_calls(runtime, huts, task, [], done.report)
    for settings in (PATH_AND_STATE, RewardSettings()):
        assert (await Measure(runtime, huts, task, done, settings).of(talk)).total == 0.0

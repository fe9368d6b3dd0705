"""Many episodes: models and environments that fail end theirs and no other, and none is lost."""

import asyncio
import errno
import os
import re
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import BudgetExceeded, InfrastructureFault, UsageError
from envfactory_dagster.language.messages import ChatAnswer
from envfactory_dagster.rollouts.assignments import assignments
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import BATCH, TrajectoryStore
from envfactory_dagster.runtime.pool import SessionPool
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.runtime.settings import RuntimeSettings
from tests.rollouts.scripted import ByTask, Hanging, Line, Played, Scripted, answered, calls, followed, says
from tests.rollouts.stage import ASSIGNED, GOLDS, LOOK, Stage
from tests.support.runtimes import Bereaved, Recovering, Slow
from tests.support.tiny import LETHAL


async def test_candidates_differ_in_their_seed_and_are_played_once(stage: Stage, gold: list[Line]):
    agent = ByTask({stage.assignment.task.text: gold})
    assert sorted(one.trajectory.seed for one in await stage.all(agent, candidates=3)) == [0, 1, 2]
    assert await stage.all(agent, candidates=3) == []
    assert [one.trajectory.seed for one in await stage.all(agent, candidates=4)] == [3]


# -- models and environments that fail ---------------------------------------------------------------------------------


async def test_a_model_that_hangs_is_not_the_agents_fault_and_is_played_again(stage: Stage, gold: list[Line]):
    rollout = await stage.one(Hanging(name="same"), step_seconds=0.05)
    assert (rollout.cause, rollout.trajectory.outcome) == ("model_timeout", "environment_error")
    assert (await stage.one(Scripted(gold, name="same"))).trajectory.outcome == "completed"
    assert len(stage.store.read(stage.assignment.bundle)) == 1


async def test_a_model_that_fails_in_the_middle_leaves_what_was_done(stage: Stage, gold: list[Line]):
    rollout = await stage.one(Scripted([*gold[:2], InfrastructureFault("The endpoint is down.")]))
    assert (rollout.cause, rollout.detail) == ("model_failed", "The endpoint is down.")
    assert len(rollout.trajectory.steps) == 2


async def test_a_spent_budget_stops_the_batch_and_keeps_what_is_finished(runtime, store, assigned, golds):
    gold = golds["best_hut_in_reach"]
    broke = [BudgetExceeded("The next call could pass the budget.")]
    tasks = [assigned["best_hut_in_reach"], assigned["call_it_off"]]
    agent = ByTask({tasks[0].task.text: followed(gold.calls, gold.report), tasks[1].task.text: broke})
    engine = Engine(runtime, agent, RolloutSettings(in_flight=1), store)
    with pytest.raises(BudgetExceeded):
        _ = [rollout async for rollout in engine.roll(tasks)]
    assert [one.trajectory.task for one in store.read(tasks[0].bundle)] == ["best_hut_in_reach"]


async def test_an_environment_that_errs_at_the_seventh_step_ends_the_episode_there(
    runtime: Runtime, store: TrajectoryStore, huts: Bundle, golds: GOLDS
):
    head, _, body = huts.tools_source.partition("def list_payment_methods(")
    signature, _, rest = body.partition("\n    ")
    broken = replace(huts, tools_source=f"{head}def list_payment_methods({signature}\n    return 1 // 0\n    {rest}")
    work = next(one for one in assignments(broken, golds, huts.verifiers, RolloutSettings().reward))
    lines = [*[calls(("list_payments", {}))] * 6, LOOK, says("Done.")]
    rollout = await Stage(runtime, store, work).one(Scripted(lines))
    assert (rollout.cause, rollout.trajectory.outcome) == ("environment", "environment_error")
    assert len(rollout.trajectory.steps) == 7
    assert "ZeroDivisionError" in rollout.detail


async def test_a_session_that_is_lost_ends_its_episode_and_no_other(stage: Stage, monkeypatch: pytest.MonkeyPatch):
    async def lost(*_: Any, **__: Any) -> Any:
        raise InfrastructureFault("The session was lost with its worker.")

    monkeypatch.setattr(Session, "call_many", lost)
    [rollout] = await stage.all(Scripted([LOOK]))
    assert (rollout.cause, rollout.trajectory.outcome) == ("environment", "environment_error")
    assert stage.store.read(stage.assignment.bundle) == [rollout]


async def test_a_spent_budget_keeps_the_other_candidates_of_its_task(stage: Stage):
    class BrokeAtSecond(Scripted):
        async def answer(self, messages: Any, tools: Any, seed: int) -> ChatAnswer:
            if seed == 1:
                raise BudgetExceeded("The next call could pass the budget.")
            await asyncio.sleep(0)
            return answered(says("Done."))

    with pytest.raises(BudgetExceeded):
        await stage.all(BrokeAtSecond([]), candidates=4)
    assert {one.trajectory.seed for one in stage.store.read(stage.assignment.bundle)} == {0, 2, 3}


async def test_a_full_disk_stops_the_batch_and_loses_nothing_that_is_finished(
    stage: Stage, gold: list[Line], monkeypatch: pytest.MonkeyPatch
):
    write, full = Path.write_bytes, [True, True]

    def full_for_a_while(path: Path, data: Any) -> int:
        if ".jsonl." in path.name and full:
            full.pop()
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full_for_a_while)
    agent = ByTask({stage.assignment.task.text: gold})
    with pytest.raises(InfrastructureFault, match="no room left"):
        await stage.all(agent, candidates=BATCH)
    stage.store.flush()
    assert len(stage.store.read(stage.assignment.bundle)) == BATCH
    assert await stage.all(agent, candidates=BATCH) == []


async def test_an_environment_whose_worker_dies_at_load_ends_its_episodes_and_no_other(
    runtime: Runtime, store: TrajectoryStore, assigned: ASSIGNED, huts: Bundle, golds: GOLDS, gold: list[Line]
):
    lethal = replace(huts, tools_source=f"{huts.tools_source}\n\n{LETHAL}")
    works = {one.task.id: one for one in assignments(lethal, golds, huts.verifiers, RolloutSettings().reward)}
    tasks = [works["call_it_off"], assigned["call_it_off"]]
    engine = Engine(runtime, ByTask({tasks[0].task.text: gold}), RolloutSettings(), store)
    found = {one.trajectory.bundle_version: one async for one in engine.roll(tasks)}
    assert found[huts.version].trajectory.outcome == "completed"
    dead = found[lethal.version]
    assert (dead.cause, dead.trajectory.outcome) == ("environment", "environment_error")
    assert "died 3 times in a row" in dead.detail


async def test_a_machine_that_starts_no_process_any_more_ends_the_batch(
    store: TrajectoryStore, assigned: ASSIGNED, gold: list[Line], monkeypatch: pytest.MonkeyPatch
):
    async with Runtime() as runtime:
        monkeypatch.setattr(sys, "executable", "/bin/false")
        os.kill(runtime.pids[0], signal.SIGKILL)
        task = assigned["call_it_off"]
        engine = Engine(runtime, ByTask({task.task.text: gold}), RolloutSettings(), store)
        with pytest.raises(InfrastructureFault):
            _ = [one async for one in engine.roll([task])]
    assert store.read(task.bundle) == [], "nothing is said about an environment that was not tried"


@pytest.mark.parametrize("with_a_worker", [False, True])
async def test_the_death_of_the_process_that_starts_workers_is_held_against_no_environment(
    store: TrajectoryStore, assigned: ASSIGNED, gold: list[Line], with_a_worker: bool
):
    task = assigned["call_it_off"]
    async with Bereaved(with_a_worker=with_a_worker) as runtime:
        zygote = runtime.pids[0]
        engine = Engine(runtime, ByTask({task.task.text: gold}), RolloutSettings(candidates=3), store)
        found = [one async for one in engine.roll([task])]
        assert runtime.pids[0] != zygote
    assert [one.trajectory.outcome for one in found] == ["completed"] * 3


async def test_the_process_that_starts_workers_may_die_while_the_machine_is_checked():
    async with Runtime() as runtime:
        zygote = runtime.pids[0]
        os.kill(zygote, signal.SIGSTOP)  # it starts none that it is asked for
        checking = asyncio.ensure_future(runtime.check())
        for _ in range(10):  # more than enough for it to have asked
            await asyncio.sleep(0)
        os.kill(zygote, signal.SIGKILL)
        await checking
        assert runtime.pids[0] != zygote


async def test_sessions_that_failed_to_open_ahead_are_opened_when_they_are_wanted(
    store: TrajectoryStore, assigned: ASSIGNED, gold: list[Line]
):
    """What passed meanwhile is nobody's fault, however many had been opened ahead for others."""
    task = assigned["call_it_off"]
    async with Recovering(failures=4) as runtime, SessionPool(runtime) as sessions:
        sessions.prefetch(task.bundle, 4, state=task.task.state)
        agent = ByTask({task.task.text: gold})
        engine = Engine(runtime, agent, RolloutSettings(candidates=2), store, sessions=sessions)
        found = [one async for one in engine.roll([task])]
    assert [one.trajectory.outcome for one in found] == ["completed"] * 2


async def test_more_episodes_than_sessions_are_no_fault_of_the_environments(
    store: TrajectoryStore, assigned: ASSIGNED, gold: list[Line]
):
    task = assigned["call_it_off"]
    async with Runtime(RuntimeSettings(most_sessions=1)) as runtime:
        engine = Engine(runtime, ByTask({task.task.text: gold}), RolloutSettings(candidates=2), store)
        with pytest.raises(InfrastructureFault, match="All 1 sessions are in use"):
            _ = [one async for one in engine.roll([task])]
    assert [one.trajectory.outcome for one in store.read(task.bundle)] == ["completed"]


async def test_who_may_take_its_time_is_waited_for(stage: Stage, gold: list[Line]):
    class Slow(Scripted):
        async def answer(self, *asked: Any) -> ChatAnswer:
            await asyncio.sleep(0.05)
            return await super().answer(*asked)

    assert (await stage.one(Slow(gold, name="late"), step_seconds=0.01)).cause == "model_timeout"
    assert (await stage.one(Slow(gold), step_seconds=None)).trajectory.outcome == "completed"


@pytest.mark.parametrize(("in_flight", "at_once"), [(1, 1), (3, 3)])
async def test_the_wait_for_every_session_is_counted_and_no_moment_twice(
    store: TrajectoryStore, assigned: ASSIGNED, in_flight: int, at_once: int
):
    tasks = list(assigned.values())
    async with Slow() as runtime:
        engine = Engine(runtime, Played(lambda messages: says("No.")), RolloutSettings(in_flight=in_flight), store)
        started = time.perf_counter()
        assert len([one async for one in engine.roll(tasks)]) == 3
        assert 0.3 / at_once <= engine.waiting.seconds < time.perf_counter() - started


# -- the store ---------------------------------------------------------------------------------------------------------


async def test_the_store_counts_as_columns_what_it_keeps_as_lines(stage: Stage, gold: list[Line], tmp_path: Path):
    await stage.all(ByTask({stage.assignment.task.text: gold}), candidates=2)
    frame = pl.read_parquet(tmp_path / "trajectories/*/*/*.parquet")
    assert frame["outcome"].to_list() == ["completed", "completed"]
    assert frame["calls"].to_list() == [len(gold) - 1] * 2
    assert sorted(frame["seed"].to_list()) == [0, 1]


async def test_trajectories_of_another_format_are_refused_with_the_file_they_are_in(
    stage: Stage, gold: list[Line], tmp_path: Path
):
    await stage.one(Scripted(gold))
    (file,) = tmp_path.glob("trajectories/*/*/*.jsonl")
    file.write_text(file.read_text().replace('"format":1', '"format":2'))
    with pytest.raises(UsageError, match=rf"{re.escape(str(file))}: Trajectory .* format 2"):
        stage.store.read(stage.assignment.bundle)

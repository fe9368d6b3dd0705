"""What happens when processes die: sessions come back as they were, or say by name that they did not."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
import pytest_asyncio

from envfactory_dagster.contracts.errors import EnvironmentFault, InfrastructureFault, UsageError
from envfactory_dagster.runtime.pool import SessionPool
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings
from envfactory_dagster.runtime.workers import SAVE_AFTER
from tests.support.tiny import ESCAPE, INTEGER, schema, tiny, tool

R = TypeVar("R")

FRAGILE = tiny(
    "fragile",
    source=f'''
def dies(env) -> dict:
    """Ends its process."""
    {ESCAPE}["_exit"](3)
    return {{}}

def hangs(env) -> dict:
    """Never answers."""
    while True:
        pass

def drifts(env) -> dict:
    """Answers otherwise in every process."""
    env.execute("UPDATE items SET stock = stock - 1 WHERE id = 1", [])
    return {{"number": {ESCAPE}["getpid"]()}}
''',
    definitions=[tool("dies"), tool("hangs"), tool("drifts", result=schema({"number": INTEGER}))],
)


@pytest_asyncio.fixture
async def own_runtime() -> AsyncIterator[Runtime]:
    """A supervisor whose processes a test may kill."""
    async with Runtime(RuntimeSettings(call_seconds=0.5)) as runtime:
        yield runtime


def with_sessions(runtime: Runtime, number: int) -> list[int]:
    """The zygote and the workers that were started last: one that a runtime starts with to be warm, and one that has
    compiled the tools, may still be ending."""
    return [runtime.pids[0], *runtime.pids[-number:]]


def kill_workers(runtime: Runtime) -> None:
    for pid in runtime.pids[1:]:
        with contextlib.suppress(ProcessLookupError):  # it has just ended by itself
            os.kill(pid, signal.SIGKILL)


async def test_sessions_of_a_killed_worker_come_back_as_they_were(own_runtime: Runtime) -> None:
    sessions = [await own_runtime.open(FRAGILE) for _ in range(3)]
    for number, session in enumerate(sessions):
        for _ in range(number + 1):
            await session.call("place_order", {"item_id": number + 1})
    before = [await session.state_hash() for session in sessions]
    kill_workers(own_runtime)
    results = await asyncio.gather(*(session.call("place_order", {"item_id": 5}) for session in sessions))
    assert [result.value for result in results] == [
        {"order_id": n + 2, "code": f"ORD-{50_002 + n}"} for n in range(len(sessions))
    ]
    assert [len(await session.changes()) for session in sessions] == [4, 5, 6]
    for session in sessions:
        await session.reset()
    assert before != [await session.state_hash() for session in sessions]


async def test_a_long_history_is_kept_as_a_state(own_runtime: Runtime) -> None:
    session = await own_runtime.open(FRAGILE)
    for _ in range(SAVE_AFTER + 10):
        assert (await session.call("place_order", {"item_id": 1})).ok
    fork = await own_runtime.fork(session)
    before, changes = await session.state_hash(), await session.changes()
    kill_workers(own_runtime)
    assert await session.state_hash() == before
    assert await session.changes() == changes
    assert await fork.state_hash() == before
    assert (await fork.call("place_order", {"item_id": 1})).value == {
        "order_id": SAVE_AFTER + 11,
        "code": f"ORD-{50_001 + SAVE_AFTER + 10}",
    }


async def test_a_call_that_hangs_is_stopped_and_its_neighbours_go_on(own_runtime: Runtime) -> None:
    guilty, neighbour = await own_runtime.open(FRAGILE), await own_runtime.open(FRAGILE)
    await neighbour.call("place_order", {"item_id": 1})
    hanging = asyncio.ensure_future(guilty.call("hangs"))
    answered = await neighbour.call("place_order", {"item_id": 1})
    assert answered.value == {"order_id": 2, "code": "ORD-50002"}
    result = await hanging
    assert (result.outcome, result.error) == ("environment", "hangs did not answer in time and was stopped")
    assert (await guilty.call("place_order", {"item_id": 1})).ok


async def test_a_tool_that_ends_its_process_is_to_blame(own_runtime: Runtime) -> None:
    session = await own_runtime.open(FRAGILE)
    await session.call("place_order", {"item_id": 1})
    result = await session.call("dies")
    assert result.outcome == "environment"
    assert "dies ended its process each time it was called: it exited with code 3" in (result.error or "")
    assert len(await session.changes()) == 2


async def test_a_session_that_cannot_be_rebuilt_is_lost_by_name_and_its_tools_are_to_blame(
    own_runtime: Runtime,
) -> None:
    """Any machine may lose a worker. Only tools that answer otherwise the second time end a session by that."""
    drifting, steady = await own_runtime.open(FRAGILE), await own_runtime.open(FRAGILE)
    assert (await drifting.call("drifts")).ok
    kill_workers(own_runtime)
    with pytest.raises(EnvironmentFault, match=r"fragile#1 was lost with its worker: its calls, made again"):
        await drifting.call("get_item", {"item_id": 1})
    assert (await steady.call("get_item", {"item_id": 1})).ok


async def killed_again_and_again(runtime: Runtime, work: Coroutine[Any, Any, R]) -> R:
    """What comes of work whose processes somebody else keeps killing."""
    at_work = asyncio.ensure_future(work)
    while not at_work.done():
        kill_workers(runtime)
        await asyncio.sleep(0)
    return await at_work


async def killed_once(runtime: Runtime, work: Coroutine[Any, Any, R]) -> R:
    """What comes of work whose first new process somebody else kills."""
    before, killed = {*runtime.pids}, False
    at_work = asyncio.ensure_future(work)
    while not at_work.done():
        if not killed and {*runtime.pids} - before:
            kill_workers(runtime)
            killed = True
        await asyncio.sleep(0)
    return await at_work


async def test_workers_that_something_else_kills_are_the_machines_fault(own_runtime: Runtime) -> None:
    with pytest.raises(InfrastructureFault, match=r"fragile .* it was ended by SIGKILL"):
        await killed_again_and_again(own_runtime, own_runtime.open(FRAGILE))
    async with await own_runtime.open(FRAGILE) as session:
        with pytest.raises(InfrastructureFault, match="SIGKILL"):
            await killed_again_and_again(own_runtime, session.state_hash())
        assert (await session.call("list_items")).ok


async def test_a_verifier_or_program_that_something_else_kills_says_nothing_of_what_it_was_to_do(
    own_runtime: Runtime,
) -> None:
    """A verdict of 0 would blame an agent or its task, and a failed program its author."""
    image = FRAGILE.states["initial"].image
    verifier = "def goal_comes_at_last(world):\n    while True:\n        pass\n"
    with pytest.raises(InfrastructureFault, match="The verifier gave no verdict: it was ended by SIGKILL"):
        await killed_again_and_again(own_runtime, own_runtime.run_verifier(verifier, initial=image, final=image))
    quick = "def goal_comes_at_once(world):\n    return True\n"
    found = await killed_once(own_runtime, own_runtime.run_verifier(quick, initial=image, final=image))
    assert [signal.value for signal in found] == [True], "it is tried again"
    family = "def instances(world, rng):\n    while True:\n        pass\n"
    drawing = own_runtime.draw_instances(family, image, state="initial", clock="2026-03-02T09:00:00", seed="1", most=1)
    with pytest.raises(InfrastructureFault, match="The family draws nothing: it was ended by SIGKILL"):
        await killed_again_and_again(own_runtime, drawing)
    async with await own_runtime.open(FRAGILE) as session:
        program = own_runtime.run_program(session, "def solve(tools):\n    while True:\n        pass\n")
        with pytest.raises(InfrastructureFault, match="could not be run to its end: it was ended by SIGKILL"):
            await killed_again_and_again(own_runtime, program)


async def test_another_environment_notices_nothing(own_runtime: Runtime) -> None:
    other = await own_runtime.open(tiny("other"))
    bystanders = set(with_sessions(own_runtime, 1))
    session = await own_runtime.open(FRAGILE)
    await session.call("dies")
    assert bystanders <= set(own_runtime.pids)
    assert (await other.call("get_item", {"item_id": 1})).ok


async def test_the_death_of_the_zygote_is_survived(own_runtime: Runtime) -> None:
    session = await own_runtime.open(FRAGILE)
    await session.call("place_order", {"item_id": 1})
    before = await session.state_hash()
    os.kill(own_runtime.pids[0], signal.SIGKILL)
    assert await session.state_hash() == before


async def test_leaving_the_runtime_leaves_no_process() -> None:
    async with Runtime(RuntimeSettings(sessions_per_worker=1)) as runtime:
        sessions = [await runtime.open(FRAGILE) for _ in range(3)]
        pids = with_sessions(runtime, 3)
        assert len(set(pids)) == 4
        assert all(Path(f"/proc/{pid}").exists() for pid in pids)
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
    with pytest.raises(UsageError, match="not running"):
        await runtime.open(FRAGILE)
    del sessions


async def test_leaving_the_runtime_while_an_environment_is_opened_leaves_nothing_begun() -> None:
    async with Runtime() as runtime:
        before = asyncio.all_tasks()
        opening = asyncio.ensure_future(runtime.open(FRAGILE))
        for _ in range(5):
            await asyncio.sleep(0)
        assert len(asyncio.all_tasks() - before) == 3, "the opening, the worker, the tools that are compiled"
        opening.cancel()
        await asyncio.wait([opening])
    assert asyncio.all_tasks() <= before


async def test_at_one_session_a_worker_a_reset_is_a_new_process() -> None:
    async with Runtime(RuntimeSettings(sessions_per_worker=1)) as runtime:
        session = await runtime.open(FRAGILE)
        first = (await session.call("drifts")).value
        await session.reset()
        assert await session.changes() == []
        assert (await session.call("drifts")).value != first


async def test_a_fork_may_live_in_another_worker() -> None:
    async with Runtime(RuntimeSettings(sessions_per_worker=1)) as runtime:
        session = await runtime.open(FRAGILE)
        await session.call("place_order", {"item_id": 1})
        fork = await runtime.fork(session)
        assert await fork.state_hash() == await session.state_hash()
        assert await fork.changes() == await session.changes()
        assert await fork.call("place_order", {"item_id": 1}) == await session.call("place_order", {"item_id": 1})


async def test_sessions_have_an_end() -> None:
    async with Runtime(RuntimeSettings(most_sessions=2)) as runtime:
        first, _ = await runtime.open(FRAGILE), await runtime.open(FRAGILE)
        with pytest.raises(InfrastructureFault, match="All 2 sessions are in use"):
            await runtime.open(FRAGILE)
        await first.close()
        assert (await (await runtime.open(FRAGILE)).call("list_items")).ok


async def test_tools_that_do_not_load_are_the_environments_fault(runtime: Runtime) -> None:
    broken = tiny("broken", source="def oops(:\n")
    with pytest.raises(EnvironmentFault, match="The environment broken does not load: SyntaxError"):
        await runtime.open(broken)
    missing = tiny("missing", definitions=[tool("not_there")])
    with pytest.raises(EnvironmentFault, match=r"defines no function for not_there"):
        await runtime.open(missing)


async def test_a_cancelled_call_is_not_forgotten(own_runtime: Runtime) -> None:
    session = await own_runtime.open(FRAGILE)
    call = asyncio.ensure_future(session.call("place_order", {"item_id": 1}))
    await asyncio.sleep(0)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    before = await session.state_hash()
    assert len(await session.changes()) == 2
    kill_workers(own_runtime)
    assert await session.state_hash() == before


async def test_a_pool_has_sessions_ready(runtime: Runtime) -> None:
    bundle = tiny("pooled")
    async with SessionPool(runtime) as pool:
        pool.prefetch(bundle, 4)
        async with pool.session(bundle) as session:
            await session.call("place_order", {"item_id": 1})
        async with pool.session(bundle) as another:
            assert await another.changes() == []
            assert another.name != session.name
        waited = pool.waited_seconds
        async with pool.session(bundle), pool.session(bundle):
            assert pool.waited_seconds == waited
    with pytest.raises(UsageError, match="closed"):
        await session.call("list_items")


async def test_deaths_are_counted_and_closings_are_not(own_runtime: Runtime) -> None:
    async with await own_runtime.open(FRAGILE) as session:
        kill_workers(own_runtime)
        assert (await session.call("list_items")).ok
    async with await own_runtime.open(tiny("other")):
        assert own_runtime.worker_deaths == 1

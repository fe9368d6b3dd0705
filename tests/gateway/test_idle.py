"""Taking back what nobody uses any more."""

import asyncio

from tests.gateway.conftest import Serve, eventually
from tests.support.tiny import tiny, tool


async def test_a_session_is_closed_when_it_has_heard_nothing_for_too_long(serve: Serve) -> None:
    now = 0.0
    async with serve(idle_seconds=100, clock=lambda: now) as gateway:
        forgotten, used = await gateway.open(), await gateway.open()
        now = 90.0
        await gateway.call(used, "list_items")
        now = 101.0
        assert await gateway.service.slots.reap() == 1
        assert (await gateway.rest.get(f"/sessions/{forgotten}")).status_code == 404
        assert (await gateway.rest.get(f"/sessions/{used}")).json()["idle_seconds"] == 11.0


async def test_looking_at_a_session_is_no_use_of_it(serve: Serve) -> None:
    now = 0.0
    async with serve(idle_seconds=100, clock=lambda: now) as gateway:
        session = await gateway.open()
        now = 101.0
        await gateway.rest.get(f"/sessions/{session}")
        assert await gateway.service.slots.reap() == 1


async def test_a_session_in_the_middle_of_a_call_is_not_idle(serve: Serve) -> None:
    now = 0.0
    slow = tiny(source="def think(env) -> dict:\n    while True: pass\n", definitions=[tool("think")])
    async with serve(slow, idle_seconds=100, clock=lambda: now) as gateway:
        session = await gateway.open()
        call = asyncio.create_task(gateway.call(session, "think"))
        await eventually(lambda: gateway.service.slots.get(session).busy == 1)
        now = 1_000.0
        assert await gateway.service.slots.reap() == 0
        assert (await call)["outcome"] == "environment", "the call ran into its deadline"
        now = 1_101.0
        assert await gateway.service.slots.reap() == 1


async def test_nobody_need_ask_for_it(serve: Serve) -> None:
    async with serve(idle_seconds=0.05) as gateway:
        session = await gateway.open()
        await eventually(lambda: len(gateway.service.slots) == 0)
        assert gateway.service.metrics.reaped == 1
        assert (await gateway.rest.get(f"/sessions/{session}")).status_code == 404


async def test_closing_the_gateway_closes_its_sessions_but_not_the_runtime(serve: Serve) -> None:
    async with serve() as gateway:
        before = gateway.service.runtime.open_sessions
        await gateway.open()
        assert gateway.service.runtime.open_sessions == before + 1
    assert gateway.service.runtime.open_sessions == before

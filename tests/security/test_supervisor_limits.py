"""How much a hostile worker can have the supervisor read, keep and fork, and how long calls to it may be."""

import asyncio
import os
import select

import pytest

from envfactory_dagster.contracts.calls import CallResult
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.runtime import lockdown
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.workers import SAVE_AFTER_BYTES
from tests.security.attack import prelude
from tests.security.liar import LIAR, works
from tests.support.tiny import INTEGER, STRING, schema, tiny, tool

pytestmark = pytest.mark.skipif(not lockdown.available().seccomp, reason=lockdown.available().why_not)


# -- how much a worker may say -----------------------------------------------------------------------------------------


async def test_more_changes_than_can_be_told_are_the_environments_fault_and_its_neighbours_go_on(
    strict: Runtime,
) -> None:
    flooding = tiny(
        "flooding",
        source='''
def import_names(env, *, count: int) -> dict:
    """Plain SQL, and a lot of it."""
    env.execute(
        "INSERT INTO users (name) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ?)"
        " SELECT hex(zeroblob(20000)) FROM n",
        [count],
    )
    return {}
''',
        definitions=[tool("import_names", schema({"count": INTEGER}))],
    )
    async with await strict.open(flooding) as flood, await strict.open(flooding) as neighbour:
        assert (await neighbour.call("place_order", {"item_id": 1})).ok
        assert (await flood.call("import_names", {"count": 300})).ok
        told = await asyncio.gather(flood.changes(), neighbour.changes(), return_exceptions=True)
        assert isinstance(told[0], EnvironmentFault)
        assert "could not tell its changes: they take more than 8388608 bytes" in str(told[0])
        assert isinstance(told[1], list)
        assert len(told[1]) == 2
        assert (await neighbour.call("list_items")).ok


@pytest.mark.parametrize(
    ("request_", "is_it", "megabytes", "blob_megabytes"),
    [
        ("changes", "isinstance(content, list) and isinstance(content[0], list)", 3, 0),
        ("state_hash", "isinstance(content, str)", 1, 0),
        ("snapshot", "blob[:6] == b'SQLite'", 0, 65),
    ],
)
async def test_an_answer_is_no_longer_than_an_honest_one_can_be(
    strict: Runtime, request_: str, is_it: str, megabytes: int, blob_megabytes: int
) -> None:
    """Changes come in pages, a hash is short, and a database fits into the memory of its worker."""
    filling = tiny(
        "filling",
        source=prelude({})
        + f"""
kind = MODULES["envfactory_dagster.runtime.frames"].Channel
honest = kind.send

def lie(self, message, blob=b""):
    kind, content = message
    if not ({is_it}):
        return honest(self, message, blob)
    data = b'["ok",[' + b" " * ({megabytes} << 20) + b"]]"
    channel().sendall(struct.pack("<II", len(data), {blob_megabytes} << 20) + data)
    for _ in range({blob_megabytes}):
        channel().sendall(bytes(1 << 20))

kind.send = lie
""",
    )
    async with await strict.open(filling) as session:
        assert (await session.call("list_items")).ok
        with pytest.raises(EnvironmentFault, match=r"could not answer the request .* it broke the protocol"):
            await getattr(session, request_)()


async def test_changes_of_many_pages_are_told_in_order_as_they_were(strict: Runtime) -> None:
    many = tiny(
        "many",
        source='''
def rename(env, *, length: int) -> dict:
    """Give every user a long name, and add some."""
    for number in range(40):
        env.insert("INSERT INTO users (name) VALUES (?)", [str(number % 10) * length])
    return {}
''',
        definitions=[tool("rename", schema({"length": INTEGER}))],
    )
    async with await strict.open(many) as session:
        assert (await session.call("rename", {"length": 30_000})).ok
        changes = await session.changes()
        assert [change.after and change.after["name"][:1] for change in changes] == [str(n % 10) for n in range(40)]
        assert changes == await session.changes()
        assert (await session.call("rename", {"length": 250_000})).ok
        with pytest.raises(EnvironmentFault, match="they take more than 8388608 bytes"):
            await session.changes()
        await session.reset()
        assert await session.changes() == []


# -- how much is kept --------------------------------------------------------------------------------------------------


async def test_a_state_too_large_for_its_worker_is_not_kept(strict: Runtime) -> None:
    """What a session has become is kept by the supervisor: a worker must not fill its memory by that."""
    async with await strict.open(LIAR) as session:
        assert (await session.call("will_save", {"megabytes": 65})).ok
        long = {"most": "x" * (SAVE_AFTER_BYTES // 2)}
        for _ in range(2):
            await session.call("list_items", long)
        with pytest.raises(EnvironmentFault, match="its state takes more memory than its worker may have"):
            await session.call("list_items")


async def test_long_arguments_do_not_pile_up(strict: Runtime) -> None:
    noted = tiny(
        "noted",
        source='''
def note(env, *, text: str) -> dict:
    """Keep a text."""
    env.execute("UPDATE users SET name = ? WHERE id = 1", [text])
    return {}
''',
        definitions=[tool("note", schema({"text": STRING}))],
    )
    async with await strict.open(noted) as session:
        for number in range(8):
            assert (await session.call("note", {"text": str(number) * 500_000})).ok
        assert session._placed.log_bytes < SAVE_AFTER_BYTES
        before = await session.state_hash()
        os.kill(strict.pids[-1], 9)
        assert await session.state_hash() == before


# -- how many workers there are ----------------------------------------------------------------------------------------


async def has_ended(pid: int) -> bool:
    """Whether a process ends, or has, within ten seconds."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    ended, _, _ = await asyncio.to_thread(select.select, [process], [], [], 10)
    os.close(process)
    return bool(ended)


async def test_a_worker_that_dies_is_replaced_when_it_is_needed(strict: Runtime) -> None:
    """Code that ends its process whenever it is loaded must not keep the supervisor forking."""
    dying = tiny(
        "dying",
        source=prelude({}) + "sys.setprofile(lambda frame, *_: frame.f_code.co_name == 'receive' and os._exit(3))\n",
    )
    session = await strict.open(dying)
    assert await has_ended(strict.pids[-1])
    async with await strict.open(tiny("busy")) as other:
        before = set(strict.pids)
        for _ in range(50):
            assert await works(other)
        assert set(strict.pids) <= before
    await session.close()


FINE = "def goal_fine(world):\n    return True\n"


async def test_nobody_is_left_behind_by_those_who_stop_waiting(strict: Runtime) -> None:
    """A worker forked for somebody who has gone meanwhile."""
    image = LIAR.states["initial"].image
    waiting = [asyncio.ensure_future(strict.run_verifier(FINE, initial=image, final=image)) for _ in "1234"]
    before = set(strict.pids)
    await asyncio.sleep(0)
    for one in waiting:
        one.cancel()
    assert all(
        isinstance(gone, asyncio.CancelledError) for gone in await asyncio.gather(*waiting, return_exceptions=True)
    )
    await strict.run_verifier(FINE, initial=image, final=image)  # forked after all of them
    assert all([await has_ended(pid) for pid in set(strict.pids) - before])


# -- how much a call may say -------------------------------------------------------------------------------------------


async def test_more_calls_than_fit_in_a_message_are_several_messages(strict: Runtime) -> None:
    async with await strict.open(LIAR) as session:
        calls = [("get_item", {"item_id": 1, "note": "x" * 1_000_000})] * 20 + [("get_item", {"item_id": 1})]
        *wrong, right = await session.call_many(calls)  # type: ignore[arg-type]
        assert {result.outcome for result in wrong} == {"agent"}
        assert right.ok
        together = await strict.call_batch([(session, *call) for call in calls])  # type: ignore[misc]
        assert together == [*wrong, right]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"most": list(range(2_000_000))}, "at most 1048576 are allowed"),
        ({"most": [float("inf")]}, "inf is not a JSON number"),
        ({"most": {1: 2}}, "Dict key must be str"),
        ({"most": b"bytes"}, "not JSON"),
        (["most"], "expected an object, got list"),
    ],
)
async def test_arguments_nobody_can_send_are_the_callers_fault(strict: Runtime, arguments: object, says: str) -> None:
    async with await strict.open(LIAR) as session:
        result: CallResult = await session.call("list_items", arguments)  # type: ignore[arg-type]
        assert result.outcome == "agent"
        assert says in (result.error or "")

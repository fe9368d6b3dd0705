"""What a hostile worker can do to the process that talks to it: nothing but lie about its own calls. Each test is a way
in that once was open."""

import asyncio
import json
import os
import select
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from envfactory_dagster.contracts.calls import CallResult
from envfactory_dagster.contracts.errors import EnvFactoryError, EnvironmentFault, UsageError
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.runtime import lockdown
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.runtime.settings import RuntimeSettings
from envfactory_dagster.runtime.workers import SAVE_AFTER_BYTES
from envfactory_dagster.store.memo import Made, PartitionFailure, PartitionRecord, try_partitions
from tests.security.attack import prelude
from tests.support.tiny import INTEGER, STRING, schema, tiny, tool

pytestmark = pytest.mark.skipif(not lockdown.available().seccomp, reason=lockdown.available().why_not)

LIAR = tiny(
    "liar",
    source=prelude({})
    + r"""
FINE = b'["ok",[false,[["ok",{},null,null]]]]'

def framed(data, blob=0):
    return struct.pack("<II", len(data), blob) + data

def answers_twice(env) -> dict:
    '''Answers, and answers again.'''
    channel().sendall(framed(FINE) * 2)
    time.sleep(3600)

def answers_and_begins_another(env) -> dict:
    '''Answers, and has the supervisor wait for the rest of something large.'''
    channel().sendall(framed(FINE) + struct.pack("<II", 10, 200 << 20) + bytes(1 << 20))
    time.sleep(3600)

def answers_and_keeps_busy(env) -> dict:
    '''Answers, and goes on computing.'''
    channel().sendall(framed(FINE))
    while True:
        pass

def answers_and_dies(env) -> dict:
    '''Answers, and ends its process.'''
    channel().sendall(framed(FINE))
    os._exit(0)

def will_answer(env, *, text: str) -> dict:
    '''Have the worker answer everything after this call with a text.'''
    replace_send(lambda message, blob: say(text))
    return {}

def will_save(env, *, megabytes: int) -> dict:
    '''Have the worker claim that every call wrote, and that its state is large.'''
    def lie(message, blob):
        channel().sendall(framed(b'["ok",null]', megabytes << 20) if blob else framed(FINE.replace(b"false", b"true")))
        for _ in range(megabytes if blob else 0):
            channel().sendall(bytes(1 << 20))
    replace_send(lie)
    return {}

def replace_send(lie):
    kind = MODULES["envfactory_dagster.runtime.frames"].Channel
    honest = kind.send
    def once(self, message, blob=b""):
        kind.send = lambda self, message, blob=b"": lie(message, blob)
        honest(self, message, blob)
    kind.send = once
""",
    definitions=[
        *(
            tool(name)
            for name in (
                "answers_twice",
                "answers_and_begins_another",
                "answers_and_keeps_busy",
                "answers_and_dies",
            )
        ),
        tool("will_answer", schema({"text": STRING})),
        tool("will_save", schema({"megabytes": INTEGER})),
    ],
)


FINE = "def goal_fine(world):\n    return True\n"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def strict() -> AsyncIterator[Runtime]:
    """Short deadlines and little memory."""
    little = RuntimeSettings(call_seconds=1.0, program_seconds=2.0, worker_memory_bytes=64 << 20)
    async with Runtime(little) as runtime:
        yield runtime


async def has_ended(pid: int) -> bool:
    """Whether a process ends, or has, within ten seconds."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    ended, _, _ = await asyncio.to_thread(select.select, [process], [], [], 10)
    os.close(process)
    return bool(ended)


async def works(session: Session) -> bool:
    return (await session.call("list_items")).ok


@pytest.mark.parametrize("name", ["answers_twice", "answers_and_begins_another", "answers_and_dies"])
async def test_what_follows_an_answer_unasked_is_the_end_of_a_worker(strict: Runtime, name: str) -> None:
    async with await strict.open(LIAR) as session, await strict.open(LIAR) as neighbour:
        assert (await session.call(name)).value == {}
        for someone in (neighbour, session):
            assert await works(someone)


async def test_a_worker_that_answered_and_stays_busy_is_stopped_at_the_next_call(strict: Runtime) -> None:
    async with await strict.open(LIAR) as session:
        await session.call("answers_and_keeps_busy")
        assert (await session.call("list_items")).error == "list_items did not answer in time and was stopped"
        assert await works(session)


@pytest.mark.parametrize(
    "answer",
    [
        '["ok",[[7],false]]',
        '["ok",7]',
        '["ok",[[],true]]',
        '["ok",[[],0]]',
        '["ok",[[{"table":"x","key":[1],"before":null,"after":{}}],true]]',
        '["ok",[[{"table":"x","key":[1],"before":{"a":[[1]]},"after":null}],false]]',
        '["ok",[[{"table":"x","key":[1],"before":3,"after":null}],false]]',
        '["ok",[[{"table":"x","key":3,"before":null,"after":null}],false]]',
        '["ok",[[{"table":{},"key":[1],"before":null,"after":null}],false]]',
        '["ok",[[{"table":"x"}],false]]',
    ],
)
async def test_changes_in_no_known_form_are_the_environments_fault(strict: Runtime, answer: str) -> None:
    async with await strict.open(LIAR) as session:
        assert (await session.call("will_answer", {"text": answer})).ok
        with pytest.raises(EnvironmentFault, match="could not tell its changes"):
            await session.changes()


@pytest.mark.parametrize("answer", ['["ok",7]', '["ok","short"]'])
async def test_a_hash_in_no_known_form_is_the_environments_fault(strict: Runtime, answer: str) -> None:
    async with await strict.open(LIAR) as session:
        assert (await session.call("will_answer", {"text": answer})).ok
        with pytest.raises(EnvironmentFault, match="could not tell its hash"):
            await session.state_hash()


@pytest.mark.parametrize("answer", ['["error","the disk is on fire"]', "not JSON", '["ok"]'])
async def test_a_worker_that_never_answers_a_hash_is_the_environments_fault(strict: Runtime, answer: str) -> None:
    lying = tiny(
        "lying",
        source=prelude({})
        + f"""
kind = MODULES["envfactory_dagster.runtime.frames"].Channel
honest = kind.send

def lie(self, message, blob=b""):
    if isinstance(message, list) and isinstance(message[1], str) and len(message[1]) == 64:
        return say({answer!r})
    return honest(self, message, blob)

kind.send = lie
""",
    )
    async with await strict.open(lying) as session:
        assert (await session.call("list_items")).ok
        with pytest.raises(EnvironmentFault, match="could not answer the request 'hash'"):
            await session.state_hash()


BROKEN_ENDS = {
    "exits": "os._exit(3)",
    "crashes": "ctypes.string_at(0)",
    "hangs up": "([s.close() for s in gc.get_objects() if type(s) is socket.socket], time.sleep(3600))",
    "loops": "any(iter(int, 1))",
    "is forbidden": "system_call(425, 1, 0)",
}


@pytest.mark.parametrize("end", BROKEN_ENDS)
async def test_a_module_that_ends_its_worker_while_it_loads_is_the_environments_fault(
    strict: Runtime, end: str
) -> None:
    with pytest.raises(EnvironmentFault, match="The worker of broken died 3 times in a row"):
        await strict.open(tiny("broken", source=prelude({}) + BROKEN_ENDS[end] + "\n"))


@pytest.mark.parametrize("end", BROKEN_ENDS)
@pytest.mark.parametrize("request_", ["changes", "hash", "image"])
async def test_a_worker_that_ends_while_it_is_asked_is_the_environments_fault(
    strict: Runtime, request_: str, end: str
) -> None:
    ending = tiny(
        "ending",
        source=prelude({})
        + f"""
frame = sys._getframe()
while "operations" not in frame.f_locals:
    frame = frame.f_back
frame.f_locals["operations"][{request_!r}] = lambda *arguments: {BROKEN_ENDS[end]}
""",
    )
    asking = {"changes": Session.changes, "hash": Session.state_hash, "image": Session.snapshot}
    async with await strict.open(ending) as session:
        assert (await session.call("list_items")).ok
        with pytest.raises(EnvironmentFault, match=f"could not answer the request '{request_}'"):
            await asking[request_](session)


async def test_environments_that_end_their_workers_do_not_stop_a_range(strict: Runtime) -> None:
    bundles = {f"broken-{n}": tiny(f"broken-{n}", source=prelude({}) + f"os._exit({n})\n") for n in range(1, 6)}
    bundles["whole"] = tiny("whole")

    async def make(key: str) -> Made:
        async with await strict.open(bundles[key]) as session:
            await session.state_hash()
        return StageRecord(stage="opened", partition=key, status="ok", inputs="", version=""), True

    results = [result async for result in try_partitions(make, bundles, 1)]
    failed = [result for result in results if isinstance(result, PartitionFailure)]
    assert [failure.partition for failure in failed] == list(bundles)[:-1]
    assert [result.record.partition for result in results if isinstance(result, PartitionRecord)] == ["whole"]


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


async def test_a_batch_is_believed_as_a_whole_or_not_at_all(strict: Runtime) -> None:
    """One answer that makes no sense: the calls of the others must not be counted twice."""
    async with await strict.open(LIAR) as one, await strict.open(LIAR) as two:
        assert (await two.call("list_items")).ok
        await one.call("will_answer", {"text": '["ok",[[true,[["ok",{},null,null]]],7]]'})
        results = await strict.call_batch([(one, "place_order", {"item_id": 1}), (two, "place_order", {"item_id": 1})])
        assert [result.value for result in results] == [{"order_id": 1, "code": "ORD-50001"}] * 2
        assert len(await one.changes()) == len(await two.changes()) == 2


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


async def test_more_calls_than_fit_in_a_message_are_several_messages(strict: Runtime) -> None:
    async with await strict.open(LIAR) as session:
        calls = [("get_item", {"item_id": 1, "note": "x" * 1_000_000})] * 20 + [("get_item", {"item_id": 1})]
        *wrong, right = await session.call_many(calls)  # type: ignore[arg-type]
        assert {result.outcome for result in wrong} == {"agent"}
        assert right.ok
        together = await strict.call_batch([(session, *call) for call in calls])  # type: ignore[misc]
        assert together == [*wrong, right]


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


ATOMS: st.SearchStrategy[object] = st.sampled_from(
    [None, True, False, 0, -1, 2**63, 1.5, "", "ok", "error", "ready", "unconfined", "tool", {}, []]
)
JSON = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["table", "key", "ok"]), inner, max_size=3)
    ),
    max_leaves=6,
)
RESULTS = st.lists(st.tuples(st.sampled_from(["ok", "agent", "infrastructure", 3]), JSON, JSON, JSON), max_size=2)
CHANGES = st.lists(st.fixed_dictionaries({"table": JSON, "key": JSON, "before": JSON, "after": JSON}), max_size=2)
ANSWERS = JSON | st.tuples(
    st.sampled_from(["ok", "error", "tool", 1]), JSON | CHANGES | st.tuples(st.booleans() | ATOMS, RESULTS | JSON)
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(answer=ANSWERS)
async def test_whatever_a_worker_says_whoever_waits_is_told_something_sensible(strict: Runtime, answer: object) -> None:
    async with await strict.open(LIAR) as session:
        assert (await session.call("will_answer", {"text": json.dumps(answer)})).ok
        result = await session.call("list_items")
        assert result.outcome in ("ok", "agent", "environment")
        assert (result.outcome == "ok") == isinstance(result.value, dict) == (result.error is None)
        assert isinstance(result.error, str | None) and isinstance(result.note, str | None)
        try:
            changes = await session.changes()
        except EnvFactoryError:
            return
        assert all(change.before is not None or change.after is not None for change in changes)


# -- solution programs ----------------------------------------------------------------------------------------------


async def test_a_session_that_is_lost_under_a_program_is_not_the_programs_fault(strict: Runtime) -> None:
    session = await strict.open(LIAR)
    running = asyncio.ensure_future(strict.run_program(session, "def solve(tools):\n    tools.list_items()\n"))
    await asyncio.sleep(0)
    await session.close()
    with pytest.raises(UsageError, match="is closed"):
        await running


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ('["ok",[1,2,3]]', "answered in no known form"),
        ('["ok",[1,null,{}]]', "answered in no known form"),
        ('["ok",["' + "x" * 3_000_000 + '",null,""]]', "it broke the protocol"),
        ('["ok",[' + "[" * 150 + "]" * 150 + ',null,""]]', "the answer: nested deeper than 64 levels"),
    ],
)
async def test_a_programs_last_words_are_read_with_care(strict: Runtime, said: str, error: str) -> None:
    source = prelude({"SAID": said}) + "def solve(tools):\n    say(SAID)\n    time.sleep(3600)\n"
    async with await strict.open(LIAR) as session:
        result = await strict.run_program(session, source)
        assert (result.answer, result.printed) == (None, "")
        assert error in (result.error or "")


async def test_a_program_whose_tool_makes_no_sense_is_answered_by_the_next_worker(strict: Runtime) -> None:
    async with await strict.open(LIAR) as session:
        await session.call("will_answer", {"text": '["ok",[false,[["ok",[[[[7]]]],null,null]]]]'})
        result = await strict.run_program(session, "def solve(tools):\n    return tools.list_items()\n")
        assert [call.result.outcome for call in result.calls] == ["ok"]


# -- what passes for arguments --------------------------------------------------------------------------------------


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

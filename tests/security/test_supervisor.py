"""What a hostile worker can do to the process that talks to it: nothing but lie about its own calls. Each test is a way
in that once was open."""

import asyncio
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from envfactory_dagster.contracts.errors import EnvFactoryError, EnvironmentFault, UsageError
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.runtime import lockdown
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.store.memo import Made, PartitionFailure, PartitionRecord, try_partitions
from tests.security.attack import prelude
from tests.security.liar import LIAR, works
from tests.support.tiny import tiny

pytestmark = pytest.mark.skipif(not lockdown.available().seccomp, reason=lockdown.available().why_not)


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


async def test_a_batch_is_believed_as_a_whole_or_not_at_all(strict: Runtime) -> None:
    """One answer that makes no sense: the calls of the others must not be counted twice."""
    async with await strict.open(LIAR) as one, await strict.open(LIAR) as two:
        assert (await two.call("list_items")).ok
        await one.call("will_answer", {"text": '["ok",[[true,[["ok",{},null,null]]],7]]'})
        results = await strict.call_batch([(one, "place_order", {"item_id": 1}), (two, "place_order", {"item_id": 1})])
        assert [result.value for result in results] == [{"order_id": 1, "code": "ORD-50001"}] * 2
        assert len(await one.changes()) == len(await two.changes()) == 2


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


# -- solution programs -------------------------------------------------------------------------------------------------


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

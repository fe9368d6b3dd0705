"""What tool code cannot do by SQL and Python that never leave the façade: undo the promise that a failed call changed
nothing, hide a change, or disturb whoever calls next in the same process."""

import os
import signal

import pytest

from envfactory_dagster.runtime import lockdown
from envfactory_dagster.runtime.facade import ALLOWED_IMPORTS
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings
from tests.support.tiny import STRING, schema, tiny, tool

pytestmark = pytest.mark.skipif(not lockdown.available().seccomp, reason=lockdown.available().why_not)

SLY = tiny(
    "sly",
    source="".join(f"import {name}\n" for name in sorted(ALLOWED_IMPORTS))
    + '''
def commits_early(env) -> dict:
    """Uses the very words of the façade, whose prepared form its own calls have left behind."""
    env.execute("UPDATE items SET stock = 5", [])
    for statement in ("COMMIT", "COMMIT -- of a call", "ROLLBACK", "END"):
        try:
            env.execute(statement, [])
        except Exception:
            continue
    raise env.Error("nothing happened")

def rolls_back_inside(env) -> dict:
    """Ends the transaction by a failing statement, and writes on outside of it."""
    try:
        env.execute("INSERT OR ROLLBACK INTO items (id, name, price, stock) VALUES (1, 'x', 1.0, 1)", [])
    except Exception:
        pass
    env.execute("UPDATE items SET stock = 6", [])
    return {}

def is_interrupted_and_writes_on(env) -> dict:
    """Has SQLite end the transaction by an endless write, and writes on outside of it."""
    try:
        env.execute(
            "INSERT INTO users (name) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
            " SELECT 'x' FROM n WHERE i < 0", [])
    except Exception:
        pass
    env.execute("UPDATE items SET stock = 6", [])
    raise env.Error("nothing happened")

def moves_the_sequence(env) -> dict:
    """Writes to a table that no changeset shows."""
    env.execute("UPDATE sqlite_sequence SET seq = 1000", [])
    return {}

def moves_the_sequence_as_we_do(env) -> dict:
    """The same, in the words that the worker itself uses for sessions with other ids."""
    env.execute("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ?", [1000, "orders"])
    return {}

def raises_a_monster(env) -> dict:
    """Raises what breaks whoever looks at it."""
    env.execute("UPDATE items SET stock = 7", [])
    class Meta(type):
        @property
        def __name__(cls):
            raise KeyboardInterrupt
    class Monster(BaseException, metaclass=Meta):
        def __str__(self):
            raise self
    raise Monster

def spoils_its_codes(env) -> dict:
    """Leaves behind what the next call cannot use."""
    env.codes = 5
    return {}

def takes_a_code(env) -> dict:
    """Writes no row, and yet the next code is another."""
    return {"code": env.new_id("BON")}

def parses_a_date(env) -> dict:
    """What imports modules when it is first called."""
    day = datetime.datetime.strptime("2026-03-02", "%Y-%m-%d")
    return {"code": f"{day:%d.%m.} {day.strftime('%Y')} {day.timetuple().tm_yday} {statistics.mean([1, 2])}"}

''',
    definitions=[
        *(
            tool(name)
            for name in (
                "commits_early",
                "rolls_back_inside",
                "is_interrupted_and_writes_on",
                "moves_the_sequence_as_we_do",
                "raises_a_monster",
                "spoils_its_codes",
            )
        ),
        tool("moves_the_sequence", read_only=True),
        *(tool(name, result=schema({"code": STRING})) for name in ("takes_a_code", "parses_a_date")),
    ],
)


@pytest.mark.parametrize(
    "name",
    [
        "commits_early",
        "rolls_back_inside",
        "is_interrupted_and_writes_on",
        "moves_the_sequence",
        "moves_the_sequence_as_we_do",
        "raises_a_monster",
    ],
)
async def test_a_failed_call_changed_nothing_whatever_it_tried(runtime: Runtime, name: str) -> None:
    # Other ids: so that the worker has used its own words on the sequence.
    async with await runtime.open(SLY, id_offset=10) as session, await runtime.open(SLY) as neighbour:
        await session.call("place_order", {"item_id": 1})
        before = await session.snapshot()
        assert not (await session.call(name)).ok
        assert await session.snapshot() == before
        for someone, order in ((session, 12), (neighbour, 1)):
            placed = await someone.call("place_order", {"item_id": 1})
            assert isinstance(placed.value, dict)
            assert placed.value["order_id"] == order


async def test_a_session_with_spoilt_codes_fails_alone(runtime: Runtime) -> None:
    async with await runtime.open(SLY) as spoilt, await runtime.open(SLY) as neighbour:
        await spoilt.call("spoils_its_codes")
        assert (await spoilt.call("place_order", {"item_id": 1})).outcome == "environment"
        assert (await neighbour.call("place_order", {"item_id": 1})).ok
        await spoilt.reset()
        assert (await spoilt.call("place_order", {"item_id": 1})).ok


async def test_a_code_is_remembered_though_no_row_was_written() -> None:
    async with Runtime(RuntimeSettings()) as runtime, await runtime.open(SLY) as session:
        assert (await session.call("takes_a_code")).value == {"code": "BON-50001"}
        os.kill(runtime.pids[-1], signal.SIGKILL)
        assert (await session.call("takes_a_code")).value == {"code": "BON-50002"}


async def test_a_mistaken_call_is_no_part_of_the_history() -> None:
    """A neighbour's write once made a call that never began look as if it had written: repeated without that neighbour
    it answered otherwise, and the session was lost."""
    async with Runtime(RuntimeSettings()) as runtime, await runtime.open(SLY) as session:
        async with await runtime.open(SLY) as neighbour:
            await neighbour.call("place_order", {"item_id": 1})
            assert (await session.call("no_such_tool")).outcome == "agent"
        assert (await session.call("list_items")).ok
        os.kill(runtime.pids[-1], signal.SIGKILL)
        assert (await session.call("list_items")).ok


async def test_what_tools_may_import_is_there(runtime: Runtime) -> None:
    async with await runtime.open(SLY) as session:
        assert (await session.call("parses_a_date")).value == {"code": "02.03. 2026 61 1.5"}


async def test_a_pattern_on_which_python_would_take_forever_is_matched(runtime: Runtime) -> None:
    """A pattern in a tool's own schema, and a text the agent chose for it."""
    pattern = tool("patient", schema({"text": {"type": "string", "pattern": "^" + "a*" * 20 + "b$"}}))
    bundle = tiny("patient", source="def patient(env, *, text):\n    return {}\n", definitions=[pattern])
    async with await runtime.open(bundle) as session:
        assert (await session.call("patient", {"text": "a" * 1_000})).outcome == "agent"
        assert (await session.call("patient", {"text": "aab"})).ok

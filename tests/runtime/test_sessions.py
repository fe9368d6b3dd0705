"""What a session promises: calls, exact changes, forks, resets, determinism."""

import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings
from envfactory_dagster.runtime.table_contents import differences
from envfactory_dagster.runtime.verifier_worker import contents
from tests.support.tiny import BOOLEAN, INTEGER, STRING, schema, tiny, tool

BUNDLE = tiny()


async def test_a_call_returns_what_the_tool_returns(runtime: Runtime) -> None:
    async with await runtime.open(BUNDLE) as session:
        result = await session.call("get_item", {"item_id": 3})
        assert result.ok
        assert result.value == {"id": 3, "name": "Item 3", "price": 13.0, "stock": 10_000}


NAMED_AS_A_BUILTIN = """
def list(env, *, words: str) -> dict:
    \"\"\"Count the letters of some words.\"\"\"
    return {"count": len(list(words))}


def other(env) -> dict:
    \"\"\"Count.\"\"\"
    return {"count": len(list(range(3)))}
"""


async def test_a_tool_with_the_name_of_a_builtin_leaves_it_to_the_code_of_the_module(runtime: Runtime) -> None:
    counted = schema(count=INTEGER)
    definitions = [tool("list", schema({"words": STRING}), counted), tool("other", result=counted)]
    bundle = tiny(source=NAMED_AS_A_BUILTIN, definitions=definitions)
    session = await runtime.open(bundle)
    assert (await session.call("list", {"words": "ab"})).value == {"count": 2}
    assert (await session.call("other", {})).value == {"count": 3}


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("get_item", {"item_id": 999}, "there is no item 999"),
        ("get_item", {}, "missing 'item_id'"),
        ("get_item", {"item_id": "three"}, "integer"),
        ("get_item", {"item_id": 3, "colour": "red"}, "unknown field 'colour'"),
        ("get_itme", {"item_id": 3}, "did you mean 'get_item'"),
        ("confirm_order", {"order_id": 1}, "no tool called 'confirm_order'"),
        ("place_order", {"item_id": 1, "quantity": 0}, "at least 1"),
        ("list_items", {"most": float("nan")}, "nan is not a JSON number"),
        ("get_item", {"item_id": 2**70}, "arguments"),
        ("get_item", {"item_id": "\ud800"}, "surrogates"),
        ("get_item", {"item_id": "x" * 10_000_000}, "at most 1048576"),
    ],
)
async def test_what_the_agent_does_wrong_is_said_and_changes_nothing(
    runtime: Runtime, tool: str, arguments: dict[str, object], says: str
) -> None:
    async with await runtime.open(BUNDLE) as session:
        result = await session.call(tool, arguments)  # type: ignore[arg-type]
        assert result.outcome == "agent"
        assert says in (result.error or "")
        assert await session.changes() == []


async def test_deep_nesting_is_refused_not_crashed_on(runtime: Runtime) -> None:
    nested: list[object] = []
    for _ in range(5_000):
        nested = [nested]
    async with await runtime.open(BUNDLE) as session:
        result = await session.call("get_item", {"item_id": nested})  # type: ignore[dict-item]
        assert result.outcome == "agent"
        assert "nested" in (result.error or "")


async def test_changes_tell_every_row_with_all_its_columns(runtime: Runtime) -> None:
    async with await runtime.open(BUNDLE) as session:
        placed = await session.call("place_order", {"item_id": 2, "quantity": 3})
        updated, created = await session.changes()
        assert (updated.kind, updated.table, updated.key) == ("update", "items", (2,))
        assert updated.before == {"id": 2, "name": "Item 2", "price": 12.0, "stock": 10_000}
        assert updated.after == {"id": 2, "name": "Item 2", "price": 12.0, "stock": 9_997}
        assert (created.kind, created.table) == ("insert", "orders")
        assert created.after is not None
        assert created.after["code"] == placed.value["code"]  # type: ignore[call-overload,index]


async def test_what_is_undone_is_no_change(runtime: Runtime) -> None:
    async with await runtime.open(BUNDLE) as session:
        placed = await session.call("place_order", {"item_id": 2})
        assert isinstance(placed.value, dict)
        await session.call("cancel_order", {"order_id": placed.value["order_id"]})
        assert [change.table for change in await session.changes()] == ["items"]


async def test_a_refused_call_takes_back_what_it_had_written(runtime: Runtime) -> None:
    async with await runtime.open(BUNDLE) as session:
        before = await session.state_hash()
        result = await session.call("place_order", {"item_id": 1, "quantity": 10_001})
        assert (result.outcome, result.error) == ("agent", "only 10000 of item 1 are left")
        assert await session.state_hash() == before
        assert await session.changes() == []


async def test_a_fork_goes_its_own_way(runtime: Runtime) -> None:
    async with await runtime.open(BUNDLE) as session:
        await session.call("place_order", {"item_id": 1})
        async with await runtime.fork(session) as fork:
            assert await fork.state_hash() == await session.state_hash()
            first = await fork.call("place_order", {"item_id": 2})
            assert len(await session.changes()) == 2
            assert len(await fork.changes()) == 4
            assert await session.call("place_order", {"item_id": 2}) == first
            assert await fork.state_hash() == await session.state_hash()


async def test_reset_returns_to_the_start(runtime: Runtime) -> None:
    async with await runtime.open(BUNDLE) as session:
        start = await session.state_hash()
        first = await session.call("place_order", {"item_id": 1})
        await session.reset()
        assert await session.state_hash() == start
        assert await session.changes() == []
        assert await session.call("place_order", {"item_id": 1}) == first


async def test_each_state_has_its_own_rows_and_clock(runtime: Runtime) -> None:
    async with await runtime.open(BUNDLE, state="spring") as session:
        listed = await session.call("list_items")
        assert isinstance(listed.value, dict)
        assert len(listed.value["items"]) == 5
        await session.call("place_order", {"item_id": 1})
        created = (await session.changes())[-1].after
        assert created is not None
        assert created["created_at"] == "2026-05-01T08:30:00"


async def test_an_unknown_state_is_named(runtime: Runtime) -> None:
    with pytest.raises(UsageError, match="has no state 'winter'; it has: initial, spring"):
        await runtime.open(BUNDLE, state="winter")


async def test_clock_and_ids_can_be_shifted(runtime: Runtime) -> None:
    async with await runtime.open(BUNDLE, clock="2030-01-01T00:00:00", id_offset=100) as session:
        placed = await session.call("place_order", {"item_id": 1})
        created = (await session.changes())[-1].after
        assert isinstance(placed.value, dict)
        assert placed.value["order_id"] == 101
        assert created is not None
        assert created["created_at"] == "2030-01-01T00:00:00"


async def test_user_and_assistant_share_one_database(runtime: Runtime) -> None:
    async with await runtime.open(BUNDLE) as session:
        placed = await session.call("place_order", {"item_id": 1})
        assert isinstance(placed.value, dict)
        order = {"order_id": placed.value["order_id"]}
        assert (await session.call("confirm_order", order, principal="user")).ok
        assert (await session.call("place_order", {"item_id": 1}, principal="user")).outcome == "agent"
        assert [t.name for t in session.tools("user")] == ["confirm_order"]


async def test_a_snapshot_is_a_sqlite_file(runtime: Runtime, tmp_path: Path) -> None:
    async with await runtime.open(BUNDLE) as session:
        await session.call("place_order", {"item_id": 7})
        file = tmp_path / "now.sqlite"
        file.write_bytes(await session.snapshot())
    with sqlite3.connect(file) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT item_id FROM orders").fetchall() == [(7,)]
    connection.close()


async def test_many_calls_in_one_message_are_made_in_order(runtime: Runtime) -> None:
    async with await runtime.open(BUNDLE) as session:
        calls = [("place_order", {"item_id": 1}), ("get_item", {"item_id": 999}), ("get_item", {"item_id": 1})]
        first, second, third = await session.call_many(calls)  # type: ignore[arg-type]
        assert (first.ok, second.outcome) == (True, "agent")
        assert isinstance(third.value, dict)
        assert third.value["stock"] == 9_999


async def test_a_batch_reaches_many_sessions(runtime: Runtime) -> None:
    sessions = [await runtime.open(BUNDLE) for _ in range(5)]
    calls = [(session, "place_order", {"item_id": n + 1}) for n in range(3) for session in sessions]
    results = await runtime.call_batch([*calls, (sessions[0], "get_item", {"item_id": float("inf")})])
    assert [result.outcome for result in results] == ["ok"] * 15 + ["agent"]
    assert len({await session.state_hash() for session in sessions}) == 1
    for session in sessions:
        await session.close()


async def test_a_closed_session_says_so(runtime: Runtime) -> None:
    session = await runtime.open(BUNDLE)
    await session.close()
    with pytest.raises(UsageError, match="closed"):
        await session.call("list_items")


async def test_the_same_calls_give_the_same_world_in_another_process(runtime: Runtime) -> None:
    calls = [("place_order", {"item_id": n % 7 + 1, "quantity": n % 3 + 1}) for n in range(20)]
    async with Runtime(RuntimeSettings()) as other:
        one, two = await runtime.open(BUNDLE), await other.open(BUNDLE)
        assert await one.call_many(calls) == await two.call_many(calls)  # type: ignore[arg-type]
        assert await one.state_hash() == await two.state_hash()
        assert await one.snapshot() == await two.snapshot()
        await one.close()


MISBEHAVING = tiny(
    "misbehaving",
    source='''
KEPT = ()

def writes_while_reading(env) -> dict:
    """Declared read-only."""
    env.execute("UPDATE items SET stock = 0", [])
    return {}

def wrong_result(env) -> dict:
    """Returns something else than it says."""
    env.execute("UPDATE items SET stock = 0", [])
    return {"name": 3}

def divides(env) -> dict:
    """Raises."""
    env.execute("UPDATE items SET stock = 0", [])
    return {"name": str(1 / 0)}

def exits(env) -> dict:
    """Tries to leave."""
    raise SystemExit(0)

def breaks_a_constraint(env) -> dict:
    """An order of an item that does not exist."""
    env.insert("INSERT INTO orders (code, user_id, item_id, quantity, created_at) VALUES ('a', 1, 999, 1, '')", [])
    return {"name": "x"}

def not_json(env) -> dict:
    """A set."""
    return {"name": {1, 2}}

def cyclic(env) -> dict:
    """A cycle."""
    value = {}
    value["name"] = value
    return value

def many(env, *, count: int) -> dict:
    """A long list."""
    return {"numbers": list(range(count))}

def long_text(env) -> dict:
    """A result nobody can shorten."""
    return {"name": "x" * 100_000}

def endless_sql(env) -> dict:
    """A query without an end."""
    env.query("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n", [])
    return {"name": "x"}

def fetches_all(env) -> dict:
    """More rows than anybody may fetch."""
    env.query("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 20000) SELECT x FROM n", [])
    return {"name": "x"}

def counts(env, *, seen=[]) -> dict:
    """Keeps something where it must not."""
    seen.append(1)
    return {"count": len(seen)}

def sql_clock(env) -> dict:
    """SQL's own clock, should it slip through."""
    return env.one("SELECT date('now') AS name", [])

def sql_random(env) -> dict:
    """SQL's own chance."""
    return env.one("SELECT random() AS name", [])

def newer_sql(env) -> dict:
    """A function that SQLite 3.40, which a bundle's own scripts may run on, does not have."""
    return {"name": env.one("SELECT string_agg(name, ', ') AS n FROM items")["n"]}

def newer_syntax(env) -> dict:
    """A number as SQLite 3.40 cannot read it."""
    return {"count": env.one("SELECT 1_000 AS n")["n"]}

def opens_a_transaction(env) -> dict:
    """Would let a failed call keep its writes."""
    env.execute("COMMIT", [])
    return {"name": "x"}

def ignored_insert(env) -> dict:
    """Inserts nothing."""
    row = env.insert("INSERT OR IGNORE INTO users (id, name) VALUES (1, 'Eve')", [])
    return {"count": row}
''',
    definitions=[
        tool("writes_while_reading", read_only=True),
        *(
            tool(name, result=schema({"name": STRING}))
            for name in (
                "wrong_result",
                "divides",
                "exits",
                "breaks_a_constraint",
                "not_json",
                "cyclic",
                "long_text",
                "endless_sql",
                "fetches_all",
                "sql_clock",
                "sql_random",
                "newer_sql",
                "newer_syntax",
                "opens_a_transaction",
            )
        ),
        tool("many", schema({"count": INTEGER}), schema({"numbers": {"type": "array", "items": INTEGER}})),
        tool("counts", result=schema({"count": INTEGER})),
        tool("ignored_insert", result=schema({"count": INTEGER})),
    ],
)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("writes_while_reading", "declared read-only and wrote"),
        ("wrong_result", "result.name: expected a string"),
        ("divides", "ZeroDivisionError: division by zero (tools.py, line"),
        ("exits", "SystemExit"),
        ("breaks_a_constraint", "FOREIGN KEY constraint failed"),
        ("not_json", "not JSON"),
        ("cyclic", "result"),
        ("long_text", "at most 65536 are allowed"),
        ("endless_sql", "Interrupt"),
        ("fetches_all", "more than 10000 rows"),
        ("sql_random", "not authorized"),
        ("newer_sql", "not authorized"),
        ("newer_syntax", "does not know the number 1_000"),
        ("opens_a_transaction", "not authorized"),
    ],
)
async def test_what_the_environment_does_wrong_is_its_own_fault(runtime: Runtime, name: str, says: str) -> None:
    async with await runtime.open(MISBEHAVING) as session:
        result = await session.call(name)
        assert result.outcome == "environment"
        assert says in (result.error or "")
        assert await session.changes() == []
        assert (await session.call("get_item", {"item_id": 1})).ok


async def test_a_long_list_is_cut_with_a_note(runtime: Runtime) -> None:
    async with await runtime.open(MISBEHAVING) as session:
        result = await session.call("many", {"count": 500})
        assert isinstance(result.value, dict)
        assert len(result.value["numbers"]) == 200
        assert "'numbers' shows the first 200 of 500" in (result.note or "")
        assert (await session.call("many", {"count": 200})).note is None


async def test_nothing_leaks_by_accident_between_sessions_of_a_worker(runtime: Runtime) -> None:
    one, two = await runtime.open(MISBEHAVING), await runtime.open(MISBEHAVING)
    assert (await one.call("counts")).value == {"count": 1}
    assert (await one.call("counts")).value == {"count": 2}
    assert (await two.call("counts")).value == {"count": 1}
    await one.call("place_order", {"item_id": 1})
    assert (await two.call("ignored_insert")).value == {"count": 0}
    assert (await two.call("place_order", {"item_id": 1})).value == {"order_id": 1, "code": "ORD-50001"}
    await one.reset()
    assert (await one.call("counts")).value == {"count": 1}
    await one.close()
    await two.close()


async def test_even_sqls_own_clock_is_frozen(runtime: Runtime) -> None:
    async with await runtime.open(MISBEHAVING) as session:
        assert (await session.call("sql_clock")).value == {"name": "2026-03-02"}


ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("place_order"), st.fixed_dictionaries({"item_id": st.integers(1, 4)})),
        st.tuples(st.just("cancel_order"), st.fixed_dictionaries({"order_id": st.integers(1, 6)})),
        st.tuples(st.just("delete_item"), st.fixed_dictionaries({"item_id": st.integers(1, 6)})),
        st.tuples(st.just("renumber_item"), st.fixed_dictionaries({"item_id": st.integers(1, 6)})),
        st.tuples(st.just("tries_and_fails"), st.fixed_dictionaries({"item_id": st.integers(1, 6)})),
    ),
    max_size=12,
)

CHANGING = tiny(
    "changing",
    source='''
def delete_item(env, *, item_id: int) -> dict:
    """Delete an item and its orders."""
    env.execute("DELETE FROM orders WHERE item_id = ?", [item_id])
    return {"done": env.execute("DELETE FROM items WHERE id = ?", [item_id]) == 1}

def renumber_item(env, *, item_id: int) -> dict:
    """Change a primary key."""
    env.execute("DELETE FROM orders WHERE item_id = ?", [item_id])
    env.execute("UPDATE OR REPLACE items SET id = id + 1 WHERE id = ?", [item_id])
    return {"done": True}

def tries_and_fails(env, *, item_id: int) -> dict:
    """A statement that fails after some of its rows, and a tool that goes on."""
    try:
        env.execute("UPDATE items SET stock = CASE WHEN id > ? THEN -1 ELSE 7 END", [item_id])
    except Exception:
        return {"done": False}
    return {"done": True}
''',
    definitions=[
        tool(name, schema({"item_id": INTEGER}), schema({"done": BOOLEAN}))
        for name in ("delete_item", "renumber_item", "tries_and_fails")
    ],
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=ACTIONS)
async def test_changes_are_exactly_the_difference_of_the_databases(
    runtime: Runtime, actions: list[tuple[str, dict[str, int]]]
) -> None:
    async with await runtime.open(CHANGING, state="spring") as session:
        initial = contents(await session.snapshot())
        await session.call_many(actions)  # type: ignore[arg-type]
        final = contents(await session.snapshot())
        told = [
            {"table": c.table, "key": list(c.key), "before": c.before, "after": c.after}
            for c in await session.changes()
        ]
        assert sorted(told, key=repr) == sorted(differences(initial, final), key=repr)

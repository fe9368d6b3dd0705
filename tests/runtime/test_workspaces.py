"""Several environments in one episode: names, one clock, one database to judge, and what is refused."""

import contextlib
import os
import signal
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from pydantic import ValidationError

from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.tools import GivenRow, ToolDefinition
from envfactory_dagster.contracts.workspace import WorkspaceServer
from envfactory_dagster.runtime.bundle_facts import facts_of
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings
from envfactory_dagster.runtime.workspaces import workspace_bundle
from tests.support.tiny import schema, tiny, tool
from tests.support.workspaces import BAKER, BREWER, SHOPS, workspace


@pytest_asyncio.fixture(scope="module")
async def both(runtime: Runtime) -> Bundle:
    return await workspace_bundle(runtime, workspace(), SHOPS)


async def test_every_tool_rule_and_table_bears_the_prefix_of_its_server(both: Bundle) -> None:
    assert [tool.name for tool in both.tools if "place" in tool.name] == ["beer_place_order", "bread_place_order"]
    assert [rule.id for rule in both.theme.rules] == ["beer_stock", "bread_stock"]
    assert [tool.principal for tool in both.tools if tool.name == "beer_confirm_order"] == ["user"]
    connection = sqlite3.connect(":memory:")
    connection.deserialize(both.states["initial"].image)
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE sql IS NOT NULL")}
    assert {"beer_items", "bread_items", "beer_orders", "bread_orders"} <= names
    assert connection.execute("SELECT name FROM beer_users WHERE id = 1").fetchone() == ("Ann B.",)
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    parents = connection.execute("SELECT \"table\" FROM pragma_foreign_key_list('beer_orders')").fetchall()
    assert {parent for (parent,) in parents} == {"beer_users", "beer_items"}


async def test_calls_change_the_database_of_their_server_and_no_other(runtime: Runtime, both: Bundle) -> None:
    async with await runtime.open(both) as session:
        assert (await session.call("bread_place_order", {"item_id": 2, "quantity": 3})).ok
        assert [change.table for change in await session.changes()] == ["bread_items", "bread_orders"]
        connection = sqlite3.connect(":memory:")
        connection.deserialize(await session.snapshot())
        assert connection.execute("SELECT quantity FROM bread_orders").fetchall() == [(3,)]
        assert connection.execute("SELECT count(*) FROM beer_orders").fetchone() == (0,)


async def test_results_come_in_the_order_of_the_calls(runtime: Runtime, both: Bundle) -> None:
    async with await runtime.open(both) as session:
        results = await session.call_many(
            [
                ("bread_get_item", {"item_id": 1}),
                ("beer_get_item", {"item_id": 2}),
                ("nobody_knows", {}),
                ("beer_get_item", {"item_id": 3}),
            ]
        )
        names = [result.value["name"] if isinstance(result.value, dict) else result.outcome for result in results]
        assert names == ["Item 1", "Item 2", "agent", "Item 3"]


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("get_item", {"item_id": 1}, "no tool called 'get_item'"),
        ("beer_get_itme", {"item_id": 1}, "did you mean 'beer_get_item'"),
        ("beer_confirm_order", {"order_id": 1}, "no tool called 'beer_confirm_order'"),
        ("beer_get_item", {"item_id": 999}, "there is no item 999"),
        ("nobody_knows", {"x": float("nan")}, "not a JSON number"),
        ("beer_get_item", {"item_id": float("nan")}, "not a JSON number"),
    ],
)
async def test_what_the_agent_does_wrong_is_said_in_the_names_it_knows(
    runtime: Runtime, both: Bundle, name: str, arguments: dict[str, Any], says: str
) -> None:
    async with await runtime.open(both) as session:
        result = await session.call(name, arguments)
        assert result.outcome == "agent"
        assert says in (result.error or "")
        assert await session.changes() == []


async def test_a_batch_takes_workspaces_and_single_environments(runtime: Runtime, both: Bundle) -> None:
    async with await runtime.open(both) as one, await runtime.open(both) as other, await runtime.open(BAKER) as alone:
        results = await runtime.call_batch(
            [
                (one, "beer_get_item", {"item_id": 1}),
                (alone, "get_item", {"item_id": 2}),
                (other, "bread_get_item", {"item_id": 3}),
            ]
        )
        assert [result.value["id"] for result in results if isinstance(result.value, dict)] == [1, 2, 3]


async def test_forks_and_resets_are_of_all_servers(runtime: Runtime, both: Bundle) -> None:
    async with await runtime.open(both) as session:
        start = await session.state_hash()
        await session.call("beer_place_order", {"item_id": 1})
        fork = await runtime.fork(session)
        async with fork:
            await fork.call("bread_place_order", {"item_id": 1})
            assert len(await fork.changes()) == 4
        assert len(await session.changes()) == 2
        await session.reset()
        assert await session.state_hash() == start
        assert await session.snapshot() == both.states["initial"].image


async def test_a_program_and_a_verifier_work_across_servers(runtime: Runtime, both: Bundle) -> None:
    async with await runtime.open(both) as session:
        source = (
            "def solve(tools):\n"
            "    bread = tools.bread_list_items(most=12)['items']\n"
            "    tools.beer_place_order(item_id=1, quantity=len(bread))\n"
            "    tools.beer_confirm_order(order_id=1)\n"
            "    return len(bread)\n"
        )
        result = await runtime.run_program(session, source)
        assert (result.answer, result.error) == (2, None)
        final = await session.snapshot()
    verifier = (
        "def goal_has_as_many_beers_as_there_are_loaves(world):\n"
        "    loaves = world.initial.one('SELECT count(*) AS n FROM bread_items WHERE price <= 12')['n']\n"
        "    orders = world.final.query('SELECT quantity FROM beer_orders WHERE confirmed = 1')\n"
        "    return [order['quantity'] for order in orders] == [loaves]\n"
        "def guard_leaves_the_baker_alone(world):\n"
        "    return not any(change['table'].startswith('bread_') for change in world.changes)\n"
    )
    initial = both.states["initial"].image
    signals = await runtime.run_verifier(verifier, initial=initial, final=final, form=AnswerForm())
    assert [signal.value for signal in signals] == [True, True]


async def test_a_worker_that_dies_takes_nothing_of_either_server_with_it(both: Bundle) -> None:
    async with Runtime(RuntimeSettings(call_seconds=2.0)) as runtime:
        async with await runtime.open(both) as session:
            await session.call("beer_place_order", {"item_id": 1})
            of_beer = set(runtime.pids)
            await session.call("bread_place_order", {"item_id": 2})
            before = await session.state_hash()
            for pid in of_beer - {runtime.pids[0]}:
                os.kill(pid, signal.SIGKILL)
            assert (await session.call("bread_get_item", {"item_id": 1})).ok
            assert (await session.call("beer_get_item", {"item_id": 1})).ok
            assert await session.state_hash() == before


async def test_a_server_that_cannot_be_opened_leaves_no_session_open(both: Bundle) -> None:
    broken = replace(both, servers=both.servers | {"beer": replace(both.servers["beer"], tools_source="1 / 0")})
    async with Runtime(RuntimeSettings(call_seconds=2.0)) as runtime:
        with pytest.raises(EnvironmentFault):
            await runtime.open(broken)
        assert runtime.open_sessions == 0


@pytest.mark.parametrize(
    ("image", "says"),
    [
        (b"no database at all" * 100, "cannot be made"),
        (b"", "The database"),
        ("CREATE TABLE items (id INTEGER PRIMARY KEY) STRICT; CREATE VIEW seen AS SELECT 1", "views or triggers"),
        ("CREATE TABLE items (id INTEGER PRIMARY KEY, x INTEGER AS (1 / 0)) STRICT", None),
        ('CREATE TABLE "a""b; --" (x TEXT) STRICT; CREATE INDEX "i""j" ON "a""b; --" (x)', None),
    ],
)
async def test_whatever_a_server_leaves_behind_is_its_own_fault(
    runtime: Runtime, both: Bundle, image: bytes | str, says: str | None
) -> None:
    if isinstance(image, str):
        connection = sqlite3.connect(":memory:")
        connection.executescript(image)
        image = connection.serialize()
    good = both.servers["beer"].states["initial"].image
    if says is not None:
        with pytest.raises(EnvironmentFault, match=says):
            await runtime.join_images({"beer": good, "bread": image})
    else:
        with contextlib.suppress(EnvironmentFault):
            await runtime.join_images({"beer": good, "bread": image})
    assert (await runtime.join_images({"beer": good}))[1]


async def test_closing_ends_the_session_of_every_server(both: Bundle) -> None:
    async with Runtime(RuntimeSettings(call_seconds=2.0)) as runtime:
        session = await runtime.open(both)
        assert runtime.open_sessions == 2
        await session.close()
        assert runtime.open_sessions == 0
        with pytest.raises(UsageError, match="closed"):
            await session.call("nobody_knows")


async def test_three_servers(runtime: Runtime) -> None:
    three = [WorkspaceServer(prefix=prefix, environment="baker") for prefix in ("north", "south", "west")]
    bundle = await workspace_bundle(runtime, workspace(*three), SHOPS)
    async with await runtime.open(bundle) as session:
        for prefix in ("north", "south", "west"):
            assert (await session.call(f"{prefix}_place_order", {"item_id": 1})).ok
        assert len({change.table for change in await session.changes()}) == 6


async def test_the_folder_of_a_workspace_is_whole_and_checked(both: Bundle, tmp_path: Path) -> None:
    folder = both.write(tmp_path / "both")
    read = Bundle.read(folder)
    assert read.version == both.version
    assert list(read.servers) == ["beer", "bread"]
    (folder / "servers/beer/tools.py").write_text("1 / 0")
    with pytest.raises(EnvironmentFault, match=r"servers/beer/tools\.py does not match the hash"):
        Bundle.read(folder)


async def test_a_server_behind_a_link_is_not_read(both: Bundle, tmp_path: Path) -> None:
    folder = both.write(tmp_path / "both")
    (folder / "servers/bread").rename(tmp_path / "elsewhere")
    (folder / "servers/bread").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(EnvironmentFault, match="links are not followed"):
        Bundle.read(folder)


async def test_facts_are_those_of_all_servers(both: Bundle) -> None:
    facts = facts_of(both).tools
    assert set(facts) == {tool.name for tool in both.tools}
    assert {write.table for write in facts["beer_place_order"].writes} == {"beer_items", "beer_orders"}


# -- one clock ---------------------------------------------------------------------------------------------------------


def at(bundle: Bundle, clock: str) -> Bundle:
    return replace(bundle, states={"initial": State(bundle.states["initial"].image, clock)})


async def test_the_latest_clock_is_that_of_all(runtime: Runtime) -> None:
    shops = {"baker": at(BAKER, "2026-04-14T09:05:00"), "brewer": at(BREWER, "2026-04-13T09:40:00")}
    bundle = await workspace_bundle(runtime, workspace(), shops)
    assert {server.states["initial"].clock for server in bundle.servers.values()} == {"2026-04-14T09:05:00"}
    async with await runtime.open(bundle) as session:
        await session.call("beer_place_order", {"item_id": 1})
        created = [change.after["created_at"] for change in await session.changes() if change.before is None]  # type: ignore[index]
        assert created == ["2026-04-14T09:05:00"]


async def test_states_of_different_times_are_refused(runtime: Runtime) -> None:
    shops = {"baker": at(BAKER, "2026-04-14T09:05:00"), "brewer": at(BREWER, "2026-04-20T09:15:00")}
    with pytest.raises(UsageError, match="more than a day apart"):
        await workspace_bundle(runtime, workspace(), shops)


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_two_servers_of_one_prefix_are_refused() -> None:
    twice = [WorkspaceServer(prefix="bread", environment=key) for key in ("baker", "brewer")]
    with pytest.raises(ValidationError, match="prefixes of servers"):
        workspace(*twice)


@pytest.mark.parametrize("prefix", ["Beer", "my_beer", "1st", "", "a" * 17, "beer-2", "../x"])
def test_what_is_no_prefix_is_refused(prefix: str) -> None:
    with pytest.raises(ValidationError):
        WorkspaceServer(prefix=prefix, environment="baker")


def test_one_server_is_no_workspace() -> None:
    with pytest.raises(ValidationError):
        workspace(WorkspaceServer(prefix="bread", environment="baker"))


def with_tool(bundle: Bundle, definition: ToolDefinition) -> Bundle:
    source = f"def {definition.name}(env) -> dict:\n    '''Does nothing.'''\n    return {{}}\n"
    return tiny(bundle.key, source=source, definitions=[definition])


async def test_tools_whose_names_differ_in_case_alone_are_refused(runtime: Runtime) -> None:
    clashing = with_tool(BREWER, tool("Get_item", read_only=True))
    with pytest.raises(UsageError, match="same name: tool beer_get_item"):
        await workspace_bundle(runtime, workspace(), SHOPS | {"brewer": clashing})


async def test_a_name_that_the_prefix_makes_too_long_is_refused(runtime: Runtime) -> None:
    long = with_tool(BREWER, tool("a" * 62, read_only=True))
    with pytest.raises(UsageError, match="too long a name"):
        await workspace_bundle(runtime, workspace(), SHOPS | {"brewer": long})


@pytest.mark.parametrize(
    ("shops", "says"),
    [
        ({"baker": BAKER}, "asks for 'brewer', which was not given"),
        ({"baker": BAKER, "brewer": replace(BREWER, verifiers={"a": "def goal_a(world): return True"})}, "before rep"),
        ({"baker": BAKER, "brewer": replace(BREWER, storage="object")}, "no tables of its own"),
        ({"baker": BAKER, "brewer": replace(BREWER, states={"other": BREWER.states["initial"]})}, "no state 'initial'"),
    ],
)
async def test_environments_that_cannot_be_part_of_one_are_refused(
    runtime: Runtime, shops: dict[str, Bundle], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        await workspace_bundle(runtime, workspace(), shops)


async def test_a_workspace_cannot_be_part_of_one(runtime: Runtime, both: Bundle) -> None:
    with pytest.raises(UsageError, match="no tables of its own"):
        await workspace_bundle(runtime, workspace(), SHOPS | {"brewer": both})


async def test_a_row_that_is_not_there_is_named(runtime: Runtime) -> None:
    nobody = [GivenRow(table="users", id=77, values={"name": "Ann"})]
    beer = WorkspaceServer(prefix="beer", environment="brewer", given=nobody)
    with pytest.raises(EnvironmentFault, match="no row with id 77"):
        await workspace_bundle(runtime, workspace(workspace().servers[0], beer), SHOPS)


async def test_texts_name_tools_as_the_agent_knows_them(runtime: Runtime) -> None:
    refusing = tiny(
        "brewer",
        source='''
def ask_first(env) -> dict:
    """Refuses."""
    raise env.Error("call list_items before ask_first")
''',
        definitions=[
            tool("ask_first", schema()).model_copy(update={"description": "Needs an id of list_items."}),
        ],
    )
    bundle = await workspace_bundle(runtime, workspace(), SHOPS | {"brewer": refusing})
    described = next(one for one in bundle.tools if one.name == "beer_ask_first")
    assert described.description == "Tiny shop: Needs an id of beer_list_items."
    async with await runtime.open(bundle) as session:
        assert (await session.call("beer_ask_first")).error == "call beer_list_items before beer_ask_first"

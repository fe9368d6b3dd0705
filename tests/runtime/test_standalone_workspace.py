"""A workspace's own server: nothing but the standard library, and the same results and database for every call."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.standalone import StandaloneServer
from envfactory_dagster.runtime.verifier_worker import contents
from envfactory_dagster.runtime.workspaces import workspace_bundle
from tests.runtime.test_standalone import run
from tests.support.workspaces import SHOPS, workspace

Call = tuple[str, dict[str, Any]]
SMALL = st.integers(0, 7)
ORDERED = st.fixed_dictionaries({"item_id": SMALL, "quantity": st.integers(0, 9_000)})
CALLS = st.lists(
    st.one_of(
        *(st.tuples(st.just(f"{p}_get_item"), st.fixed_dictionaries({"item_id": SMALL})) for p in ("beer", "bread")),
        *(st.tuples(st.just(f"{p}_place_order"), ORDERED) for p in ("beer", "bread")),
        st.tuples(st.just("beer_cancel_order"), st.fixed_dictionaries({"order_id": SMALL})),
        st.tuples(st.sampled_from(["get_item", "beer_", "beer_confirm_order", "bread_list_item"]), st.just({})),
    ),
    max_size=15,
)


@pytest_asyncio.fixture(scope="module")
async def both(runtime: Runtime) -> Bundle:
    return await workspace_bundle(runtime, workspace(), SHOPS)


@pytest.fixture(scope="module")
def folder(both: Bundle, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return both.write(tmp_path_factory.mktemp("bundles") / both.key)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(calls=CALLS)
async def test_call_for_call_the_same_as_the_sandbox(
    runtime: Runtime, both: Bundle, folder: Path, calls: list[Call]
) -> None:
    server = StandaloneServer(folder, "initial", None, "assistant")
    async with await runtime.open(both) as session:
        results = await session.call_many(calls)
        final = await session.snapshot()
    told = [server.call(tool, arguments) for tool, arguments in calls]
    assert [(r.outcome, r.value, r.error, r.note) for r in results] == told
    assert contents(server._world.image()) == contents(final)


def test_it_serves_all_tools_without_any_package(folder: Path) -> None:
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    listed = json.loads(run(folder, given=json.dumps(request) + "\n").stdout)["result"]["tools"]
    assert {"beer_list_items", "bread_list_items"} <= {tool["name"] for tool in listed}
    done = run(folder, "call", "beer_get_item", '{"item_id": 3}')
    assert json.loads(done.stdout)["value"]["name"] == "Item 3"


def test_databases_in_files_stay_apart(folder: Path, tmp_path: Path) -> None:
    for prefix, quantity in (("beer", 2), ("bread", 3)):
        arguments = json.dumps({"item_id": 3, "quantity": quantity})
        done = run(folder, "--database", str(tmp_path / "kept.sqlite"), "call", f"{prefix}_place_order", arguments)
        assert json.loads(done.stdout)["outcome"] == "ok"
    for prefix, quantity in (("beer", 2), ("bread", 3)):
        with sqlite3.connect(tmp_path / f"{prefix}-kept.sqlite") as kept:
            assert kept.execute("SELECT quantity FROM orders").fetchall() == [(quantity,)]

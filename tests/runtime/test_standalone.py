"""The bundle's own server: nothing but the standard library, and the same result for every call."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from envfactory_dagster.runtime.bundle_scripts import server_source
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.standalone import StandaloneServer
from tests.runtime.test_sessions import CHANGING, MISBEHAVING
from tests.support.tiny import tiny

BUNDLE = tiny(server_source=server_source())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return BUNDLE.write(tmp_path_factory.mktemp("bundles") / BUNDLE.key)


def run(folder: Path, *arguments: str, given: str = "") -> "subprocess.CompletedProcess[str]":
    """The server in a Python that sees no installed package at all."""
    command = [sys.executable, "-I", "-S", str(folder / "server.py"), *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=30, check=False)


def test_its_parts_do_not_overwrite_each_other() -> None:
    tree = ast.parse(server_source())
    names: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.append(node.target.id)
    assert sorted(names) == sorted(set(names))
    imported = {a.name.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    imported |= {(n.module or "").split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert imported <= set(sys.stdlib_module_names)


WITH_OLD_SQLITE = """
import runpy, sqlite3, sys
sqlite3.sqlite_version, sqlite3.sqlite_version_info = "3.39.5", (3, 39, 5)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_an_older_sqlite_is_refused_by_name(folder: Path) -> None:
    command = [sys.executable, "-I", "-S", "-c", WITH_OLD_SQLITE, str(folder / "server.py"), "call", "list_items"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stderr) == (1, "this Python has SQLite 3.39.5; 3.40 or newer is needed\n")


def test_one_call_from_a_shell(folder: Path) -> None:
    done = run(folder, "call", "get_item", '{"item_id": 3}')
    assert json.loads(done.stdout)["value"]["name"] == "Item 3"
    refused = run(folder, "call", "get_item", '{"item_id": 999}')
    assert (refused.returncode, json.loads(refused.stdout)["error"]) == (1, "there is no item 999")


def test_a_database_in_a_file_stays(folder: Path, tmp_path: Path) -> None:
    file = str(tmp_path / "kept.sqlite")
    first = run(folder, "--database", file, "call", "place_order", '{"item_id": 3}')
    second = run(folder, "--database", file, "--principal", "user", "call", "confirm_order", '{"order_id": 1}')
    assert [json.loads(done.stdout)["outcome"] for done in (first, second)] == ["ok", "ok"]


def test_it_speaks_mcp(folder: Path) -> None:
    requests: list[Any] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {
            "jsonrpc": "2.0",
            "id": 3,
            "method": "tools/call",
            "params": {"name": "get_item", "arguments": {"item_id": 3}},
        },
        {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "get_item", "arguments": {}}},
        {"jsonrpc": "2.0", "id": 5, "method": "resources/list"},
        "nonsense",
    ]
    lines = run(folder, given="\n".join(map(json.dumps, requests)) + "\n{broken\n").stdout.splitlines()
    initialized, listed, called, refused, unknown, nonsense, broken = map(json.loads, lines)
    assert "Nothing is sold that is not in stock." in initialized["result"]["instructions"]
    assert [t["name"] for t in listed["result"]["tools"]] == ["list_items", "get_item", "place_order", "cancel_order"]
    assert called["result"]["structuredContent"]["price"] == 13.0
    assert refused["result"]["isError"]
    assert unknown["error"]["code"] == -32601
    assert nonsense["error"]["code"] == broken["error"]["code"] == -32700


ITEM_TOOLS = ["get_item", "place_order", "delete_item", "renumber_item", "tries_and_fails"]
SMALL, WORD = st.integers(0, 7), st.text(max_size=5)
CALLS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(ITEM_TOOLS), st.fixed_dictionaries({"item_id": SMALL})),
        st.tuples(st.just("place_order"), st.fixed_dictionaries({"item_id": SMALL, "quantity": st.integers(0, 9_000)})),
        st.tuples(st.just("cancel_order"), st.fixed_dictionaries({"order_id": SMALL})),
        st.tuples(
            st.just("list_items"), st.fixed_dictionaries({}, optional={"most": st.floats(0, 100) | st.none() | WORD})
        ),
        st.tuples(WORD, st.dictionaries(WORD, st.integers(-(2**63), 2**63 - 1) | WORD, max_size=2)),
    ),
    max_size=15,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(calls=CALLS)
async def test_call_for_call_the_same_as_the_sandbox(
    runtime: Runtime, tmp_path_factory: pytest.TempPathFactory, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    folder = tmp_path_factory.getbasetemp() / CHANGING.key
    if not folder.exists():
        CHANGING.write(folder)
    server = StandaloneServer(folder, "spring", None, "assistant")
    async with await runtime.open(CHANGING, state="spring") as session:
        results = await session.call_many(calls)
    told = [server.call(tool, arguments) for tool, arguments in calls]
    assert [(r.outcome, r.value, r.error, r.note) for r in results if r.outcome != "environment"] == [
        reply for reply in told if reply[0] != "environment"
    ]
    assert [r.outcome for r in results] == [reply[0] for reply in told]


async def test_whose_fault_is_the_same_too(runtime: Runtime, tmp_path: Path) -> None:
    server = StandaloneServer(MISBEHAVING.write(tmp_path / "misbehaving"), "initial", None, "assistant")
    names = [t.name for t in MISBEHAVING.tools if t.name not in ("sql_clock", "many", "confirm_order")]
    async with await runtime.open(MISBEHAVING) as session:
        for name in names:
            result, reply = await session.call(name), server.call(name, {})
            assert (name, result.outcome, result.value) == (name, reply[0], reply[1])
        long = await session.call("many", {"count": 500})
        assert (long.value, long.note) == server.call("many", {"count": 500})[1::2]

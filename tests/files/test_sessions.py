"""A session over files: calls, changes, forks, resets, and the same from the environment's own server."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.runtime.runtime import Runtime
from tests.files.kit import CARDS, NAMES, card, empty, with_state

BOOKING = {"handle": "P1/2026-03-09/2", "rate_id": "R102-BB", "guest": "Ida Renn"}
TOOLS = '''
def read(env, *, path: str) -> dict:
    """Read a file."""
    return {"text": env.files.read_text(path)}


def write(env, *, path: str, text: str) -> dict:
    """Write a file."""
    env.files.write_text(path, text)
    return {}


def add(env, *, path: str, record: str) -> dict:
    """Add a record."""
    return {"key": env.files.append(path, json.loads(record))}


def change(env, *, path: str, key: int, changes: str) -> dict:
    """Change a record."""
    return {"changed": env.files.update(path, key, json.loads(changes))}


def remove(env, *, path: str, key: int | None = None) -> dict:
    """Remove a record or a document."""
    return {"removed": env.files.remove(path, key)}


def meddle(env, *, sql: str) -> dict:
    """Write by SQL."""
    return {"rows": env.execute(sql)}


def peek(env, *, path: str) -> dict:
    """Write though only reading was announced."""
    env.files.write_text(path, "x")
    return {}
'''
FILES = {
    "people.json": b'[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}]',
    "fixed.csv": b"code,n\na,1\n",
    "notes/a.md": b"# A\n",
    "kept/b.txt": b"b",
}
HINTS = {"files": {"fixed.csv": {"readonly": True}}, "readonly": ["kept/*"]}


@pytest_asyncio.fixture(scope="module")
async def hotels(runtime: Runtime) -> Bundle:
    return await card(runtime, "hotels")


@pytest_asyncio.fixture(scope="module")
async def desk(runtime: Runtime) -> Bundle:
    bundle = empty("desk", "import json\n" + TOOLS, {"write", "add", "change", "remove", "meddle"})
    return await with_state(runtime, bundle, FILES, HINTS)


async def test_a_booking_is_one_created_row(runtime: Runtime, hotels: Bundle) -> None:
    async with await runtime.open(hotels) as session:
        before = await session.state_hash()
        assert (await session.call("book_hotel", BOOKING)).value == {"code": "BK-50001", "total": 176.0}
        [change] = await session.changes()
        assert (change.table, change.key, change.before) == ("bookings_json", ("BK-50001",), None)
        assert change.after is not None and change.after["guest"] == "Ida Renn"
        async with await runtime.fork(session) as fork:
            await fork.call("book_hotel", BOOKING | {"guest": "Ola"})
            assert [len(await one.changes()) for one in (session, fork)] == [1, 2]
        await session.reset()
        assert (await session.changes(), await session.state_hash()) == ([], before)


async def test_what_is_added_is_written_as_its_neighbours_are(runtime: Runtime, desk: Bundle) -> None:
    async with await runtime.open(desk) as session:
        assert (await session.call("add", {"path": "people.json", "record": '{"name": "Cy"}'})).value == {"key": 3}
        await session.call("change", {"path": "people.json", "key": 1, "changes": '{"name": "Ann Lee"}'})
        text = '[{"id": 1, "name": "Ann Lee"}, {"id": 2, "name": "Bo"}, {"id": 3, "name": "Cy"}]'
        assert (await session.call("read", {"path": "people.json"})).value == {"text": text}
        await session.call("remove", {"path": "people.json", "key": 3})
        await session.call("change", {"path": "people.json", "key": 1, "changes": '{"name": "Ann"}'})
        assert (await session.call("read", {"path": "people.json"})).value == {"text": FILES["people.json"].decode()}
        assert await session.changes() == []
        whole = '[{"id": 2, "name": "Bo"}, {"id": 9, "name": "Di"}]'
        assert (await session.call("write", {"path": "people.json", "text": whole})).ok
        assert [(c.key, c.after) for c in await session.changes()] == [((1,), None), ((9,), {"id": 9, "name": "Di"})]


async def test_a_key_is_made_where_numbers_stand_in_no_order(runtime: Runtime) -> None:
    files = {"people.json": b'[{"id": 7, "name": "Ann"}, {"id": 2, "name": "Bo"}]'}
    bundle = await with_state(runtime, empty("desk", "import json\n" + TOOLS, {"add"}), files, {})
    async with await runtime.open(bundle) as session:
        assert (await session.call("add", {"path": "people.json", "record": '{"name": "Cy"}'})).value == {"key": 8}
        text = '[{"id": 7, "name": "Ann"}, {"id": 2, "name": "Bo"}, {"id": 8, "name": "Cy"}]'
        assert (await session.call("read", {"path": "people.json"})).value == {"text": text}


async def test_the_order_of_keys_and_the_spelling_of_numbers_change_nothing(runtime: Runtime) -> None:
    files = {"people.json": b'[{"id": 1, "at": {"x": 2, "y": [1.5, {"b": 1, "a": null}]}, "n": 3.5}]'}
    bundle = await with_state(runtime, empty("desk", "import json\n" + TOOLS, {"change"}), files, {})
    async with await runtime.open(bundle) as session:
        for changes in ('{"at": {"y": [1.5, {"a": null, "b": 1.0}], "x": 2.0}, "n": 3.5}', '{"at": {"x": 3}}'):
            assert (await session.call("change", {"path": "people.json", "key": 1, "changes": changes})).ok
            if "3}" not in changes:
                assert await session.changes() == []
        assert len(await session.changes()) == 1


async def test_documents_come_and_go(runtime: Runtime, desk: Bundle) -> None:
    async with await runtime.open(desk) as session:
        await session.call("write", {"path": "notes/new.md", "text": "hello"})
        assert (await session.call("remove", {"path": "notes/a.md"})).value == {"removed": True}
        assert [(c.key, c.after) for c in await session.changes()] == [
            (("notes/new.md",), {"path": "notes/new.md", "text": "hello"}),
            (("notes/a.md",), None),
        ]


@pytest.mark.parametrize(
    ("tool", "arguments", "outcome", "says"),
    [
        ("read", {"path": "notes/none.md"}, "agent", "no file 'notes/none.md'"),
        ("read", {"path": "../people.json"}, "agent", "leads upwards"),
        ("write", {"path": "fixed.csv", "text": "code,n\nb,2\n"}, "environment", "not to be written"),
        ("write", {"path": "kept/b.txt", "text": "c"}, "environment", "not to be written"),
        ("write", {"path": "kept/new.txt", "text": "c"}, "environment", "not to be written"),
        ("remove", {"path": "kept/b.txt"}, "environment", "not to be written"),
        ("remove", {"path": "people.json"}, "environment", "only documents are removed"),
        ("add", {"path": "people.json", "record": '{"name": 5}'}, "environment", "takes a text, not a whole number"),
        ("add", {"path": "people.json", "record": '{"name": "x", "age": 3}'}, "environment", "has no field 'age'"),
        ("add", {"path": "people.json", "record": "{}"}, "environment", "has the field 'name'"),
        ("add", {"path": "people.json", "record": '{"id": 1, "name": "x"}'}, "environment", "the key 1 already"),
        ("add", {"path": "people.json", "record": "[]"}, "environment", "a record is an object"),
        ("add", {"path": "notes/a.md", "record": "{}"}, "environment", "is a document"),
        ("write", {"path": "people.json", "text": '{"a": 1}'}, "environment", "is a list of records"),
        ("write", {"path": "people.json", "text": "[1"}, "environment", "a comma is missing"),
        ("write", {"path": "notes/a.md", "text": "x" * 500_001}, "environment", "500000 bytes at most"),
        ("meddle", {"sql": "DELETE FROM file__pieces"}, "environment", "not authorized"),
        ("meddle", {"sql": "UPDATE file__frames SET style = '{}'"}, "environment", "not authorized"),
        ("peek", {"path": "notes/a.md"}, "environment", "declared read-only"),
    ],
)
async def test_what_is_wrong_is_said_and_changes_nothing(
    runtime: Runtime, desk: Bundle, tool: str, arguments: dict[str, Any], outcome: str, says: str
) -> None:
    async with await runtime.open(desk) as session:
        result = await session.call(tool, arguments)
        assert result.outcome == outcome
        assert says in (result.error or "")
        assert await session.changes() == []


@pytest.mark.parametrize("name", NAMES)
async def test_its_own_server_says_the_same(runtime: Runtime, name: str, tmp_path: Path) -> None:
    bundle = await card(runtime, name)
    folder = bundle.write(tmp_path / bundle.key)
    calls: list[Any] = []
    for task in bundle.tasks:
        async with await runtime.open(bundle) as session:
            run = await runtime.run_program(session, bundle.solutions[task.id])
            calls += [(call.tool, call.arguments, call.result.value) for call in run.calls]
    assert calls
    requests = [
        {"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        for n, (tool, arguments, _) in enumerate(calls)
    ]
    assert served(folder, requests) == [value for _, _, value in calls]


def served(folder: Path, requests: list[Any]) -> list[Any]:
    command = [sys.executable, "-I", "-S", str(folder / "server.py")]
    given = "\n".join(map(json.dumps, requests)) + "\n"
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=True)
    return [json.loads(line)["result"]["structuredContent"] for line in done.stdout.splitlines()]


async def test_a_long_file_is_read_a_part_at_a_time(runtime: Runtime) -> None:
    """And its image is made where no temporary file can be."""
    lines = "".join(f"{number},{'spam' if number % 3 == 0 else 'ham'},Notice {number}\n" for number in range(1, 20_001))
    content = ("id,label,subject\n" + lines).encode()
    source = (CARDS / "emails" / "tools.py").read_text()
    files = {"spam_data/labelled.csv": content}
    bundle = await with_state(runtime, empty("mail", source, set()), files, {})
    async with await runtime.open(bundle) as session:
        assert (await session.call("count_labelled", {"label": "spam"})).value == {"label": "spam", "count": 6_666}
        drawn = [await session.call("sample_labelled", {"label": "ham", "count": 3}) for _ in range(2)]
        assert drawn[0].ok and drawn[0].value == drawn[1].value

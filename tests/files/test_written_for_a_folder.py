"""Tools that open files, as published ones do: the same over the files of a session, in the sandbox and outside."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.runtime.facts import analyze_tools, screen_tools
from envfactory_dagster.runtime.runtime import Runtime
from tests.files.kit import empty, with_state

TOOLS = '''
import csv
import json
import os
from glob import glob
from pathlib import Path


def get_user(env, *, user_id: int) -> dict:
    """Look a person up."""
    with open("/app/database/users.json", encoding="utf-8") as file:
        users = json.load(file)
    return {"user": next((user for user in users if user["id"] == user_id), None)}


def add_user(env, *, name: str) -> dict:
    """Add a person."""
    with open("users.json") as file:
        users = json.load(file)
    users.append({"id": max(user["id"] for user in users) + 1, "name": name})
    with open("users.json", "w") as file:
        json.dump(users, file, indent=2)
    return {"users": len(users)}


def list_cities(env, *, country: str) -> dict:
    """List the cities of a country."""
    with open("cities.csv", newline="") as file:
        return {"cities": [row["city"] for row in csv.DictReader(file) if row["country"] == country]}


def note(env, *, text: str) -> dict:
    """Write a line into the log."""
    with Path("notes", "log.txt").open("a") as file:
        print_to = file.write(text + "\\n")
    return {"written": print_to, "lines": len((Path("notes") / "log.txt").read_text().splitlines())}


def look_around(env) -> dict:
    """Say what is there."""
    return {
        "here": os.getcwd(),
        "all": sorted(os.listdir(".")),
        "notes": sorted(path.name for path in Path("notes").iterdir()),
        "found": sorted(glob("/app/database/notes/*.txt")),
        "size": os.path.getsize("cities.csv"),
        "is": [os.path.exists("notes"), os.path.isfile("notes"), Path("no.txt").exists()],
    }


def read(env, *, path: str) -> dict:
    """Read a file."""
    try:
        return {"text": open(path).read()}
    except FileNotFoundError as missing:
        return {"error": str(missing)}


def spoil(env, *, path: str, mode: str) -> dict:
    """Open a file in some way."""
    with open(path, mode) as file:
        file.write("x")
    return {}
'''
FILES = {
    "users.json": b'[\n  {"id": 1, "name": "Ann"}\n]\n',
    "cities.csv": b"city,country\r\nBergen,NO\r\nPorto,PT\r\n",
    "notes/log.txt": b"begun\n",
    "notes/b.md": b"b",
}
WRITING = {"add_user", "note", "spoil"}
CALLS: list[tuple[str, dict[str, Any], Any]] = [
    ("get_user", {"user_id": 1}, {"user": {"id": 1, "name": "Ann"}}),
    ("get_user", {"user_id": 7}, {"user": None}),
    ("add_user", {"name": "Bo"}, {"users": 2}),
    ("get_user", {"user_id": 2}, {"user": {"id": 2, "name": "Bo"}}),
    ("list_cities", {"country": "PT"}, {"cities": ["Porto"]}),
    ("note", {"text": "more"}, {"written": 5, "lines": 2}),
    (
        "look_around",
        {},
        {
            "here": "/app/database",
            "all": ["cities.csv", "notes", "users.json"],
            "notes": ["b.md", "log.txt"],
            "found": ["/app/database/notes/log.txt"],
            "size": len(FILES["cities.csv"]),
            "is": [True, False, False],
        },
    ),
    ("read", {"path": "./notes/../cities.csv"}, {"text": "city,country\nBergen,NO\nPorto,PT\n"}),
]
OUTSIDE = ["/etc/passwd", "../etc/passwd", "/app/database/../../etc/passwd", "/proc/self/environ", "~/.ssh/id_rsa.txt"]


@pytest_asyncio.fixture(scope="module")
async def folder(runtime: Runtime) -> Bundle:
    return await with_state(runtime, empty("folder", TOOLS, WRITING), FILES, {})


def test_the_conventions_allow_it_where_the_state_is_files(folder: Bundle) -> None:
    assert screen_tools(TOOLS, files=True) == []
    assert {problem.rule for problem in screen_tools(TOOLS)} == {"import", "forbidden-name"}
    refused = TOOLS.replace("os.getcwd()", "os.system('id')")
    assert [problem.sentence[:21] for problem in screen_tools(refused, files=True)] == ["os has no system here"]
    facts = analyze_tools(TOOLS, folder.schema_sql)
    assert facts.problems == ()
    assert [write.table for write in facts.tools["add_user"].writes] == ["users_json"]
    assert set(facts.tools["list_cities"].reads) == {"cities_csv"}


async def test_it_reads_and_writes_the_files_of_the_session(runtime: Runtime, folder: Bundle) -> None:
    async with await runtime.open(folder) as session:
        assert [(await session.call(tool, arguments)).value for tool, arguments, _ in CALLS] == [v for _, _, v in CALLS]
        assert [(change.table, change.key) for change in await session.changes()] == [
            ("users_json", (2,)),
            ("documents", ("notes/log.txt",)),
        ]
        async with await runtime.fork(session) as fork:
            await session.reset()
            users = [(await one.call("get_user", {"user_id": 2})).value for one in (session, fork)]
            assert users == [{"user": None}, {"user": {"id": 2, "name": "Bo"}}]


def test_its_own_server_says_the_same(folder: Bundle, tmp_path: Path) -> None:
    written = folder.write(tmp_path / "folder")
    command = [sys.executable, "-I", "-S", str(written / "server.py")]
    requests = [
        {"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        for n, (tool, arguments, _) in enumerate(CALLS)
    ]
    given = "\n".join(map(json.dumps, requests)) + "\n"
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=True)
    said = [json.loads(line)["result"]["structuredContent"] for line in done.stdout.splitlines()]
    assert said == [value for _, _, value in CALLS]
    inside = [
        json.loads(
            subprocess.run(
                [*command, "call", "read", json.dumps({"path": path})],
                capture_output=True, text=True, timeout=60, check=True,
            ).stdout
        )["value"]
        for path in OUTSIDE
    ]  # fmt: skip
    assert all("error" in value for value in inside)
    assert os.path.exists("/etc/passwd")


@pytest.mark.parametrize("path", OUTSIDE)
async def test_nothing_outside_is_there(runtime: Runtime, folder: Bundle, path: str) -> None:
    async with await runtime.open(folder) as session:
        value = (await session.call("read", {"path": path})).value
        assert isinstance(value, dict)
        assert "there is no" in str(value["error"]) or "outside of /app/database" in str(value["error"])


@pytest.mark.parametrize(
    ("path", "mode", "says"),
    [
        ("users.json", "r", "only read"),
        ("users.json", "rb", "files are text here"),
        ("users.json", "r+", "files are text here"),
        ("users.json", "x", "already"),
        ("users.json", "w", "neither a list nor an object"),
        ("cities.csv", "w", "a list of records with the fields city, country"),
        ("notes/new.exe", "w", "no known ending"),
        ("/elsewhere/a.txt", "w", "outside of /app/database"),
    ],
)
async def test_what_cannot_be_done_is_said(runtime: Runtime, folder: Bundle, path: str, mode: str, says: str) -> None:
    async with await runtime.open(folder) as session:
        result = await session.call("spoil", {"path": path, "mode": mode})
        assert not result.ok
        assert says in (result.error or "")
        assert await session.changes() == []

"""Figures of environments whose state is files, beside the same world as a table.

    python -m benchmarks.file_environments [--json] [--sessions 1024]

A mailbox of 2,000 records in one file. Every figure is processor time, of this process and of all workers, so that a
busy machine counts little. `…_ratio`: files over tables. `read_text_us`: the whole file as text, of a session in which
some records changed; there is nothing like it for tables. `same`: whether both worlds answered alike.
`untouched_share`: how many of 200 files in five formats and many styles came back byte for byte.
"""

import argparse
import asyncio
import csv
import io
import json
import os
import random
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import INITIAL_STATE, Rule, Theme, ThemeSource
from envfactory_dagster.contracts.file_layout import FileHint, FileHints
from envfactory_dagster.contracts.tools import ToolAnnotations, ToolDefinition
from envfactory_dagster.runtime.databases import FileState, with_files
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session

RECORDS = 2_000
ROUNDS = 5
SEARCHING = 64
FORKED = 200
HERE = Path(__file__).parent / "mailbox"
CALLS: dict[str, dict[str, Json]] = {
    "get_email": {"email_id": "M-01500"},
    "list_emails": {"folder": "inbox", "page": 7},
    "search_emails": {"text": "no. 17"},
    "mark_read": {"email_id": "M-01500"},
    "send_email": {"to": "ana@lane.example", "subject": "Keys", "body": "They are on the hook."},
}
WRITING = ("mark_read", "send_email")
READ_TEXT = '''

def read_export(env) -> dict:
    """The export as text, less all but its end."""
    return {"end": env.files.read_text("emails.json")[-200:]}
'''
READ_FILE = '''
def read_file(env, *, path: str) -> dict:
    """Read a file."""
    return {"text": env.files.read_text(path)}
'''
Mail = dict[str, Json]


def mails(count: int = RECORDS) -> list[Mail]:
    chance = random.Random(1)
    return [
        {
            "id": f"M-{number:05d}",
            "folder": chance.choice(["inbox", "archive", "sent"]),
            "from_address": f"{chance.choice(['ana', 'ben', 'carla'])}@lane.example",
            "to_address": "me@lane.example",
            "date": f"2026-02-{1 + number % 28:02d}T09:00:00",
            "subject": f"Notice no. {number}",
            "body": "Please look at this before Friday. " * 4,
            "read": chance.random() < 0.5,
        }
        for number in range(1, count + 1)
    ]


async def mailbox(runtime: Runtime, count: int = RECORDS) -> Bundle:
    source = (HERE / "of_files.py").read_text() + READ_TEXT
    bundle = Bundle(
        theme=Theme(
            key="mailbox",
            name="Mailbox",
            category="office",
            description="A mailbox.",
            entities=["mail"],
            rules=[Rule(id="kept", text="Mail is kept.")],
            source=ThemeSource(kind="hand"),
        ),
        tasks=[],
        schema_sql="",
        seed_sql="",
        states={},
        tools=[_tool(name, arguments) for name, arguments in [*CALLS.items(), ("read_export", {})]],
        tools_source=source,
        server_source="",
    )
    content = json.dumps(mails(count), indent=2).encode()
    hints = FileHints(files={"emails.json": FileHint(key="id")})
    state = FileState("2026-03-02T09:00:00", {"emails.json": content})
    return await with_files(runtime, bundle, {INITIAL_STATE: state}, hints)


def as_tables(bundle: Bundle) -> Bundle:
    """The same rows and tools, without files."""
    tools = [tool for tool in bundle.tools if tool.name in CALLS]
    source = (HERE / "of_tables.py").read_text()
    return replace(bundle, storage="sqlite", layout=None, state_files={}, tools=tools, tools_source=source)


def _tool(name: str, arguments: dict[str, Json]) -> ToolDefinition:
    kinds = {
        argument: {"type": "string" if isinstance(value, str) else "integer"} for argument, value in arguments.items()
    }
    return ToolDefinition(
        name=name,
        description=name,
        inputSchema={"type": "object", "properties": kinds, "required": list(kinds)},
        outputSchema={"type": "object"},
        annotations=ToolAnnotations(readOnlyHint=name not in WRITING),
    )


async def figures(sessions: int = 1_024) -> dict[str, Any]:
    found: dict[str, dict[str, float]] = {}
    answers: dict[str, Any] = {}
    async with Runtime() as runtime:
        files = await mailbox(runtime)
    for kind, bundle in (("tables", as_tables(files)), ("files", files)):
        async with Runtime() as runtime:
            opened = [await runtime.open(bundle) for _ in range(sessions)]
            found[kind], answers[kind] = await _of_sessions(runtime, opened)
        async with Runtime() as runtime:
            found[kind]["fork"] = await _fork(runtime, await runtime.open(bundle))
    ratios = {f"{name}_ratio": round(found["files"][name] / found["tables"][name], 2) for name in found["tables"]}
    times = {
        f"{kind}_{name}_us": round(value, 1) for kind, measured in found.items() for name, value in measured.items()
    }
    return {
        "untouched_share": await untouched_share(),
        "records": RECORDS,
        "sessions": sessions,
        "same": answers["files"] == answers["tables"],
        "worst_ratio": max(ratios.values()),
        **ratios,
        **times,
    }


async def untouched_share(count: int = 200) -> float:
    """How many of so many files, in five formats and many styles, a session that read them all gives back unchanged."""
    files = dict(_files_in_many_styles(count))
    async with Runtime() as runtime:
        bundle = replace(await mailbox(runtime, 1), tools=[_tool("read_file", {"path": ""})], tools_source=READ_FILE)
        state = FileState("2026-03-02T09:00:00", files)
        bundle = await with_files(runtime, bundle, {INITIAL_STATE: state}, FileHints())
        async with await runtime.open(bundle) as session:
            for path in files:  # twice: what is kept from the first must not differ
                assert (await session.call("read_file", {"path": path})).ok
            told = [(await session.call("read_file", {"path": path})).value for path in files]
    return sum(value == {"text": data.decode()} for value, data in zip(told, files.values(), strict=True)) / count


def _files_in_many_styles(count: int) -> Iterator[tuple[str, bytes]]:
    chance = random.Random(2)
    for number in range(count):
        some = mails(chance.randrange(1, 12))
        for mail in some:
            mail["body"] = chance.choice(["", "é\n“x”, y", 'a "b"\tc', "007", "1.50"])
        end = chance.choice(["\n", "\r\n"])
        form = ("json", "jsonl", "csv", "tsv", "yaml")[number % 5]
        if form == "json":
            text = json.dumps(some, indent=chance.choice([None, 1, 4, "\t"]), ensure_ascii=chance.random() < 0.5)
        elif form == "jsonl":
            text = (
                chance.choice(["", "\ufeff"]) + end.join(json.dumps(mail) for mail in some) + chance.choice(["", end])
            )
        elif form == "yaml":
            text = yaml.safe_dump(some, sort_keys=False, allow_unicode=True, indent=chance.choice([2, 4]))
        else:
            buffer = io.StringIO(newline="")
            delimiter = "," if form == "csv" else "\t"
            fields = chance.sample(list(some[0]), len(some[0]))
            writer = csv.DictWriter(buffer, fields, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
            writer.writeheader()
            writer.writerows(some)
            text = buffer.getvalue()
        yield f"f{number}.{form}", text.encode()


async def _of_sessions(runtime: Runtime, opened: list[Session]) -> tuple[dict[str, float], Any]:
    """Microseconds of processor time for each kind of call, a reset and a fork; and what the calls answered."""
    measured: dict[str, float] = {}
    answers: list[Any] = []
    for name, arguments in CALLS.items():
        calling = opened[:SEARCHING] if name == "search_emails" else opened

        async def call(
            name: str = name, arguments: dict[str, Json] = arguments, calling: list[Session] = calling
        ) -> None:
            results = await runtime.call_batch([(session, name, arguments) for session in calling])
            assert all(result.ok for result in results), results[0]
            answers.append(results[-1].value)

        await call()
        measured[name] = await _microseconds(runtime, call, len(calling))

    async def read() -> None:
        for session in opened[:SEARCHING]:
            assert (await session.call("read_export", {})).ok

    if any(tool.name == "read_export" for tool in opened[0].tools("assistant")):
        await read()
        measured["read_text"] = await _microseconds(runtime, read, len(opened[:SEARCHING]))

    async def reset() -> None:
        for session in opened:
            await session.reset()

    measured["reset"] = await _microseconds(runtime, reset, len(opened))
    return measured, answers


async def _fork(runtime: Runtime, session: Session) -> float:
    """Of a session that has written, in the worker it lives in."""
    assert (await session.call("mark_read", CALLS["mark_read"])).ok

    async def fork() -> None:
        forks = [await runtime.fork(session) for _ in range(FORKED)]
        for one in forks:
            await one.close()

    await fork()
    return await _microseconds(runtime, fork, FORKED)


async def _microseconds(runtime: Runtime, work: Callable[[], Awaitable[None]], times: int) -> float:
    before = _processor_seconds(runtime)
    for _ in range(ROUNDS):
        await work()
    return (_processor_seconds(runtime) - before) / (ROUNDS * times) * 1e6


def _processor_seconds(runtime: Runtime) -> float:
    """Of all threads of all processes, to the nanosecond."""
    tasks = [task for pid in {os.getpid(), *runtime.pids} for task in Path(f"/proc/{pid}/task").iterdir()]
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--sessions", type=int, default=1_024)
    options = parser.parse_args()
    found = asyncio.run(figures(options.sessions))
    if options.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name:32} {value}")


if __name__ == "__main__":
    main()

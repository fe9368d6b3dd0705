"""Serve this environment with Python's standard library alone: the façade of `facade` over `sqlite3`, as an MCP server.

    python server.py                         MCP over stdin and stdout, for any MCP client
    python server.py call TOOL '{"x": 1}'    one call, its result as JSON
    python server.py --state NAME …          start from another initial state
    python server.py --database FILE …       keep the database in a file, made from the initial state when missing
    python server.py --principal user …      the user's tools instead of the assistant's
    python server.py --task ID …             as one task begins: its state, less what it withholds, with `finish`
    python server.py --task ID --episode DIR …    leave the calls, the report and the database there, for judge.py

This server does not confine the environment's code: run it where you would run a script you downloaded. An agent that
can read DIR, `verifiers/` or `solutions/` can read what its reward depends on: keep them where it has no shell.
Belongs here: the folder, the connection, the protocol. Does not: what a call means, which the façade decides.
"""

import argparse
import json
import os
import sqlite3
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from types import CodeType
from typing import Any

from envfactory_dagster.contracts.finish_tool import FINISH_DESCRIPTION, finish_name, report_schema
from envfactory_dagster.runtime.env_files import files_of
from envfactory_dagster.runtime.facade import (
    MAX_PROGRESS_TICKS,
    NEVER_WRITTEN,
    PROGRESS_STEPS,
    Env,
    FacadeTool,
    LimitPassed,
    Reply,
    call_tool,
    load_functions,
)
from envfactory_dagster.runtime.json_schema import compile_schema
from envfactory_dagster.runtime.oldest_sqlite import sqlite_too_old
from envfactory_dagster.runtime.report_reading import report_of
from envfactory_dagster.runtime.standalone_workspace import JoinedWorld, WorkspaceWorld, entry_of
from envfactory_dagster.runtime.virtual_files import builtins_for

PROTOCOL_VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
DENIED_SQL_FUNCTIONS = frozenset(
    ("random", "randomblob", "load_extension", "last_insert_rowid", "changes", "total_changes")
)
WRITES = frozenset((sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE))
ALLOWED_SQL_ACTIONS = frozenset(
    {
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_INSERT,
        sqlite3.SQLITE_UPDATE,
        sqlite3.SQLITE_DELETE,
        sqlite3.SQLITE_RECURSIVE,
    }
)


class StandardDatabase:
    """The connection tools work on, by the `sqlite3` module."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.isolation_level = None
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("CREATE TEMP TABLE last_id (id INTEGER PRIMARY KEY)")
        # Connecting to these tables declares a schema, which the authorizer below would refuse later.
        connection.execute("SELECT 1 FROM json_each('[]'), json_tree('[]')").fetchall()
        self._trusted = False
        self._read_only = True
        self._ticks = 0
        self._writes = 0
        connection.set_authorizer(self._authorize)
        connection.set_progress_handler(self._tick, PROGRESS_STEPS)

    def begin(self, read_only: bool) -> None:
        self._ticks = self._writes = 0
        self._read_only = read_only
        self._control("BEGIN -- of a call")

    def commit(self) -> str | None:
        if self._writes and self._read_only:
            return "it is declared read-only and wrote to the database"
        try:
            self._control("COMMIT -- of a call")
        except sqlite3.IntegrityError as error:
            return f"its writes may not be committed: {error}"
        return None

    def rollback(self) -> None:
        if self._connection.in_transaction:
            self._control("ROLLBACK -- of a call")

    def rows(self, sql: str, params: Any, most: int) -> list[dict[str, Any]]:
        before = self._connection.total_changes
        cursor = self._run(sql, params)
        found = cursor.fetchmany(most + 1)
        self._writes += self._connection.total_changes - before
        if len(found) > most:
            raise LimitPassed(f"a query returned more than {most} rows")
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found]

    def change(self, sql: str, params: Any) -> int:
        before = self._connection.total_changes
        self._run(sql, params).fetchall()
        if self._connection.total_changes == before:
            return 0
        self._writes += 1
        return int(self._trusted_value("SELECT changes()"))

    def insert(self, sql: str, params: Any) -> int:
        self._control("INSERT OR REPLACE INTO temp.last_id VALUES (0)")  # so that last_insert_rowid() starts from 0
        self.change(sql, params)
        return int(self._trusted_value("SELECT last_insert_rowid()"))

    def image(self) -> bytes:
        self._trusted = True
        try:
            return self._connection.serialize()
        finally:
            self._trusted = False

    def _run(self, sql: str, params: Any) -> sqlite3.Cursor:
        if not self._connection.in_transaction:
            # `OR ROLLBACK`, or an interrupted write: what follows would be committed whatever becomes of the call.
            raise LimitPassed("an earlier statement failed and ended the transaction of this call")
        return self._connection.execute(sql, params)

    def _trusted_value(self, sql: str) -> Any:
        self._trusted = True
        try:
            return self._connection.execute(sql).fetchone()[0]
        finally:
            self._trusted = False

    def _control(self, statement: str) -> None:
        self._trusted = True
        try:
            self._connection.execute(statement)
        finally:
            self._trusted = False

    def _authorize(self, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        if self._trusted:
            return sqlite3.SQLITE_OK
        if action in WRITES and (first or "").lower().startswith(NEVER_WRITTEN):
            return sqlite3.SQLITE_DENY
        if action in ALLOWED_SQL_ACTIONS:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() not in DENIED_SQL_FUNCTIONS:
            return sqlite3.SQLITE_OK
        return sqlite3.SQLITE_DENY

    def _tick(self) -> int:
        self._ticks += 1
        return self._ticks > MAX_PROGRESS_TICKS


class TaskAsked:
    """The task that a server was started for: what it withholds, and the report that ends it."""

    def __init__(self, folder: Path, wanted: str, tools: Collection[str]) -> None:
        tasks = [json.loads(line) for line in (folder / "tasks.jsonl").read_bytes().splitlines()]
        found = next((task for task in tasks if task["id"] == wanted), None)
        if found is None:
            raise SystemExit(f"there is no task {wanted!r}; there are: {', '.join(task['id'] for task in tasks[:20])}")
        forms = json.loads((folder / "answer_forms.json").read_text("utf-8"))
        self.id, self.state, self.withheld = wanted, found["state"], frozenset(found.get("withheld", []))
        self.finish = finish_name(tools)
        self._fields = forms[wanted]["fields"]
        self._rules = [rule["id"] for rule in json.loads((folder / "theme.json").read_text("utf-8"))["rules"]]
        self.report: dict[str, Any] | None = None

    def definition(self) -> dict[str, Any]:
        return {
            "name": self.finish,
            "description": FINISH_DESCRIPTION,
            "inputSchema": report_schema(self._fields, self._rules),
            "outputSchema": {"type": "object", "properties": {"report": {"const": "taken"}}, "required": ["report"]},
            "annotations": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False},
        }

    def reply(self, name: str, arguments: Any, principal: str) -> Reply | None:
        """What comes of a call where the task decides that; None where the environment does."""
        if name in self.withheld:
            return "agent", None, f"there is no tool called {name!r}; list the tools to see their names", None
        if principal != "assistant":
            return None
        if self.report is not None:
            return "agent", None, "the report is handed in, and the work is over", None
        if name != self.finish:
            return None
        read = report_of(arguments, self._fields, self._rules) if isinstance(arguments, dict) else "it is no object"
        if isinstance(read, str):
            return "agent", None, f"{read}; the report was not taken", None
        self.report = read
        return "ok", {"report": "taken"}, None, None


class OneWorld:
    """One environment: the folder's tools over one database."""

    def __init__(self, folder: Path, state: str, database: Path | None) -> None:
        file, clock = entry_of(json.loads((folder / "manifest.json").read_text("utf-8")), state)
        definitions = json.loads((folder / "tools.json").read_text("utf-8"))
        self._tools = {
            d["name"]: FacadeTool(d["name"], d["principal"], json.dumps(d), compile_schema) for d in definitions
        }
        self._database = StandardDatabase(open_database(folder / file, database))
        layout = folder / "layout.json"
        files = files_of(layout.read_text("utf-8")) if layout.exists() else None
        self._env = Env(self._database, clock, {}, files)
        self._functions = self._loaded(folder, files is not None)

    def _loaded(self, folder: Path, has_files: bool) -> dict[str, Callable[..., Any]]:
        given = builtins_for(lambda: self._env.files) if has_files else None
        return load_functions(code_of(folder, "tools.py"), self._tools, given)

    def call(self, name: Any, arguments: Any, principal: str) -> Reply:
        return call_tool(self._tools, self._functions, self._env, principal, name, arguments, as_json)

    def image(self) -> bytes:
        return self._database.image()


def code_of(folder: Path, path: str) -> CodeType:
    """A module of the folder, compiled."""
    return compile((folder / path).read_text("utf-8"), path, "exec", dont_inherit=True)


class StandaloneServer:
    """What a client talks to: the world of the folder, which is that of several servers in a workspace."""

    def __init__(
        self,
        folder: Path,
        state: str,
        database: Path | None,
        principal: str,
        wanted_task: str | None = None,
        one_world: Callable[[Path, str, Path | None], JoinedWorld] = OneWorld,
    ) -> None:
        manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
        self.definitions = json.loads((folder / "tools.json").read_text("utf-8"))
        self.task: TaskAsked | None = None
        if wanted_task is not None:
            self.task = TaskAsked(folder, wanted_task, {tool["name"] for tool in self.definitions})
            state = self.task.state
        if state not in manifest["states"]:
            raise SystemExit(f"there is no state {state!r}; there are: {', '.join(manifest['states'])}")
        self.name = manifest["key"]
        self.theme = json.loads((folder / "theme.json").read_text("utf-8"))
        self.principal = principal
        self.calls: list[dict[str, Any]] = []
        self._world: JoinedWorld = (
            WorkspaceWorld(
                folder,
                folder / entry_of(manifest, state)[0],
                lambda prefix, place: OneWorld(place, state, _of_server(prefix, database)),
            )
            if manifest.get("kind") == "workspace"
            else one_world(folder, state, database)
        )

    def call(self, name: str, arguments: Any) -> Reply:
        reply = self.task.reply(name, arguments, self.principal) if self.task is not None else None
        if reply is not None:
            return reply
        reply = self._world.call(name, arguments, self.principal)
        outcome, value, error, _ = reply
        made = {"tool": name, "principal": self.principal, "arguments": arguments}
        self.calls.append(made | {"outcome": outcome, "value": value, "error": error})
        return reply

    def leave_episode(self, folder: Path) -> None:
        """What judge.py needs, each file whole or not there."""
        if self.task is None:
            return
        episode = {"task": self.task.id, "report": self.task.report, "calls": self.calls}
        for name, data in (("final.sqlite", self._world.image()), ("episode.json", json.dumps(episode).encode())):
            temporary = folder / f".{name}.{os.getpid()}"
            temporary.write_bytes(data)
            os.replace(temporary, folder / name)

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any] | None:
        """One JSON-RPC message of the Model Context Protocol; None when nothing is owed."""
        if "id" not in request:
            return None
        handlers = {
            "initialize": self._initialize,
            "ping": lambda parameters: {},
            "tools/list": self._list_tools,
            "tools/call": self._call,
        }
        method = request.get("method")
        handler = handlers.get(method) if isinstance(method, str) else None
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
        parameters = request.get("params", {})
        if handler is None:
            return reply | {"error": {"code": -32601, "message": f"no method {method!r}"}}
        if not isinstance(parameters, dict) or not isinstance(parameters.get("name", ""), str):
            return reply | {"error": {"code": -32602, "message": "params must be an object, and a name in it a text"}}
        return reply | {"result": handler(parameters)}

    def _initialize(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        wanted = parameters.get("protocolVersion")
        rules = "\n".join(f"- {rule['text']}" for rule in self.theme["rules"])
        return {
            "protocolVersion": wanted if wanted in PROTOCOL_VERSIONS else PROTOCOL_VERSIONS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": self.name, "version": "1"},
            "instructions": f"{self.theme['description']}\n\nRules:\n{rules}",
        }

    def _list_tools(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        withheld = self.task.withheld if self.task is not None else frozenset()
        mine = [d for d in self.definitions if d["principal"] == self.principal and d["name"] not in withheld]
        ours = ("principal", "confirmed_by")
        listed = [{key: value for key, value in d.items() if key not in ours} for d in mine]
        if self.task is not None and self.principal == "assistant":
            listed.append(self.task.definition())
        return {"tools": listed}

    def _call(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        outcome, value, error, note = self.call(parameters.get("name", ""), parameters.get("arguments", {}))
        if outcome != "ok":
            return {"content": [{"type": "text", "text": error}], "isError": True}
        content = [{"type": "text", "text": as_json(value).decode()}]
        if note:
            content.append({"type": "text", "text": note})
        return {"content": content, "structuredContent": value, "isError": False}


def _of_server(prefix: str, database: Path | None) -> Path | None:
    """Each server of a workspace has a file of its own."""
    return None if database is None else database.with_name(f"{prefix}-{database.name}")


def open_database(initial: Path, database: Path | None) -> sqlite3.Connection:
    if database is None:
        connection = sqlite3.connect(":memory:")
        with sqlite3.connect(f"file:{initial}?mode=ro&immutable=1", uri=True) as source:
            source.backup(connection)
        source.close()
        return connection
    if not database.exists():
        temporary = database.with_name(f".{database.name}.{os.getpid()}")
        temporary.write_bytes(initial.read_bytes())
        os.replace(temporary, database)
    return sqlite3.connect(database)


def as_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def messages() -> Iterator[Any]:
    for line in sys.stdin.buffer:
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError):
                yield None


def reply_to(server: StandaloneServer, message: Any) -> dict[str, Any] | None:
    if not isinstance(message, dict):
        return {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "not a JSON-RPC message"}}
    return server.answer(message)


def main(one_world: Callable[[Path, str, Path | None], JoinedWorld] = OneWorld) -> None:
    parser = argparse.ArgumentParser(description="Serve this environment.")
    parser.add_argument("--state", default="initial")
    parser.add_argument("--database", type=Path)
    parser.add_argument("--principal", choices=["assistant", "user"], default="assistant")
    parser.add_argument("--task")
    parser.add_argument("--episode", type=Path)
    commands = parser.add_subparsers(dest="command")
    call = commands.add_parser("call", help="make one call and print its result")
    call.add_argument("tool")
    call.add_argument("arguments", nargs="?", default="{}", type=json.loads)
    options = parser.parse_args()
    if (too_old := sqlite_too_old()) is not None:
        raise SystemExit(too_old)
    folder = Path(__file__).resolve().parent
    server = StandaloneServer(folder, options.state, options.database, options.principal, options.task, one_world)
    if options.episode is not None:
        if options.task is None:
            raise SystemExit("--episode needs --task")
        options.episode.mkdir(parents=True, exist_ok=True)
    if options.command == "call":
        outcome, value, error, note = server.call(options.tool, options.arguments)
        print(
            json.dumps({"outcome": outcome, "value": value, "error": error, "note": note}, indent=2, ensure_ascii=False)
        )
        sys.exit(0 if outcome == "ok" else 1)
    try:
        for message in messages():
            reply = reply_to(server, message)
            if reply is not None:
                sys.stdout.buffer.write(as_json(reply) + b"\n")
                sys.stdout.buffer.flush()
    finally:
        if options.episode is not None:
            server.leave_episode(options.episode)


if __name__ == "__main__":
    main()

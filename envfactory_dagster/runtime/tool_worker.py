"""The worker that runs an environment's tools: many sessions over one connection, answering the supervisor's frames.

Belongs here: what each message means inside the sandbox. Does not: the façade (`facade`), the pages (`overlay`), or who
may send what: the supervisor decides that before anything gets here.
"""

import marshal
import types
from collections.abc import Callable
from typing import Any

import orjson

from envfactory_dagster.runtime import facade, object_tools
from envfactory_dagster.runtime.env_files import SessionFiles, files_of
from envfactory_dagster.runtime.frames import Channel, json_size
from envfactory_dagster.runtime.json_schema import compile_schema
from envfactory_dagster.runtime.overlay import Database, Pages
from envfactory_dagster.runtime.table_contents import Row
from envfactory_dagster.runtime.virtual_files import builtins_for

PAGE_BYTES = 131_072
"""Of changed rows, and no more than one row beyond it."""
MOST_ROW_BYTES = 2_097_152
"""Twice as long as the arguments of a call."""

Answer = tuple[Any, bytes]


class WorkerSession:
    """One session in this worker: its pages, its view of the world, and a tool module of its own."""

    __slots__ = ("changes", "env", "functions", "id_offset", "pages", "start")

    def __init__(self, pages: Pages, env: facade.Env, id_offset: int, start: "StartImage") -> None:
        self.pages = pages
        self.env = env
        self.id_offset = id_offset
        self.start = start
        self.functions: dict[str, Any] | None = None
        self.changes: list[Row] | None = None
        """While they are told, page by page."""


class StartImage:
    """An initial state: its image and clock."""

    __slots__ = ("clock", "files", "image")

    def __init__(self, image: bytes, clock: str, files: Callable[..., Any] | None) -> None:
        self.image = image
        self.clock = clock
        self.files = files
        """What makes `env.files`, where the state is files."""


class ToolWorker:
    def __init__(self) -> None:
        self._sessions: dict[int, WorkerSession] = {}
        self._starts: dict[str, StartImage] = {}
        self._tools: dict[str, facade.FacadeTool] = {}
        self._database: Database
        self._has_files = False
        self._codes: dict[str, types.CodeType]
        self._published: object_tools.ObjectTools | None = None

    def compile(self, modules: list[list[Any]], blob: bytes) -> Answer:
        """For a worker that does nothing else: what the compiler takes, a worker that lives on need not carry.
        `modules`: name and size of the tool module, and of the published ones where there are any."""
        return None, marshal.dumps(_compiled(modules, blob))

    def start(self, modules: list[list[Any]], clock: str, blob: bytes) -> Answer:
        """The rows of an initial state that published code makes from JSON, which stands behind the code."""
        size = sum(length for _, length in modules)
        rows = object_tools.start_rows(_compiled(modules, blob), orjson.loads(blob[size:]), clock)
        return None, orjson.dumps(rows)

    def load(self, definitions: list[list[str]], states: list[Any], layout: str, blob: bytes) -> Answer:
        """Get the environment ready: its tools, its initial states, and its compiled module."""
        self._tools = {
            name: facade.FacadeTool(name, principal, text, compile_schema) for name, principal, text in definitions
        }
        offset = 0
        for name, clock, size in states:
            image = blob[offset : offset + size]
            self._starts[name] = StartImage(image, clock, files_of(layout) if layout else None)
            offset += size
        self._codes = marshal.loads(blob[offset:])
        self._has_files = bool(layout)
        self._functions(_no_session)
        start = next(iter(self._starts.values()))
        self._database = Database(Pages(start.image, start.clock))
        return None, b""

    def _functions(self, files: Callable[[], SessionFiles]) -> dict[str, Any]:
        """A tool module of its own for each session, but for published code that keeps nothing outside its state."""
        if len(self._codes) == 1:
            given = builtins_for(files) if self._has_files else None
            return facade.load_functions(self._codes[object_tools.BRIDGE], self._tools, given)
        if self._published is None or not self._published.is_plain:
            self._published = object_tools.ObjectTools(self._codes)
        return self._published.functions(self._tools)

    def open(self, session: int, state: str, clock: str | None, id_offset: int, blob: bytes) -> None:
        """Nothing to answer: the supervisor knows that the state exists."""
        start = self._starts[state]
        if clock is not None:
            start = StartImage(start.image, clock, start.files)
        pages = Pages(start.image, start.clock)
        self._sessions[session] = WorkerSession(pages, self._env(start, {}), id_offset, start)
        if id_offset:
            self._database.switch(pages)
            self._database.shift_ids(id_offset)

    def _env(self, start: StartImage, codes: dict[str, int]) -> facade.Env:
        return facade.Env(self._database, start.clock, codes, start.files)

    def calls(self, session: int, principal: str, calls: list[list[Any]], blob: bytes) -> Answer:
        found = self._sessions[session]
        functions = found.functions
        if functions is None:
            functions = found.functions = self._functions(lambda: found.env.files)
        database = self._database
        database.switch(found.pages)
        results = []
        changed = False
        for name, arguments in calls:
            codes = dict(found.env.codes)
            outcome, value, error, note = facade.call_tool(
                self._tools, functions, found.env, principal, name, arguments, orjson.dumps
            )
            if outcome == "ok":  # a failed call has changed nothing, and may not even have begun
                changed = changed or database.wrote() or found.env.codes != codes
            results.append((outcome, value, error, note))
        return [changed, results], b""

    def batch(self, items: list[list[Any]], blob: bytes) -> Answer:
        """Calls of several sessions in one message."""
        return [self.calls(session, principal, calls, blob)[0] for session, principal, calls in items], b""

    def changes(self, session: int, first: int, blob: bytes) -> Answer:
        """A page of the changed rows from the given one on, and whether there are more. All are of the moment at which
        the first page was asked for."""
        found = self._sessions[session]
        if found.changes is None or first == 0:
            self._database.switch(found.pages)
            found.changes = self._database.changes()
        page: list[Row] = []
        room = PAGE_BYTES
        for row in found.changes[first:]:
            if room <= 0:
                return [page, True], b""
            size = json_size(row)
            if size > MOST_ROW_BYTES:
                raise ValueError(f"a changed row takes {size} bytes; {MOST_ROW_BYTES} can be told")
            page.append(row)
            room -= size
        found.changes = None
        return [page, False], b""

    def image(self, session: int, blob: bytes) -> Answer:
        return None, self._sessions[session].pages.serialize()

    def hash(self, session: int, blob: bytes) -> Answer:
        self._database.switch(self._sessions[session].pages)
        return self._database.content_hash(), b""

    def fork(self, session: int, new: int, blob: bytes) -> Answer:
        found = self._sessions[session]
        pages = found.pages.fork()
        env = self._env(found.start, dict(found.env.codes))
        self._sessions[new] = WorkerSession(pages, env, found.id_offset, found.start)
        return None, b""

    def reset(self, session: int, blob: bytes) -> Answer:
        found = self._sessions[session]
        found.pages = Pages(found.start.image, found.start.clock)
        found.env = self._env(found.start, {})
        found.functions = None
        if found.id_offset:
            self._database.switch(found.pages)
            self._database.shift_ids(found.id_offset)
        return None, b""

    def close(self, session: int, blob: bytes) -> None:
        self._sessions.pop(session, None)

    def save(self, session: int, blob: bytes) -> Answer:
        """Everything a session has become, for another worker of the same environment."""
        found = self._sessions[session]
        pages = found.pages
        return None, marshal.dumps((pages.written, pages.size, pages.touched, found.env.codes))

    def restore(self, session: int, blob: bytes) -> None:
        """Put a saved session in place of one just opened."""
        found = self._sessions[session]
        written, size, touched, codes = marshal.loads(blob)
        found.pages = Pages(found.start.image, found.start.clock, written, size, touched)
        found.env.codes = codes


def _no_session() -> SessionFiles:
    raise facade.LimitPassed("files are read and written in calls, not when the module is loaded")


def _compiled(modules: list[list[Any]], blob: bytes) -> dict[str, types.CodeType]:
    codes: dict[str, types.CodeType] = {}
    offset = 0
    for name, size in modules:
        file = "tools.py" if name == object_tools.BRIDGE else f"published/{name}.py"
        codes[name] = compile(blob[offset : offset + size], file, "exec", dont_inherit=True)
        offset += size
    return codes


OPERATIONS = (
    *("compile", "start", "load", "open", "calls", "batch", "changes"),
    *("image", "hash", "fork", "reset", "close", "save", "restore"),
)
UNANSWERED = ("open", "close", "restore")


def serve(channel: Channel) -> None:
    worker = ToolWorker()
    operations: dict[str, Callable[..., Answer | None]] = {name: getattr(worker, name) for name in OPERATIONS}
    while (frame := channel.receive()) is not None:
        (name, *arguments), blob = frame
        try:
            answer = operations[name](*arguments, blob)
            if answer is not None:
                message, attachment = answer
                channel.send(["ok", message], attachment)
        except BaseException as failure:  # noqa: BLE001 - hostile code may raise anything; the supervisor is told
            if name not in UNANSWERED:
                channel.send(["error", facade.describe(failure)])
            return  # and whatever was left half done ends with this process

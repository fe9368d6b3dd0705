"""The tool façade: what one call of one tool means. Python's standard library only, over any SQLite connection.

This text is part of every bundle's stand-alone `server.py`, so that a sandboxed worker and the server give the same
result call for call. Belongs here: the `env` that tools see, the order of a call (look up, validate, run in a
transaction, cut, validate, commit), whose fault a failure is. Does not: how a database is opened, or processes.
"""

import builtins
import decimal
import json
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from types import CodeType
from typing import Any, Protocol

from envfactory_dagster.contracts.parameter_names import parameter_name

MAX_ROWS_FETCHED = 10_000
MAX_STATEMENTS = 2_000
MAX_RESULT_ITEMS = 200
MAX_RESULT_BYTES = 65_536
MAX_ARGUMENT_BYTES = 1_048_576
PROGRESS_STEPS = 20_000
MAX_PROGRESS_TICKS = 1_000
NEVER_WRITTEN = ("sqlite_", "file__")
"""How tables are called that no statement of a tool changes."""
FIRST_CODE = 50_001
"""Codes of `env.new_id` start here; seed data stays below."""

ALLOWED_IMPORTS = frozenset(
    ("datetime", "math", "json", "re", "collections", "itertools", "functools", "statistics", "decimal", "string")
)
IMPORTED_BY_DATETIME = frozenset(("time", "_strptime"))
"""When it formats or parses, and in the name of the code that called it."""
HIDDEN_BUILTINS = frozenset(
    ("open", "exec", "eval", "compile", "input", "breakpoint", "globals", "locals", "vars", "help", "exit", "quit")
)


Check = Callable[[object], str | None]
Functions = Mapping[str, Callable[..., Any]]
Dumps = Callable[[Any], bytes]
Reply = tuple[str, Any, str | None, str | None]
"""`(outcome, value, error, note)`."""


class QueryableDatabase(Protocol):
    """What the façade asks of a connection. `rows` raises `LimitPassed` when there are more than `most`."""

    def begin(self, read_only: bool) -> None: ...

    def commit(self) -> str | None:
        """Make the writes permanent; or say why they may not be."""

    def rollback(self) -> None: ...

    def rows(self, sql: str, params: Any, most: int) -> list[dict[str, Any]]: ...

    def change(self, sql: str, params: Any) -> int: ...

    def insert(self, sql: str, params: Any) -> int: ...


class Refusal(Exception):
    """`env.Error`: the tool refuses, and says why."""


class LimitPassed(Exception):
    """A tool asked for more than a call may have."""


class Env:
    """What a tool sees of the world: one database, a frozen clock, the user it serves."""

    __slots__ = ("_database", "_files", "_now", "_statements", "codes")

    Error = Refusal

    def __init__(
        self,
        database: QueryableDatabase,
        now: str,
        codes: dict[str, int],
        files: Callable[[QueryableDatabase, Callable[[], None]], Any] | None = None,
    ) -> None:
        """`files` makes `env.files` of an environment whose state is files."""
        self._database = database
        self._now = now
        self._statements = 0
        self._files = files(database, self._count) if files is not None else None
        self.codes = codes

    @property
    def now(self) -> str:
        return self._now

    @property
    def user_id(self) -> int:
        return 1

    @property
    def files(self) -> Any:
        if self._files is None:
            raise LookupError("this environment has no files; its state is a database")
        return self._files

    def query(self, sql: str, params: Any = ()) -> list[dict[str, Any]]:
        self._count()
        return self._database.rows(sql, params, MAX_ROWS_FETCHED)

    def one(self, sql: str, params: Any = ()) -> dict[str, Any] | None:
        self._count()
        rows = self._database.rows(sql, params, MAX_ROWS_FETCHED)
        return rows[0] if rows else None

    def execute(self, sql: str, params: Any = ()) -> int:
        self._count()
        return self._database.change(sql, params)

    def insert(self, sql: str, params: Any = ()) -> int:
        self._count()
        return self._database.insert(sql, params)

    def new_id(self, prefix: str) -> str:
        number = self.codes.get(prefix, FIRST_CODE)
        self.codes[prefix] = number + 1
        return f"{prefix}-{number:05d}"

    def _count(self) -> None:
        self._statements += 1
        if self._statements > MAX_STATEMENTS:
            raise LimitPassed(f"more than {MAX_STATEMENTS} statements in one call")


class FacadeTool:
    """One tool: its name, whose it is, and its two checks. Schemas stay text and checks unmade until the first call: an
    environment has dozens of tools, an episode uses a few."""

    __slots__ = (
        "_check_arguments",
        "_check_result",
        "_compile",
        "_definition",
        "lists",
        "name",
        "principal",
        "read_only",
        "renamed",
    )

    def __init__(
        self, name: str, principal: str, definition: str, compile_check: Callable[[Mapping[str, Any], str], Check]
    ) -> None:
        self.name = name
        self.principal = principal
        self.read_only = True
        self.lists: list[str] = []
        self.renamed: dict[str, str] = {}
        """Property → the parameter of its function, where that is called otherwise: `from` → `from_`."""
        self._definition = definition
        self._compile = compile_check
        self._check_arguments: Check | None = None
        self._check_result: Check | None = None

    def check_arguments(self, arguments: Any) -> str | None:
        check = self._check_arguments
        if check is None:
            parsed = json.loads(self._definition)
            self.read_only = parsed["annotations"]["readOnlyHint"]
            properties = parsed["outputSchema"].get("properties", {})
            self.lists = [name for name, schema in properties.items() if "array" in _types(schema)]
            check = self._check_arguments = self._compile(parsed["inputSchema"], "arguments")
            declared = {name: parameter_name(name) for name in parsed["inputSchema"].get("properties", {})}
            self.renamed = {name: parameter for name, parameter in declared.items() if parameter != name}
        return check(arguments)

    def check_result(self, value: Any) -> str | None:
        check = self._check_result
        if check is None:
            check = self._check_result = self._compile(json.loads(self._definition)["outputSchema"], "result")
        return check(value)


def call_tool(
    tools: Mapping[str, FacadeTool],
    functions: Functions,
    env: Env,
    principal: str,
    name: str,
    arguments: Any,
    dumps: Dumps,
) -> Reply:
    """Run one call. Whatever is not "ok" has changed nothing."""
    tool = tools.get(name) if isinstance(name, str) else None
    if tool is None or tool.principal != principal:
        mine = [tool.name for tool in tools.values() if tool.principal == principal]
        return "agent", None, no_such_tool(mine, name), None
    try:
        problem = tool.check_arguments(arguments)
    except ValueError as unusable:
        return "environment", None, f"{name} broke its contract: its input schema is not usable: {unusable}", None
    if problem is None and len(arguments) and _too_long(arguments, dumps):
        problem = f"arguments: longer than {MAX_ARGUMENT_BYTES} bytes"
    if problem is not None:
        return "agent", None, problem, None
    database, codes, env._statements = env._database, dict(env.codes), 0
    database.begin(tool.read_only)
    decimal.setcontext(decimal.Context())  # of the whole process: what one call sets must not reach the next
    try:
        if tool.renamed:
            arguments = {tool.renamed.get(given, given): value for given, value in arguments.items()}
        value = functions[name](env, **arguments)
        note = _cut(tool, value, dumps)
        problem = tool.check_result(value)
        if problem is None:
            problem = database.commit()
        if problem is None:
            return "ok", value, None, note
        outcome, error = "environment", f"{name} broke its contract: {problem}"
    except Refusal as refusal:
        outcome, error = "agent", _text(refusal) or "the tool refused without saying why"
    except BaseException as failure:  # noqa: BLE001 - tool code may raise anything, SystemExit included
        outcome, error = "environment", f"{name} failed: {describe(failure)}"
    database.rollback()
    env.codes = codes
    return outcome, None, error, None


def describe(failure: BaseException) -> str:
    """An exception in one line, with the line of the tool module it came from."""
    line: int | None = None
    trace = failure.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "tools.py":
            line = trace.tb_lineno
        trace = trace.tb_next
    where = f" (tools.py, line {line})" if line is not None else ""
    return f"{_kind(failure)}: {_text(failure)}"[:500] + where


def load_functions(
    code: CodeType, tools: Mapping[str, FacadeTool], given: Mapping[str, Any] | None = None
) -> dict[str, Callable[..., Any]]:
    """Execute the compiled tool module in a namespace of its own; return its functions by tool name. `given`: builtins
    of this environment, beside those of all. A tool may have the name of a builtin (`list`): in the code of the module
    that name stays the builtin."""
    namespace: dict[str, Any] = {"__builtins__": {**SAFE_BUILTINS, **given} if given else SAFE_BUILTINS}
    namespace["__name__"] = "tools"
    exec(code, namespace)
    missing = [name for name in tools if not callable(namespace.get(name))]
    if missing:
        raise LookupError(f"tools.py defines no function for {', '.join(missing)}")
    functions = {name: namespace[name] for name in tools}
    for name in functions.keys() & vars(builtins).keys():
        del namespace[name]
    return functions


def _safe_builtins() -> dict[str, Any]:
    names = {name: value for name, value in vars(builtins).items() if name not in HIDDEN_BUILTINS}
    names["__import__"] = import_allowed
    return names


def import_allowed(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
    for_datetime = name in IMPORTED_BY_DATETIME and type(fromlist) is list  # as C code asks, and no statement does
    if (name not in ALLOWED_IMPORTS and not for_datetime) or level:
        raise ImportError(f"tools may not import {name!r}; allowed: {', '.join(sorted(ALLOWED_IMPORTS))}")
    return __import__(name, None, None, fromlist)


SAFE_BUILTINS = _safe_builtins()


def _types(schema: Mapping[str, Any]) -> list[str]:
    declared = schema.get("type", [])
    return declared if isinstance(declared, list) else [declared]


def _kind(failure: BaseException) -> str:
    """The name of its class, whatever a hostile metaclass would say."""
    name: str = type.__dict__["__name__"].__get__(type(failure))
    return name


def _text(failure: BaseException) -> str:
    try:
        return str.encode(str(failure), "utf-8", "replace").decode()[:2_000]  # its `str` may be a hostile subclass
    except BaseException as unreadable:  # noqa: BLE001 - a hostile __str__ may raise anything
        return f"an error whose text raised {_kind(unreadable)}"


def _too_long(arguments: Any, dumps: Dumps) -> bool:
    return len(dumps(arguments)) > MAX_ARGUMENT_BYTES


def no_such_tool(mine: Sequence[str], name: object) -> str:
    """What a caller is told that has these tools."""
    close = get_close_matches(name[:100], mine, n=1) if isinstance(name, str) else []
    hint = f"; did you mean {close[0]!r}?" if close else "; list the tools to see their names"
    return f"there is no tool called {str(name)[:100]!r}{hint}"


def _cut(tool: FacadeTool, value: Any, dumps: Dumps) -> str | None:
    """Shorten top-level lists in place until the result fits; the note says what was cut."""
    if type(value) is not dict:
        return None
    lengths = {name: len(value[name]) for name in tool.lists if type(value.get(name)) is list}
    for name in lengths:
        if len(value[name]) > MAX_RESULT_ITEMS:
            value[name] = value[name][:MAX_RESULT_ITEMS]
    size = _size(value, dumps)
    while size > MAX_RESULT_BYTES:
        longest = max(lengths, key=lambda name: len(value[name]), default=None)
        if longest is None or len(value[longest]) <= 1:
            raise LimitPassed(f"a result of {size} bytes; at most {MAX_RESULT_BYTES} are allowed")
        value[longest] = value[longest][: len(value[longest]) // 2]
        size = _size(value, dumps)
    shown = {name: len(value[name]) for name in lengths}
    cuts = [f"{name!r} shows the first {shown[name]} of {n}" for name, n in lengths.items() if shown[name] < n]
    return f"cut to fit: {'; '.join(cuts)}. Narrow the request to see the rest." if cuts else None


def _size(value: Any, dumps: Dumps) -> int:
    """Bytes as JSON. Exact, and the same whatever encoder is at hand, once it comes near the limit."""
    try:
        size = len(dumps(value))
    except (TypeError, ValueError, RecursionError):
        return 0  # not JSON at all: the result check says so better than a length can
    if size < MAX_RESULT_BYTES // 2:
        return size
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))

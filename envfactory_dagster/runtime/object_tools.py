"""Tools over an object: published code that is called through a bridge, with its state in rows between calls.

A bundle that stores an object has the published modules as they are, and as `tools.py` a bridge with two functions:
`start(given)` makes the object of an initial state, `call(state, tool, arguments)` makes one call. Where it says
`PLAIN = True`, the state is JSON and nothing is kept beside it: `call` is given dictionaries that read and write rows
only where they are used.
Belongs here: one such call from rows to rows. Does not: what a call means beyond that (`facade`).
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

from envfactory_dagster.runtime.facade import Env, FacadeTool, QueryableDatabase, Refusal
from envfactory_dagster.runtime.object_state import object_of, rows_of, rows_of_json
from envfactory_dagster.runtime.published_modules import PublishedModules
from envfactory_dagster.runtime.stored_json import stored

BRIDGE = "bridge"
MOST_ROWS = 100_000
_DEFECTS = (
    *(TypeError, AttributeError, NameError, LookupError, ArithmeticError, RecursionError, MemoryError),
    *(AssertionError, ImportError, NotImplementedError, SyntaxError),
)
"""What code raises that is broken. Published tools refuse with all other exceptions, and say why in its text."""


def start_rows(codes: Mapping[str, CodeType], given: Any, clock: str) -> dict[str, str]:
    """The rows of an initial state."""
    modules = PublishedModules(codes, lambda: clock)
    bridge = modules.load(BRIDGE)
    modules.begin("start")
    state = bridge.start(given)
    return rows_of_json(state) if _is_plain(bridge) else rows_of(state, modules.name)


class ObjectTools:
    """The modules of an environment, loaded once."""

    def __init__(self, codes: Mapping[str, CodeType]) -> None:
        self._clock = ""
        self._modules = PublishedModules(codes, lambda: self._clock)
        self._bridge: Any = self._modules.load(BRIDGE)
        self.is_plain = _is_plain(self._bridge)
        """Whether sessions may share them: all that they keep is in the state."""

    def functions(self, tools: Mapping[str, FacadeTool]) -> dict[str, Callable[..., Any]]:
        """One for every tool, as the façade calls them."""
        return {name: self._function(tool) for name, tool in tools.items()}

    def _function(self, tool: FacadeTool) -> Callable[..., Any]:
        def function(env: Env, **arguments: Any) -> Any:
            self._clock = env.now
            call = self._call_plain if self.is_plain else self._call
            published = {parameter: name for name, parameter in tool.renamed.items()}
            value = call(env._database, tool.name, {published.get(one, one): arguments[one] for one in arguments})
            return value if type(value) is dict else {"result": value}

        return function

    def _call(self, database: QueryableDatabase, tool: str, arguments: dict[str, Any]) -> Any:
        found = database.rows("SELECT path, value FROM state", (), MOST_ROWS)
        before = {row["path"]: row["value"] for row in found}
        state = object_of(before, self._modules.find)
        value = self._made(state, _seed(before, tool, arguments), tool, arguments)
        after = rows_of(state, self._modules.name)
        for path in before.keys() - after.keys():
            database.change("DELETE FROM state WHERE path = ?", (path,))
        for path, text in after.items():
            if path not in before:
                database.change("INSERT INTO state (path, value) VALUES (?, ?)", (path, text))
            elif before[path] != text:
                database.change("UPDATE state SET value = ? WHERE path = ?", (text, path))
        return value

    def _call_plain(self, database: QueryableDatabase, tool: str, arguments: dict[str, Any]) -> Any:
        state = stored(database)
        found = database.rows("SELECT path, value FROM state WHERE value LIKE '{\"$keys\":%'", (), MOST_ROWS)
        lists = {row["path"]: row["value"] for row in found}
        value = self._made(state, _seed(lists, tool, arguments), tool, arguments)
        state.save()
        return value

    def _made(self, state: Any, seed: str, tool: str, arguments: dict[str, Any]) -> Any:
        self._modules.begin(seed)
        try:
            return self._bridge.call(state, tool, arguments)
        except _DEFECTS:
            raise
        except Exception as refusal:
            raise Refusal(str(refusal) or type(refusal).__name__) from refusal


def _is_plain(bridge: Any) -> bool:
    return getattr(bridge, "PLAIN", False) is True


def _seed(rows: Mapping[str, str], tool: str, arguments: Mapping[str, Any]) -> str:
    """Of chance in a call: another one as soon as the state is another."""
    digest = hashlib.sha256(json.dumps([tool, arguments], sort_keys=True).encode())
    for path in sorted(rows):
        digest.update(f"{path}\0{rows[path]}\0".encode("utf-8", "replace"))
    return digest.hexdigest()

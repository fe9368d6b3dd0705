"""Tools over an object: published code that is called through a bridge, with its state in rows between calls.

A bundle that stores an object has the published modules as they are, and as `tools.py` a bridge with two functions:
`start(given)` makes the object of an initial state, `call(state, tool, arguments)` makes one call. Where it says
`PLAIN = True`, the object is JSON and nothing else. Belongs here: one
such call from rows to rows. Does not: what a call means beyond that (`facade`).
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

from envfactory_dagster.runtime.facade import Env, Refusal, Tool
from envfactory_dagster.runtime.object_state import json_of, object_of, rows_of, rows_of_json
from envfactory_dagster.runtime.published_modules import PublishedModules

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
    return _rows(bridge, bridge.start(given), modules)


def load_object_tools(codes: Mapping[str, CodeType], tools: Mapping[str, Tool]) -> dict[str, Callable[..., Any]]:
    """A function for every tool, as the façade calls them."""
    over = _Over(codes)
    return {name: _function(over, name) for name in tools}


def _function(over: "_Over", name: str) -> Callable[..., Any]:
    def function(env: Env, **arguments: Any) -> Any:
        return over.call(env, name, arguments)

    return function


class _Over:
    def __init__(self, codes: Mapping[str, CodeType]) -> None:
        self._clock = ""
        self._modules = PublishedModules(codes, lambda: self._clock)
        self._bridge: Any = None

    def call(self, env: Env, tool: str, arguments: dict[str, Any]) -> Any:
        self._clock = env.now
        database = env._database
        found = database.rows("SELECT path, value FROM state", (), MOST_ROWS)
        before = {row["path"]: row["value"] for row in found}
        if self._bridge is None:
            self._bridge = self._modules.load(BRIDGE)
        state = json_of(before) if _is_plain(self._bridge) else object_of(before, self._modules.find)
        self._modules.begin(_seed(before, tool, arguments))
        try:
            value = self._bridge.call(state, tool, arguments)
        except _DEFECTS:
            raise
        except Exception as refusal:
            raise Refusal(str(refusal) or type(refusal).__name__) from refusal
        after = _rows(self._bridge, state, self._modules)
        for path in before.keys() - after.keys():
            database.change("DELETE FROM state WHERE path = ?", (path,))
        for path, text in after.items():
            if path not in before:
                database.change("INSERT INTO state (path, value) VALUES (?, ?)", (path, text))
            elif before[path] != text:
                database.change("UPDATE state SET value = ? WHERE path = ?", (text, path))
        return value if type(value) is dict else {"result": value}


def _is_plain(bridge: Any) -> bool:
    return getattr(bridge, "PLAIN", False) is True


def _rows(bridge: Any, state: Any, modules: PublishedModules) -> dict[str, str]:
    return rows_of_json(state) if _is_plain(bridge) else rows_of(state, modules.name)


def _seed(rows: Mapping[str, str], tool: str, arguments: Mapping[str, Any]) -> str:
    digest = hashlib.sha256(json.dumps([tool, arguments], sort_keys=True).encode())
    for path in sorted(rows):
        digest.update(f"{path}\0{rows[path]}\0".encode("utf-8", "replace"))
    return digest.hexdigest()

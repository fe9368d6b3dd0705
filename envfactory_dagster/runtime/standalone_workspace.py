"""The servers of a workspace as one, for a bundle's `server.py`. Python's standard library only.

Belongs here: whose a call is, and the one database that is judged. Does not: a server by itself (`standalone`).
"""

import json
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from envfactory_dagster.runtime.copied_tables import copy_rows
from envfactory_dagster.runtime.facade import Reply, no_such_tool
from envfactory_dagster.runtime.prefixes import prefixed, renaming


class JoinedWorld(Protocol):
    """An environment with its database."""

    def call(self, name: Any, arguments: Any, principal: str) -> Reply: ...

    def image(self) -> bytes: ...


class WorkspaceWorld:
    """`start`: the database of all tables as it is in the beginning. `open_server` opens one by its prefix."""

    def __init__(self, folder: Path, start: Path, open_server: Callable[[str, Path], JoinedWorld]) -> None:
        self._start = start
        self._servers: dict[str, JoinedWorld] = {}
        self._places: dict[str, tuple[str, str, str]] = {}
        self._rename: dict[str, Callable[[str], str]] = {}
        for place in sorted((folder / "servers").iterdir()):
            tools = json.loads((place / "tools.json").read_text("utf-8"))
            self._servers[place.name] = open_server(place.name, place)
            self._rename[place.name] = renaming(place.name, [tool["name"] for tool in tools])
            for tool in tools:
                self._places[prefixed(place.name, tool["name"])] = place.name, tool["name"], tool["principal"]

    def call(self, name: Any, arguments: Any, principal: str) -> Reply:
        found = self._places.get(name) if isinstance(name, str) else None
        if found is None:
            mine = [tool for tool, (_, _, whose) in self._places.items() if whose == principal]
            return "agent", None, no_such_tool(mine, name), None
        prefix, tool, _ = found
        outcome, value, error, note = self._servers[prefix].call(tool, arguments, principal)
        return outcome, value, error if error is None else self._rename[prefix](error), note

    def image(self) -> bytes:
        whole = sqlite3.connect(":memory:", isolation_level=None)
        whole.deserialize(self._start.read_bytes())
        whole.execute("BEGIN")
        for prefix, world in self._servers.items():
            part = sqlite3.connect(":memory:")
            part.deserialize(world.image())
            for table in _tables(part):
                whole.execute(f'DELETE FROM "{prefixed(prefix, table)}"')
                copy_rows(part, table, whole, prefixed(prefix, table))
            part.close()
        whole.execute("COMMIT")
        return whole.serialize()


def entry_of(manifest: Mapping[str, Any], state: str) -> tuple[str, str]:
    """The file of a state, and its clock."""
    entry = manifest["states"][state]
    return entry["file"], entry["clock"]


def _tables(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    return [name for (name,) in rows]

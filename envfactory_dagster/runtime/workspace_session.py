"""A session of a workspace: one session of each of its servers, behind the names of their tools.

Belongs here: whose a call is, and what the servers' sessions tell as one. Does not: opening them (`runtime`), and
making the bundle (`workspaces`). Each server keeps its worker: one that dies is replaced there, as in any session, and
the others do not notice.
"""

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import CallResult, Change
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.tools import Principal, ToolDefinition
from envfactory_dagster.runtime.facade import no_such_tool
from envfactory_dagster.runtime.prefixes import prefixed, renaming
from envfactory_dagster.runtime.session import Call, Session, SessionEnd, unsendable

Join = Callable[[Mapping[str, bytes]], Awaitable[tuple[Any, bytes]]]


class WorkspaceSession(Session):
    """What a session promises, over all servers. Calls are made in the order they are awaited."""

    __slots__ = ("_bundle", "_join", "_places", "_rename", "_state", "servers")

    def __init__(self, bundle: Bundle, state: str, servers: Mapping[str, Session], join: Join) -> None:
        self._bundle, self._state, self._join = bundle, state, join
        self.servers = dict(servers)
        self._closed = False
        self._places = {
            prefixed(prefix, tool.name): (prefix, tool.name)
            for prefix, server in bundle.servers.items()
            for tool in server.tools
        }
        self._rename = {
            prefix: renaming(prefix, [tool.name for tool in server.tools]) for prefix, server in bundle.servers.items()
        }

    def over(self, servers: Mapping[str, Session]) -> "WorkspaceSession":
        """The same workspace over other sessions of its servers."""
        return WorkspaceSession(self._bundle, self._state, servers, self._join)

    @property
    def name(self) -> str:
        return " + ".join(session.name for session in self.servers.values())

    @property
    def environment(self) -> str:
        return self._bundle.key

    @property
    def shares_a_worker(self) -> bool:
        return False

    @property
    def host_identity(self) -> int:
        return id(self)

    @property
    def state(self) -> str:
        return self._state

    def tools(self, principal: Principal = "assistant") -> list[ToolDefinition]:
        return self._bundle.tools_of(principal)

    async def call_many(self, calls: Sequence[Call], *, principal: Principal = "assistant") -> list[CallResult]:
        """Calls that follow each other at one server go there in one message."""
        if self._closed:
            raise UsageError(f"The session {self.name} is closed.")
        results: list[CallResult] = []
        for prefix, together in groupby(calls, key=lambda call: self._place(call[0])[0]):
            here = list(together)
            if prefix is None:
                results += [self._unknown(tool, arguments, principal) for tool, arguments in here]
                continue
            wanted = [(self._place(tool)[1], arguments) for tool, arguments in here]
            found = await self.servers[prefix].call_many(wanted, principal=principal)
            results += [self._renamed(prefix, result) for result in found]
        return results

    def _place(self, tool: object) -> tuple[str | None, str]:
        return self._places.get(tool, (None, "")) if isinstance(tool, str) else (None, "")

    def _unknown(self, tool: object, arguments: object, principal: Principal) -> CallResult:
        mine = [definition.name for definition in self.tools(principal)]
        return CallResult("agent", error=unsendable(tool, arguments) or no_such_tool(mine, tool))

    def _renamed(self, prefix: str, result: CallResult) -> CallResult:
        return result if result.error is None else replace(result, error=self._rename[prefix](result.error))

    async def changes(self) -> list[Change]:
        return _together({prefix: await session.changes() for prefix, session in self.servers.items()})

    async def snapshot(self) -> bytes:
        """All databases as one, as a SQLite file."""
        images = {prefix: await session.snapshot() for prefix, session in self.servers.items()}
        return (await self._join(images))[1]

    async def state_hash(self) -> str:
        return _one_hash({prefix: await session.state_hash() for prefix, session in self.servers.items()})

    async def end(self) -> SessionEnd:
        ends = {prefix: await session.end() for prefix, session in self.servers.items()}
        return SessionEnd(
            _together({prefix: end.changes for prefix, end in ends.items()}),
            (await self._join({prefix: end.final for prefix, end in ends.items()}))[1],
            _one_hash({prefix: end.state_hash for prefix, end in ends.items()}),
        )

    async def reset(self) -> None:
        for session in self.servers.values():
            await session.reset()

    async def close(self) -> None:
        self._closed = True
        for session in self.servers.values():
            await session.close()


def _together(changes: Mapping[str, list[Change]]) -> list[Change]:
    return [replace(one, table=prefixed(prefix, one.table)) for prefix, found in changes.items() for one in found]


def _one_hash(hashes: Mapping[str, str]) -> str:
    return hashlib.sha256("\n".join(f"{prefix} {one}" for prefix, one in hashes.items()).encode()).hexdigest()

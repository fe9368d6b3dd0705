"""A session: one caller's own copy of an environment.

Belongs here: what callers may do with a copy, and how failures are told apart. Does not: processes (`workers`).
"""

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.calls import CallResult, Change
from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.contracts.tools import Principal, ToolDefinition
from envfactory_dagster.runtime.facade import MAX_ARGUMENT_BYTES
from envfactory_dagster.runtime.frames import encode
from envfactory_dagster.runtime.processes import Answer, Link, WorkerLost, WorkerRefused
from envfactory_dagster.runtime.workers import SAVE_AFTER, Environment, Placed

Call = tuple[str, Mapping[str, Json]]

MOST_CALLS_IN_A_MESSAGE = 256
_OUTCOMES = frozenset({"ok", "agent", "environment"})
_MOST_TRIES = 3
_MOST_DEPTH = 64


class Session:
    """One caller's copy of an environment. Open it with `Runtime.open`; calls are made in the order they are awaited.

    A worker that dies is replaced and the session rebuilt by repeating its writing calls; where that is impossible,
    every further use raises `InfrastructureFault` with the session's name.
    """

    __slots__ = ("_closed", "_environment", "_on_close", "_placed")

    def __init__(self, environment: Environment, placed: Placed, on_close: Callable[["Session"], None]) -> None:
        self._environment = environment
        self._placed = placed
        self._on_close = on_close
        self._closed = False

    @property
    def name(self) -> str:
        return f"{self._environment.bundle.key}#{self._placed.number}"

    @property
    def environment(self) -> str:
        return self._environment.bundle.key

    @property
    def host_identity(self) -> int:
        """Equal for sessions that share a worker now."""
        return id(self._placed.host)

    @property
    def environment_in_runtime(self) -> Environment:
        return self._environment

    @property
    def state(self) -> str:
        return self._placed.state

    def tools(self, principal: Principal = "assistant") -> list[ToolDefinition]:
        return self._environment.bundle.tools_of(principal)

    async def call(
        self, tool: str, arguments: Mapping[str, Json] | None = None, *, principal: Principal = "assistant"
    ) -> CallResult:
        """Call one tool. A failure of any kind is a result that says whose fault it was; the database is unchanged."""
        return (await self.call_many([(tool, arguments or {})], principal=principal))[0]

    async def call_many(self, calls: Sequence[Call], *, principal: Principal = "assistant") -> list[CallResult]:
        """Call several tools in order with one message. A failed call does not stop the ones after it."""
        results: list[CallResult] = []
        sendable: list[Call] = []
        for tool, arguments in calls:
            problem = unsendable(tool, arguments)
            if problem is None:
                sendable.append((tool, arguments))
            if sendable and (problem is not None or len(sendable) == MOST_CALLS_IN_A_MESSAGE):
                results += await self._send(sendable, principal)
                sendable = []
            if problem is not None:
                results.append(CallResult("agent", error=problem))
        if sendable:
            results += await self._send(sendable, principal)
        return results

    @staticmethod
    async def call_together(sessions: list["Session"], calls: list[list[Call]]) -> list[list[CallResult]]:
        """For `Runtime.call_batch`: calls of sessions that share a worker, in one message. Whatever does not go
        smoothly is done again session by session, where every failure is told apart."""
        unusual = any(unsendable(tool, arguments) for of_one in calls for tool, arguments in of_one)
        if not unusual and sum(map(len, calls)) <= MOST_CALLS_IN_A_MESSAGE:
            with contextlib.suppress(WorkerLost, WorkerRefused):
                return await Session._send_together(sessions, calls)
        return [await session.call_many(of_one) for session, of_one in zip(sessions, calls, strict=True)]

    @staticmethod
    async def _send_together(sessions: list["Session"], calls: list[list[Call]]) -> list[list[CallResult]]:
        links = [await session._link() for session in sessions]
        items = [[s._placed.number, "assistant", of_one] for s, of_one in zip(sessions, calls, strict=True)]

        def record(answers: list[Any]) -> None:
            for session, of_one, answer in zip(sessions, calls, answers, strict=True):
                session._placed.record(orjson.dumps(("assistant", of_one))[1:], answer)

        answers, _ = await links[0].request_encoded(encode(["batch", items]), record)
        for session in sessions:
            await session._save_when_long()
        return [_results(answer, len(of_one)) for answer, of_one in zip(answers, calls, strict=True)]

    async def changes(self) -> list[Change]:
        """Every row that differs from the start, exactly: created, updated, deleted."""
        rows, _ = await self._ask("changes")
        return [Change(row["table"], tuple(row["key"]), row["before"], row["after"]) for row in rows]

    async def snapshot(self) -> bytes:
        """The database as it is now, as a SQLite file."""
        return (await self._ask("image"))[1]

    async def state_hash(self) -> str:
        """A hash of every row of every table: equal for equal contents, on any machine."""
        return str((await self._ask("hash"))[0])

    async def fork(self, number: int) -> Placed:
        """For `Runtime.fork`: a second session that goes on from here by itself."""
        here = self._placed
        copy = Placed(number, here.state, here.clock, here.id_offset)
        if not self._environment.has_room(here.host):
            copy.saved = (await self._ask("save"))[1]
            self._environment.place(copy)
            return copy
        copy.saved = here.saved
        here.host.sessions[number] = copy
        copy.host = here.host
        try:
            await self._ask("fork", number)
        except BaseException:
            self._environment.remove(copy)
            raise
        copy.log = list(here.log)
        return copy

    async def reset(self) -> None:
        """Back to the initial state. For the owner of the session; the policy-facing interfaces do not offer it."""
        self._placed.saved = None
        self._placed.log.clear()
        if self._environment.isolated:
            # What the last episode left in the process must not meet the next one.
            await self._link()
            self._environment.remove(self._placed)
            self._environment.place(self._placed)
            await self._link()
        else:
            await self._ask("reset")

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._environment.remove(self._placed)
            self._on_close(self)

    async def __aenter__(self) -> "Session":
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    # -- one request, and what may become of it -----------------------------------------------------------------------

    async def _link(self) -> Link:
        if self._closed:
            raise UsageError(f"The session {self.name} is closed.")
        link = self._placed.host.link or await self._placed.host.worker()
        if self._placed.lost is not None:
            raise InfrastructureFault(f"The session {self.name} was lost with its worker: {self._placed.lost}.")
        return link

    async def _ask(self, operation: str, *arguments: Any) -> Answer:
        """A request that may be repeated should the worker die."""
        for _ in range(_MOST_TRIES):
            link = await self._link()
            try:
                return await link.request([operation, self._placed.number, *arguments])
            except WorkerLost as error:
                reason = error.reason
            except WorkerRefused as error:
                raise InfrastructureFault(f"The session {self.name} could not {operation}: {error}") from error
        raise InfrastructureFault(f"The session {self.name} could not {operation}: its workers died; {reason}.")

    async def _send(self, calls: list[Call], principal: Principal) -> list[CallResult]:
        request = orjson.dumps((principal, calls))[1:]
        placed = self._placed
        frame = placed.calls_frame(request)
        ended = 0
        for _ in range(_MOST_TRIES):
            link = await self._link()
            try:
                answer, _ = await link.request_encoded(frame, lambda answer: placed.record(request, answer))
            except WorkerLost as error:
                if error.first and error.overdue:
                    return _failed(calls, "environment", "{tool} did not answer in time and was stopped")
                ended += error.first
                reason = error.reason
            except WorkerRefused as error:
                return _failed(calls, "environment", f"{{tool}} broke its process: {error}")
            else:
                await self._save_when_long()
                return _results(answer, len(calls))
        if ended > 1:
            return _failed(calls, "environment", f"{{tool}} ended its process each time it was called: {reason}")
        return _failed(calls, "infrastructure", f"{{tool}} could not be called, its processes kept ending: {reason}")

    async def _save_when_long(self) -> None:
        """Keep the state instead of the log. Answers come in order, so the log holds exactly what the state does."""
        if len(self._placed.log) < SAVE_AFTER or self._placed.saving:
            return
        self._placed.saving = True
        try:
            _, self._placed.saved = await self._ask("save")
            self._placed.log.clear()
        finally:
            self._placed.saving = False


def unsendable(tool: object, arguments: object) -> str | None:
    """Why these arguments cannot be sent at all, or None."""
    if not isinstance(tool, str):
        return f"the name of a tool is a string, not {type(tool).__name__}"
    if not isinstance(arguments, dict):
        return f"arguments: expected an object, got {type(arguments).__name__}"
    for value in arguments.values():
        kind = type(value)
        if not (kind is str or kind is int or kind is bool or value is None):
            problem = _not_json(value, "arguments", 1)
            if problem is not None:
                return problem
    try:
        size = len(orjson.dumps((tool, arguments)))
    except (TypeError, ValueError) as error:
        return f"arguments: not JSON: {error}"
    return None if size <= MAX_ARGUMENT_BYTES else f"arguments: {size} bytes; at most {MAX_ARGUMENT_BYTES} are allowed"


def _not_json(value: object, where: str, depth: int) -> str | None:
    """What the encoder would let pass or turn into something else: NaN would arrive as null."""
    if depth > _MOST_DEPTH:
        return f"{where}: nested deeper than {_MOST_DEPTH} levels"
    if isinstance(value, float) and not math.isfinite(value):
        return f"{where}: {value} is not a JSON number"
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((problem for item in items if (problem := _not_json(item, where, depth + 1)) is not None), None)


def _results(answer: Any, expected: int) -> list[CallResult]:
    """Read what a worker said without trusting that it kept to the format."""
    results = answer[1] if isinstance(answer, list) and len(answer) == 2 else None
    if not isinstance(results, list) or len(results) != expected:
        return [CallResult("environment", error="the environment answered in a form nobody understands")] * expected
    return [_result(result) for result in results]


def _result(result: Any) -> CallResult:
    if isinstance(result, list) and len(result) == 4 and result[0] in _OUTCOMES:
        outcome, value, error, note = result
        if outcome == "ok" and isinstance(value, dict) and error is None:
            return CallResult("ok", value, None, note)
        if outcome != "ok" and value is None and isinstance(error, str):
            return CallResult(outcome, None, error, None)
    return CallResult("environment", error="the environment answered in a form nobody understands")


def _failed(calls: list[Call], outcome: Any, error: str) -> list[CallResult]:
    return [CallResult(outcome, error=error.replace("{tool}", tool)) for tool, _ in calls]

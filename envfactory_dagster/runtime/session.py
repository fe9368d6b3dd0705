"""A session: one caller's own copy of an environment.

Belongs here: what callers may do with a copy, and how failures are told apart. Does not: processes (`workers`).
"""

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import orjson

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.calls import CallResult, Change
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.contracts.tools import Principal, ToolDefinition
from envfactory_dagster.runtime.facade import MAX_ARGUMENT_BYTES
from envfactory_dagster.runtime.frames import Limit, encode, json_size
from envfactory_dagster.runtime.overlay import MAX_PAGES, PAGE
from envfactory_dagster.runtime.processes import (
    A_FILE,
    ANSWER,
    Answer,
    OnAnswer,
    WorkerLink,
    WorkerLost,
    WorkerRefused,
    fault_of,
)
from envfactory_dagster.runtime.tool_worker import MOST_ROW_BYTES, PAGE_BYTES
from envfactory_dagster.runtime.workers import PlacedSession, RunningBundle, calls_limit

Call = tuple[str, Mapping[str, Json]]


class Callee(Protocol):
    """Whoever answers calls: a session, or what stands in for its tools."""

    def tools(self, principal: Principal = "assistant") -> list[ToolDefinition]: ...

    async def call_many(self, calls: Sequence[Call], *, principal: Principal = "assistant") -> list[CallResult]: ...


MOST_CALLS_IN_A_MESSAGE = 256
MOST_REQUEST_BYTES = 4_194_304
_MOST_TRIES = 3
_UNREADABLE_TRIES = 2
"""One answer that nobody can read may be left over from another session's call. After a second one no more are asked
for, because each costs the other sessions of the worker a try too."""
_MOST_DEPTH = 64
_SCALARS = frozenset((str, int, bool, type(None)))
_MOST_CHANGES_BYTES = 8_388_608
_A_PAGE = Limit(PAGE_BYTES + MOST_ROW_BYTES + 1_024)
_MARSHALLED = 1_048_576
"""What a state takes beyond the memory of its worker when it is saved."""
_NOBODY_UNDERSTANDS = "an answer in a form nobody understands"


@dataclass(frozen=True, slots=True)
class SessionEnd:
    changes: list[Change]
    final: bytes
    """The database, as a SQLite file."""
    state_hash: str


class Session:
    """One caller's copy of an environment. Open it with `Runtime.open`; calls are made in the order they are awaited.

    A worker that dies is replaced and the session rebuilt by repeating its writing calls. Where they answer otherwise
    than before, the environment is to blame, and every further use raises `EnvironmentFault` with the session's name.
    """

    __slots__ = ("_closed", "_environment", "_on_close", "_placed")

    def __init__(
        self, environment: RunningBundle, placed: PlacedSession, on_close: Callable[["Session"], None]
    ) -> None:
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
    def shares_a_worker(self) -> bool:
        """Whether calls of several such sessions can go to a worker in one message."""
        return True

    @property
    def host_identity(self) -> int:
        """Equal for sessions that share a worker now."""
        return id(self._placed.host)

    @property
    def environment_in_runtime(self) -> RunningBundle:
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
        plain = all(session.shares_a_worker for session in sessions)
        plain = plain and all(_is_plain(tool, arguments) for of_one in calls for tool, arguments in of_one)
        if plain and sum(map(len, calls)) <= MOST_CALLS_IN_A_MESSAGE:
            items = [[s._placed.number, "assistant", of_one] for s, of_one in zip(sessions, calls, strict=True)]
            with contextlib.suppress(WorkerLost, WorkerRefused, TypeError):  # TypeError: what JSON cannot say
                frame = encode(["batch", items])
                if len(frame) <= MOST_REQUEST_BYTES:
                    return await Session._send_together(sessions, calls, frame)
        return [await session.call_many(of_one) for session, of_one in zip(sessions, calls, strict=True)]

    @staticmethod
    async def _send_together(
        sessions: list["Session"], calls: list[list[Call]], frame: bytes
    ) -> list[list[CallResult]]:
        links = [await session._link() for session in sessions]
        results: list[list[CallResult]] = []

        def hear(answers: list[Any], _: bytes) -> None:
            understood = [_results(answer, len(of_one)) for of_one, answer in zip(calls, answers, strict=True)]
            for session, of_one, answer in zip(sessions, calls, answers, strict=True):
                if not answer[0]:
                    continue  # it wrote nothing that would have to be repeated
                request = orjson.dumps(("assistant", of_one))[1:]
                session._placed.record(request, calls_limit(len(of_one)), answer)
            results[:] = understood

        await links[0].request_encoded(frame, calls_limit(sum(map(len, calls))), hear)
        for session in sessions:
            if session._placed.log_is_long():
                await session._save_when_long()
        return results

    async def changes(self) -> list[Change]:
        """Every row that differs from the start, exactly: created, updated, deleted."""
        found: list[Change] = []
        told = 0
        more = True
        while more:
            # In pages: a message is read all at once, and nobody else is served meanwhile.
            said, _ = await self._ask("changes", len(found))
            try:
                page, more = said
                size = json_size(page)
                found += [_change(**row) for row in page]
            except (TypeError, ValueError):
                size, more = 0, True
            if more is not False and size < PAGE_BYTES // 2:
                raise EnvironmentFault(f"The session {self.name} could not tell its changes: {_NOBODY_UNDERSTANDS}.")
            told += size
            if told > _MOST_CHANGES_BYTES:
                raise EnvironmentFault(
                    f"The session {self.name} could not tell its changes: they take more than "
                    f"{_MOST_CHANGES_BYTES} bytes."
                )
        return found

    async def snapshot(self) -> bytes:
        """The database as it is now, as a SQLite file."""
        return (await self._ask("image"))[1]

    async def state_hash(self) -> str:
        """A hash of every row of every table: equal for equal contents, on any machine."""
        digest, _ = await self._ask("hash")
        if not isinstance(digest, str) or len(digest) != 64:
            raise EnvironmentFault(f"The session {self.name} could not tell its hash: {_NOBODY_UNDERSTANDS}.")
        return digest

    async def end(self) -> SessionEnd:
        """What the session came to, for whoever judges it. What its tools told of their changes is held against the
        databases of start and end; where these show something else, the environment is at fault."""
        changes, final = await self.changes(), await self.snapshot()
        initial = self._environment.bundle.states[self.state].image
        told: Any = [[one.table, list(one.key), one.before, one.after] for one in changes]
        try:
            said, _ = await self._environment.databases.do("compare", [told, len(initial)], initial + final)
            state_hash, problem = said
        except (EnvironmentFault, TypeError, ValueError) as fault:
            raise EnvironmentFault(f"The database of the session {self.name} cannot be read: {fault}") from fault
        if problem is not None:
            raise EnvironmentFault(f"The database of the session {self.name} is not as its tools told: {problem}.")
        return SessionEnd(changes, final, state_hash)

    async def fork(self, number: int) -> PlacedSession:
        """For `Runtime.fork`: a second session that goes on from here by itself."""
        here = self._placed
        copy = PlacedSession(number, here.state, here.clock, here.id_offset)
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
        self._placed.start_log_from(None)
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

    async def _link(self) -> WorkerLink:
        if self._closed:
            raise UsageError(f"The session {self.name} is closed.")
        link = self._placed.host.link or await self._placed.host.worker()
        if self._placed.lost is not None:
            raise EnvironmentFault(f"The session {self.name} was lost with its worker: {self._placed.lost}.")
        return link

    async def _ask(self, operation: str, *arguments: Any, on_answer: OnAnswer | None = None) -> Answer:
        """A request that may be repeated should the worker die."""
        frame = encode([operation, self._placed.number, *arguments])
        unreadable = 0
        losses: list[WorkerLost] = []
        while len(losses) < _MOST_TRIES:
            link = await self._link()
            try:
                return await link.request_encoded(frame, self._limit(operation), on_answer)
            except WorkerLost as error:
                unreadable += error.first and error.unreadable
                if unreadable == _UNREADABLE_TRIES:
                    raise self._unanswered(operation, error) from error
                losses.append(error)
            except WorkerRefused as error:
                raise self._unanswered(operation, error) from error
        reason = "it took too long" if losses[-1].overdue else losses[-1].reason
        raise fault_of(
            losses, f"The session {self.name} could not answer the request {operation!r}: its workers died; {reason}."
        )

    def _limit(self, operation: str) -> Limit:
        """What the answer may take, by what an honest worker could have to say."""
        memory = self._environment.worker_memory_bytes
        if operation == "image":
            start = len(self._environment.bundle.states[self._placed.state].image)
            return Limit(ANSWER.json, min(memory, max(MAX_PAGES * PAGE, start)))
        if operation == "save":
            return Limit(ANSWER.json, min(A_FILE.blob, memory + _MARSHALLED))
        return _A_PAGE if operation == "changes" else ANSWER

    def _unanswered(self, operation: str, error: Exception) -> EnvironmentFault:
        """The worker was there, and what it said was no answer: only the environment's code or data can cause that."""
        return EnvironmentFault(f"The session {self.name} could not answer the request {operation!r}: {error}.")

    async def _send(self, calls: list[Call], principal: Principal) -> list[CallResult]:
        request = orjson.dumps((principal, calls))[1:]
        if len(request) > MOST_REQUEST_BYTES and len(calls) > 1:
            middle = len(calls) // 2
            return await self._send(calls[:middle], principal) + await self._send(calls[middle:], principal)
        placed = self._placed
        frame, limit = placed.calls_frame(request), calls_limit(len(calls))
        losses: list[WorkerLost] = []
        results: list[CallResult] = []

        def hear(answer: Any, _: bytes) -> None:
            results[:] = _results(answer, len(calls))
            placed.record(request, limit, answer)

        while len(losses) < _MOST_TRIES:
            link = await self._link()
            try:
                await link.request_encoded(frame, limit, hear)
            except WorkerLost as error:
                if error.first and error.overdue:
                    return _failed(calls, "environment", "{tool} did not answer in time and was stopped")
                losses.append(error)
            except WorkerRefused as error:
                return _failed(calls, "environment", f"{{tool}} broke its process: {error}")
            else:
                await self._save_when_long()
                return results
        reason = losses[-1].reason
        if all(lost.by_machine for lost in losses):
            problem = f"{{tool}} could not be called, its processes kept being killed: {reason}"
            return _failed(calls, "infrastructure", problem)
        if sum(lost.first for lost in losses) > 1:
            return _failed(calls, "environment", f"{{tool}} ended its process each time it was called: {reason}")
        return _failed(calls, "environment", f"{{tool}} could not be called, its processes kept ending: {reason}")

    async def _save_when_long(self) -> None:
        """Keep the state instead of the log. Answers come in order, so when the state comes in, the log holds exactly
        what led to it."""
        placed = self._placed
        if placed.saving or not placed.log_is_long():
            return
        placed.saving = True
        try:
            await self._ask("save", on_answer=lambda _, state: placed.host.keep(placed, state))
        finally:
            placed.saving = False


def _is_plain(tool: object, arguments: object) -> bool:
    """Whether these are scalars by name, as nearly all arguments are, and need no closer look before they are sent."""
    return type(tool) is str and type(arguments) is dict and all(type(v) in _SCALARS for v in arguments.values())


def unsendable(tool: object, arguments: object) -> str | None:
    """Why these arguments cannot be sent at all, or None."""
    if not isinstance(tool, str):
        return f"the name of a tool is a string, not {type(tool).__name__}"
    if not isinstance(arguments, dict):
        return f"arguments: expected an object, got {type(arguments).__name__}"
    try:
        size = len(orjson.dumps((tool, arguments)))
    except (TypeError, ValueError) as error:
        return not_json(arguments, "arguments") or f"arguments: not JSON: {error}"
    if size > MAX_ARGUMENT_BYTES:
        return f"arguments: {size} bytes; at most {MAX_ARGUMENT_BYTES} are allowed"
    for value in arguments.values():
        kind = type(value)
        if not (kind is str or kind is int or kind is bool or value is None):
            problem = not_json(value, "arguments", 1)
            if problem is not None:
                return problem
    return None


def not_json(value: object, where: str, depth: int = 0) -> str | None:
    """What the encoder would let pass or turn into something else: NaN would arrive as null."""
    if depth > _MOST_DEPTH:
        return f"{where}: nested deeper than {_MOST_DEPTH} levels"
    if isinstance(value, float) and not math.isfinite(value):
        return f"{where}: {value} is not a JSON number"
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((problem for item in items if (problem := not_json(item, where, depth + 1)) is not None), None)


def _results(answer: Any, expected: int) -> list[CallResult]:
    """Read what a worker said without trusting that it kept to the format; `ValueError` when it did not."""
    changed, results = answer
    if not isinstance(changed, bool) or not isinstance(results, list) or len(results) != expected:
        raise ValueError(_NOBODY_UNDERSTANDS)
    return [_result(*result) for result in results]


def _result(outcome: Any, value: Any, error: Any, note: Any) -> CallResult:
    if outcome == "ok" and isinstance(value, dict) and error is None and isinstance(note, str | None):
        return CallResult("ok", value, None, note)
    if outcome in ("agent", "environment") and value is None and isinstance(error, str):
        return CallResult(outcome, None, error, None)
    raise ValueError(_NOBODY_UNDERSTANDS)


def _change(*, table: Any, key: Any, before: Any, after: Any) -> Change:
    for values in (key, *(list(row.values()) for row in (before, after) if isinstance(row, dict))):
        if not isinstance(values, list) or not all(isinstance(value, str | int | float | None) for value in values):
            raise TypeError("a row holds text, numbers and NULL")
    rows = {type(before), type(after)}
    if not isinstance(table, str) or not rows <= {dict, type(None)} or dict not in rows:
        raise TypeError("a change has a table and one row or two")
    return Change(table, tuple(key), before, after)


def _failed(calls: list[Call], outcome: Any, error: str) -> list[CallResult]:
    return [CallResult(outcome, error=error.replace("{tool}", tool)) for tool, _ in calls]

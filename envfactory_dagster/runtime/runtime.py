"""The supervisor: any number of environments, each in processes of its own, behind one object.

Belongs here: opening sessions, running solution programs and verifiers, limits over all of them, start and shutdown.
Does not: what a single session does (`session`), or pooling for rollouts (`pool`).
"""

import asyncio
import contextlib
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import CallResult
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.errors import EnvFactoryError, EnvironmentFault, InfrastructureFault, UsageError
from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.contracts.tools import Principal, ToolDefinition
from envfactory_dagster.contracts.truth import Signal
from envfactory_dagster.runtime.database_link import DatabaseWorker
from envfactory_dagster.runtime.frames import Limit, encode
from envfactory_dagster.runtime.processes import A_FILE, Processes, WorkerLink, WorkerLost, WorkerRefused, fault_of
from envfactory_dagster.runtime.session import Session, not_json
from envfactory_dagster.runtime.settings import RuntimeSettings
from envfactory_dagster.runtime.workers import PlacedSession, RunningBundle, packed
from envfactory_dagster.runtime.workspace_session import WorkspaceSession

_WATCH_SECONDS = 0.2
_NO_FORM = AnswerForm()
_A_MESSAGE = Limit(2_097_152)
"""What one message of a program or a verifier may take."""
_MOST_LOST_IN_A_ROW = 3
"""Cases in a row for which a verifier gives no verdict, before the rest is not tried."""
_MOST_TRIES = 3
"""For a case of a verifier whose process something outside ends."""
_MOST_ASKED_BYTES = 8_388_608
"""What all calls of a program may take: they are kept, for whoever reads what it did."""


@dataclass(frozen=True, slots=True)
class TracedCall:
    tool: str
    arguments: Mapping[str, Json]
    result: CallResult


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """What came of a solution program. `error` says what stopped it; the calls up to there were made."""

    answer: Json
    error: str | None
    printed: str
    calls: list[TracedCall]


@dataclass(frozen=True, slots=True)
class Draw:
    """What a task family drew from one state, each instance once."""

    instances: list[Json]
    repeats: bool
    """Whether it went on and on with what it had drawn before."""


@dataclass(frozen=True, slots=True)
class Case:
    """What a verifier is shown: the database before and after, the report with the fields of its form, and the calls.
    Without a report no answer is right."""

    initial: bytes
    final: bytes
    report: Report | None = None
    form: AnswerForm = _NO_FORM
    trajectory: Sequence[Json] = ()


class Runtime:
    """Use as an async context manager; leaving it ends every process."""

    def __init__(self, settings: RuntimeSettings | None = None) -> None:
        self.settings = settings or RuntimeSettings()
        self._processes = Processes(self.settings)
        self._environments: dict[str, RunningBundle] = {}
        self._sessions: set[Session] = set()
        self._last_number = 0
        self._watcher: asyncio.Task[None] | None = None
        self._closed = False

    async def __aenter__(self) -> Self:
        await self._processes.start()
        self._watcher = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End every session and every process."""
        self._closed = True
        if self._watcher is not None:
            self._watcher.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watcher
        for environment in self._environments.values():
            await environment.close()
        await self._processes.close()

    @property
    def pids(self) -> list[int]:
        """The processes this runtime has started and that still live."""
        return self._processes.pids

    @property
    def worker_deaths(self) -> int:
        """How many workers have died on their own or been stopped because a request took too long."""
        return self._processes.deaths

    @property
    def open_sessions(self) -> int:
        return len(self._sessions)

    # -- sessions -----------------------------------------------------------------------------------------------------

    async def open(
        self, bundle: Bundle, *, state: str = INITIAL_STATE, clock: str | None = None, id_offset: int = 0
    ) -> Session:
        """A new session over an initial state of the environment. `clock` and `id_offset` make the same world at
        another time and with other ids for what is created."""
        if self._closed or self._watcher is None:
            raise UsageError("The runtime is not running; use it inside `async with Runtime(…)`.")
        if state not in bundle.states:
            known = ", ".join(sorted(bundle.states))
            raise UsageError(f"The environment {bundle.key} has no state {state!r}; it has: {known}.")
        if bundle.servers:
            opening = {
                prefix: self.open(server, state=state, clock=clock, id_offset=id_offset)
                for prefix, server in bundle.servers.items()
            }
            return WorkspaceSession(bundle, state, await _all_or_none(opening), self.join_images)
        self._check_room()
        placed = PlacedSession(self._next_number(), state, clock, id_offset)
        environment = self._environment(bundle)
        environment.place(placed)
        session = self._session(environment, placed)
        try:
            await placed.host.worker()
        except BaseException:
            await session.close()
            raise
        return session

    async def check(self) -> None:
        """Raises what keeps every environment from being opened: not where only one of them cannot be, or where what
        starts workers has died and can be started again."""
        self._check_room()
        try:
            link = await self._processes.fork("verifier")
        except InfrastructureFault:
            link = await self._processes.fork("verifier")
        link.close()

    async def fork(self, session: Session) -> Session:
        """A second session that goes on from where this one is; neither sees what the other does next."""
        if isinstance(session, WorkspaceSession):
            forking = {prefix: self.fork(server) for prefix, server in session.servers.items()}
            return session.over(await _all_or_none(forking))
        return self._session(session.environment_in_runtime, await session.fork(self._next_number()))

    def retire(self, bundle: Bundle) -> None:
        """Forget an environment whose sessions are closed: its worker ends and its memory is free. Without this one
        worker stays warm for whoever opens it next."""
        for server in bundle.servers.values():
            self.retire(server)
        if (environment := self._environments.pop(bundle.version, None)) is not None:
            for host in environment.hosts.copy():
                environment.forget(host)
            environment.databases.close()

    async def call_batch(self, calls: Sequence[tuple[Session, str, Mapping[str, Json]]]) -> list[CallResult]:
        """Call tools in many sessions with one message for each worker. Calls of one session are made in order."""
        by_session: dict[Session, list[int]] = defaultdict(list)
        for index, (session, _, _) in enumerate(calls):
            by_session[session].append(index)
        by_host: dict[int, list[Session]] = defaultdict(list)
        for session in by_session:
            by_host[session.host_identity].append(session)
        results: list[CallResult | None] = [None] * len(calls)

        async def one(sessions: list[Session]) -> None:
            wanted = [[(calls[i][1], calls[i][2]) for i in by_session[session]] for session in sessions]
            for session, found in zip(sessions, await Session.call_together(sessions, wanted), strict=True):
                for index, result in zip(by_session[session], found, strict=True):
                    results[index] = result

        await asyncio.gather(*(one(sessions) for sessions in by_host.values()))
        return [result for result in results if result is not None]

    # -- programs and verifiers, each in a process of its own ---------------------------------------------------------

    async def run_program(
        self, session: "HasTools", source: str, instead: Mapping[int, dict[str, Json]] | None = None
    ) -> ProgramResult:
        """Run a solution program; its tool calls go to the session, or to whatever else has tools. `instead`: which of
        its calls, counted from 0, are made with other arguments than it gives. Where something outside ends
        its process, `InfrastructureFault` is raised."""
        link = await self._processes.fork("program")
        program = _Program(link, session, self.settings.program_calls, instead or {})
        try:
            said, _ = await link.request([source], limit=_A_MESSAGE)
            answer, error, printed = _last_words(said)
        except WorkerLost as lost:
            if lost.by_machine:
                raise InfrastructureFault(f"The program could not be run to its end: {lost.reason}.") from lost
            late = f"it ran longer than {self.settings.program_seconds:g} seconds"
            answer, error, printed = None, late if lost.overdue else f"its process ended: {lost.reason}", ""
        except (WorkerRefused, TypeError, ValueError) as refused:
            answer, error, printed = None, f"its process answered in no known form: {refused}", ""
        finally:
            link.close()
            await program.finish()
        if program.failure is not None:
            raise program.failure
        return ProgramResult(answer, error, printed, program.calls)

    async def run_verifier(
        self,
        source: str,
        *,
        initial: bytes,
        final: bytes,
        report: Report | None = None,
        form: AnswerForm = _NO_FORM,
        trajectory: Sequence[Json] = (),
    ) -> list[Signal]:
        """Run every check of a verifier over two database images. Raises `EnvironmentFault` when it does not load."""
        [found] = await self.run_verifier_many(source, [Case(initial, final, report, form, trajectory)])
        if isinstance(found, EnvironmentFault):
            raise found
        return found

    async def run_verifier_many(self, source: str, cases: Sequence[Case]) -> list[list[Signal] | EnvironmentFault]:
        """Run every check of a verifier over each case, one after the other in one process. A case in which it hangs,
        ends its process or does not load gives the fault that says so; those after it run in a new process. One in
        which something outside ends the process is tried again; the third time `InfrastructureFault` is raised."""
        found: list[list[Signal] | EnvironmentFault] = []
        lost = killed = 0
        while len(found) < len(cases):
            if lost == _MOST_LOST_IN_A_ROW:
                return found + found[-1:] * (len(cases) - len(found))
            before = len(found)
            if by_what := await self._verify_until_lost(source, cases[before:], found):
                killed = killed + 1 if len(found) == before else 1
                if killed == _MOST_TRIES:
                    raise InfrastructureFault(f"The verifier gave no verdict: {by_what}.")
                continue
            lost = lost + 1 if len(found) == before + 1 else 1
        return found

    async def _verify_until_lost(
        self, source: str, cases: Sequence[Case], found: list[list[Signal] | EnvironmentFault]
    ) -> str:
        """Run cases in a new process, up to and with the first that costs it its life. Where something outside ends the
        process, the answer says how; otherwise it is empty."""
        link = await self._processes.fork("verifier")
        sent: tuple[bytes, bytes] | None = None
        try:
            for case in cases:
                databases = (case.initial, case.final)
                blob = b"" if sent == databases else case.initial + case.final
                sent = databases
                report = None if case.report is None else case.report.model_dump(mode="json")
                fields = [field.model_dump(mode="json") for field in case.form.fields]
                request = [source, len(case.initial), report, fields, list(case.trajectory)]
                signals, _ = await link.request(request, blob, limit=_A_MESSAGE)
                found.append([_signal(*signal) for signal in signals])
        except WorkerLost as lost:
            late = f"it ran longer than {self.settings.program_seconds:g} seconds"
            if lost.by_machine:
                return lost.reason
            found.append(EnvironmentFault(f"The verifier gave no verdict: {late if lost.overdue else lost.reason}."))
        except (WorkerRefused, TypeError, ValueError) as refused:
            found.append(EnvironmentFault(f"The verifier gave no verdict: {refused}"))
        finally:
            link.close()
        return ""

    async def draw_instances(self, source: str, image: bytes, *, state: str, clock: str, seed: str, most: int) -> Draw:
        """Have a task family draw up to so many different instances from a state. Whatever its code does wrong raises
        `EnvironmentFault`."""
        link = await self._processes.fork("family")
        try:
            said, _ = await link.request([source, state, clock, seed, most], image, limit=_A_MESSAGE)
            texts, ended = said
            return Draw([json.loads(text) for text in texts[:most]], ended == "repeats")
        except WorkerLost as lost:
            late = f"drawing took longer than {self.settings.program_seconds:g} seconds"
            raise fault_of([lost], f"The family draws nothing: {late if lost.overdue else lost.reason}.") from lost
        except (WorkerRefused, TypeError, ValueError) as refused:
            raise EnvironmentFault(f"The family draws nothing: {refused}") from refused
        finally:
            link.close()

    async def start_object(self, tools_source: str, published: Mapping[str, str], given: Json, clock: str) -> Any:
        """The rows, by path, of the initial state that published code makes of what it is given. Whatever that code
        does wrong raises `EnvironmentFault`."""
        modules, sources = packed(tools_source, published)
        link = await self._processes.fork("tools")
        try:
            _, rows = await link.request(["start", modules, clock], sources + json.dumps(given).encode(), limit=A_FILE)
            return json.loads(rows)
        except WorkerLost as lost:
            late = f"it took longer than {self.settings.call_seconds:g} seconds"
            reason = late if lost.overdue else lost.reason
            raise fault_of([lost], f"The published code does not start: {reason}.") from lost
        except (WorkerRefused, TypeError, ValueError) as refused:
            raise EnvironmentFault(f"The published code does not start: {refused}") from refused
        finally:
            link.close()

    async def work_on_database(self, deed: str, given: Json, image: bytes = b"") -> tuple[Any, bytes]:
        """Have a worker do something with SQL that nobody vetted, see `databases`. Whatever goes wrong there raises
        `EnvironmentFault`, unless something outside ends the worker again and again."""
        async with self.database_worker() as worker:
            return await worker.do(deed, given, image)

    async def join_images(self, images: Mapping[str, bytes]) -> tuple[Any, bytes]:
        """The schema and the database of all images, in which every table bears the prefix of its image. In one of
        them may be what an environment's tools left there, so whatever goes wrong is an `EnvironmentFault`."""
        sizes: Json = [[prefix, len(image)] for prefix, image in images.items()]
        return await self.work_on_database("join", sizes, b"".join(images.values()))

    @contextlib.asynccontextmanager
    async def database_worker(self) -> AsyncIterator[DatabaseWorker]:
        """For many such deeds on the databases of one environment, without a new process for each."""
        worker = DatabaseWorker(self._processes, self.settings.call_seconds)
        try:
            yield worker
        finally:
            worker.close()

    # -- inside -------------------------------------------------------------------------------------------------------

    def _check_room(self) -> None:
        if len(self._sessions) >= self.settings.most_sessions:
            raise InfrastructureFault(
                f"All {self.settings.most_sessions} sessions are in use; close one, or try later."
            )

    def _environment(self, bundle: Bundle) -> RunningBundle:
        found = self._environments.get(bundle.version)
        if found is None:
            found = self._environments[bundle.version] = RunningBundle(bundle, self._processes, self.settings)
        return found

    def _session(self, environment: RunningBundle, placed: PlacedSession) -> Session:
        session = Session(environment, placed, self._sessions.discard)
        self._sessions.add(session)
        return session

    def _next_number(self) -> int:
        self._last_number += 1
        return self._last_number

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            self._processes.kill_overdue()


async def _all_or_none(opening: Mapping[str, Awaitable[Session]]) -> dict[str, Session]:
    """The sessions of all servers of a workspace; where one cannot be opened, none stays open."""
    opened = await asyncio.gather(*opening.values(), return_exceptions=True)
    failure = next((one for one in opened if isinstance(one, BaseException)), None)
    sessions = [one for one in opened if isinstance(one, Session)]
    if failure is None:
        return dict(zip(opening, sessions, strict=True))
    for session in sessions:
        await session.close()
    raise failure


def _last_words(said: Any) -> tuple[Json, str | None, str]:
    """What a program leaves behind: an answer, an error, and what it printed."""
    answer, error, printed = said
    if not isinstance(error, str | None) or not isinstance(printed, str):
        raise TypeError("its error and what it printed are not text")
    problem = not_json(answer, "the answer")
    return (answer, error, printed) if problem is None else (None, problem, printed)


def _signal(name: Any, value: Any, error: Any) -> Signal:
    if not isinstance(value, bool | int | str | None):
        raise TypeError("a check returned neither a boolean, a number nor text")
    return Signal(name=name, value=value, error=error)


class HasTools(Protocol):
    """What a program's calls go to: a session, or anything else that has tools."""

    def tools(self, principal: Principal) -> Sequence[ToolDefinition]: ...

    async def call(self, tool: str, arguments: Mapping[str, Json], *, principal: Principal) -> CallResult: ...


class _Program:
    """Carries a program's tool calls to its session, one at a time."""

    def __init__(
        self, link: WorkerLink, session: HasTools, most_calls: int, instead: Mapping[int, dict[str, Json]]
    ) -> None:
        self.calls: list[TracedCall] = []
        self._instead = instead
        self.failure: EnvFactoryError | None = None
        """Why a call could not be made at all: not the program's fault, so not for it to handle."""
        self._asked_bytes = 0
        self._link = link
        self._session = session
        self._most_calls = most_calls
        self._user_tools = {definition.name for definition in session.tools("user")}
        self._running: asyncio.Task[None] | None = None
        link.on_message = self._asked

    def _asked(self, message: list[Any], size: int) -> None:
        _, tool, arguments = message
        self._asked_bytes += size
        if not isinstance(tool, str) or not isinstance(arguments, dict):
            raise TypeError("a tool call without a name or arguments")
        if self._asked_bytes > _MOST_ASKED_BYTES:
            raise ValueError(f"more than {_MOST_ASKED_BYTES} bytes of arguments")
        if self._running is not None and not self._running.done():
            raise ValueError("a second tool call before the first was answered")
        self._running = asyncio.ensure_future(self._answer(tool, arguments))

    async def _answer(self, tool: str, arguments: dict[str, Json]) -> None:
        if len(self.calls) >= self._most_calls:
            self._link.tell(encode(["limit", None, f"more than {self._most_calls} tool calls"]))
            return
        arguments = self._instead.get(len(self.calls), arguments)
        # A program plays both parts of an episode: each tool is called by the one it belongs to.
        principal: Principal = "user" if tool in self._user_tools else "assistant"
        try:
            result = await self._session.call(tool, arguments, principal=principal)
        except EnvFactoryError as failure:
            self.failure = failure
            self._link.kill()
            return
        self.calls.append(TracedCall(tool, arguments, result))
        self._link.tell(encode([result.outcome, result.value, result.error]))

    async def finish(self) -> None:
        """A call that was under way is finished and kept: it may have written."""
        if self._running is not None:
            await asyncio.wait([self._running])

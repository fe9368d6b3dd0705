"""One tool tried in the sandbox: its own two calls, and all that the gate can think of.

Belongs here: which calls are made in which order, and which outcome is whose fault. Does not: thinking up calls
(`calls`), judging what they show (`answers`) or change (`changes`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from envfactory_dagster.authoring.trials import answers, changes
from envfactory_dagster.authoring.trials.calls import Arguments, Parameters, TrialCall, absences, variations
from envfactory_dagster.authoring.trials.keys import guards
from envfactory_dagster.authoring.trials.under_trial import (
    MOST_EDGES,
    ModuleUnderTrial,
    Place,
    state_of_edge,
    state_of_test,
)
from envfactory_dagster.authoring.trials.world import WorldRows
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.calls import CallResult, Change
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.records import Fault, Problem
from envfactory_dagster.contracts.requests import ToolFunction
from envfactory_dagster.contracts.tools import ToolCall, ToolDefinition
from envfactory_dagster.runtime.facts import ToolFact
from envfactory_dagster.runtime.json_schema import compile_schema
from envfactory_dagster.runtime.session import Session

MOST_FAILURES = 2
"""Of one kind, to report of one tool: the second says as much as the tenth."""

_LINE = re.compile(r" \(tools\.py, line (\d+)\)")


@dataclass(frozen=True)
class ToolTrial:
    """One tool on trial."""

    under_trial: ModuleUnderTrial
    tool: ToolDefinition
    function: ToolFunction
    problems: list[Problem] = field(default_factory=list)

    @cached_property
    def place(self) -> Place:
        return self.under_trial.places[self.tool.name] if self.function.given else self.under_trial.start

    @property
    def world(self) -> WorldRows:
        """The rows that the good call meets."""
        return self.place.world

    @cached_property
    def parameters(self) -> Parameters:
        return Parameters(self.tool, self.fact, self.world)

    @property
    def fact(self) -> ToolFact:
        return self.under_trial.facts[self.tool.name]

    @property
    def reads(self) -> bool:
        return self.tool.annotations.readOnlyHint

    async def run(self) -> list[Problem]:
        """Everything that calling the tool tells against it. What cannot even do its good call is not tried further."""
        self._check_the_calls()
        if self.problems:
            return self.problems
        state = state_of_test(self.tool.name, self.function)
        if (refused := self.under_trial.impossible.get(state)) is not None:
            said = f"the rows given for its good_call cannot be: {refused} Give others, or none"
            self._report("test", f"{self.tool.name}: {said}.", self.function.good_call)
            return self.problems
        async with await self._open(self.place.state, self.function.clock) as session:
            await self._prepare(session)
            if self.problems:
                return self.problems
            result = await self._good_call(session)
            if self.problems:
                return self.problems
            await self._bad_call(session)
            await self._confirmations()
            await self._edges()
            await self._variations(session)
            await self._absences(session)
            if self.reads:
                await self._filters(session, result)
                self.problems.extend(answers.of_ownership(self.parameters, self.world, result.value))
        await self._other_states()
        await self._exchanged_world()
        return self.problems

    # -- the calls of the author --------------------------------------------------------------------------------------

    def _check_the_calls(self) -> None:
        check = compile_schema(self.tool.inputSchema)
        for name, arguments in (("good_call", self.function.good_call), ("bad_call", self.function.bad_call)):
            if (wrong := check(arguments)) is not None:
                self._report("test", f"{self.tool.name}: its {name} never reaches the code: {wrong}", arguments)

    async def _prepare(self, session: Session) -> None:
        """The calls that come before: each must succeed, whoever's tool it is."""
        if (failure := await self._make_ready(session)) is not None:
            self.problems.append(Problem(fault="test", message=f"{self.tool.name}: {failure}"))

    async def _good_call(self, session: Session) -> CallResult:
        """Twice, from the same start: it succeeds, and does the same again."""
        good = self.function.good_call
        first, done = await self._call(session, good)
        if first.outcome == "environment":
            self._fails(TrialCall(good, "with its good_call"), first)
        elif first.outcome == "agent":
            said = (
                f"{self.tool.name}: its good_call was refused: {first.error}. Choose arguments that succeed on the rows"
            )
            self._report("test", f"{said}, or mend the tool if it refuses what it should do.", good)
        if self.problems:
            return first
        again, done_again = await self._call(session, good)
        if again.value != first.value or done_again != done:
            self._report("code", f"{self.tool.name}: the same call from the same start gives another result.", good)
        if not self.reads and not done:
            said = "its good_call is answered as done and changes nothing. Mend the tool, or choose arguments"
            self._report("code", f"{self.tool.name}: {said} for which there is something to change.", good)
        self._compare("good_call", first, self.function.good_result, good)
        foretold, changed = sorted(set(self.function.good_changes)), sorted({change.table for change in done})
        if foretold and foretold != changed:
            said = f"its good_call was foretold to change rows of {', '.join(foretold)}, it changes rows of "
            self._report("test", f"{self.tool.name}: {said}{', '.join(changed)}. Mend the one that is wrong.", good)
        self._judge(good, done)
        self.problems.extend(changes.of_the_echo(self.tool.name, good, first.value, done, self.world))
        return first

    def _compare(self, call: str, result: CallResult, foretold: Arguments, arguments: Arguments) -> None:
        """The result against what its author foretold."""
        for name, wanted, got in answers.unlike(foretold, result.value):
            said = f"its {call} was foretold to answer {name} = {wanted!r}, it answers {got!r}"
            self._report("test", f"{self.tool.name}: {said}. Mend the one that is wrong.", arguments)

    async def _confirmations(self) -> None:
        """Without any one of the person's deeds that it waits for, the good call is refused."""
        good, before = self.function.good_call, self.function.before
        for name in self.tool.confirmed_by:
            others = [call for call in before if call.tool != name]
            if len(others) == len(before):
                said = f"it is confirmed by {name}, and its good_call comes after no such call: put it into `before`"
                self._report("test", f"{self.tool.name}: {said}.", good)
                continue
            async with await self._open(self.place.state, self.function.clock) as session:
                await self._make_calls(session, others, "good_call")
                result = await self._made(session, good)
            if _failed(result):
                self._fails(TrialCall(good, f"before the person calls {name}"), result)
            elif result.ok:
                said = f"its good_call succeeds although the person has not called {name}, which it waits for"
                self._report("code", f"{self.tool.name}: {said}. Look its effect up, and refuse without it.", good)

    async def _edges(self) -> None:
        """The calls on either side of a limit."""
        tools = {tool.name for tool in self.under_trial.bundle.tools}
        if (given := len(self.function.edges)) > MOST_EDGES:
            message = f"{self.tool.name}: it has {given} edges, and the first {MOST_EDGES} were tried. Leave some out."
            self.problems.append(Problem(fault="test", message=message))
        for number, edge in enumerate(self.function.edges[:MOST_EDGES]):
            if any(call.tool not in tools for call in edge.before):
                continue  # what it needs is not there yet, and has problems of its own
            state = state_of_edge(self.tool.name, number, edge)
            if (refused := self.under_trial.impossible.get(state)) is not None:
                said = f"the rows given for a call at an edge cannot be: {refused} Give others, or none"
                self._report("test", f"{self.tool.name}: {said}.", edge.arguments)
                continue
            async with await self._open(state, edge.clock) as session:
                failure = await self._make_calls(session, edge.before, "call at an edge")
                result = await self._made(session, edge.arguments)
            if failure is not None:
                self.problems.append(Problem(fault="test", message=f"{self.tool.name}: {failure}"))
            elif _failed(result):
                self._fails(TrialCall(edge.arguments, "at an edge"), result)
            elif result.ok is edge.refused:
                said = "accepted" if edge.refused else f"refused: {result.error}"
                wanted = "refused" if edge.refused else "accepted"
                sentence = f"a call at an edge should be {wanted} and is {said}. Mend the code, or the edge"
                self._report("code", f"{self.tool.name}: {sentence}.", edge.arguments)
            elif result.ok:
                self._compare("call at an edge", result, edge.result, edge.arguments)

    async def _bad_call(self, session: Session) -> None:
        bad = self.function.bad_call
        if bad == self.function.good_call:
            return
        result, _ = await self._call(session, bad)
        if result.outcome == "environment":
            self._fails(TrialCall(bad, "with its bad_call"), result)
        elif result.ok and not self._names_nothing(bad):
            sentence = "its bad_call was not refused. Choose arguments that must be, or the good_call if there are none"
            self._report("test", f"{self.tool.name}: {sentence}.", bad)

    def _names_nothing(self, arguments: Arguments) -> bool:
        """Whether the arguments name a row that does not exist; then `_absences` says more."""
        for name, value in arguments.items():
            column = self.parameters.key(name)
            named = value if isinstance(value, list) else [value]
            if column is not None and value is not None and not self.world.with_value(column, named):
                return True
        return False

    # -- calls of our own ---------------------------------------------------------------------------------------------

    async def _variations(self, session: Session) -> None:
        for call, result, done in await self._call_all(
            session, [*variations(self.parameters, self.function.good_call)]
        ):
            if _failed(result):
                self._fails(call, result)
            elif not self.problems:
                self._judge(call.arguments, done)

    async def _absences(self, session: Session) -> None:
        """A row that does not exist is refused, or a search for it finds nothing."""
        for call in absences(self.parameters, self.function.good_call):
            result, _ = await self._call(session, call.arguments)
            if _failed(result):
                self._fails(call, result)
            elif result.ok and not (self.reads and _is_empty(result)):
                self._report(
                    "code",
                    f"{self.tool.name}: called {call.why}, it answers as if all was well. Look the row up, and refuse "
                    "with env.Error when it is not there.",
                    call.arguments,
                )

    async def _filters(self, session: Session, good: CallResult) -> None:
        """Filters and limits, set to what rows hold that are shown without them."""
        listing, call = answers.Listing(self.parameters), self.function.good_call
        base = {name: value for name, value in call.items() if name in self.parameters.required}
        widest, _ = await self._call(session, base)
        if not widest.ok or not any(answers.lists_of(widest.value).values()):
            base, widest = dict(call), good
        for filter in listing.filters:
            start = answers.without(filter.parameter, base)
            required = filter.parameter in self.parameters.required
            before = widest if required or filter.parameter not in base else (await self._call(session, start))[0]
            for value in answers.tried_values(filter, self.parameters, before.value):
                after, _ = await self._call(session, {**start, filter.parameter: value})
                if after.ok:
                    exact = listing.exact_fields(filter.rows)
                    self.problems.extend(answers.of_a_filter(self.tool.name, filter, value, after.value))
                    self.problems.extend(
                        answers.of_the_left_out(self.tool.name, filter, value, before.value, after.value, exact)
                    )
        for name in listing.limits:
            for limit in (1, 2):
                if self.parameters.fits(name, limit):
                    after, _ = await self._call(session, {**base, name: limit})
                    self.problems.extend(answers.of_a_limit(self.tool.name, name, limit, widest.value, after.value))

    async def _other_states(self) -> None:
        """The same call where other people live: whatever it says there, it does not break."""
        for state in self.under_trial.other_states:
            async with await self._open(state) as session:
                await self._make_ready(session)
                result, _ = await self._call(session, self.function.good_call)
                if _failed(result):
                    self._fails(TrialCall(self.function.good_call, f"in the state {state}"), result)

    async def _exchanged_world(self) -> None:
        """The same call in a world where everything of the user's belongs to somebody else."""
        exchanged, good = self.place.exchanged, self.function.good_call
        if exchanged is None:
            return
        async with await self._open(self.place.exchanged_state, self.function.clock) as session:
            if await self._make_ready(session) is not None:
                return
            result, done = await self._call(session, good)
        if _failed(result):
            self._fails(TrialCall(good, "for a user who owns other rows"), result)
        elif result.ok:
            lost = set[str]()
            if "env.user_id" not in self.function.source:
                lost |= {change.table for change in done if self._is_lost(change, exchanged)}
            if not (self.reads and _is_empty(result)):
                lost |= self._lost(exchanged)
            if lost:
                self._report(
                    "code",
                    f"{self.tool.name}: it takes a row of {' and '.join(sorted(lost))} that belongs to somebody else. "
                    "Look it up together with env.user_id, and refuse when it is not the user's.",
                    good,
                )
            if self.reads:
                self.problems.extend(answers.of_ownership(self.parameters, exchanged, result.value))

    def _lost(self, exchanged: WorldRows) -> set[str]:
        """The tables of which the good call names a row of the user's, which is the user's no more over there."""
        owners = guards(self.fact, self.under_trial.world.keys) | self.under_trial.guarded(self.tool)
        here = changes.own_rows(self.fact, owners, self.world, self.function.good_call)
        there = changes.own_rows(self.fact, owners, exchanged, self.function.good_call)
        return here.keys() - there.keys()

    def _is_lost(self, change: Change, exchanged: WorldRows) -> bool:
        """Whether a row that the call changed was the user's, by itself or by what it refers to, and is no more."""
        if change.before is None or not exchanged.has(change.table, change.key):
            return False
        owners, row = self.under_trial.owners, (change.table, change.key)
        return self.world.belongs(row, owners) and not exchanged.belongs(row, owners)

    # -- making calls, and saying what came of them -------------------------------------------------------------------

    async def _open(self, state: str, clock: str | None = None) -> Session:
        return await self.under_trial.runtime.open(self.under_trial.bundle, state=state, clock=clock)

    async def _make_ready(self, session: Session) -> str | None:
        """Bring a fresh session to where the good call can be made; or say which call before it did not succeed."""
        return await self._make_calls(session, self.function.before, "good_call")

    async def _make_calls(self, session: Session, calls: Sequence[ToolCall], which: str) -> str | None:
        for call in calls:
            tool = next((tool for tool in self.under_trial.bundle.tools if tool.name == call.tool), None)
            if tool is None:
                return f"before its {which} comes {call.tool}, which is no tool"
            result = await session.call(call.tool, call.arguments, principal=tool.principal)
            if not result.ok:
                return f"before its {which} comes {call.tool} with {call.arguments!r}, which fails: {result.error}"
        return None

    async def _call(self, session: Session, arguments: Arguments) -> tuple[CallResult, list[Change]]:
        """One call and what it changed; the session is left as it was found."""
        before = await session.changes() if self.function.before else []
        result = await self._made(session, arguments)
        done = await session.changes() if result.ok else before
        if done != before:
            await session.reset()
            await self._make_ready(session)
        return result, changes.since(before, done)

    async def _made(self, session: Session, arguments: Arguments) -> CallResult:
        result = await session.call(self.tool.name, arguments, principal=self.tool.principal)
        if result.outcome == "infrastructure":
            raise InfrastructureFault(result.error or f"{self.tool.name} could not be called")
        return result

    async def _call_all(
        self, session: Session, calls: Sequence[TrialCall]
    ) -> list[tuple[TrialCall, CallResult, list[Change]]]:
        """All of them, up to the first few that fail: one that does not end takes its time."""
        made = []
        for call in calls:
            result, done = await self._call(session, call.arguments)
            made.append((call, result, done))
            if sum(_failed(result) for _, result, _ in made) >= MOST_FAILURES:
                break
        return made

    def _judge(self, arguments: Arguments, done: Sequence[Change]) -> None:
        if not self.reads:
            owners = self.under_trial.owners
            self.problems.extend(changes.problems_of(self.fact, self.world, owners, arguments, done))
        elif done:
            self._report("code", f"{self.tool.name} is read-only and changed {done[0].table}.", arguments)

    def _fails(self, call: TrialCall, result: CallResult) -> None:
        """An outcome that is the environment's fault: an exception, a broken constraint, no end."""
        error = result.error or "it failed"
        line = _LINE.search(error)
        source = self.under_trial.bundle.tools_source.splitlines()
        snippet = source[int(line[1]) - 1].strip() if line and int(line[1]) <= len(source) else ""
        sentence = f"{self.tool.name}: called {call.why} it breaks: {_LINE.sub('', error)}"
        self.problems.append(Problem(fault="code", message=sentence, snippet=snippet))

    def _report(self, fault: Fault, message: str, arguments: Arguments) -> None:
        self.problems.append(Problem(fault=fault, message=message, snippet=f"called with {dict(arguments)!r}"))


def _failed(result: CallResult) -> bool:
    return result.outcome == "environment"


def _is_empty(result: CallResult) -> bool:
    """A list without rows, and nothing else that tells of a row."""
    lists, fields = answers.lists_of(result.value), result.value if isinstance(result.value, dict) else {}
    return bool(lists) and not any(map(_tells_something, [*lists.values(), *map(_only_objects, fields.values())]))


def _tells_something(value: Json) -> bool:
    return any(map(_tells_something, value.values())) if isinstance(value, dict) else bool(value)


def _only_objects(value: Json) -> Json:
    """A scalar may repeat an argument, or count nothing."""
    return value if isinstance(value, dict) else None

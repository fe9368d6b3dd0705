"""The two agents at work: the tester's calls are made, round after round, then the checker grades them all, so that the
code of each tool is read once.

Belongs here: making the calls and carrying what was seen from round to round. Does not: either agent.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import orjson

from envfactory_dagster.authoring.trials.changes import since
from envfactory_dagster.authoring.trials.world import WorldRows
from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.calls import CallResult
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.inspection import Finding, JudgedTest, TestCase, ToolScore
from envfactory_dagster.contracts.judge_requests import CheckedTest, LimitToTest, ObservedTest, RowShown, ToolSeen
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.truth.execution import row_change
from envfactory_dagster.truth.inspection import checker, tester
from envfactory_dagster.truth.inspection.asking import Asking
from envfactory_dagster.truth.inspection.inspected import Inspected
from envfactory_dagster.truth.inspection.shown_rows import shown

TESTS_OF_A_TOOL = 4
"""In one round."""
RESULT_CHARS = 4_000
ROWS_NAMED = 8
"""Shown with a call at most."""
EMPTIED = "emptied"
"""The state in which nothing is recorded yet."""


@dataclass(frozen=True)
class Places:
    """Where calls are made: every state a task can start in, and one in which nothing is recorded yet."""

    bundle: Bundle
    """With all these states, and those in which its authors tried the tools."""
    names: Sequence[str]
    """The states that tests are made in, in their order."""

    @classmethod
    async def of(cls, inspected: Inspected) -> "Places":
        tried = inspected.under_trial.bundle
        names = sorted(inspected.bundle.shared_states, key=lambda name: name != INITIAL_STATE)
        emptied = await inspected.worlds[INITIAL_STATE].emptied(inspected.under_trial.runtime)
        if emptied is None:
            return cls(tried, names)
        empty = State(emptied.image, tried.states[INITIAL_STATE].clock)
        return cls(replace(tried, states={**tried.states, EMPTIED: empty}), [*names, EMPTIED])

    def rounds(self, wanted: int) -> Iterator[tuple[str, int]]:
        """The state of each round with the number of the round: at least one in each state, the first ones first."""
        number, places = 0, len(self.names)
        for place, name in enumerate(self.names):
            for _ in range(max(1, (wanted + places - 1 - place) // places)):
                number += 1
                yield name, number


async def play(asking: Asking, inspected: Inspected, rounds: int) -> list[JudgedTest]:
    """At least so many rounds. Those in one state are one session, which goes on from where the calls leave it."""
    places = await Places.of(inspected)
    made = list[_Made]()
    try:
        for number, (state, of_state) in enumerate(groupby(places.rounds(rounds), key=lambda one: one[0])):
            place = _Place(state, number)
            clock = places.bundle.states[state].clock
            async with await inspected.under_trial.runtime.open(places.bundle, state=state) as session:
                for _, round in of_state:
                    world = WorldRows(inspected.keys, await session.snapshot())
                    seen = _seen(inspected, [one.test for one in made])
                    cases = await tester.ask(asking, inspected, world, state, clock, round, seen, TESTS_OF_A_TOOL)
                    made += await _calls_made(inspected, session, place, round, len(made), cases)
    finally:
        inspected.under_trial.runtime.retire(places.bundle)
    return await _judged(asking, inspected, made)


async def at_limits(
    asking: Asking, inspected: Inspected, limits: Sequence[LimitToTest], known: Sequence[JudgedTest]
) -> list[JudgedTest]:
    """Tests of numbers that the rules speak of, in a session of their own."""
    number = max((test.session for test in known), default=-1) + 1
    round = max((test.round for test in known), default=0) + 1
    clock = inspected.bundle.states[INITIAL_STATE].clock
    async with await inspected.under_trial.runtime.open(inspected.under_trial.bundle, state=INITIAL_STATE) as session:
        world = WorldRows(inspected.keys, await session.snapshot())
        seen = _seen(inspected, known)
        cases = await tester.ask(asking, inspected, world, INITIAL_STATE, clock, round, seen, TESTS_OF_A_TOOL, limits)
        made = await _calls_made(inspected, session, _Place(INITIAL_STATE, number), round, 0, cases)
    return await _judged(asking, inspected, made)


@dataclass(frozen=True, slots=True)
class _Place:
    """A session, and the state that it began in."""

    state: str
    session: int


@dataclass(frozen=True, slots=True)
class _Made:
    """A call that was made, and where."""

    place: _Place
    round: int
    test: ObservedTest


async def _calls_made(
    inspected: Inspected, session: Session, place: _Place, round: int, first: int, cases: Sequence[TestCase]
) -> list[_Made]:
    """The calls, made one after the other and numbered from `first` on."""
    numbered = enumerate(cases, start=first)
    return [_Made(place, round, await _observe(inspected, session, place, number, case)) for number, case in numbered]


async def _judged(asking: Asking, inspected: Inspected, made: Sequence[_Made]) -> list[JudgedTest]:
    """Calls with their grades, without those that have none."""
    grades = await _graded(asking, inspected, [one.test for one in made])
    return [_with_grade(one, grades[one.test.number]) for one in made if one.test.number in grades]


async def again(
    asking: Asking, inspected: Inspected, tests: Sequence[JudgedTest], tools: Collection[str]
) -> list[JudgedTest]:
    """The same calls on other code. Those of these tools are graded anew, the others keep their grade."""
    places = await Places.of(inspected)
    made = list[_Made]()
    try:
        for number, of_session in groupby(tests, key=lambda test: test.session):
            old = list(of_session)
            place = _Place(old[0].state, number)
            async with await inspected.under_trial.runtime.open(places.bundle, state=place.state) as session:
                for test in old:
                    made += await _calls_made(inspected, session, place, test.round, len(made), [test.case])
    finally:
        inspected.under_trial.runtime.retire(places.bundle)
    grades = await _graded(asking, inspected, [one.test for one in made if one.test.case.tool in tools])
    both = zip(tests, made, strict=True)
    return [_with_grade(new, grades[new.test.number]) if new.test.number in grades else old for old, new in both]


def score(tests: Sequence[JudgedTest]) -> float:
    """EnvScaler's pass rate over all tests: what works with a warning works, and what fails for the rows it met says
    nothing of the tools. Without any test there is nothing that speaks for the environment."""
    counted = [test for test in tests if test.counts]
    return sum(test.grade != "fail" for test in counted) / len(counted) if counted else 0.0


def failures(tests: Sequence[JudgedTest], scores: Sequence[ToolScore], at_limits: Sequence[str] = ()) -> list[Finding]:
    """What the tests say against each tool that does not pass enough of them, or does not keep to a limit, as a report
    for whoever mends it. `at_limits`: the tools that failed there."""
    not_enough = {one.tool for one in scores if one.tests and not one.passes} | {*at_limits}
    return [
        Finding(
            tool=test.case.tool,
            criterion="results",
            severity="fail",
            message=f"{test.case.tool}: {test.reason or 'it failed a test'}",
            snippet=f"called with {test.case.arguments!r} in the state {test.state}: {test.outcome}, {test.result}",
        )
        for test in tests
        if test.case.tool in not_enough and test.grade == "fail" and test.counts
    ]


def scenario_faults(tests: Sequence[JudgedTest]) -> list[Finding]:
    """What was tried on rows, or asked, that no tool can do right: for whoever reads the report."""
    return [
        Finding(
            tool=test.case.tool,
            criterion="results",
            severity="warning",
            message=f"{test.case.tool}: not the tool is at fault but what it was tried on. {test.reason}".strip(),
            snippet=f"called with {test.case.arguments!r} in the state {test.state}",
        )
        for test in tests
        if not test.counts
    ]


async def _observe(inspected: Inspected, session: Session, place: _Place, number: int, case: TestCase) -> ObservedTest:
    rows = _named(inspected, WorldRows(inspected.keys, await session.snapshot()), case)
    before = await session.changes()
    result = await session.call(case.tool, case.arguments, principal=inspected.tools[case.tool].principal)
    if result.outcome == "infrastructure":
        raise InfrastructureFault(result.error or f"{case.tool} could not be called")
    done = since(before, await session.changes()) if result.ok else []
    return ObservedTest(
        number=number,
        state=place.state,
        session=place.session,
        case=case,
        rows=rows,
        outcome=result.outcome,
        result=_text(result),
        changes=[row_change(change) for change in done],
    )


def _named(inspected: Inspected, world: WorldRows, case: TestCase) -> list[RowShown]:
    """The rows that the arguments name by a key, each once."""
    parameters = inspected.parameters(case.tool, world)
    rows = dict.fromkeys(row for name, value in case.arguments.items() for row in parameters.named(name, value))
    return [shown(row[0], world.by_id[row]) for row in rows][:ROWS_NAMED]


async def _graded(asking: Asking, inspected: Inspected, observed: Sequence[ObservedTest]) -> dict[int, CheckedTest]:
    return {checked.number: checked for checked in await checker.ask(asking, inspected, observed)}


def _seen(inspected: Inspected, tests: Sequence[ObservedTest | JudgedTest]) -> list[ToolSeen]:
    return [_seen_of(tool, [test for test in tests if test.case.tool == tool]) for tool in inspected.tools]


def _seen_of(tool: str, tests: Sequence[ObservedTest | JudgedTest]) -> ToolSeen:
    refused = [test for test in tests if test.outcome != "ok"]
    worked = len(tests) - len(refused)
    return ToolSeen(
        tool=tool,
        worked=worked,
        refused=len(refused),
        last_refusal=refused[-1].result if refused else "",
    )


def _with_grade(made: _Made, checked: CheckedTest) -> JudgedTest:
    return JudgedTest(
        state=made.place.state,
        session=made.place.session,
        round=made.round,
        case=made.test.case,
        outcome=made.test.outcome,
        result=made.test.result[:200],
        grade=checked.grade,
        reason=checked.reason,
        at_fault=checked.at_fault,
    )


def _text(result: CallResult) -> str:
    return orjson.dumps(result.value).decode()[:RESULT_CHARS] if result.ok else (result.error or "")[:RESULT_CHARS]

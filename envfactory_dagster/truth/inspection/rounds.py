"""The two agents at work: the tester's calls are made, the checker grades them, and so on for some rounds.

Belongs here: making the calls and carrying what was seen from round to round. Does not: either agent.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Sequence

import orjson

from envfactory_dagster.authoring.trials.changes import since
from envfactory_dagster.authoring.trials.world import World
from envfactory_dagster.contracts.calls import CallResult, Change
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.inspection import JudgedTest, TestCase
from envfactory_dagster.contracts.requests import CheckedTest, ObservedTest, ToolSeen
from envfactory_dagster.contracts.truth import RowChange
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.truth.inspection import checker, tester
from envfactory_dagster.truth.inspection.bench import Bench

TESTS_OF_A_TOOL = 4
"""In one round."""
RESULT_CHARS = 4_000


async def play(gateway: Gateway, caller: Caller, bench: Bench, rounds: int) -> list[JudgedTest]:
    """All rounds in one session, which goes on from where the calls leave it."""
    judged = list[JudgedTest]()
    async with await bench.laboratory.runtime.open(bench.laboratory.bundle, state=INITIAL_STATE) as session:
        for round in range(1, rounds + 1):
            world = World(bench.keys, await session.snapshot())
            cases = await tester.ask(gateway, caller, bench, world, round, _seen(bench, judged), TESTS_OF_A_TOOL)
            observed = [await _observe(bench, session, number, case) for number, case in enumerate(cases)]
            grades = await _graded(gateway, caller, bench, observed)
            judged += [_judged(round, test, grades[test.number]) for test in observed if test.number in grades]
    return judged


def score(tests: Sequence[JudgedTest]) -> float:
    """EnvScaler's pass rate over all tests: what works with a warning works. Without any test there is nothing that
    speaks for the environment."""
    return sum(test.grade != "fail" for test in tests) / len(tests) if tests else 0.0


async def _observe(bench: Bench, session: Session, number: int, case: TestCase) -> ObservedTest:
    before = await session.changes()
    result = await session.call(case.tool, case.arguments, principal=bench.tools[case.tool].principal)
    if result.outcome == "infrastructure":
        raise InfrastructureFault(result.error or f"{case.tool} could not be called")
    done = since(before, await session.changes()) if result.ok else []
    return ObservedTest(
        number=number,
        case=case,
        outcome=result.outcome,
        result=_text(result),
        changes=[_row_change(change) for change in done],
    )


async def _graded(
    gateway: Gateway, caller: Caller, bench: Bench, observed: Sequence[ObservedTest]
) -> dict[int, CheckedTest]:
    by_tool = defaultdict[str, list[ObservedTest]](list)
    for test in observed:
        by_tool[test.case.tool].append(test)
    asked = (checker.ask(gateway, caller, bench, tool, tests) for tool, tests in by_tool.items())
    return {checked.number: checked for found in await asyncio.gather(*asked) for checked in found}


def _seen(bench: Bench, judged: Sequence[JudgedTest]) -> list[ToolSeen]:
    return [_seen_of(tool, [test for test in judged if test.case.tool == tool]) for tool in bench.tools]


def _seen_of(tool: str, tests: Sequence[JudgedTest]) -> ToolSeen:
    refused = [test for test in tests if test.outcome != "ok"]
    worked = len(tests) - len(refused)
    grades = Counter(test.grade for test in tests)
    return ToolSeen(
        tool=tool,
        worked=worked,
        refused=len(refused),
        last_refusal=refused[-1].result if refused else "",
        passed=grades["pass"],
        warned=grades["warning"],
        failed=grades["fail"],
    )


def _judged(round: int, test: ObservedTest, checked: CheckedTest) -> JudgedTest:
    return JudgedTest(
        round=round,
        case=test.case,
        outcome=test.outcome,
        result=test.result[:200],
        grade=checked.grade,
        reason=checked.reason,
    )


def _text(result: CallResult) -> str:
    return orjson.dumps(result.value).decode()[:RESULT_CHARS] if result.ok else (result.error or "")[:RESULT_CHARS]


def _row_change(change: Change) -> RowChange:
    return RowChange.model_validate(
        {"table": change.table, "key": list(change.key), "before": change.before, "after": change.after}
    )

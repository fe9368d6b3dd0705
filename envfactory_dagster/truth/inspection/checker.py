"""The checker: sees a tool's source, what calls gave back and what they changed, and grades each call.

Belongs here: what it is told and shown. Does not: the calls (`rounds`), and what can be found out without it
(`examination`).
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from envfactory_dagster.authoring.loop import ATTEMPTS, UNUSABLE_IN_A_ROW, Question
from envfactory_dagster.authoring.parts import UNUSABLE_BEFORE_HALVING
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.judge_requests import (
    CheckedTest,
    InspectionCheckAnswer,
    InspectionCheckContext,
    ObservedTest,
    ToolChecked,
)
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.tool_signatures import HOW_TO_READ, ToolSignature
from envfactory_dagster.truth.inspection.asking import Asking
from envfactory_dagster.truth.inspection.inspected import Inspected

INSTRUCTIONS = f"""\
You review calls of the `tools` of a service. You see the `rules` of the service, of each tool its interface and its
code, and for every call the arguments, what a tester expected (knowing the interface only), the `rows` that the
arguments name by a key, as they were before the call, what came of it and every row that changed. The calls were made
in several states, and each `state` is a database of its own, with other people and rows, at the time in `clocks`: what
is in one says nothing of another. Calls of one `session` were made one after the other, in the order of their numbers,
others of them by other tools; every session begins with its state as it was at first. You see no other rows: take none
for missing because it is not shown.

Grade each call, the last with the same care as the first, under its `number`, by what the tool should have done, not by
whether the tester guessed right:
- `pass`: what it did is what its interface, the rules and its own words promise. To refuse what a rule, a bound or a
  missing row forbids is a pass, and so is a result that is rightly empty.
- `warning`: it did the right thing in a poor way: a refusal that nobody could act on, a bound that is not checked.
- `fail`: a wrong or missing change, a change beside the point, a result that contradicts the rows, a forbidden thing
  done, a permitted one refused, an exception.
Compare the result with the changed rows field by field. For warnings and failures give the `reason` in a sentence.

For failures say what is `at_fault`: `code` where the tool is wrong; `scenario` where no tool could have done better,
because the rows it found contradict the rules or each other, or the test asks for what cannot be.

{HOW_TO_READ}
"""


MOST_CALLS = 80
"""Graded in one answer, as nearly as can be where those of a tool stay together."""
MOST_CHARS = 160_000
"""Of tools, code and calls in one question."""


async def ask(asking: Asking, inspected: Inspected, observed: Sequence[ObservedTest]) -> list[CheckedTest]:
    """The grades of calls. What an answer leaves out, or no one can read, is asked for again, and nothing else; what
    has no grade in the end goes without one."""
    graded: dict[int, CheckedTest] = {}
    given_up = set[int]()
    for number in range(1, ATTEMPTS + 1):
        missing = [test for test in observed if test.number not in graded.keys() | given_up]
        batches = _batched([_checked(inspected, tool, tests) for tool, tests in _by_tool(missing)])
        apart = [asking.apart() for _ in batches]
        asked = (_ask(one, inspected, batch, number) for one, batch in zip(apart, batches, strict=True))
        for found in await asyncio.gather(*asked):
            graded |= found.graded
            given_up |= found.given_up
        asking.attempts.extend(attempt for one in apart for attempt in one.attempts)
    return [graded[test.number] for test in observed if test.number in graded]


@dataclass(frozen=True, slots=True)
class _Found:
    graded: dict[int, CheckedTest]
    given_up: set[int]
    """No answer about these can be read."""


async def _ask(asking: Asking, inspected: Inspected, tools: Sequence[ToolChecked], number: int) -> _Found:
    """Where there is no answer to so many calls, each half of the tools is asked about alone."""
    context = InspectionCheckContext(
        rules=inspected.bundle.theme.rules,
        clocks={test.state: _clock(inspected, test.state) for one in tools for test in one.observed},
        tools=list(tools),
    )
    question = Question("inspection_check", InspectionCheckAnswer, INSTRUCTIONS, context)
    patience = UNUSABLE_IN_A_ROW if len(tools) == 1 else UNUSABLE_BEFORE_HALVING
    answer, _ = await asking.once(question, number, patience)
    wanted = {test.number for one in tools for test in one.observed}
    if answer is None and len(tools) > 1:
        middle = len(tools) // 2
        first, second = [await _ask(asking, inspected, half, number) for half in (tools[:middle], tools[middle:])]
        return _Found(first.graded | second.graded, first.given_up | second.given_up)
    if answer is None:
        return _Found({}, wanted)
    graded = {grade.number: grade for grade in answer.value.tests if grade.number in wanted}
    missing = [f"The test with the number {n} has no grade." for n in sorted(wanted - graded.keys())]
    problems = [Problem(fault="test", message=message) for message in missing]
    asking.attempts[-1] = asking.attempts[-1].model_copy(update={"problems": problems})
    return _Found(graded, set())


def _clock(inspected: Inspected, state: str) -> str:
    """The emptied state is made from the first one and has its clock."""
    states = inspected.bundle.states
    return states.get(state, states[INITIAL_STATE]).clock


def _by_tool(tests: Sequence[ObservedTest]) -> Iterator[tuple[str, list[ObservedTest]]]:
    in_order = sorted(tests, key=lambda test: test.case.tool)
    for tool, found in groupby(in_order, key=lambda test: test.case.tool):
        yield tool, list(found)


def _checked(inspected: Inspected, tool: str, tests: Sequence[ObservedTest]) -> ToolChecked:
    return ToolChecked(
        tool=ToolSignature.of(inspected.tools[tool]), source=inspected.source(tool), observed=list(tests)
    )


def _batched(tools: Sequence[ToolChecked]) -> list[list[ToolChecked]]:
    """As few batches as there must be, of about the same number of calls."""
    sizes = [(len(one.observed), len(one.model_dump_json())) for one in tools]
    calls, chars = sum(size for size, _ in sizes), sum(size for _, size in sizes)
    count = max(-(-calls // MOST_CALLS), -(-chars // MOST_CHARS))
    batches = list[list[ToolChecked]]()
    calls_in, chars_in, calls_each = 0, 0, calls / max(1, count)
    for one, (own_calls, own_chars) in zip(tools, sizes, strict=True):
        if not batches or calls_in >= calls_each or chars_in + own_chars > MOST_CHARS:
            batches.append([])
            calls_in, chars_in = 0, 0
        batches[-1].append(one)
        calls_in, chars_in = calls_in + own_calls, chars_in + own_chars
    return batches

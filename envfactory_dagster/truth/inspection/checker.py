"""The checker: sees a tool's source, what calls gave back and what they changed, and grades each call.

Belongs here: what it is told and shown. Does not: the calls (`rounds`), and what can be found out without it
(`examination`).
"""

from collections.abc import Sequence

from envfactory_dagster.authoring.loop import Question
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.requests import (
    CheckedTest,
    InspectionCheckAnswer,
    InspectionCheckContext,
    ObservedTest,
)
from envfactory_dagster.truth.inspection.asking import Asking
from envfactory_dagster.truth.inspection.bench import Bench

INSTRUCTIONS = """\
You review calls of one tool of a service. You see its interface, its code, the `rules` of the service, and for every
call the arguments, what a tester expected (knowing the interface only), what came of it and every row that changed.

Grade each call by what the tool should have done, not by whether the tester guessed right:
- `pass`: what it did is what its interface, the rules and its own words promise. To refuse what a rule, a bound or a
  missing row forbids is a pass, and so is a result that is rightly empty.
- `warning`: it did the right thing in a poor way: a refusal that nobody could act on, a bound that is not checked.
- `fail`: a wrong or missing change, a change beside the point, a result that contradicts the rows, a forbidden thing
  done, a permitted one refused, an exception.
Compare the result with the changed rows field by field. For warnings and failures give the `reason` in a sentence.

For failures say what is `at_fault`: `code` where the tool is wrong; `scenario` where no tool could have done better,
because the rows it found contradict the rules or each other, or the test asks for what cannot be.
"""


async def ask(asking: Asking, bench: Bench, tool: str, observed: Sequence[ObservedTest]) -> list[CheckedTest]:
    """The grades of some calls of one tool. What an answer leaves out, or no one can read, is asked for again; what
    has no grade in the end goes without one."""
    context = InspectionCheckContext(
        rules=bench.bundle.theme.rules,
        tool=bench.tools[tool],
        source=bench.source(tool),
        observed=list(observed),
    )
    graded: dict[int, CheckedTest] = {}

    async def gate(answer: InspectionCheckAnswer) -> list[Problem]:
        graded.update((checked.number, checked) for checked in answer.tests)
        missing = [test.number for test in observed if test.number not in graded]
        return [Problem(fault="test", message=f"The test with the number {n} has no grade.") for n in missing]

    await asking.until_accepted(Question("inspection_check", InspectionCheckAnswer, INSTRUCTIONS, context), gate)
    return [graded[test.number] for test in observed if test.number in graded]

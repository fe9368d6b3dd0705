"""The tester: thinks of calls that try the tools, from the interface and the rows alone.

Belongs here: what it is told and shown. Does not: making the calls (`rounds`), and judging them (`checker`).
"""

from collections.abc import Sequence

from envfactory_dagster.authoring.loop import Question
from envfactory_dagster.authoring.samples import ROWS_OF_A_TABLE
from envfactory_dagster.authoring.trials.world import USER_ID, WorldRows
from envfactory_dagster.contracts.database import Table, TableRows
from envfactory_dagster.contracts.inspection import TestCase
from envfactory_dagster.contracts.judge_requests import (
    InspectionTestsAnswer,
    InspectionTestsContext,
    LimitToTest,
    ToolSeen,
)
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.requests import ToolOutside
from envfactory_dagster.truth.inspection.asking import Asking
from envfactory_dagster.truth.inspection.inspected import Inspected

INSTRUCTIONS = f"""\
You test the tools of a service from outside. You see what each is for and what it takes, and the rows of its database
as they are now; you do not see its code. `row_counts` says how many rows each table has; of a longer one `rows` holds
the first {ROWS_OF_A_TABLE} alone, so that there are others which you do not see: for a row that does not exist take a
key far beyond them. The person who is served is row `user_id` of the first table.

Write `tests_of_a_tool` tests for every one of `tools`, half of them positive; of a tool without parameters, which
nothing can be asked wrongly of and which always does the same, a single one, positive:
- `positive: true`: arguments from the rows with which the tool has to succeed: rows that exist, belong to the user and
  are in a state that fits; values within every bound.
- `positive: false`: arguments of the right types that it has to refuse: a row that does not exist, one that is
  somebody else's, one in a state that forbids it, an amount just beyond a bound, text that says nothing.
`expectation` says in a sentence what should come of it. A tool that has nothing to refuse, such as a list or a search
that anybody may ask for, has positive tests only, one of them such that it rightly finds nothing.

A service may have nothing recorded yet. Where a table has no rows, a list of them is rightly empty and whatever names
one is refused; a tool that needs rows which are not there has negative tests only.

All calls are made in one session, in the order in which you give them, and one round after the other: what a call
changes stays changed for every call after it. A row that an earlier test cancels is cancelled; expect of each test what
fits the rows as they are then.

`state` is the database of this round. Earlier rounds may have been made in others, with other people and rows: what a
call named or changed there says nothing of the rows here. `seen` tells how the tools did in all of them: how many calls
worked and were refused. Where no call has worked yet, use what the last refusal said. Do not repeat earlier arguments;
vary them with `round`.

Where `limits` is not empty, write no such tests but tests of these numbers, which no test has met yet: for each, the
calls that lead up to it, the last one that its `rule` still allows, and the first one that it does not. The rule
counts, whatever a tool says of itself. Leave out what no call from these rows can come to.
"""


async def ask(
    asking: Asking,
    inspected: Inspected,
    world: WorldRows,
    state: str,
    clock: str,
    round: int,
    seen: Sequence[ToolSeen],
    each: int,
    limits: Sequence[LimitToTest] = (),
) -> list[TestCase]:
    """The tests of one round, or of limits. A tool without a test is asked for again; tests of unknown tools are left
    out."""
    context = InspectionTestsContext(
        tools=[ToolOutside.of(tool) for tool in inspected.bundle.tools],
        tables=[Table(name=table.name, ddl=table.sql) for table in inspected.schema.tables.values()],
        user_id=USER_ID,
        tests_of_a_tool=each,
        state=state,
        clock=clock,
        row_counts={name: len(world.of(name)) for name in inspected.schema.tables},
        rows=[_rows(world, name) for name in inspected.schema.tables if world.of(name)],
        round=round,
        seen=list(seen),
        limits=list(limits),
    )
    thought_of = list[TestCase]()

    async def gate(answer: InspectionTestsAnswer) -> list[Problem]:
        if limits:
            thought_of[:] = [test for test in answer.tests if test.tool in inspected.tools]  # a call may come twice
            return []
        thought_of.extend(test for test in answer.tests if test.tool in inspected.tools and test not in thought_of)
        tested = {test.tool for test in thought_of}
        return [Problem(fault="test", message=f"There is no test of {n}.") for n in inspected.tools if n not in tested]

    await asking.until_accepted(Question("inspection_tests", InspectionTestsAnswer, INSTRUCTIONS, context), gate)
    return thought_of


def _rows(world: WorldRows, table: str) -> TableRows:
    rows = world.of(table)[:ROWS_OF_A_TABLE]
    return TableRows(table=table, columns=list(rows[0]), rows=[list(row.values()) for row in rows])

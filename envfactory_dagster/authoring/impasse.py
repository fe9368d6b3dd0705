"""The way out when functions cannot be accepted: whether the code is at fault, or what it rests on.

Belongs here: the one question about it, its gate, and what it lets be changed. Does not: writing functions
(`server_code`), or what rows and specifications have to be (`seed_rows`, `tool_spec`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from envfactory_dagster.authoring import tool_spec
from envfactory_dagster.authoring.loop import Authored, Question, author
from envfactory_dagster.authoring.seed_rows import StateAuthor
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.database import SeedRows
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.requests import ServerCodeImpasseAnswer, ServerCodeImpasseContext, ToolImpasse
from envfactory_dagster.contracts.tools import ToolDefinition

INSTRUCTIONS = """\
The functions of `stuck` were written several times for the service that `theme` describes, and are still refused:
`problems` says why, `source` and `good_call` are what was given last. `tables` is the database, `sample_rows` its rows
at the time `clock`, `tasks` what people bring. Find out for each of `stuck` what is at fault:

- `code`: another function could be right as everything else is. That is the usual case.
- `spec`: no honest function can be right, because the tool is specified wrongly: a result that has to show what may be
  missing, a parameter that names nothing, a promise that the tables cannot keep. Then give the whole `definition` as it
  has to be: the same name and principal, as much as possible as it was, in the form it has.
- `rows`: no call can succeed, because the rows contradict a rule of the theme: the user has more open orders already
  than a rule allows, say. A rule is never weakened for the sake of rows. Where a few calls of other tools first would
  let it succeed, the rows are right.

`reason` says in a sentence what has to be changed, and where; for rows, which of them. `needed_by` names the tasks that
cannot be done without the tool; empty when there are none.
"""


@dataclass(frozen=True)
class Reopened:
    """What the code has to fit from now on, and why that is another thing than before."""

    tools: list[ToolDefinition]
    seed: SeedRows
    unneeded: set[str] = field(default_factory=set)
    """Those of the tools in question that no task needs."""
    changes: list[dict[str, Json]] = field(default_factory=list)
    """For a person: what was changed, and why."""
    attempts: list[Attempt] = field(default_factory=list)


async def reopen(
    rows_of: StateAuthor, context: ServerCodeImpasseContext, tools: Sequence[ToolDefinition], seed: SeedRows
) -> Reopened:
    """Ask whose fault it is, and let be changed what is: the specification of single tools, the rows of the first
    state."""
    asked = await _ask(rows_of, context, tools)
    if asked.value is None:
        return Reopened(list(tools), seed, attempts=asked.attempts)
    found, attempts = asked.value.tools, list(asked.attempts)
    mended = {one.tool: one.definition for one in found if one.definition is not None}
    changes: list[dict[str, Json]] = [
        {"changed": f"the specification of {one.tool}", "why": one.reason} for one in found if one.tool in mended
    ]
    impossible = [one for one in found if one.at_fault == "rows"]
    if impossible:
        rows_of.accepted.update({state.name: state for state in seed.states if state.name != INITIAL_STATE})
        initial = next(state for state in seed.states if state.name == INITIAL_STATE)
        why = " ".join(f"{one.tool} can never succeed: {one.reason}" for one in impossible)
        demand = f"{why} Change the rows that stand in the way, and no others; the rules stay as they are."
        rows = await rows_of.ask(INITIAL_STATE, mend=(initial, demand))
        attempts += rows.attempts
        if rows.value is not None:
            states = [rows_of.accepted.get(state.name, state) for state in seed.states]
            seed = SeedRows(states=states)
            changes.append({"changed": f"the rows of the state {INITIAL_STATE}", "why": why})
    return Reopened(
        [mended.get(tool.name, tool) for tool in tools],
        seed,
        {one.tool for one in found if not one.needed_by},
        changes,
        attempts,
    )


async def _ask(
    rows_of: StateAuthor, context: ServerCodeImpasseContext, tools: Sequence[ToolDefinition]
) -> Authored[ServerCodeImpasseAnswer]:
    async def gate(answer: ServerCodeImpasseAnswer) -> list[Problem]:
        problems = [*_problems_of(answer.tools, context)]
        mended = {one.tool: one.definition for one in answer.tools if one.definition is not None}
        if not problems and mended:
            changed = [mended.get(tool.name, tool) for tool in tools]
            least = rows_of.settings.least_tools
            problems += tool_spec.problems_of(changed, context.tasks, context.tables, context.sample_rows, least)
        return problems

    return await author(
        rows_of.gateway,
        rows_of.caller,
        Question("server_code_impasse", ServerCodeImpasseAnswer, INSTRUCTIONS, context),
        gate,
        attempts=rows_of.settings.attempts,
    )


def _problems_of(found: Sequence[ToolImpasse], context: ServerCodeImpasseContext) -> Iterator[Problem]:
    stuck = {one.tool.name: one.tool for one in context.stuck}
    said = Counter(one.tool for one in found)
    for name in sorted(stuck.keys() | said.keys()):
        if name not in stuck:
            yield _problem(f"{name} is none of the tools in question; they are {', '.join(stuck)}.")
        elif said[name] != 1:
            yield _problem(f"Say once whose fault it is that {name} is refused; it is said {said[name]} times.")
    tasks = {task.id for task in context.tasks}
    for one in found:
        if unknown := [task for task in one.needed_by if task not in tasks]:
            yield _problem(f"{one.tool}: there is no task {', '.join(unknown)}.")
        if (one.definition is None) is (one.at_fault == "spec"):
            yield _problem(f"{one.tool}: it has a `definition` where the specification is at fault, and only there.")
        elif one.definition is not None and one.tool in stuck:
            was = stuck[one.tool]
            if (one.definition.name, one.definition.principal) != (was.name, was.principal):
                yield _problem(f"{one.tool}: its name and its principal stay {was.name} and {was.principal}.")
            elif one.definition == was:
                yield _problem(f"{one.tool}: its definition is the same as before.")


def _problem(message: str) -> Problem:
    return Problem(fault="spec", message=message)

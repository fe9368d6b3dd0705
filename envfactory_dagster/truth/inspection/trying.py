"""The trials of the authoring gate once more, with calls that were found instead of calls that an author gave.

Belongs here: turning what exploration found into trials. Does not: the trials (`authoring.trials`).
"""

import asyncio
import re
from collections.abc import Iterator

from envfactory_dagster.authoring.trials import changes, reading, whole
from envfactory_dagster.authoring.trials.trial import ToolTrial
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.inspection import Criterion, Finding
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.requests import ToolFunction
from envfactory_dagster.contracts.tools import ToolCall, ToolTest
from envfactory_dagster.runtime.facts import screen_tools
from envfactory_dagster.truth.inspection.exploration import Called, Exploration, first_good
from envfactory_dagster.truth.inspection.inspected import Inspected

_BEYOND = re.compile(r"which neither its arguments nor the user's id lead to")
_LOST = re.compile(r"it takes a row of (.+) that belongs to somebody else")

TRIALS = 3
"""Of one tool, each around another call that works."""


def of_reading(inspected: Inspected) -> Iterator[Finding]:
    """What the code shows without being run."""
    bundle = inspected.bundle
    screened = screen_tools(bundle.tools_source, files=bundle.storage == "files")
    screened = [problem for problem in screened if problem.rule != "duplicate-name"]
    for problem in (*screened, *inspected.facts.problems):
        yield Finding(
            tool=_tool_of(inspected, problem.function),
            criterion="execution",
            severity="fail",
            message=problem.sentence,
            snippet=problem.snippet,
        )
    for name, tool in inspected.tools.items():
        for found in reading.problems_of(tool, inspected.facts.tools[name], inspected.source(name), inspected.keys):
            yield _finding(name, "interface", found)


async def of_calling(inspected: Inspected, exploration: Exploration) -> list[Finding]:
    """What the gate's own calls show, around up to three calls of each tool that work."""
    trials = [
        ToolTrial(inspected.under_trial, inspected.tools[tool], _function(inspected, call))
        for tool in inspected.tools
        for call in _different(first_good(exploration, tool))
    ]
    found = await asyncio.gather(*(trial.run() for trial in trials))
    return [
        _finding(trial.tool.name, "execution" if "breaks" in problem.message else "results", problem)
        for trial, problems in zip(trials, found, strict=True)
        for problem in problems
        if not _is_a_coincidence(inspected, trial, problem)
    ]


async def of_the_tests(inspected: Inspected) -> list[Finding]:
    """What the tests say that the tools' author wrote beside them."""
    tests = inspected.bundle.tool_tests
    trials = [
        ToolTrial(inspected.under_trial, inspected.tools[tool], _tested(inspected, tool, tests[tool])) for tool in tests
    ]
    found = await asyncio.gather(*(trial.run() for trial in trials))
    return [
        _finding(trial.tool.name, "results", problem)
        for trial, problems in zip(trials, found, strict=True)
        for problem in problems
    ]


def of_the_whole(inspected: Inspected) -> Iterator[Finding]:
    """Tables nobody touches, and rules whose numbers nobody knows."""
    rows = [row for world in inspected.worlds.values() for row in world.rows()]
    bundle = inspected.bundle
    found = whole.problems_of(bundle.theme, inspected.schema, rows, bundle.tools, inspected.facts, bundle.tools_source)
    for tool, problems in found.items():
        yield from (_finding(tool, "results", problem).model_copy(update={"of_all": True}) for problem in problems)


def _is_a_coincidence(inspected: Inspected, trial: ToolTrial, problem: Problem) -> bool:
    """What the gate may say of calls that an author chose, and not of calls that were found. It finds fault with the
    calls themselves, knows the rows of the start only, and takes a row for meant by any column that a tool writes."""
    if problem.fault == "test":
        return True
    if trial.function.before and _BEYOND.search(problem.message):
        return True
    lost = _LOST.search(problem.message)
    if lost is None:
        return False
    named = {column.table for name in trial.parameters.schemas if (column := trial.parameters.key(name)) is not None}
    return not named & set(lost[1].split(" and "))


def of_the_calls(inspected: Inspected, exploration: Exploration) -> Iterator[Finding]:
    """What is wrong with calls as they were made: they break, or say something else than they did."""
    for call in exploration.calls:
        shown = f"called with {call.arguments!r} from the state {call.state}"
        if call.result.outcome == "environment":
            yield Finding(
                tool=call.tool,
                criterion="execution",
                severity="fail",
                message=f"{call.tool} breaks: {call.result.error}",
                snippet=shown,
            )
        elif call.result.ok:
            world = inspected.worlds[call.state]
            for problem in changes.of_the_echo(call.tool, call.arguments, call.result.value, call.changes, world):
                yield _finding(call.tool, "state", problem)


def _different(calls: list[Called]) -> list[Called]:
    """Calls from the initial state that are not alike in what they change; those that change nothing only where all
    do: an author would not show a command by one of them."""
    by_outcome = dict[str, Called]()
    changing = [call for call in calls if call.changes] or calls
    for call in (call for call in changing if call.state == INITIAL_STATE):
        kinds = sorted((change.table, change.kind, str((change.after or {}).get("status"))) for change in call.changes)
        by_outcome.setdefault(repr((kinds, sorted(call.arguments))), call)
    return list(by_outcome.values())[:TRIALS]


def _function(inspected: Inspected, call: Called) -> ToolFunction:
    """What an author would have given. There is no bad call: the gate thinks up its own."""
    return ToolFunction(
        name=call.tool,
        source=inspected.source(call.tool),
        good_call=call.arguments,
        before=[ToolCall(tool=step.tool, arguments=step.arguments) for step in call.before],
        bad_call=call.arguments,
    )


def _tested(inspected: Inspected, tool: str, test: ToolTest) -> ToolFunction:
    return ToolFunction(name=tool, source=inspected.source(tool), **dict(test))


def _tool_of(inspected: Inspected, function: str) -> str:
    if function in inspected.tools:
        return function
    return next((name for name, fact in inspected.facts.tools.items() if function in fact.helpers), "")


def _finding(tool: str, criterion: Criterion, problem: Problem) -> Finding:
    return Finding(tool=tool, criterion=criterion, severity="fail", message=problem.message, snippet=problem.snippet)

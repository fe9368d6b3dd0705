"""The gate of server code: everything about a set of functions, tool by tool.

Belongs here: the order of the checks and whose problem each finding is. Does not: any single check.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from envfactory_dagster.authoring.tool_module import ToolModule
from envfactory_dagster.authoring.trials import reading, whole
from envfactory_dagster.authoring.trials.keys import Keys
from envfactory_dagster.authoring.trials.trial import ToolTrial
from envfactory_dagster.authoring.trials.under_trial import ModuleUnderTrial
from envfactory_dagster.authoring.trials.world import WorldRows
from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.database import SeedRows
from envfactory_dagster.contracts.domain import Theme
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.file_layout import FilesLayout
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.requests import ToolFunction
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.runtime import databases
from envfactory_dagster.runtime import facts as facts_of
from envfactory_dagster.runtime.facts import Schema, ToolFacts, analyze_tools, screen_tools
from envfactory_dagster.runtime.file_tables import layout_of_tables
from envfactory_dagster.runtime.runtime import Runtime

Problems = dict[str, list[Problem]]


@dataclass(frozen=True)
class CodeBasis:
    """What tool code is held against: everything that was accepted before it."""

    theme: Theme
    schema: Schema
    states: Mapping[str, State]
    tools: Sequence[ToolDefinition]
    layout: FilesLayout | None = None
    """Only where the state is files."""

    @classmethod
    async def of(
        cls, runtime: Runtime, theme: Theme, schema: Schema, seed: SeedRows, tools: Sequence[ToolDefinition]
    ) -> "CodeBasis":
        layout = layout_of_tables(schema) if theme.storage == "files" else None
        return cls(theme, schema, await databases.build_states(runtime, schema.sql, seed), tools, layout)


@dataclass(frozen=True)
class TriedModule:
    """What came of trying functions: the module they make, and for every tool what is wrong with it."""

    source: str
    facts: ToolFacts
    problems: Problems


async def try_functions(runtime: Runtime, basis: CodeBasis, functions: Mapping[str, ToolFunction]) -> TriedModule:
    """Read every function, call those that read well, and look at all of them together."""
    module, unfit = _assembled(basis, functions)
    source = module.source()
    facts = await asyncio.to_thread(analyze_tools, source, basis.schema.sql)
    problems = [unfit, _as_read(basis, functions, facts, module)]
    sound = {name: function for name, function in functions.items() if not any(found.get(name) for found in problems)}
    problems.append(await _as_called(runtime, basis, sound, facts))
    if len(sound) == len(basis.tools):
        problems.append(_as_a_whole(basis, facts, source))
    merged = {name: [p for found in problems for p in found.get(name, [])] for name in functions}
    return TriedModule(source, facts, {name: found for name, found in merged.items() if found})


def _assembled(basis: CodeBasis, functions: Mapping[str, ToolFunction]) -> tuple[ToolModule, Problems]:
    """One module, in the order of the specification."""
    module = ToolModule(f"The tools of {basis.theme.name}.")
    return module, {tool.name: module.add(functions[tool.name]) for tool in basis.tools if tool.name in functions}


def _as_read(basis: CodeBasis, functions: Mapping[str, ToolFunction], facts: ToolFacts, module: ToolModule) -> Problems:
    """The allow-list, the binding of every statement, and what else can be seen without running."""
    found: Problems = {}
    of_files = basis.layout is not None
    for name, function in functions.items():
        found[name] = [_of_reading(name, problem) for problem in screen_tools(function.source, files=of_files)]
    for problem in facts.problems:
        owner = module.owners.get(problem.function, "")
        if owner in found:
            found[owner].append(_of_reading(owner, problem))
    keys = Keys(basis.schema)
    for tool in basis.tools:
        if tool.name in facts.tools and tool.name in functions and not found[tool.name]:
            fact, source = facts.tools[tool.name], functions[tool.name].source
            found[tool.name] = reading.problems_of(tool, fact, source, keys)
    return found


def _as_a_whole(basis: CodeBasis, facts: ToolFacts, source: str) -> Problems:
    worlds = [WorldRows(Keys(basis.schema), state.image) for state in basis.states.values()]
    rows = [row for world in worlds for row in world.rows()]
    return whole.problems_of(basis.theme, basis.schema, rows, basis.tools, facts, source)


def _of_reading(tool: str, problem: facts_of.CodeProblem) -> Problem:
    return Problem(fault="code", message=f"{tool}: {problem.sentence}", snippet=problem.snippet)


async def _as_called(
    runtime: Runtime, basis: CodeBasis, functions: Mapping[str, ToolFunction], facts: ToolFacts
) -> Problems:
    if not functions:
        return {}
    under_trial = await _under_trial(runtime, basis, functions, facts)
    waiting = {tool.name for tool in basis.tools} - functions.keys()
    trials = [
        ToolTrial(under_trial, tool, functions[tool.name])
        for tool in under_trial.bundle.tools
        if not any(call.tool in waiting for call in functions[tool.name].before)
    ]
    try:
        found = await asyncio.gather(*(trial.run() for trial in trials), return_exceptions=True)
    finally:
        runtime.retire(under_trial.bundle)
    for failure in found:
        if isinstance(failure, EnvironmentFault):
            return {name: [Problem(fault="code", message=str(failure))] for name in functions}
        if isinstance(failure, BaseException):
            raise failure
    return {trial.tool.name: trial.problems for trial in trials}


async def _under_trial(
    runtime: Runtime, basis: CodeBasis, functions: Mapping[str, ToolFunction], facts: ToolFacts
) -> ModuleUnderTrial:
    """A bundle of nothing but these tools."""
    bundle = Bundle(
        theme=basis.theme,
        tasks=[],
        schema_sql=basis.schema.sql,
        seed_sql="",
        states=dict(basis.states),
        tools=[tool for tool in basis.tools if tool.name in functions],
        tools_source=_assembled(basis, functions)[0].source(),
        server_source="",
        storage=basis.theme.storage,
        layout=basis.layout,
    )
    return await ModuleUnderTrial.of(runtime, bundle, basis.schema, facts.tools, functions)

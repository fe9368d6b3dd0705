"""A bundle under inspection: its tools read and bound, its rows at hand, and a world in which the user owns nothing.

Belongs here: what every part of the inspection works with. Does not: any finding.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from envfactory_dagster.authoring.trials.calls import Parameters
from envfactory_dagster.authoring.trials.keys import Keys
from envfactory_dagster.authoring.trials.under_trial import ModuleUnderTrial
from envfactory_dagster.authoring.trials.world import WorldRows
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.text_bounds import python_tree
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.runtime.facts import USER, Schema, ToolFact, ToolFacts, analyze_tools, load_schema
from envfactory_dagster.runtime.runtime import Runtime


@dataclass(frozen=True)
class Inspected:
    """One bundle under inspection."""

    bundle: Bundle
    schema: Schema
    facts: ToolFacts
    under_trial: ModuleUnderTrial

    @classmethod
    async def of(cls, runtime: Runtime, bundle: Bundle) -> "Inspected":
        schema = load_schema(bundle.schema_sql)
        facts = analyze_tools(bundle.tools_source, bundle.schema_sql)
        missing = [tool.name for tool in bundle.tools if tool.name not in facts.tools]
        if missing:
            raise EnvironmentFault(f"The tools of {bundle.key} cannot be read: there is no {', '.join(missing)}.")
        tried = replace(bundle, tasks=[], solutions={}, verifiers={}, inspection=None)
        under_trial = await ModuleUnderTrial.of(runtime, tried, schema, facts.tools, bundle.tool_tests)
        return cls(bundle, schema, facts, under_trial)

    @cached_property
    def worlds(self) -> dict[str, WorldRows]:
        """Every state a task can start in."""
        return {name: WorldRows(self.keys, state.image) for name, state in self.bundle.states.items()}

    @property
    def keys(self) -> Keys:
        return self.under_trial.world.keys

    @cached_property
    def tools(self) -> dict[str, ToolDefinition]:
        return {tool.name: tool for tool in self.bundle.tools}

    def written(self, *kinds: str) -> set[tuple[str, str]]:
        """Tables and columns that some tool writes in these ways."""
        writes = (write for fact in self.facts.tools.values() for write in fact.writes if write.kind in kinds)
        return {(write.table, column) for write in writes for column in write.columns}

    @cached_property
    def chosen(self) -> set[tuple[str, str]]:
        """Tables and columns that some tool gives a value which it was given itself."""
        uses = (use for fact in self.facts.tools.values() for use in fact.uses)
        given = (use.column for use in uses if use.use == "value" and use.source != USER and use.source[:1] != "@")
        return {(column.table, column.column) for column in given}

    def parameters(self, tool: str, world: WorldRows) -> Parameters:
        return Parameters(self.tools[tool], self.facts.tools[tool], world)

    @cached_property
    def _functions(self) -> dict[str, ast.FunctionDef]:
        body = python_tree(self.bundle.tools_source).body
        return {node.name: node for node in body if isinstance(node, ast.FunctionDef)}

    def functions(self, tool: str) -> Iterator[ast.FunctionDef]:
        """The function of a tool and the helpers it reaches."""
        fact: ToolFact = self.facts.tools[tool]
        return (self._functions[name] for name in (tool, *fact.helpers) if name in self._functions)

    def source(self, tool: str) -> str:
        """What a reader needs to understand the tool: its helpers, then itself."""
        lines = self.bundle.tools_source.splitlines()
        found = sorted((node.lineno, node.end_lineno or node.lineno) for node in self.functions(tool))
        return "\n\n\n".join("\n".join(lines[start - 1 : end]) for start, end in found) + "\n"

"""Values that a person could bring along: for every external parameter what it could be in one initial state.

Belongs here: where such values come from. Does not: values that tools tell (`walking`).

In this order: what the schema lists; what the columns hold that the parameter chooses rows by or is stored in; what the
author of the tool called it with; days and hours soon after the clock, and small numbers.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from random import Random
from typing import Any

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.runtime.facts import ToolFacts
from envfactory_dagster.runtime.json_schema import compile_schema
from envfactory_dagster.tasks.graph_tasks.reading import schema_at
from envfactory_dagster.truth.start_rows import StartRows

_HOURS = (9, 10, 11, 14, 15, 18)
_DAYS = (2, 3, 5, 8, 12, 17, 24)


class Values:
    """The values of one initial state."""

    def __init__(self, bundle: Bundle, facts: ToolFacts, start_rows: StartRows, state: str) -> None:
        self._tests = bundle.tool_tests
        self._facts = facts
        self._start_rows = start_rows
        self._clock = datetime.fromisoformat(bundle.states[state].clock)

    def likely(self, tool: ToolDefinition, parameter: str, chance: Random) -> Json:
        """One value, or None where nothing is known that would fit the schema."""
        schema = schema_at(tool.inputSchema, parameter)
        fits = compile_schema(schema)
        for values in self._by_source(tool, parameter, schema):
            fitting = [value for value in values if value is not None and fits(value) is None]
            if fitting:
                return chance.choice(fitting)
        return None

    def narrows(self, tool: str, parameter: str) -> bool:
        """Whether rows are chosen by the parameter, by more than a part of their text."""
        fact = self._facts.tools.get(tool)
        uses = [use for use in fact.uses if use.source == parameter] if fact is not None else []
        chosen = [use.operator for use in uses if use.use == "filter"]
        return bool(chosen) and all(operator in ("=", "in", "range") for operator in chosen)

    def _by_source(self, tool: ToolDefinition, parameter: str, schema: Mapping[str, Any]) -> Iterator[list[Json]]:
        yield list(schema.get("enum", []))
        if schema.get("type") == "boolean":
            yield [True, False]
        if "pattern" in schema and not tool.annotations.readOnlyHint:
            yield self._soon(schema)
        yield self._held(tool.name, parameter)
        yield self._tested(tool.name, parameter)
        yield self._soon(schema)
        least = schema.get("minimum", 1)
        yield [least + step for step in (0, 1, 2, 3)]
        yield [least]

    def _held(self, tool: str, parameter: str) -> list[Json]:
        """What the columns hold that the parameter is held against, or stored in."""
        fact = self._facts.tools.get(tool)
        uses = (
            [use for use in fact.uses if use.source.removesuffix("[]") == parameter.removesuffix("[]")] if fact else []
        )
        columns = sorted({use.column for use in uses if use.use == "filter"}) or sorted({use.column for use in uses})
        found = {row[column.column]: None for column in columns for row in self._start_rows.rows.get(column.table, [])}
        return list(found)

    def _tested(self, tool: str, parameter: str) -> list[Json]:
        tests = self._tests.get(tool)
        calls = [tests.good_call] if tests is not None else []
        return [call[parameter] for call in calls if parameter in call]

    def _soon(self, schema: Mapping[str, Any]) -> list[Json]:
        """Days and moments to come, where the schema asks for such texts."""
        if "pattern" not in schema and schema.get("format") not in ("date", "date-time"):
            return []
        days = [self._clock + timedelta(days=days) for days in _DAYS]
        moments = [day.replace(hour=hour, minute=0, second=0) for day in days for hour in _HOURS]
        return [*(day.date().isoformat() for day in days), *(moment.isoformat() for moment in moments)]

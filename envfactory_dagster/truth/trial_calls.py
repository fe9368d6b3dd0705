"""Calls that might work: arguments for every writing tool, made up from its schema and the rows there are.

Belongs here: making the calls up. Does not: making them (`gate`), which shows which of them a world accepts.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from random import Random
from typing import Any

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime.json_schema import compile_schema
from envfactory_dagster.truth.start_rows import StartRows

_TRIALS_OF_A_TOOL = 4


def trial_calls(
    tools: Mapping[str, ToolDefinition], start_rows: StartRows, clock: str, random: Random, breadth: int = 1
) -> list[TracedStep]:
    """A few calls of every tool that writes, each with other arguments; `breadth` times as many."""
    writing = [tool for tool in tools.values() if not tool.annotations.readOnlyHint]
    return [
        TracedStep(
            tool=tool.name,
            principal=tool.principal,
            arguments=_Arguments(start_rows, clock, random).of(tool.inputSchema),
        )
        for _ in range(_TRIALS_OF_A_TOOL * breadth)
        for tool in writing
    ]


class _Arguments:
    def __init__(self, start_rows: StartRows, clock: str, random: Random) -> None:
        self._start_rows = start_rows
        self._clock = datetime.fromisoformat(clock)
        self._random = random

    def of(self, schema: Mapping[str, Any]) -> dict[str, Json]:
        properties = schema.get("properties", {})
        return {name: self._value(name, properties.get(name, {})) for name in schema.get("required", [])}

    def _value(self, name: str, schema: Mapping[str, Any]) -> Json:
        kinds = schema.get("type", "string")
        kind = kinds if isinstance(kinds, str) else kinds[0]
        choices: list[Json] = [member for member in schema.get("enum", []) if member is not None]
        if choices:
            return self._random.choice(choices)
        if kind == "object":
            return self.of(schema)
        if kind == "array":
            return [self._value(name, schema.get("items", {}))]
        if kind == "boolean":
            return self._random.random() < 0.5
        if kind == "string":
            return self._text(name, schema)
        ids = [value for value in self._start_rows.candidates(name) if isinstance(value, int)]
        least: int = schema.get("minimum", 1)
        return self._random.choice(ids) if ids and kind == "integer" else least

    def _text(self, name: str, schema: Mapping[str, Any]) -> str:
        pattern = {"pattern": schema["pattern"]} if "pattern" in schema else {}
        problem = compile_schema(pattern)
        later = self._clock + timedelta(days=self._random.randint(1, 20))
        if schema.get("format") == "date":
            return later.date().isoformat()
        known = [value for value in self._start_rows.candidates(name) if isinstance(value, str) and not problem(value)]
        if known:
            return self._random.choice(known)
        moments = [later.isoformat(), later.date().isoformat()] if pattern else []
        return next((moment for moment in moments if not problem(moment)), "A few words")

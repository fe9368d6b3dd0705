"""What mutants and variants are made from, and what they are: a task's gold trace, and other traces.

Belongs here: the two forms, which calls are writes, which arguments are a free choice. Does not: the operators
(`mutants`, `reported`, `variants`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, Literal

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.truth.start_rows import StartRows

Operator = Literal[
    "wrong_entity",
    "neighbouring_value",
    "skipped_call",
    "duplicated_call",
    "extra_write",
    "wrong_owner",
    "report_without_action",
]
"""What mutants of deeds do wrong; those of reports are in `reported`."""

Path = tuple[str | int, ...]
Choice = tuple[str, int, str]
"""A tool, which of its successful calls, an argument."""


@dataclass(frozen=True, slots=True)
class TrialTrace:
    """Calls to make and a report to give, and how they differ from the reference solution's."""

    operator: str
    what: str
    calls: list[TracedStep]
    report: Report | None


@dataclass(frozen=True)
class TracedTask:
    """A task, its gold trace, and everything that other traces are made from."""

    task: Task
    calls: list[TracedStep]
    form: AnswerForm
    report: Report
    rules: Sequence[str]
    """The ids of all rules of the service."""
    tools: Mapping[str, ToolDefinition]
    start_rows: StartRows
    random: Random
    donors: Sequence[TracedStep] = ()
    """Calls that write and succeed from the task's start: other tasks' or tried out."""
    free: frozenset[Choice] = field(default_factory=frozenset)
    """Arguments in which the task leaves a choice."""
    breadth: int = 1
    """How far mutants go: more other rows and values more distant, where the nearest ones came to too little."""

    @cached_property
    def writes(self) -> list[int]:
        """Which calls could write, and succeeded."""
        return [i for i, step in enumerate(self.calls) if step.outcome == "ok" and not self.reads_only(step)]

    def reads_only(self, step: TracedStep) -> bool:
        definition = self.tools.get(step.tool)
        return definition is None or definition.annotations.readOnlyHint

    def is_free(self, index: int, argument: str) -> bool:
        step = self.calls[index]
        before = sum(i < index and self.calls[i].tool == step.tool for i in self.writes)
        return (step.tool, before, argument) in self.free

    def without(self, *left_out: int) -> list[TracedStep]:
        return [step for i, step in enumerate(self.calls) if i not in left_out]

    def with_arguments(self, index: int, arguments: dict[str, Json]) -> list[TracedStep]:
        changed = self.calls[index].model_copy(update={"arguments": arguments})
        return [*self.calls[:index], changed, *self.calls[index + 1 :]]


def free_choices(gold: Sequence[TracedStep], alternative: Sequence[TracedStep]) -> Iterator[Choice]:
    """The arguments in which an alternative differs from gold, call by call of the same tool."""
    of_gold, of_other = _by_tool(gold), _by_tool(alternative)
    for tool, steps in of_gold.items():
        for number, (step, other) in enumerate(zip(steps, of_other.get(tool, []), strict=False)):
            for name in step.arguments.keys() | other.arguments.keys():
                if step.arguments.get(name) != other.arguments.get(name):
                    yield tool, number, name


def _by_tool(steps: Sequence[TracedStep]) -> dict[str, list[TracedStep]]:
    found: dict[str, list[TracedStep]] = {}
    for step in steps:
        if step.outcome == "ok":
            found.setdefault(step.tool, []).append(step)
    return found


def leaves(value: Json, schema: Mapping[str, Any], path: Path = ()) -> Iterator[tuple[Path, Json, Mapping[str, Any]]]:
    """Every scalar of some arguments, with its place and its JSON Schema."""
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        for name, inner in value.items():
            yield from leaves(inner, properties.get(name, {}), (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, schema.get("items", {}), (*path, index))
    elif value is not None:
        yield path, value, schema


def replaced(value: Any, path: Path, new: Json) -> Any:
    """A copy of some arguments with another scalar in one place."""
    if not path:
        return new
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(copy[path[0]], path[1:], new)
    return copy


def name_of(path: Path) -> str:
    """The name an argument's scalar goes by: that of the innermost property around it."""
    return next((part for part in reversed(path) if isinstance(part, str)), "")

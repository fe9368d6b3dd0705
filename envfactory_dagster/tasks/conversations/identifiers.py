"""Identifiers that only the service knows, and finding them in what a person says.

Belongs here: which arguments are internal, their values, and where a text gives one away. Does not: rewording it
(`refinements`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.graph import ToolGraph
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.tasks.conversations.values import numbers_in

Scalar = str | int | float | bool

_ID = re.compile(r"(^|_)ids?$")
_SNAKE = re.compile(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b")
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')


@dataclass(frozen=True, slots=True)
class Internals:
    """Which parameters of which tools take what only the service knows. Where the graph does not know a parameter, its
    name tells."""

    known: dict[tuple[str, str], bool] = field(default_factory=dict)

    @classmethod
    def of_graph(cls, graph: ToolGraph) -> "Internals":
        return cls({(tool.name, one.name): one.internal for tool in graph.tools for one in tool.parameters})

    def of(self, call: TracedStep) -> list[Scalar]:
        """The values of a call's internal arguments."""
        return [value for path, value in _leaves(call.arguments) if self._is_internal(call.tool, path)]

    def outside(self, call: TracedStep) -> list[Scalar]:
        """The values of all others: what the person has to say."""
        return [value for path, value in _leaves(call.arguments) if not self._is_internal(call.tool, path)]

    def _is_internal(self, tool: str, path: str) -> bool:
        by_name = _ID.search(path.replace("[]", "")) is not None
        return self.known.get((tool, path), by_name)


@dataclass(frozen=True, slots=True)
class Unsayable:
    """What the requests of one task must not give away: internal values, as often as the task does not say the same
    number or code itself; and every name of tools, parameters, tables and columns."""

    values: tuple[str, ...]
    allowed: Counter[str]
    names: frozenset[str]

    @classmethod
    def of(cls, calls: Sequence[TracedStep], internals: Internals, text: str, names: frozenset[str]) -> "Unsayable":
        values = tuple(dict.fromkeys(str(value) for call in calls for value in internals.of(call)))
        outside = Counter({str(value) for call in calls for value in internals.outside(call)})
        return cls(values, Counter({value: max(_said(value, text), outside[value]) for value in values}), names)

    @property
    def never_said(self) -> list[str]:
        """The identifiers that no request may say, and so none has to."""
        return [value for value in self.values if not self.allowed[value]]

    def leaked(self, requests: Sequence[str]) -> list[str]:
        """The identifiers that these requests give away, each as often as it is said too often."""
        text = " ".join(requests)
        found = []
        for value in self.values:
            found += [value] * max(0, _said(value, text) - self.allowed[value])
        return found

    def complaint(self, value: str) -> str:
        """What is wrong with saying it."""
        if self.allowed[value]:
            times = "once" if self.allowed[value] == 1 else f"{self.allowed[value]} times"
            return f"{value} is said too often. Say it {times} at most: the service also uses it as an identifier."
        return f"{value} is known to the service alone: say what it stands for."

    def inside(self, requests: Sequence[str]) -> list[str]:
        """Names from inside the service that a person would not use."""
        said = _SNAKE.findall(_QUOTED.sub(" ", " ".join(requests)))
        return sorted(set(said) & self.names)


def _said(value: str, text: str) -> int:
    """How often a text says a value."""
    return numbers_in(text)[value] if value.isdigit() else len(re.findall(rf"(?<!\w){re.escape(value)}(?!\w)", text))


def names_inside(bundle: Bundle, tables: Sequence[str]) -> frozenset[str]:
    """Names of tools, parameters and tables that no person would say: those that are written with underscores."""
    parameters = [name for tool in bundle.tools for name in _SNAKE.findall(str(tool.inputSchema))]
    outputs = [name for tool in bundle.tools for name in _SNAKE.findall(str(tool.outputSchema))]
    tools = [tool.name for tool in bundle.tools if "_" in tool.name]
    return frozenset([*tools, *parameters, *outputs, *(table for table in tables if "_" in table)])


def scalars(value: Json) -> set[Json]:
    """Every value in a result. Lists and objects have none of their own."""
    if isinstance(value, dict):
        return set().union(*(scalars(inner) for inner in value.values()))
    if isinstance(value, list):
        return set().union(*(scalars(inner) for inner in value))
    return {value}


def _leaves(value: Json, path: str = "") -> Iterator[tuple[str, Scalar]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, f"{path}[]")
    elif value is not None:
        yield path, value

"""A tool graph in the making: links and judgements that more evidence can still change.

Belongs here: what is collected, and how it becomes a `ToolGraph`. Does not: finding evidence.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from envfactory_dagster.contracts.graph import (
    STRONG,
    WEAK,
    Evidence,
    GraphEdge,
    GraphParameter,
    GraphTool,
    ParameterLink,
    ToolGraph,
)
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.tasks.graph.schema_paths import Leaf, inputs, outputs

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class GraphLink:
    """An output of one tool can be given as a parameter of another."""

    source: str
    output: str
    target: str
    parameter: str
    evidence: Evidence

    @property
    def pair(self) -> Pair:
        return self.source, self.target


@dataclass(frozen=True, slots=True)
class GraphDraft:
    """`internal` holds the parameters (tool, path) whose values look like ones that only the service knows."""

    tools: Sequence[ToolDefinition]
    links: Sequence[GraphLink]
    internal: frozenset[Pair]
    orders: dict[Pair, str] = field(default_factory=dict)
    """Edges that carry no value, each with its reason."""

    def graph(self) -> ToolGraph:
        internal = self._obtainable()
        tools = [_node(tool, internal) for tool in self.tools]
        by_pair: dict[Pair, list[GraphLink]] = defaultdict(list)
        for link in self.links:
            by_pair[link.pair].append(link)
        waits = self._waits()
        orders = {**self.orders, **waits}
        pairs = sorted(by_pair.keys() | orders.keys())
        edges = [_edge(pair, by_pair[pair], orders.get(pair, ""), internal, pair in waits) for pair in pairs]
        return ToolGraph(tools=tools, edges=edges)

    def _waits(self) -> dict[Pair, str]:
        """Which tools wait for what the person does: the specification says so."""
        known = {tool.name for tool in self.tools}
        return {
            (name, tool.name): "the person does this first"
            for tool in self.tools
            for name in tool.confirmed_by
            if name in known
        }

    def _obtainable(self) -> frozenset[Pair]:
        """The internal parameters that a tool can tell. Where none does, the user has to say the value after all.

        What one of the user's own tools shows is something the user can say to the assistant.
        """
        principals = {tool.name: tool.principal for tool in self.tools}
        told = {
            (link.target, link.parameter)
            for link in self.links
            if principals[link.target] == "user" or principals[link.source] == "assistant"
        }
        return self.internal & told


def _node(tool: ToolDefinition, internal: frozenset[Pair]) -> GraphTool:
    return GraphTool(
        name=tool.name,
        principal=tool.principal,
        read_only=tool.annotations.readOnlyHint,
        parameters=[
            GraphParameter(name=leaf.path, required=leaf.required, internal=(tool.name, leaf.path) in internal)
            for leaf in inputs(tool)
        ],
        outputs=[leaf.path for leaf in outputs(tool)],
    )


def _edge(pair: Pair, links: Iterable[GraphLink], reason: str, internal: frozenset[Pair], waits: bool) -> GraphEdge:
    links = sorted(links, key=lambda link: (link.parameter, link.output))
    needed = waits or any((link.target, link.parameter) in internal for link in links)
    return GraphEdge(
        source=pair[0],
        target=pair[1],
        weight=STRONG if needed else WEAK,
        links=[ParameterLink(output=link.output, parameter=link.parameter, evidence=link.evidence) for link in links],
        reason=reason,
    )


def all_inputs(tools: Iterable[ToolDefinition]) -> list[Leaf]:
    return [leaf for tool in tools for leaf in inputs(tool)]


def all_outputs(tools: Iterable[ToolDefinition]) -> list[Leaf]:
    return [leaf for tool in tools for leaf in outputs(tool)]

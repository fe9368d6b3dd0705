"""The tool graph of an environment: which tool can make use of what another one answers.

Belongs here: the graph as it is stored, what is read off it, and what a model is asked when it refines one. Does not:
how edges are found (`tasks.graph`), or walks over them (`tasks.sampling`).
"""

from typing import Final, Literal, Self

from pydantic import Field, model_validator

from envfactory_dagster.contracts.base import Artifact, Contract, NonEmpty, ToolName, unique
from envfactory_dagster.contracts.domain import Theme
from envfactory_dagster.contracts.tools import Principal

STRONG: Final = 3
"""What an internal parameter needs comes out of the other tool, or the tool waits for what the person does with it."""
WEAK: Final = 2
"""It can come from there, or from elsewhere: the user may know it. Also an order of work without any value."""
INDEPENDENT: Final = 1
"""Neither: tools that can follow each other as any two can. It connects the graph and is not stored."""

Evidence = Literal["lineage", "semantic", "logical"]
"""What a link rests on: SQL lineage, the likeness of two names, or a model's understanding."""


class GraphParameter(Contract):
    """One input of a tool, by its path in the input schema (`items[].product_id`)."""

    name: NonEmpty
    required: bool
    internal: bool
    """Whether only the service knows the value, so that another tool has to tell it. Otherwise the user says it."""


class GraphTool(Contract):
    name: ToolName
    principal: Principal
    read_only: bool
    parameters: list[GraphParameter]
    outputs: list[NonEmpty]

    def parameter(self, name: str) -> GraphParameter | None:
        return next((parameter for parameter in self.parameters if parameter.name == name), None)


class ParameterLink(Contract):
    """This output can be given as that parameter."""

    output: NonEmpty
    parameter: NonEmpty
    evidence: Evidence


class GraphEdge(Contract):
    """What `source` answers is of use to `target`. Without links it is an order of work: no value passes."""

    source: ToolName
    target: ToolName
    weight: Literal[2, 3]
    links: list[ParameterLink] = Field(default_factory=list)
    reason: str = ""
    """Why a model added it."""


class ToolGraph(Artifact):
    tools: list[GraphTool] = Field(min_length=1)
    edges: list[GraphEdge]

    @model_validator(mode="after")
    def _edges_join_different_known_tools_once(self) -> Self:
        unique([tool.name for tool in self.tools], "tools of a graph")
        unique([f"{edge.source} → {edge.target}" for edge in self.edges], "edges")
        by_name = {tool.name: tool for tool in self.tools}
        for edge in self.edges:
            if edge.source == edge.target or not {edge.source, edge.target} <= by_name.keys():
                raise ValueError(f"an edge joins two different tools of the graph, not {edge.source} and {edge.target}")
            for link in edge.links:
                if link.output not in by_name[edge.source].outputs:
                    raise ValueError(f"{edge.source} has no output {link.output!r}")
                if by_name[edge.target].parameter(link.parameter) is None:
                    raise ValueError(f"{edge.target} has no parameter {link.parameter!r}")
        return self

    def weight(self, source: str, target: str) -> int:
        """The weight of the step from one tool to another. Any two are joined; a weak edge leads both ways."""
        stored = {edge.source: edge.weight for edge in self.edges if {edge.source, edge.target} == {source, target}}
        return stored.get(source) or (WEAK if stored.get(target) == WEAK else INDEPENDENT)

    def seen_by(self, principal: Principal) -> "ToolGraph":
        """The graph of the tools that the assistant, or the user, has."""
        tools = [tool for tool in self.tools if tool.principal == principal]
        names = {tool.name for tool in tools}
        return ToolGraph(tools=tools, edges=[edge for edge in self.edges if {edge.source, edge.target} <= names])


# -- what a model is asked ---------------------------------------------------------------------------------------------


class ToolShown(Contract):
    """A tool of the graph, and what it is for."""

    description: NonEmpty
    tool: GraphTool


class ToolGraphRefinementContext(Contract):
    """schema `tool_graph_refinement`: which edges are missing, which are spurious, which parameters misjudged?"""

    theme: Theme
    tools: list[ToolShown]
    edges: list[GraphEdge]


class MissingEdge(Contract):
    source: ToolName
    target: ToolName
    output: str | None = None
    parameter: str | None = None
    """The value that passes, if one does: both or neither."""
    reason: NonEmpty

    @model_validator(mode="after")
    def _a_link_has_two_ends(self) -> Self:
        if (self.output is None) != (self.parameter is None):
            raise ValueError("name both the output and the parameter, or neither")
        return self


class SpuriousEdge(Contract):
    source: ToolName
    target: ToolName
    reason: NonEmpty


class MisjudgedParameter(Contract):
    """A parameter that is internal although it was called external, or the other way round."""

    tool: ToolName
    parameter: NonEmpty
    internal: bool
    reason: NonEmpty


class ToolGraphRefinementAnswer(Contract):
    missing: list[MissingEdge]
    spurious: list[SpuriousEdge]
    misjudged: list[MisjudgedParameter] = Field(default_factory=list)

"""The tools of an environment: MCP tool definitions, and the code behind them."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, SerializerFunctionWrapHandler, StringConstraints, model_serializer, model_validator

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, NonEmpty, ToolName, unique
from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.contracts.sources import LeftOutTool, NamedThing

Principal = Literal["assistant", "user"]
"""Whose tool it is: the assistant under training, or the person it talks to (login, restart, confirm a payment)."""


class ToolAnnotations(Contract):
    """MCP's hints; ours are promises: `readOnlyHint` is enforced on every call."""

    readOnlyHint: bool
    destructiveHint: bool = False
    idempotentHint: bool = False
    openWorldHint: bool = False


class Confirmed(Contract):
    """What may wait for the person."""

    confirmed_by: list[ToolName] = Field(default_factory=list)
    """Tools of the person whose effect this one needs: it refuses until the person has called them."""

    @model_serializer(mode="wrap")
    def _without_what_needs_no_person(self, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """As it was written before there was `confirmed_by`, where there is none: such bundles keep their version."""
        return {name: value for name, value in written(self).items() if name != "confirmed_by" or value}


class ToolDefinition(Confirmed):
    """One tool as MCP lists it (JSON Schema 2020-12), plus whose it is."""

    name: ToolName
    description: NonEmpty
    inputSchema: dict[str, Any]
    outputSchema: dict[str, Any]
    annotations: ToolAnnotations
    principal: Principal = "assistant"

    @model_validator(mode="after")
    def _schemas_are_objects(self) -> Self:
        for what, schema in (("inputSchema", self.inputSchema), ("outputSchema", self.outputSchema)):
            if schema.get("type") != "object":
                raise ValueError(f"{what} of {self.name} must be of type 'object'")
        return self

    def mcp(self) -> dict[str, Any]:
        """The definition as MCP clients see it."""
        return self.model_dump(mode="json", exclude={"principal", "confirmed_by"})


class ToolSpec(Artifact):
    tools: list[ToolDefinition] = Field(min_length=1)
    left_out: list[LeftOutTool] = Field(default_factory=list)
    """Tools of the source that are not among them, and why."""
    named: list[NamedThing] = Field(default_factory=list)
    """Where everything is that a person named who described the world."""

    @model_serializer(mode="wrap")
    def _without_what_no_source_says(self, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """As it was written before there were sources: such specifications keep their version."""
        return {name: value for name, value in written(self).items() if name not in ("left_out", "named") or value}

    @model_validator(mode="after")
    def _tool_names_are_unique(self) -> Self:
        unique([tool.name for tool in self.tools], "tool names")
        return self

    def of(self, principal: Principal) -> list[ToolDefinition]:
        return [tool for tool in self.tools if tool.principal == principal]


class ServerCode(Artifact):
    """The tool module: plain functions over `env`. The model writes semantics, never servers."""

    source: NonEmpty


# -- the tests of a tool -----------------------------------------------------------------------------------------------


class ToolCall(Contract):
    tool: ToolName
    arguments: dict[str, Any]


class GivenRow(Contract):
    """A row as it is to be before a call: other values in some of its columns."""

    table: Identifier
    id: int | str
    values: dict[Identifier, Cell] = Field(min_length=1)


Moment = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$")]


class ToolEdge(Contract):
    """A call right at a limit that a tool checks, and what must come of it."""

    clock: Moment | None = None
    """The time at which all of it happens, where that is not the time of the rows."""
    given: list[GivenRow] = Field(default_factory=list)
    """Rows changed at first, where neither the rows nor calls meet the limit."""
    before: list[ToolCall] = Field(default_factory=list)
    """Calls of any tools to be made first."""
    arguments: dict[str, Any]
    refused: bool
    result: dict[str, Any] = Field(default_factory=dict)
    """Where it is not refused: those fields of the result that can be told beforehand."""

    @model_serializer(mode="wrap")
    def _without_what_is_not_given(self, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """As it was written before there was `given`, where there is none: such bundles keep their version."""
        return {name: value for name, value in written(self).items() if name != "given" or value}


class ToolTest(Contract):
    """What the author of a tool says of it, apart from its code: calls, and what must come of them."""

    clock: Moment | None = Field(default=None, exclude_if=lambda clock: clock is None)
    """The time of the good call and the bad one, where that is not the time of the rows."""
    given: list[GivenRow] = Field(default_factory=list, exclude_if=lambda given: not given)
    """Rows changed before the good call and the bad one, where none lets the good call succeed."""
    before: list[ToolCall] = Field(default_factory=list)
    """Calls of other tools to be made first."""
    good_call: dict[str, Any]
    good_result: dict[str, Any] = Field(default_factory=dict)
    """Those fields of its result that were told beforehand."""
    good_changes: list[Identifier] = Field(default_factory=list)
    """The tables in which it changes rows; empty where that was not told."""
    bad_call: dict[str, Any]
    """Refused; the same as `good_call` for a tool that refuses nothing."""
    edges: list[ToolEdge] = Field(default_factory=list)

"""What a model is asked: for every schema name, the typed context it is shown and the answer it owes.

The context is the one JSON block in every prompt, identical for every model; the embedded model sees nothing else.
Belongs here: contexts and answers. Does not: the words around them (`authoring`), or how they travel (`language`).
"""

from typing import Any

from pydantic import Field

from envfactory_dagster.contracts.base import Contract, Identifier, NonEmpty
from envfactory_dagster.contracts.database import Table, TableRows
from envfactory_dagster.contracts.domain import Rule, Size, Task, Theme
from envfactory_dagster.contracts.tools import ToolDefinition

# -- discovery ---------------------------------------------------------------------------------------------------------


class ThemeProposal(Contract):
    """A world somebody might want an environment of."""

    name: NonEmpty
    category: NonEmpty
    description: NonEmpty
    entities: list[NonEmpty] = Field(default_factory=list)
    reference: str = ""
    """Which of the shown sources it came from; empty when invented."""


class SourceExcerpt(Contract):
    """One entry of a source folder, normalized: a name, an MCP tool list, an API document, a PRD, a task."""

    reference: str
    kind: str
    text: str


class ThemeProposalsContext(Contract):
    """schema `theme_proposals`: read the sources; or, with none, invent new worlds in the wanted categories."""

    sources: list[SourceExcerpt]
    count: int
    wanted_categories: list[str]
    """Categories that are thin so far; empty: any."""
    known_categories: list[str]
    known_names: list[str]
    """A sample of what exists already, not to be repeated."""
    round: int = 0


class ThemeProposals(Contract):
    proposals: list[ThemeProposal]


class CrudSuitabilityContext(Contract):
    """schema `crud_suitability`: is the world stateful, concrete, served by create/read/update/delete over an API?"""

    proposals: list[ThemeProposal]


class CrudScore(Contract):
    name: str
    score: float = Field(ge=0.0, le=1.0)
    reason: NonEmpty


class CrudSuitability(Contract):
    scores: list[CrudScore]


class TaskFilterContext(Contract):
    """schema `task_filter`: which of these tasks need a stateful, domain-specific environment, and which one?"""

    tasks: list[SourceExcerpt]


class FilteredTask(Contract):
    reference: str
    stateful: bool
    domain_specific: bool
    environment: str = ""
    """Name of the environment it belongs to, when it is kept."""


class TaskFilter(Contract):
    tasks: list[FilteredTask]


# -- one environment ---------------------------------------------------------------------------------------------------


class ThemeContext(Contract):
    """schema `theme`: work out the world of a proposal, with its rules."""

    key: str
    proposal: ThemeProposal
    size: Size
    rules: int


class ThemeAnswer(Contract):
    name: NonEmpty
    category: NonEmpty
    description: NonEmpty
    entities: list[NonEmpty]
    rules: list[Rule]


class TaskSetContext(Contract):
    """schema `task_set`: what would user 1 ask for?"""

    theme: Theme
    count: int
    states: list[str]


class TaskSetAnswer(Contract):
    tasks: list[Task]


class DatabaseSchemaContext(Contract):
    """schema `database_schema`: the tables these tasks, rules and tools need."""

    theme: Theme
    tasks: list[Task]
    least_tables: int


class DatabaseSchemaAnswer(Contract):
    tables: list[Table]


class SeedRowsContext(Contract):
    """schema `seed_rows`: the rows of one initial state."""

    theme: Theme
    tasks: list[Task]
    """Only the tasks that start in this state."""
    tables: list[Table]
    state: Identifier
    states: list[str]
    least_rows: int


class SeedRowsAnswer(Contract):
    clock: str
    tables: list[TableRows]


class ToolSpecContext(Contract):
    """schema `tool_spec`: the tools that make every task reachable and enforce every rule."""

    theme: Theme
    tasks: list[Task]
    tables: list[Table]
    sample_rows: list[TableRows]
    least_tools: int


class ToolSpecAnswer(Contract):
    tools: list[ToolDefinition]


class ServerCodeContext(Contract):
    """schema `server_code`: the functions behind some of the tools. `wanted` names those to write in this answer."""

    theme: Theme
    tables: list[Table]
    tools: list[ToolDefinition]
    sample_rows: list[TableRows]
    wanted: list[Identifier]
    clock: str = ""
    """The time of the rows shown: what `env.now` says there."""


class ToolCall(Contract):
    tool: Identifier
    arguments: dict[str, Any]


class ToolFunction(Contract):
    """One tool: its function, with private helpers of its own if it needs any, and two calls to try it with."""

    name: Identifier
    source: NonEmpty
    good_call: dict[str, Any]
    """Arguments that must succeed on the rows shown."""
    good_result: dict[str, Any] = Field(default_factory=dict)
    """What the good call must answer: those fields of its result that can be told beforehand from the rows shown."""
    before: list[ToolCall] = Field(default_factory=list)
    """Calls of other tools to be made first, where the rows by themselves do not let the good call succeed."""
    bad_call: dict[str, Any]
    """Arguments of the right types that must be refused with a tool error, for instance an id that does not exist.
    For a tool that no arguments can make fail, the same as `good_call`."""


class ServerCodeAnswer(Contract):
    functions: list[ToolFunction]

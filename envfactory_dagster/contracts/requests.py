"""What a model is asked: for every schema name, the typed context it is shown and the answer it owes.

The context is the one JSON block in every prompt, identical for every model; the built-in model sees nothing else.
Belongs here: contexts and answers. Does not: the words around them (`authoring`), or how they travel (`language`).
"""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer
from pydantic.json_schema import SkipJsonSchema

from envfactory_dagster.contracts.base import Contract, Identifier, Json, NonEmpty, ToolName
from envfactory_dagster.contracts.calls import Outcome
from envfactory_dagster.contracts.database import DocumentFile, Table, TableInFile, TableRows
from envfactory_dagster.contracts.domain import Rule, Size, StateStorage, Task, Theme
from envfactory_dagster.contracts.mining import WholeSnapshot
from envfactory_dagster.contracts.mining_requests import WithMined
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm, Report
from envfactory_dagster.contracts.sources import LeftOutByAuthor, LeftOutOfMirror, SourceDocument, SourceShown
from envfactory_dagster.contracts.tool_signatures import ToolSignature
from envfactory_dagster.contracts.tools import (
    Confirmed,
    GivenRow,
    Moment,
    Principal,
    ToolCall,
    ToolDefinition,
    ToolEdge,
)
from envfactory_dagster.contracts.truth import RowChange

# -- discovery ---------------------------------------------------------------------------------------------------------


class ThemeProposal(Contract):
    """A world somebody might want an environment of."""

    name: NonEmpty
    category: NonEmpty
    description: NonEmpty
    entities: list[NonEmpty] = Field(default_factory=list)
    reference: str = ""
    """Which of the shown sources it came from; empty when invented."""
    document: SkipJsonSchema[SourceDocument | None] = Field(default=None, exclude_if=lambda document: document is None)
    """Of the library, where the world is made from one: a mirror from that of its service, a mined one from that which
    names its documents. Models are not asked for it."""
    storage: SkipJsonSchema[StateStorage] = Field(default="sqlite", exclude_if=lambda storage: storage == "sqlite")
    """Of a world of the library."""
    documents: SkipJsonSchema[WholeSnapshot | None] = Field(
        default=None, exclude_if=lambda documents: documents is None
    )
    """Of a mined world of the library: what it is mined from. It is copied into the home at once, and kept nowhere
    else."""


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
    examples: list[ThemeProposal] = Field(default_factory=list)
    """Worlds that were found good, for whoever invents others; none while there are none."""

    @model_serializer(mode="wrap")
    def _without_examples_that_are_not_there(self, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """As it was written before there were examples: the same question has the same stored answer."""
        return {name: value for name, value in written(self).items() if name != "examples" or value}


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
    usefulness: int = Field(ge=1, le=10)
    """How much an assistant that can do such tasks there would be worth to people."""
    modelability: int = Field(ge=1, le=10)
    """How well a database and tools can stand in for that environment."""


class TaskFilter(Contract):
    tasks: list[FilteredTask]


# -- one environment ---------------------------------------------------------------------------------------------------


class WithSource(WithMined):
    """A context that shows the source document, where the environment has one."""

    source: SourceShown | None = None


class ThemeContext(WithSource):
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


class TaskSetContext(WithSource):
    """schema `task_set`: what would user 1 ask for?"""

    theme: Theme
    count: int
    states: list[str]


class TaskSetAnswer(Contract):
    tasks: list[Task]


class DatabaseSchemaContext(WithSource):
    """schema `database_schema`: the tables these tasks, rules and tools need."""

    theme: Theme
    tasks: list[Task]
    least_tables: int


class DatabaseSchemaAnswer(Contract):
    tables: list[Table]


class FilesSchemaAnswer(Contract):
    """The answer where the state is files."""

    tables: list[TableInFile]
    documents: list[DocumentFile] = Field(min_length=1, max_length=6)


class SeedRowsContext(WithSource):
    """schema `seed_rows`: the rows of one initial state. `source`: of a mined world."""

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


class ToolSpecContext(WithSource):
    """schema `tool_spec`: the tools that make every task reachable and enforce every rule."""

    theme: Theme
    tasks: list[Task]
    tables: list[Table]
    sample_rows: list[TableRows]
    least_tools: int


class ToolSpecAnswer(Contract):
    tools: list[ToolDefinition]


class SourcedToolSpecAnswer(ToolSpecAnswer):
    """The answer where there is a source with tools."""

    left_out: list[LeftOutByAuthor]


class MirroredToolsContext(Contract):
    """schema `mirrored_tools`: what the tools of a service that is mirrored do not say of themselves."""

    theme: Theme
    tasks: list[Task]
    tables: list[Table]
    sample_rows: list[TableRows]
    source: SourceShown
    wanted: list[ToolName]


class MirroredTool(Contract):
    name: ToolName
    description: str
    read_only: bool
    destructive: bool
    outputSchema: dict[str, Any] | None


class MirroredToolsAnswer(Contract):
    tools: list[MirroredTool]
    left_out: list[LeftOutOfMirror]


class ToolOutside(Confirmed):
    """A tool as one needs to know it to call it: without what it gives back."""

    name: ToolName
    description: str
    inputSchema: dict[str, Any]
    principal: Principal

    @classmethod
    def of(cls, tool: ToolDefinition) -> "ToolOutside":
        return cls(
            name=tool.name,
            description=tool.description,
            inputSchema=tool.inputSchema,
            principal=tool.principal,
            confirmed_by=tool.confirmed_by,
        )


class ServerCodeContext(Contract):
    """schema `server_code`: the functions behind some of the tools. `wanted` names those to write in this answer.

    What the questions of an environment have in common comes first: endpoints that cache prefixes read it once.
    """

    theme: Theme
    tables: list[Table]
    tools: list[ToolOutside]
    """All of them."""
    clock: str
    """The time of the rows shown: what `env.now` says there."""
    wanted: list[ToolName]
    specifications: list[ToolDefinition]
    """Those of the wanted tools."""
    row_counts: dict[str, int]
    """How many rows each table has."""
    sample_rows: list[TableRows]
    """Of the tables that the wanted tools may touch."""


class ToolFunction(Contract):
    """One tool: its function, with private helpers of its own if it needs any, and calls to try it with."""

    name: ToolName
    source: NonEmpty
    clock: Moment | None = Field(default=None, exclude_if=lambda clock: clock is None)
    """The time of the good call and the bad one, where the good one cannot succeed at the time of the rows."""
    given: list[GivenRow] = Field(default_factory=list, exclude_if=lambda given: not given)
    """Rows changed before both, where the good one cannot succeed on the rows as they are."""
    good_call: dict[str, Any]
    """Arguments that must succeed on the rows shown, or on those given."""
    good_result: dict[str, Any] = Field(default_factory=dict)
    """What the good call must answer: those fields of its result that can be told beforehand from the rows shown."""
    good_changes: list[Identifier] = Field(default_factory=list)
    """The tables in which the good call changes rows, all of them; empty for a tool that only reads."""
    before: list[ToolCall] = Field(default_factory=list)
    """Calls of other tools to be made first, where the rows by themselves do not let the good call succeed."""
    bad_call: dict[str, Any]
    """Arguments of the right types that must be refused with a tool error, for instance an id that does not exist.
    For a tool that no arguments can make fail, the same as `good_call`."""
    edges: list[ToolEdge] = Field(default_factory=list)
    """For every limit, the calls on either side of it."""


class ServerCodeAnswer(Contract):
    functions: list[ToolFunction]


class StuckTool(Contract):
    """A tool whose function was written again and again and is still refused."""

    tool: ToolDefinition
    source: str
    """The function as it was given last; empty when none could be read."""
    good_call: dict[str, Any]
    problems: list[str]


class ServerCodeImpasseContext(Contract):
    """schema `server_code_impasse`: is it the code, or what the code rests on? Asked once for an environment."""

    theme: Theme
    tables: list[Table]
    tasks: list[Task]
    sample_rows: list[TableRows]
    clock: str
    stuck: list[StuckTool]


class ToolImpasse(Contract):
    tool: ToolName
    at_fault: Literal["code", "spec", "rows"]
    reason: NonEmpty
    definition: ToolDefinition | None = None
    """The tool as it has to be specified, where its specification is at fault."""
    needed_by: list[Identifier]
    """The tasks that cannot be done without the tool."""


class ServerCodeImpasseAnswer(Contract):
    tools: list[ToolImpasse]


# -- the truth of one task ---------------------------------------------------------------------------------------------


class OfTask(Contract):
    """The part of an answer that belongs to one task."""

    task: Identifier


class UnreadPart(Contract):
    """A part of an answer that is not of the form asked for: only whose it is can be read. The other parts stand."""

    model_config = ConfigDict(frozen=True, extra="allow")

    task: str


class ReferenceSolutionsContext(Contract):
    """schema `reference_solutions`: programs over the tools, each of which does what one task asks.

    What the questions of an environment have in common comes first: endpoints that cache prefixes read it once.
    """

    theme: Theme
    tools: list[ToolSignature]
    states: list[str]
    """All initial states of the environment."""
    task_count: int
    """How many tasks the environment has."""
    sample_rows: list[TableRows]
    """The first rows of the state that these tasks start in."""
    clock: str
    """The time in that state."""
    tasks: list[Task]


class ReferenceSolutionAnswer(Contract):
    answer_form: list[AnswerField] = Field(default_factory=list)
    """What the task asks to be told, field by field."""
    source: NonEmpty
    alternatives: list[NonEmpty] = Field(default_factory=list)
    """Where the task leaves a choice: whole programs that choose otherwise."""


class SolutionOfTask(ReferenceSolutionAnswer, OfTask):
    pass


class ReferenceSolutionsAnswer(Contract):
    solutions: list[Annotated[SolutionOfTask | SkipJsonSchema[UnreadPart], Field(union_mode="left_to_right")]]
    """One for each of the tasks."""


class CallShown(Contract):
    """One call that the reference solution made, with its result as JSON text, cut when it is long."""

    tool: str
    arguments: dict[str, Json]
    outcome: Outcome
    result: str


class SolvedTask(Contract):
    """A task, and what its reference solution did: one way to the goal, not the only one."""

    task: Task
    calls: list[CallShown]
    changes: list[RowChange]
    """The rows it changed."""
    answer_form: AnswerForm
    """What the task asks to be told."""
    report: Report
    """What it reported."""
    alternatives: list[str]
    """Programs that come to other ends the task allows."""


class VerifiersContext(Contract):
    """schema `verifiers`: for each of some tasks the checks by which one tells whether it was done."""

    theme: Theme
    tables: list[Table]
    states: list[str]
    """All initial states of the environment."""
    task_count: int
    """How many tasks the environment has."""
    sample_rows: list[TableRows]
    """The first rows of the state that these tasks start in."""
    clock: str
    """The time in that state."""
    tasks: list[SolvedTask]


class VerifierAnswer(Contract):
    source: NonEmpty


class VerifierOfTask(VerifierAnswer, OfTask):
    pass


class VerifiersAnswer(Contract):
    verifiers: list[Annotated[VerifierOfTask | SkipJsonSchema[UnreadPart], Field(union_mode="left_to_right")]]
    """One for each of the tasks."""


class CommandShown(Contract):
    """A tool as far as a reader needs it who does not call it."""

    name: ToolName
    description: str


class ToldTask(Contract):
    """A task that is settled, and what came of it."""

    task: Identifier
    text: str
    calls: list[CallShown]
    answer_form: AnswerForm
    report: Report


class FreeMessagesContext(Contract):
    """schema `free_messages`: in which other words might people be told what came of their requests?"""

    service: str
    rules: list[Rule]
    tasks: list[ToldTask]


class MessagesOfTask(OfTask):
    messages: list[NonEmpty]


class FreeMessagesAnswer(Contract):
    tasks: list[MessagesOfTask]

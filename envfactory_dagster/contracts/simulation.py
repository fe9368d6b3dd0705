"""A language model in place of the tools: what it is shown of a call, what it answers, and how often that is right.

Belongs here: the question, a call with both answers, and the figures. Does not: asking (`rollouts.simulator`), and
counting (`measuring.simulation`).
"""

from typing import Literal

from pydantic import Field

from envfactory_dagster.contracts.base import Contract, Json, NonEmpty, ToolName
from envfactory_dagster.contracts.benchmarks import Spread
from envfactory_dagster.contracts.calls import Outcome
from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.contracts.domain import Rule
from envfactory_dagster.contracts.records import Spent
from envfactory_dagster.contracts.tools import ToolDefinition

Difference = Literal["none", "order", "value", "outcome", "no_answer"]
"""Between what the tool answered and what the model did, the first that fits: the same; lists in another order; another
value; a refusal instead of a result, or the other way round; nothing that can be read. Refusals are the same in any
words."""

Share = Literal["all", "reading", "writing", "refused", "undisturbed"]
"""Of which calls a figure is: all; those that succeeded, of tools that only read or that write; those that the tool
refused; those of an episode up to its first difference, after which the model may build on its own mistake."""


class TableSeen(Contract):
    """A table as it was at the start of the episode."""

    table: str
    rows_in_all: int
    columns: list[str]
    rows: list[list[Cell]]


class AnsweredCall(Contract):
    """What came back for a call."""

    outcome: Outcome
    value: Json = None
    error: str | None = None


class EarlierCall(Contract):
    tool: ToolName
    arguments: dict[str, Json]
    answer: AnsweredCall


class SimulatedCallContext(Contract):
    """schema `simulated_call`: what does this tool answer?"""

    service: str
    rules: list[Rule]
    ddl: str
    clock: str
    user_id: int
    tables: list[TableSeen]
    calls: list[EarlierCall]
    """Of this episode, with the model's own answers."""
    tool: ToolDefinition
    arguments: dict[str, Json]


class SimulatedCallAnswer(Contract):
    outcome: Literal["ok", "refused"]
    result: dict[str, Json] | None = None
    """Of a call that succeeds."""
    error: str = ""
    """Why it is refused."""


class SimulatedCall(Contract):
    """One call, answered by both."""

    environment: NonEmpty
    task: NonEmpty
    """Or, of calls that an inspection made, its session."""
    seed: int
    number: int
    """Within the episode."""
    tool: ToolName
    reads: bool
    arguments: dict[str, Json]
    executed: AnsweredCall
    simulated: AnsweredCall
    difference: Difference
    fits: bool
    """Whether the model's result keeps to the tool's output schema."""
    whole_state: bool
    """Whether the model was shown every row."""


class CallsCompared(Contract):
    calls: int
    same: Spread | None
    """The share without a difference but that of order; None: there are no such calls."""
    differences: dict[Difference, int]


class SimulationResult(Contract):
    simulator: NonEmpty
    """The model that answers in place of the tools."""
    agent: NonEmpty
    """The policy that plays. `reference` makes the calls of the reference solutions, `inspection` those with which the
    tools were inspected."""
    environments: int
    episodes: int
    same_throughout: int
    """Episodes without a difference but that of order."""
    passed: int | None
    """Episodes that the verifier accepts; None: they do no task. It sees what the executed tools made of the agent's
    calls."""
    calls: dict[Share, CallsCompared]
    broken_schema: int
    """Results that do not keep to the tool's output schema."""
    in_part: int
    """Calls for which the state was too large to be shown whole."""
    spent: Spent = Field(default_factory=Spent)
    """On the answers of the simulator, by all runs of this simulation."""

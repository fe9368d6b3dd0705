"""Rows for training: what a sample teaches, and everything that says where it came from.

Belongs here: rows before any trainer's own form, how environments are shared out, and what was left out. Does not: how
rows are made (`datasets`), and the forms in which trainers read them (`datasets.trainer_formats`).
"""

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, Json, NonEmpty, Slug, ToolName
from envfactory_dagster.contracts.domain import TaskKind
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.synthesis import Difficulty, TaskSource
from envfactory_dagster.contracts.tools import Principal
from envfactory_dagster.contracts.trajectory import OutcomeClass, Protocol
from envfactory_dagster.contracts.truth import RowChange

ROWS = 5
"""Raised when the same input makes other rows."""

Split = Literal["sft", "rl", "arena", "held_out", "held_out_modules"]
"""`arena`: environments in which a policy is examined between rounds of training, in no dataset; tasks drawn for what
it was weak in may be trained on in later rounds. `held_out`: environments of the same kinds as those trained on.
`held_out_modules`: environments in which nothing is offered that training has seen the code of, under whatever
names."""

ChatMessage = dict[str, Json]
"""In the OpenAI form, arguments as text; the message that is trained may carry its `reasoning_content`."""

Tool = dict[str, Json]
"""In the OpenAI form."""


class Trace(Contract):
    """Where a row came from: which task of which version of which environment, and for what it may be used."""

    environment: Slug
    bundle_version: str
    task: Identifier
    state: Identifier
    kind: TaskKind
    source: TaskSource
    parent: Identifier | None = None
    difficulty: Difficulty
    split: Split


class TrajectoryKey(Contract):
    """With bundle version and task: which trajectory of the store a row was made from."""

    setting: Literal["single", "conversation"]
    protocol: Protocol
    model: str
    seed: int


RowForm = Literal["report", "text"]
"""How an episode ends in a row: with the call that hands in the report, or with the words to the person, for templates
that know no tools."""


class SftRow(Contract):
    """A conversation to learn from. Without `step` all that the assistant says in it is trained, with `step` only its
    last message: what the agent wrote at that step, after exactly what it was shown then."""

    id: NonEmpty
    trace: Trace
    trajectory: TrajectoryKey
    step: int | None = Field(default=None, ge=0)
    form: RowForm = "report"
    messages: list[ChatMessage] = Field(min_length=3)
    tools: list[Tool]
    tokens: int = Field(default=0, ge=0)
    """About how many tokens messages and tools take, at four characters each; 0 in rows from before this was told."""
    outcome: OutcomeClass
    reward: float
    removed_calls: int = Field(default=0, ge=0)
    """Failed calls of the trajectory that are not shown."""
    shortened: bool = False
    """Whether it shows the trajectory without what it did not need, as it was played again."""

    @model_validator(mode="after")
    def _is_a_conversation(self) -> Self:
        check_conversation(self.messages, ends_with="assistant")
        return self


class PlannedCall(Contract):
    """A call of a reference solution."""

    tool: ToolName
    principal: Principal = "assistant"
    arguments: dict[str, Json] = Field(default_factory=dict)


class FileReference(Contract):
    """A file of the sealed bundle."""

    file: str
    sha256: str


class RlRow(Contract):
    """A task to be played. With `turn` it is one turn of a conversation: `prefix_calls` are made first, unseen, so that
    the database stands as it stood in the middle; what is asked for is what `target_calls` do."""

    id: NonEmpty
    trace: Trace
    setting: Literal["single", "conversation"]
    protocol: Protocol
    turn: int | None = Field(default=None, ge=0)
    messages: list[ChatMessage] = Field(min_length=2)
    """What the agent is shown before it says anything."""
    tools: list[Tool]
    tokens: int = Field(default=0, ge=0)
    """About how many tokens messages and tools take, at four characters each; 0 in rows from before this was told."""
    withheld: list[ToolName] = Field(default_factory=list)
    """Tools of the environment that are not there for this row."""
    prefix_calls: list[PlannedCall] = Field(default_factory=list)
    target_calls: list[PlannedCall] = Field(default_factory=list)
    target_changes: list[RowChange] | None = None
    """Every row that differs from the beginning of the task once the prefix and the target calls are made."""
    masked: dict[str, list[str]] = Field(default_factory=dict)
    """Tool → arguments whose value does not matter when paths are compared."""
    volatile: dict[str, list[str]] = Field(default_factory=dict)
    """Table → columns of which only filled or empty counts when databases are compared."""
    relative: dict[str, list[str]] = Field(default_factory=dict)
    """Table → columns whose days and moments count as distances to the clock."""
    dictated: dict[str, list[str]] = Field(default_factory=dict)
    """Table → columns of dictated text, in which case, a leading article and final punctuation do not count."""
    answer_form: AnswerForm | None = None
    """What the task asks to be told: the form of the report's answers. None for a turn, on which nobody reports."""
    verifier: FileReference | None
    """None for a turn, which is judged by path and state: what its target calls are, and what they change."""
    reward: dict[str, Json]
    """The reward settings for whoever trains on this row. Our own GRPO uses those of its recipe."""

    @model_validator(mode="after")
    def _is_the_beginning_of_one(self) -> Self:
        check_conversation(self.messages, ends_with="user")
        if (self.turn is None) == (self.verifier is None):
            raise ValueError("a task is judged by its verifier, a turn by its target calls")
        return self


class Placement(Contract):
    """Where an environment belongs, for good."""

    environment: Slug
    split: Split


class SplitLedger(Artifact):
    """How environments were shared out so far. Nothing in it ever changes; new environments are added."""

    seed: int
    placed: list[Placement] = Field(default_factory=list)
    """In the order in which they were placed."""
    held_bodies: list[str] = Field(default_factory=list)
    """Fingerprints of the tools that no training environment may have."""


class LeftOut(Contract):
    """What did not become a row, and why. `what` names an environment, a task (`environment/task`) or a row."""

    what: NonEmpty
    reason: NonEmpty
    detail: str = ""


def check_conversation(messages: list[ChatMessage], ends_with: str) -> None:
    """Every call is answered by one tool message, in order, before anything else is said."""
    if [message.get("role") for message in messages[:2]] != ["system", "user"]:
        raise ValueError("a conversation begins with what the system and the user say")
    open_calls: list[str] = []
    for message in messages[2:]:
        if message["role"] == "tool":
            if not open_calls or message.get("tool_call_id") != open_calls.pop(0):
                raise ValueError(f"a tool answers call {message.get('tool_call_id')}, which is not the next one")
            continue
        if open_calls:
            raise ValueError(f"the calls {', '.join(open_calls)} are not answered")
        open_calls = [str(call["id"]) for call in calls_of(message)]
    last = messages[-1]
    if last["role"] != ends_with:
        raise ValueError(f"the last to speak is {last['role']}, not {ends_with}")


def calls_of(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The calls of a message, none where it makes none."""
    return list(message.get("tool_calls") or [])

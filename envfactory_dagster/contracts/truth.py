"""How a task is judged: reference solutions, verifiers, and the verdict they give."""

from pydantic import Field

from envfactory_dagster.contracts.base import Contract, Identifier, Json, NonEmpty


class Solution(Contract):
    """A program over the tools: a module with `def solve(tools) -> answer`. Tools are called as `tools.name(arg=…)`."""

    task: Identifier
    source: NonEmpty


class Verifier(Contract):
    """A module of independent checks, each `def goal_…(world) -> bool` or `def guard_…(world) -> bool`.

    A goal is what must have become true (and is false at the start); a guard what must have stayed true. `world`
    offers `initial` and `final` (read-only databases with `query` and `one`), `changes` (rows touched), `answer`,
    `trajectory`, and `mentions(value)`: whether the answer says that value.
    """

    task: Identifier
    source: NonEmpty


class Signal(Contract):
    """What one check returned. `error` is set when it raised, hung or returned something that is not JSON."""

    name: str
    value: Json = None
    error: str | None = None


class Verdict(Contract):
    """guards × mean(goals), with every reason; a reward made from it is another thing."""

    score: float = Field(ge=0.0, le=1.0)
    signals: list[Signal] = Field(default_factory=list)
    reasons: list[str] = Field(default_factory=list)

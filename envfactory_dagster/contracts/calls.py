"""What a tool call gave back, and what a session changed: the values that pass between a runtime and its callers."""

from dataclasses import dataclass
from typing import Literal

from envfactory_dagster.contracts.base import Json

Outcome = Literal["ok", "agent", "environment", "infrastructure"]
"""`ok`, or whose fault the failure is: the caller's (bad arguments, a refusal of the domain), the environment's (its
code or data is broken, or it ends or overruns its process), the machine's (something outside ended the process, or none
could be started)."""


@dataclass(frozen=True, slots=True)
class CallResult:
    """The outcome of one tool call. A failed call has changed nothing in the database."""

    outcome: Outcome
    value: Json = None
    error: str | None = None
    note: str | None = None
    """Set when a long result was cut: what was cut, and from what length."""

    @property
    def ok(self) -> bool:
        return self.outcome == "ok"


@dataclass(frozen=True, slots=True)
class Change:
    """One row that differs between the start of a session and now. `before` is None for a created row, `after` for a
    deleted one; both hold every column."""

    table: str
    key: tuple[str | int | float | bytes | None, ...]
    before: dict[str, str | int | float | bytes | None] | None
    after: dict[str, str | int | float | bytes | None] | None

    @property
    def kind(self) -> Literal["insert", "update", "delete"]:
        return "insert" if self.before is None else "delete" if self.after is None else "update"

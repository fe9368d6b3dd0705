"""The record of how one artifact of one partition was made. Assets show it, and the store holds it."""

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import Field

from envfactory_dagster.contracts.base import Artifact, Contract

Status = Literal["ok", "rejected", "skipped"]

Fault = Literal["tasks", "schema", "rows", "spec", "code", "test", "solution", "verifier", "answer"]
"""Which artifact a gate holds responsible, so that the right one is repaired. `answer`: it was not even readable."""


class Problem(Contract):
    """One finding of a gate: whose fault, what is wrong, and the offending snippet, in words a model can act on."""

    fault: Fault
    message: str
    snippet: str = ""
    mendable: bool = True
    """False: no other answer of the author can change it, so that asking again would only cost."""


class Attempt(Contract):
    """One answer of a model and what the gate said of it. The last attempt of an accepted artifact has no problems but
    what may be left out."""

    number: int
    problems: list[Problem] = Field(default_factory=list)
    unusable: list[Problem] = Field(default_factory=list)
    """Answers before this one that there was nothing in to judge: refused, cut off, of another shape. Their tokens
    are counted here."""
    tokens_in: int = 0
    tokens_out: int = 0
    cached: bool = False


class Spent(Contract):
    """What asking models for one record came to, all requests and all attempts at them included."""

    calls: int = 0
    """Requests to an endpoint."""
    reused: int = 0
    """Answers that had been paid for before."""
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float | None = 0.0
    """None: some of the tokens have no known price."""

    @classmethod
    def together(cls, several: Iterable["Spent"]) -> "Spent":
        listed = list(several)
        costs = [one.cost_usd for one in listed]
        return cls(
            calls=sum(one.calls for one in listed),
            reused=sum(one.reused for one in listed),
            tokens_in=sum(one.tokens_in for one in listed),
            tokens_out=sum(one.tokens_out for one in listed),
            cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
        )


class StageRecord(Artifact):
    """One stage for one environment. A rejected artifact is data: it is stored with every attempt and its errors."""

    stage: str
    partition: str
    status: Status
    reason: str = ""
    inputs: str
    """Hash of code version, settings and parents' versions: when it is unchanged, the work is done already."""
    version: str
    """Hash of status, reason and artifact: downstream work is stale only when this changes."""
    parents: dict[str, str | None] = Field(default_factory=dict)
    artifact: dict[str, Any] | None = None
    attempts: list[Attempt] = Field(default_factory=list)
    spent: Spent | None = None
    """None: nobody counted."""
    metadata: dict[str, Any] = Field(default_factory=dict)

    @property
    def spending(self) -> Spent:
        """What was spent, as far as it is known: of older records only the tokens of each attempt are."""
        return self.spent or Spent(
            calls=len(self.attempts),
            tokens_in=sum(attempt.tokens_in for attempt in self.attempts),
            tokens_out=sum(attempt.tokens_out for attempt in self.attempts),
            cost_usd=None if self.attempts else 0.0,
        )

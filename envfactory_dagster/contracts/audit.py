"""What an audit says of the tasks of an environment that is there already, whoever made it.

Belongs here: the findings. Does not: how they are found (`truth.audit`), and what an inspection says of tools, which an
audit carries along.
"""

from typing import Literal

from pydantic import Field

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, NonEmpty
from envfactory_dagster.contracts.inspection import Finding, ToolUse

AuditKind = Literal[
    "gold_raises",
    "gold_varies",
    "gold_refused",
    "no_op_passes",
    "seed_satisfies",
    "accepts_mutants",
    "refuses_variants",
    "ambiguous",
    "verifier_breaks",
]
"""`gold_raises`: a call of the reference solution fails. `gold_varies`: run twice it comes to two ends.
`gold_refused`: its own verifier does not give it 1. `no_op_passes`: whoever does nothing and reports it as done gets 1.
`seed_satisfies`: some of its goals hold at the start. `accepts_mutants`: a wrong end gets 1. `refuses_variants`: the
same end by another way gets less. `ambiguous`: the words leave open what the verifier asks for. `verifier_breaks`: it
gives no verdict, or another one after other cases."""


class AuditFinding(Contract):
    kind: AuditKind
    detail: NonEmpty


class TaskAudit(Contract):
    """One task, what there was to judge it by, and what is wrong with it."""

    task: Identifier
    has_solution: bool
    has_verifier: bool
    trials: int = 0
    """How many right and wrong ends its verifier was shown."""
    findings: list[AuditFinding] = Field(default_factory=list)
    repaired: bool = False
    """Whether a better verifier was written, of which the findings no longer speak."""


class Audit(Artifact):
    """Everything found out about the tasks of one bundle."""

    bundle: str
    """The version that was audited."""
    tasks: list[TaskAudit]
    tools: list[ToolUse] = Field(default_factory=list)
    """What the reference solutions' calls brought, tool by tool; where there are none, calls without arguments."""
    inspection: list[Finding] = Field(default_factory=list)
    """Of the tools, where their code can be read, or there are no reference solutions."""

    def counts(self) -> dict[str, int]:
        """Kind of finding → how many tasks have one."""
        kinds = [kind for task in self.tasks for kind in {finding.kind for finding in task.findings}]
        return {kind: kinds.count(kind) for kind in sorted(set(kinds))}

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong. A warning of the inspection is none: it is for whoever reads the report."""
        failed = any(finding.severity == "fail" for finding in self.inspection)
        return not failed and not any(task.findings for task in self.tasks)

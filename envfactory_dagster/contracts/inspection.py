"""What an inspection says of an environment: facts, findings, tests with their verdicts, ratings, revisions.

Belongs here: the artifact of the stage `inspection` and its parts, which a sealed bundle carries along. Does not: how
any of it is found out (`truth.inspection`).
"""

from typing import Any, Literal

from pydantic import Field

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, NonEmpty, ToolName
from envfactory_dagster.contracts.domain import INITIAL_STATE
from envfactory_dagster.contracts.stages import Amending
from envfactory_dagster.contracts.truth import Dropped

Severity = Literal["fail", "warning"]
"""A failure makes the environment unfit; a warning is for whoever reads the report."""
Grade = Literal["pass", "warning", "fail"]
AtFault = Literal["code", "scenario"]
"""What makes a test fail: the tool, or what it was tried on: rows that contradict the rules, a call that asks for what
cannot be."""
Criterion = Literal["interface", "execution", "results", "state"]
"""Interfaces as specified; tools that load and run; results as expected; the right changes of the database."""


class Finding(Contract):
    """Something that is wrong with a tool, or with the environment when `tool` is empty."""

    tool: str
    criterion: Criterion
    severity: Severity
    message: NonEmpty
    snippet: str = ""
    of_all: bool = False
    """Only all tools together can be blamed; `tool` is the likeliest place to mend it."""

    @property
    def subject(self) -> str:
        """What it is about, for a person."""
        return self.tool or "the environment"


class ToolUse(Contract):
    """What calling a tool brought: how often it worked, how often it refused, how often it broke."""

    tool: ToolName
    worked: int
    refused: int
    broke: int
    refusals: int
    """Different reasons that it gave."""


class ComputedFacts(Contract):
    """What needs no judgement."""

    uses: list[ToolUse]
    dead_tools: list[str]
    """Tools that no call was found to work with."""
    untouched_tables: list[str]
    unused_columns: list[str]
    """Columns that no tool reads."""
    unreachable_values: list[str]
    """`table.column = value`: allowed by a CHECK, held by no row, written by no tool."""
    coverage: float = Field(ge=0.0, le=1.0)
    """The share of tools that were seen to work."""


class TestCase(Contract):
    """One call a tester thought of, knowing only the interface and the rows."""

    __test__ = False
    """It is no test of ours, whatever pytest takes its name for."""

    tool: ToolName
    arguments: dict[str, Any]
    positive: bool
    """Whether it has to succeed; otherwise it has to be refused."""
    expectation: NonEmpty


class JudgedTest(Contract):
    """A test, what came of it, and what the checker said of that."""

    round: int
    case: TestCase
    outcome: str
    result: str
    grade: Grade
    reason: str = ""
    at_fault: AtFault = "code"
    """Of a failure."""
    state: Identifier = INITIAL_STATE
    """Where the call was made."""
    session: int = 0
    """Calls with the same number were made one after the other, each where the one before it had left the world."""

    @property
    def counts(self) -> bool:
        """Whether it says anything of the tool."""
        return self.grade != "fail" or self.at_fault == "code"


class ToolScore(Contract):
    """Cross-validation: a tool is kept when it passes more than half of its tests."""

    tool: ToolName
    tests: int
    passed: int
    kept: bool

    @property
    def passes(self) -> bool:
        """Whether it passes more than half of its tests."""
        return 2 * self.passed > self.tests


class Ratings(Contract):
    """One to five, with a sentence for each; None and no sentence where the judge gave no readable answer."""

    task_feasibility: int | None = Field(default=None, ge=1, le=5)
    data_alignment: int | None = Field(default=None, ge=1, le=5)
    toolset_completeness: int | None = Field(default=None, ge=1, le=5)
    reasons: dict[str, str]
    bugs: int
    """Tools with a failure."""
    blocked_tasks: list[Identifier]
    """Tasks that cannot be done while these tools fail or are missing."""


class Revised(Contract):
    """One round of mending: what was asked for, and how the code it brought did in the same inspection."""

    number: int
    failures_before: int
    failures_after: int
    kept: bool
    problem: str = ""
    """Why the answer could not be used at all."""


class Inspection(Artifact, Amending):
    """Everything found out about one bundle. Where tools had to be dropped, it amends `environment`."""

    bundle: str
    """The version that was inspected."""
    facts: ComputedFacts
    findings: list[Finding]
    tests: list[JudgedTest]
    tools: list[ToolScore]
    ratings: Ratings
    score: float = Field(ge=0.0, le=1.0)
    """The share of the tests that do not fail: a warning counts as a pass."""
    passed: bool
    revisions: list[Revised] = Field(default_factory=list)
    revised_source: str | None = None
    """The best tool code that the revisions brought, where it is better than what there was."""
    dropped_tools: list[ToolName] = Field(default_factory=list)
    """Those that fail for good; the environment goes on without them."""
    dropped_tasks: list[Dropped] = Field(default_factory=list)
    """The tasks that need one of them."""
    dropped_tests: list[Identifier] = Field(default_factory=list)
    """The tools whose authors said of calls what is not true of the mended code."""

    @property
    def failures(self) -> list[Finding]:
        """Those of the environment as it goes on."""
        failed = (one for one in self.findings if one.severity == "fail")
        return [one for one in failed if one.of_all or one.tool not in self.dropped_tools]

    def criteria(self) -> dict[str, bool]:
        """EnvFactory's four criteria: which of them hold."""
        failed = {finding.criterion for finding in self.failures}
        return {name: name not in failed for name in ("interface", "execution", "results", "state")}

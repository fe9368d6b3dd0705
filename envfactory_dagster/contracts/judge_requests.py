"""What a judge is asked: about an episode, about an environment that it inspects, about a description of one, and about
tools and rows that were just accepted.

Belongs here: contexts and answers, as in `requests`. Does not: what an author is asked (`requests`), and the words
around them (`truth`).
"""

from typing import Generic, Literal, TypeVar

from pydantic import Field

from envfactory_dagster.contracts.base import Contract, Json, NonEmpty, ToolName
from envfactory_dagster.contracts.calls import Outcome
from envfactory_dagster.contracts.database import Table, TableRows
from envfactory_dagster.contracts.domain import Rule, Task, Theme
from envfactory_dagster.contracts.inspection import AtFault, ComputedFacts, Finding, Grade, TestCase
from envfactory_dagster.contracts.mining_requests import WithMined
from envfactory_dagster.contracts.reports import AnswerForm, Report, ReportOutcome
from envfactory_dagster.contracts.requests import CommandShown, ToolOutside
from envfactory_dagster.contracts.sources import SourceShown
from envfactory_dagster.contracts.tool_signatures import ToolSignature
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.trajectory import CriterionJudgement, Evidence, OutcomeClass, TypedCriterion
from envfactory_dagster.contracts.truth import RowChange

# -- judging an episode ------------------------------------------------------------------------------------------------


class CallJudged(Contract):
    """One call of an agent: its arguments, and its result or error, as text that is cut when it is long."""

    tool: str
    arguments: str
    read_only: bool
    outcome: Outcome
    result: str


class StepJudged(Contract):
    """One step of an agent: what it said and what it called."""

    number: int
    said: str
    calls: list[CallJudged]


class CheckJudged(Contract):
    """One check of the verifier: what it is for, and what it found. A goal has to become true, a guard to stay so."""

    name: str
    meaning: str
    value: Json
    """As it was returned."""
    holds: bool | None
    """None when it gave no answer."""
    error: str | None = None


class TableChanged(Contract):
    """How many rows of a table differ from the start, all of them counted."""

    table: str
    created: int
    updated: int
    deleted: int
    shown: int
    """How many of them are among the `changes`."""


class EpisodeJudged(Contract):
    """What an agent was asked, under which rules, and what it did."""

    rules: list[Rule]
    task: Task
    steps: list[StepJudged]
    answer: str
    """What the person was told."""
    report: Report | None = None
    tables: list[TableChanged] | None
    """Every table in which a row differs from the start; None when changes are not shown."""
    changes: list[RowChange] | None
    """The rows that differ, of a table with many the first and the last; None when they are not shown."""


class ReportReadingContext(Contract):
    """schema `report_reading`: which report stands in what an agent told a person?"""

    asked: str
    """What the person wanted."""
    rules: list[Rule]
    answer_form: AnswerForm
    told: str
    """Everything that the agent said to the person."""
    reading: int
    """Every text is read more than once, each time as if it were the first."""


class ReportReadingAnswer(Contract):
    outcome: ReportOutcome | None
    """None: the text does not say it."""
    answers: dict[str, Json] = Field(default_factory=dict)
    """By the fields of the form; what the text does not say is null."""
    reason: str | None = None
    """The id of the rule that the text names or describes."""


class JudgeCodeAugmentedContext(Contract):
    """schema `judge_code_augmented`: into which of four classes does the episode fall?"""

    episode: EpisodeJudged
    checks: list[CheckJudged] | None
    """None: the judge has to do without."""
    success_criteria: list[str] = Field(default_factory=list)
    failure_criteria: list[str] = Field(default_factory=list)


class JudgeCodeAugmentedAnswer(Contract):
    reasoning: NonEmpty
    outcome: OutcomeClass
    evidence: list[Evidence] = Field(min_length=1)


class JudgeMessageContext(Contract):
    """schema `judge_message`: do the words of the message contradict the report?"""

    episode: EpisodeJudged


class MessageContradiction(Contract):
    quote: NonEmpty
    """Words of the message, as they stand there."""
    against: NonEmpty
    """What they contradict."""


class JudgeMessageAnswer(Contract):
    contradictions: list[MessageContradiction] = Field(default_factory=list)
    agrees: bool | None
    """None: it cannot be told."""


class JudgeRubricContext(Contract):
    """schema `judge_rubric`: which criteria does the episode meet?"""

    episode: EpisodeJudged
    criteria: list[TypedCriterion]


class JudgeRubricAnswer(Contract):
    criteria: list[CriterionJudgement]


# -- inspecting an environment -----------------------------------------------------------------------------------------


class ToolSeen(Contract):
    """How a tool did in the rounds so far."""

    tool: ToolName
    worked: int
    refused: int
    last_refusal: str = ""


class LimitToTest(Contract):
    """A number of a rule that could be another one, and no test would show it."""

    rule: str
    number: str


class InspectionTestsContext(Contract):
    """schema `inspection_tests`: calls that try every tool, rightly and wrongly. The tester sees no code."""

    tools: list[ToolOutside]
    tables: list[Table]
    user_id: int
    tests_of_a_tool: int
    state: str
    """The database of this round; other rounds may have had others."""
    clock: str
    row_counts: dict[str, int]
    """How many rows each table holds now."""
    rows: list[TableRows]
    """Of a long table the first ones."""
    round: int
    seen: list[ToolSeen]
    limits: list[LimitToTest] = Field(default_factory=list)
    """Not empty: tests of these and of nothing else."""


class InspectionTestsAnswer(Contract):
    tests: list[TestCase]


class RowShown(Contract):
    """One row as it was, without its empty columns; long texts are cut."""

    table: str
    row: dict[str, Json]


class ObservedTest(Contract):
    """A test and all that came of it."""

    number: int
    state: str
    """Where the session began."""
    session: int
    """Calls of one session were made one after the other, in the order of their numbers."""
    case: TestCase
    rows: list[RowShown]
    """The rows that the arguments name by a key, as they were before the call."""
    outcome: Outcome
    result: str
    """JSON, or the sentence of a refusal."""
    changes: list[RowChange]


class ToolChecked(Contract):
    """A tool, and the calls of it that are to be graded."""

    tool: ToolSignature
    source: str
    observed: list[ObservedTest]


class InspectionCheckContext(Contract):
    """schema `inspection_check`: did these calls do what the tool's interface, its code and the rules promise?"""

    rules: list[Rule]
    clocks: dict[str, str]
    """State → its time."""
    tools: list[ToolChecked]


class CheckedTest(Contract):
    number: int
    grade: Grade
    reason: str = ""
    at_fault: AtFault = "code"
    """Of a failure: the tool, or what it was tried on."""


class InspectionCheckAnswer(Contract):
    tests: list[CheckedTest]


class DoubtfulCall(Contract):
    """A call that the tools accepted, and why one may doubt it."""

    number: int
    doubt: str
    clock: str
    tool: ToolName
    arguments: dict[str, Json]
    rows: list[RowShown]
    rows_of_the_person: list[RowShown]
    """The person, and what joins the person to `rows`, such as a membership."""
    changes: list[RowChange]
    """Of changed rows only the columns that differ."""


class ClerkReviewContext(Contract):
    """schema `clerk_review`: would a careful clerk of the service do what its tools let through?"""

    service: str
    rules: list[Rule]
    tools: list[CommandShown]
    calls: list[DoubtfulCall]


class ReviewedCall(Contract):
    number: int
    verdict: Literal["fine", "refuse"]
    why: str = ""


class ClerkReviewAnswer(Contract):
    calls: list[ReviewedCall]


class InspectionRatingsContext(Contract):
    """schema `inspection_ratings`: one to five for what cannot be computed."""

    theme: Theme
    tasks: list[Task]
    tables: list[Table]
    tools: list[ToolSignature]
    facts: ComputedFacts
    failures: list[str]
    blocked_tasks: list[str]


class RatingAnswer(Contract):
    score: int = Field(ge=1, le=5)
    reason: NonEmpty


class InspectionRatingsAnswer(Contract):
    task_feasibility: RatingAnswer
    data_alignment: RatingAnswer
    toolset_completeness: RatingAnswer


class ToolSource(Contract):
    tool: ToolName
    source: NonEmpty
    """The function with its helpers; imports first."""


class InspectionRevisionContext(Contract):
    """schema `inspection_revision`: mend the tools that the report names."""

    theme: Theme
    tables: list[Table]
    tools: list[ToolDefinition]
    sources: list[ToolSource]
    report: list[Finding]


class InspectionRevisionAnswer(Contract):
    tools: list[ToolSource]


# -- what a person named who described a world -------------------------------------------------------------------------


class NamedThingsContext(Contract):
    """schema `named_things`: what does a person name who describes a world? The judge sees nothing of the world."""

    text: str


class NamedThingsAnswer(Contract):
    things: list[NonEmpty]
    """The words of each, as they stand in the text."""


class NamedThingsFoundContext(Contract):
    """schema `named_things_found`: where in the world that was made from the text is each of these things?

    What stays the same when the tools are specified anew comes first: endpoints that cache prefixes read it once.
    """

    text: str
    things: list[str]
    tables: list[Table]
    tasks: list[Task]
    tools: list[ToolSignature]


class ThingFound(Contract):
    words: NonEmpty
    tables: list[str]
    """Tables, and columns as `table.column`."""
    tools: list[str]
    tasks: list[str]
    tables_for_a_tool: list[str]
    """Of a thing that is nowhere: the tables over which a tool could offer it."""


class NamedThingsFoundAnswer(Contract):
    things: list[ThingFound]


# -- what somebody of the trade reads when it is accepted --------------------------------------------------------------


class ReviewFinding(Contract):
    odd: NonEmpty
    change: NonEmpty
    """What the author is to do about it."""


F = TypeVar("F", bound=ReviewFinding)


class ReviewAnswer(Contract, Generic[F]):
    findings: list[F]


class DocumentRead(Contract):
    """A text that a service keeps beside its records."""

    path: str
    text: str


class TradeReviewContext(Contract):
    """schema `trade_review`: where could somebody who has worked there for years not work with these tools?"""

    theme: Theme
    tables: list[Table]
    documents: list[DocumentRead]
    """Of a world whose state is files; of others there are none."""
    tasks: list[Task]
    tools: list[ToolSignature]
    room_for_tools: int


class TradeFinding(ReviewFinding):
    tool: str | None
    """None: no tool is about the matter."""


class TradeReviewAnswer(ReviewAnswer[TradeFinding]):
    pass


class RowsReviewContext(WithMined):
    """schema `rows_review`: which rows of a state could not stand so in the registers of such a place?"""

    theme: Theme
    tables: list[Table]
    tasks: list[Task]
    """Those that start in this state."""
    clock: str
    rows: list[TableRows]
    """All but those that were mined."""
    source: SourceShown | None = Field(default=None, exclude_if=lambda source: source is None)
    """The documents that the world is mined from."""


class RowsFinding(ReviewFinding):
    table: str | None
    """None: it is about the clock alone."""
    ids: list[int | str]
    """Keys of rows of the table; none where some are missing."""


class RowsReviewAnswer(ReviewAnswer[RowsFinding]):
    pass

"""One episode of an agent in an environment, and how it was judged: what trainers read and replay re-executes.

Belongs here: the recorded episode, judgements and the reward it got. Does not: playing it (`rollouts`), judging it or
turning verdicts into rewards (`truth`).
"""

from typing import Literal, Self

from pydantic import Field, model_validator

from envfactory_dagster.contracts.base import Artifact, Contract, Identifier, Json, NonEmpty, Slug, ToolName
from envfactory_dagster.contracts.calls import Outcome
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.tools import Principal
from envfactory_dagster.contracts.truth import Verdict

Protocol = Literal["native", "compact", "meta_tools"]
"""`native`: every tool of the environment is the agent's own. `compact`: the same, told in half as many words.
`meta_tools`: it has two, `list_tools` and `call_tool`, and finds the others through them."""

OutcomeClass = Literal["completed", "partially_completed", "agent_error", "environment_error"]

Ending = Literal["answered", "limit", "stopped"]
"""The agent gave its final answer; it ran out of turns or tokens; the episode was cut short from outside."""


class ToolRequest(Contract):
    """A tool call as the agent wrote it. Nothing about it need be right."""

    id: str
    name: str
    arguments: dict[str, Json] | str
    """The text as it stands where that is no JSON object."""
    principal: Principal = "assistant"
    is_report: bool = False
    """Whether it hands in the report that ends the episode; such a request never reaches the environment."""


class Observation(Contract):
    """What came back for one call."""

    call: str
    """The id of the call it answers."""
    outcome: Outcome
    value: Json = None
    error: str | None = None
    note: str | None = None


class Tokens(Contract):
    """The tokens of a step as the policy saw and sampled them."""

    ids: list[int]
    logprobs: list[float] | None = None
    mask: list[bool] | None = None
    """Which of them the policy wrote itself."""

    @model_validator(mode="after")
    def _one_of_each_for_every_token(self) -> Self:
        for name, values in (("log-probabilities", self.logprobs), ("mask", self.mask)):
            if values is not None and len(values) != len(self.ids):
                raise ValueError(f"{len(self.ids)} tokens, but {len(values)} values in the {name}")
        return self


class Timing(Contract):
    """Where the seconds of a step went."""

    model_s: float = Field(ge=0.0)
    tools_s: float = Field(ge=0.0)


class Step(Contract):
    """One turn of the assistant: what it thought, said and asked for, and what it was shown for that. What the user
    calls meanwhile stands in the same step, or in one of its own."""

    number: int
    """From 0, in the order the steps were taken."""
    reasoning: str = ""
    text: str = ""
    calls: list[ToolRequest] = Field(default_factory=list)
    observations: list[Observation] = Field(default_factory=list)
    reply: str = ""
    """What a user said to this text, in a conversation."""
    notice: str = ""
    """What the agent was told after this step that no person said: that its report is still to come."""
    tokens: Tokens | None = None
    timing: Timing | None = None


class Evidence(Contract):
    """What a judgement rests on: a step, a check of the verifier, and what is to be seen there."""

    step: int | None = None
    check: str | None = None
    shows: NonEmpty
    quote: str = ""
    """Words as they stand there."""


class Judgement(Contract):
    """What a judge made of an episode. Without an outcome, `problem` says why there is none."""

    outcome: OutcomeClass | None
    reasoning: str = ""
    evidence: list[Evidence] = Field(default_factory=list)
    problem: str = ""


class Criterion(Contract):
    """One line of a rubric."""

    id: Identifier
    text: NonEmpty


CriterionKind = Literal["outcome", "reason", "answer", "check", "statement", "message"]
"""What a criterion speaks of: of the report its outcome, the rule it names, or one of its answers; a `check` of the
verifier. A `statement` was written by an author and is judged as it reads. `message`: that the words to the person do
not contradict the report."""


class TypedCriterion(Criterion):
    """A line of a rubric that says what it speaks of. What it expects of a report, code can hold against it."""

    kind: CriterionKind
    field: Identifier | None = None
    """Of an `answer`: which one."""
    expected: Json = None
    """Of a line about the report: what it has to say."""


class CriterionJudgement(Contract):
    """One criterion, met or not. `met` None: whoever judged cannot tell."""

    criterion: Identifier
    met: bool | None
    reason: NonEmpty


class RubricJudgement(Contract):
    """A rubric judged criterion by criterion. Without criteria, `problem` says why there are none."""

    criteria: list[CriterionJudgement] = Field(default_factory=list)
    problem: str = ""


class Reward(Contract):
    """What an episode earned: in all, by component before weighting, and for each of its steps."""

    total: float
    components: dict[str, float] = Field(default_factory=dict)
    steps: list[float] = Field(default_factory=list)
    reasons: list[str] = Field(default_factory=list)
    """Why it is not more."""


class Trajectory(Artifact):
    """An episode from its first step to its end, with everything needed to play it again."""

    environment: Slug
    bundle_version: str
    task: Identifier
    state: Identifier
    clock: str
    protocol: Protocol
    model: str
    seed: int
    withheld: list[ToolName] = Field(default_factory=list)
    """Tools of the environment that were not there. In episodes from before this was kept: those of the task."""
    opening: str = ""
    """The first message to the agent. Without a conversation it is the task's text."""
    steps: list[Step]
    ending: Ending
    report: Report | None = None
    """None where the episode ended without one."""
    outcome: OutcomeClass | None = None
    verdict: Verdict | None = None
    reward: Reward | None = None
    state_hash: str
    """Of the database after the last step."""

    @property
    def answer(self) -> str:
        """What the agent told the person: the text of every step in which it called nothing, in a conversation of
        several turns those of all of them, and the message of its report. Empty when there was none."""
        told = [step.text.strip() for step in self.steps if all(call.principal == "user" for call in step.calls)]
        if self.report is not None and self.report.message not in told:
            told.append(self.report.message)
        return "\n".join(filter(None, told))

"""From what is known of an episode to what it earns: the papers' formulas, and their weighted sum.

Belongs here: settings and pure functions. Does not: finding out (`verdicts`, `judging`, `paths`, `format_rules`), and
where rewards are kept (`rollouts`). If the verifier gave no clear answer, a component is 0 and a reason says why; if a
judge had to decide and did not, `NoReward` is raised.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self, assert_never

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import EnvFactoryError, UsageError
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.trajectory import (
    Judgement,
    OutcomeClass,
    Protocol,
    Reward,
    RubricJudgement,
    Trajectory,
)
from envfactory_dagster.contracts.truth import ReferenceSolution, Signal, Verdict
from envfactory_dagster.runtime.checks import GOAL, GUARD, MESSAGE_CHECK
from envfactory_dagster.truth.format_rules import FORGIVING, RULES, Breach, FormatRules, Rule, must_call
from envfactory_dagster.truth.messages import contradictions
from envfactory_dagster.truth.paths import PathRules, excess, path_match
from envfactory_dagster.truth.protocols import traced, unread
from envfactory_dagster.truth.reports import wrong_answers

Strategy = Literal["code_only", "judge_only", "code_augmented"]

Component = Literal["outcome", "checks", "validator", "rubric", "path_and_state"]
"""`outcome`: the class of the episode, by the strategy (AWM). `checks`: guards × mean of the goals (EnvScaler).
`validator`: 1 when every check holds (Agent-World's programmatic tasks). `rubric`: 1 when every criterion is met
(Agent-World's rubrics). `path_and_state`: α·path + (1−α)·state − γ·length (EnvFactory)."""

CLASS_REWARD: dict[OutcomeClass, float] = {
    "completed": 1.0,
    "partially_completed": 0.1,
    "agent_error": 0.0,
    "environment_error": 0.0,
}
FORMAT_PENALTY = -1.0


_Weight = Annotated[float, Field(gt=0.0, le=1e6)]
"""At most a million, so that all weights together are a number too."""


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Schedule(_Settings):
    """A number that may move in a straight line during training. Written as a plain number it stays where it is."""

    start: float = Field(ge=0.0, le=1.0)
    end: float | None = Field(default=None, ge=0.0, le=1.0)
    steps: int = Field(default=0, ge=0)
    """After how many training steps the end is reached."""

    @model_validator(mode="before")
    @classmethod
    def _from_a_number(cls, given: Any) -> Any:
        return {"start": given} if isinstance(given, int | float) else given

    @model_validator(mode="after")
    def _moves_over_some_steps(self) -> Self:
        if self.end is not None and self.steps == 0:
            raise ValueError("a schedule with an end needs the number of steps until then")
        return self

    def at(self, training_step: int) -> float:
        if self.end is None:
            return self.start
        done = min(max(training_step, 0), self.steps) / self.steps
        return self.start + (self.end - self.start) * done


class RewardSettings(_Settings):
    """Which reward is paid."""

    strategy: Strategy = "code_only"
    weights: dict[Component, _Weight] = Field(default={"outcome": 1.0}, min_length=1)
    """Component → its weight; the total is their weighted mean."""
    message_words: bool = True
    """Whether a judge, where there is one, reads the words of the message of every episode that earns something. With
    False, and where there is no judge, code checks the values of the message only. A judge that is asked about the
    episode anyway reads its message too."""
    alpha: Schedule = Schedule(start=0.5)
    gamma: Schedule = Schedule(start=0.1)
    format_rules: dict[Protocol, tuple[Rule, ...]] = FORGIVING
    """Protocol → the rules of form whose breach ends an episode at −1; a protocol left out keeps those of the default.
    Written as `all`: every rule, as Agent World Model has it, so that a wrong argument ends an episode too."""

    @field_validator("format_rules", mode="before")
    @classmethod
    def _by_name(cls, given: Any) -> Any:
        return RULES if given == "all" else given

    @model_validator(mode="after")
    def _strategy_has_its_component(self) -> Self:
        if self.strategy != "code_only" and "outcome" not in self.weights:
            raise ValueError(
                f"the strategy `{self.strategy}` says how the component `outcome` is decided, and `weights` has none; "
                "add `outcome` to the weights, or leave the strategy out"
            )
        return self

    def form(self, tools: Sequence[ToolDefinition], protocol: Protocol) -> FormatRules:
        """The rules of form for one environment."""
        return FormatRules(tools, protocol, self.format_rules.get(protocol, FORGIVING[protocol]))


def needs_class(settings: RewardSettings) -> bool:
    """Whether a judge has to say into which class an episode falls."""
    return "outcome" in settings.weights and settings.strategy != "code_only"


def needs_rubric(settings: RewardSettings) -> bool:
    """Whether a judge has to hold an episode against a rubric."""
    return "rubric" in settings.weights


def needs_judge(settings: RewardSettings) -> list[str]:
    """Which of the settings only a judge can decide; empty when code decides alone."""
    named = [f"the strategy `{settings.strategy}`"] if needs_class(settings) else []
    return [*named, "the component `rubric`"] if needs_rubric(settings) else named


def refuse_without_judge(settings: RewardSettings, how: str) -> None:
    """Call this where there is no judge. Raises UsageError if the settings need one; `how` says what to do about it."""
    if named := needs_judge(settings):
        raise UsageError(f"The reward needs a judge for {' and '.join(named)}, and there is none here: {how}.")


class NoReward(EnvFactoryError):
    """The reward depends on what a judge says, and no judge has said it; or on what the person was told, and nobody has
    read it."""


@dataclass(frozen=True, slots=True)
class EpisodeToReward:
    """Everything known of one episode when it is rewarded."""

    task: Task
    trajectory: Trajectory
    gold: ReferenceSolution
    form: FormatRules
    paths: PathRules
    same_state: bool
    """Whether the database ended as the reference solution leaves it."""
    verdict: Verdict | None = None
    judgement: Judgement | None = None
    rubric: RubricJudgement | None = None
    reports: bool = True
    """Whether the agent has to report. Of a single turn of a conversation it has not, and no verifier knows of it."""


@dataclass(frozen=True, slots=True)
class RewardPart:
    """One component's value, and why it is not more."""

    value: float
    reason: str = ""


def reward(settings: RewardSettings, known: EpisodeToReward, training_step: int = 0) -> Reward:
    """What the episode earns. A breach of form costs 1 at the step that broke it; where the environment failed, where
    the episode did not come to its own end, and where there is no report, nothing is earned. Raises NoReward where a
    judge has to decide and has not, and where nobody has read what stands in a report's place."""
    steps = len(known.trajectory.steps)
    needed = must_call(known.task, known.gold)
    breach = known.form.breach(known.trajectory.steps, finished=True, must_call=needed)
    if breach is not None:
        return _ended_early(breach, steps)
    if known.trajectory.ending != "answered":
        return _nothing(steps, f"the episode came to no end of its own: {known.trajectory.ending}")
    if known.reports and unread(known.trajectory):
        raise NoReward("there is no report, and nobody has read what the person was told")
    if known.reports and known.trajectory.report is None:
        return _nothing(steps, "there is no report")
    parts = {name: component(name, settings, known, training_step) for name in settings.weights}
    total = weighted({name: part.value for name, part in parts.items()}, settings.weights)
    return Reward(
        total=total,
        components={name: part.value for name, part in parts.items()},
        steps=[total] * steps,
        reasons=[f"{name}: {part.reason}" for name, part in parts.items() if part.reason],
    )


def component(name: Component, settings: RewardSettings, known: EpisodeToReward, training_step: int = 0) -> RewardPart:
    """One component of the reward of an episode that came to its end in good form."""
    if name == "outcome":
        return outcome_reward(settings.strategy, known.verdict, known.judgement)
    if name == "checks":
        return checks_reward(known.verdict)
    if name == "validator":
        return validator_reward(known.verdict)
    if name == "rubric":
        return rubric_reward(known.rubric)
    if name == "path_and_state":
        return path_and_state_reward(known, settings.alpha.at(training_step), settings.gamma.at(training_step))
    assert_never(name)


def weighted(values: Mapping[Component, float], weights: Mapping[Component, float]) -> float:
    """The weighted mean. A component without a value is a mistake of the caller."""
    return sum(weights[name] * values[name] for name in weights) / sum(weights.values())


def outcome_reward(strategy: Strategy, verdict: Verdict | None, judgement: Judgement | None) -> RewardPart:
    """1 for a completed task, 0.1 for one completed in part, 0 otherwise.

    By code alone a task is completed or not. A judge who knows the checks may overrule an unmet goal, but no guard,
    and no check that gave no answer.
    """
    if strategy == "code_only":
        return validator_reward(verdict)
    if strategy == "code_augmented":
        doubt = _doubt(verdict) or _broken_guards(verdict)
        if doubt:
            return RewardPart(0.0, doubt)
    if judgement is None or judgement.outcome is None:
        raise NoReward("no judge was asked" if judgement is None else judgement.problem)
    value = CLASS_REWARD[judgement.outcome]
    return RewardPart(value, "" if value == 1.0 else f"judged {judgement.outcome}: {judgement.reasoning}")


def checks_reward(verdict: Verdict | None) -> RewardPart:
    """Guards × mean of the goals, as the verdict has it."""
    doubt = _doubt(verdict)
    if verdict is None or doubt:
        return RewardPart(0.0, doubt)
    return RewardPart(
        verdict.score, "" if verdict.score == 1.0 else "; ".join(verdict.reasons) or "not every check holds"
    )


def validator_reward(verdict: Verdict | None) -> RewardPart:
    """1 when every check holds, otherwise 0."""
    checks = checks_reward(verdict)
    return RewardPart(1.0) if checks.value == 1.0 else RewardPart(0.0, checks.reason)


def rubric_reward(rubric: RubricJudgement | None) -> RewardPart:
    """1 when every criterion is met, 0 when one is not. Where a judge cannot tell, there is no reward; what it cannot
    tell of the words of the message is taken for right."""
    if rubric is None or not rubric.criteria:
        raise NoReward("no judge was asked" if rubric is None else rubric.problem)
    unmet = [f"{one.criterion} is not met: {one.reason}" for one in rubric.criteria if one.met is False]
    if unmet:
        return RewardPart(0.0, "; ".join(unmet))
    for one in rubric.criteria:
        if one.met is None and one.criterion != MESSAGE_CHECK:
            raise NoReward(f"the judge cannot tell whether {one.criterion} is met: {one.reason}")
    return RewardPart(1.0, "")


def path_and_state_reward(known: EpisodeToReward, alpha: float, gamma: float) -> RewardPart:
    """α·path + (1−α)·state − γ·length; at least −γ, at most 1. If the reference solution changes nothing and the
    episode changed something, the value is that of the state, 0."""
    made = traced(known.trajectory)
    state = state_reward(known)
    if not known.gold.changes and not known.same_state:
        return state
    path = path_match(known.gold.calls, made, known.paths) if _has_path(known.gold) else state.value
    length = excess(known.gold.calls, made)
    value = alpha * path + (1.0 - alpha) * state.value - gamma * length
    reasons = [state.reason] if state.reason else []
    reasons += [f"{path:.0%} of the reference solution's calls were made"] if path < 1.0 else []
    reasons += [f"{length:.0%} of the calls were more than it needed"] if length and gamma else []
    return RewardPart(value, "; ".join(reasons))


def state_reward(known: EpisodeToReward) -> RewardPart:
    """1 when the database is as the reference solution leaves it and the report says the same as its report. If the
    report differs, or the reference solution changes nothing, it is 1 exactly when all checks hold. Of a turn, on which
    nobody reports, the database alone decides."""
    if not known.same_state:
        return RewardPart(0.0, "the database is not as the reference solution leaves it")
    if not known.reports:
        return RewardPart(1.0)
    if known.gold.changes and _reports_the_same(known):
        return RewardPart(1.0)
    checks = checks_reward(known.verdict)
    return RewardPart(1.0) if checks.value == 1.0 else RewardPart(0.0, checks.reason)


def _reports_the_same(known: EpisodeToReward) -> bool:
    form, gold, report = known.gold.form, known.gold.report, known.trajectory.report
    if report is None or (report.outcome, report.reason) != (gold.outcome, gold.reason):
        return False
    if wrong_answers(form, gold.answers, report):
        return False
    signals = known.verdict.signals if known.verdict is not None else []
    if Signal(name=MESSAGE_CHECK, value=False) in signals:
        return False
    return not contradictions(report, form, known.task.text, traced(known.trajectory))


def _has_path(gold: ReferenceSolution) -> bool:
    return any(call.outcome == "ok" for call in gold.calls)


def _doubt(verdict: Verdict | None) -> str:
    """Why a verdict proves nothing; empty when it can be relied on."""
    if verdict is None:
        return "the verifier was not run"
    if not any(signal.name.startswith(GOAL) for signal in verdict.signals):
        return "; ".join(verdict.reasons) or "the verifier says of no goal whether it is reached"
    return "; ".join(
        f"{signal.name} gave no answer: {signal.error or f'it returned {signal.value!r}'}"
        for signal in verdict.signals
        if signal.error is not None or not isinstance(signal.value, bool)
    )


def _broken_guards(verdict: Verdict | None) -> str:
    signals = verdict.signals if verdict is not None else []
    broken = [signal.name for signal in signals if signal.name.startswith(GUARD) and signal.value is not True]
    return f"{', '.join(broken)} did not hold" if broken else ""


def _ended_early(breach: Breach, steps: int) -> Reward:
    if not breach.of_agent:
        return _nothing(steps, breach.message)
    by_step = [0.0] * steps
    by_step[breach.step] = FORMAT_PENALTY
    return Reward(total=FORMAT_PENALTY, steps=by_step, reasons=[breach.message])


def _nothing(steps: int, reason: str) -> Reward:
    return Reward(total=0.0, steps=[0.0] * steps, reasons=[reason])

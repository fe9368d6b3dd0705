"""What an engine is given to play: a task in its environment, with everything that says what became of it.

Belongs here: one task with what its rewards need, made from what the stages of the truth kept. Does not: playing it
(`engine`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.synthesis import Conversation
from envfactory_dagster.contracts.trajectory import Criterion
from envfactory_dagster.contracts.truth import ReferenceSolution, TracedStep
from envfactory_dagster.language.messages import Message
from envfactory_dagster.rollouts.settings import Setting
from envfactory_dagster.runtime.bundle_facts import facts_of
from envfactory_dagster.truth.reward_basis import RewardBasis
from envfactory_dagster.truth.rewards import RewardSettings
from envfactory_dagster.truth.verdicts import TaskChecks


@dataclass(frozen=True, slots=True)
class SingleTurn:
    """One turn of a conversation, played by itself: from its request to the agent's first message without a call.
    Nobody reports, so only path and state can be paid (`RewardBasis.gold` has the turn's calls alone)."""

    messages: Sequence[Message]
    """What was said until its request, and the request."""
    calls: Sequence[TracedStep]
    """What was done until then. It is done again before the agent begins."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """One task to be played, with the checks that judge it and what its rewards rest on. `conversation`: how a
    simulated user brings it up; where there is none, it brings up what the task's text says."""

    bundle: Bundle
    task: Task
    checks: TaskChecks
    basis: RewardBasis
    conversation: Conversation | None = None
    rubric: Sequence[Criterion] = ()
    """By what a judge decides where the reward asks for a rubric; empty: by the verifier's checks in words."""
    setting: Setting = "single"
    """In which it is meant to be played, for whoever plays tasks of both."""
    turn: SingleTurn | None = None
    """Where only a turn of the task is played."""

    @property
    def solution(self) -> ReferenceSolution:
        return self.basis.gold

    def without(self, tools: Iterable[str]) -> "Assignment":
        """The same task, in which these tools are not there either."""
        task = self.task.model_copy(update={"withheld": list(dict.fromkeys([*self.task.withheld, *tools]))})
        return replace(self, task=task, basis=self.basis.of(task))


def assignments(
    bundle: Bundle,
    solutions: Mapping[str, ReferenceSolution],
    verifiers: Mapping[str, str],
    settings: RewardSettings,
) -> list[Assignment]:
    """Every task of an environment that has a reference solution and a verifier."""
    facts = facts_of(bundle)

    def assigned(task: Task) -> Assignment:
        gold = solutions[task.id]
        checks = TaskChecks(task, verifiers[task.id], gold.form)
        return Assignment(bundle, task, checks, RewardBasis(bundle, task, gold, facts, settings))

    return [assigned(task) for task in bundle.tasks if task.id in solutions and task.id in verifiers]

"""What the rewards of one task need, computed once per task.

Belongs here: everything a reward needs that is fixed for a task, and holding one episode against it. Does not: the
formulas (`rewards`), running verifiers (`verdicts`) and asking judges (`judging`).
"""

from collections.abc import Mapping
from copy import copy

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.trajectory import Judgement, Protocol, RubricJudgement, Trajectory
from envfactory_dagster.contracts.truth import ReferenceSolution, Verdict
from envfactory_dagster.runtime.facts.results import ToolFacts
from envfactory_dagster.runtime.facts.schema import load_schema
from envfactory_dagster.truth.changesets import Mask, normalize
from envfactory_dagster.truth.execution import Run
from envfactory_dagster.truth.format_rules import FormatRules
from envfactory_dagster.truth.paths import path_rules
from envfactory_dagster.truth.rewards import EpisodeToReward, RewardSettings
from envfactory_dagster.truth.withholding import tools_left


class RewardBasis:
    """For one task and its reference solution. `facts` are those of the bundle's tools; `masked`: tool → arguments
    whose values do not matter."""

    def __init__(
        self,
        bundle: Bundle,
        task: Task,
        gold: ReferenceSolution,
        facts: ToolFacts,
        settings: RewardSettings,
        masked: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self._bundle, self._task, self.gold, self._settings = bundle, task, gold, settings
        self._facts, self._masked = facts, masked
        self._schema = load_schema(bundle.schema_sql)
        self._mask = Mask.of(gold)
        clock = bundle.states[task.state].clock
        self._changeset = normalize(gold.changes, self._schema, clock, self._mask)
        self._paths = path_rules(bundle.tools, facts, gold.calls, masked)
        self._forms: dict[Protocol, FormatRules] = {}

    def of(self, task: Task) -> "RewardBasis":
        """For the same task with other tools withheld."""
        found = copy(self)
        found._task, found._forms = task, {}
        return found

    def of_turn(self, task: Task, gold: ReferenceSolution) -> "RewardBasis":
        """For one turn of the task. `gold`: its calls, and what differs from the beginning of the task after them."""
        found = self.of(task)
        found.gold = gold
        found._changeset = normalize(gold.changes, self._schema, self._bundle.states[task.state].clock, self._mask)
        found._paths = path_rules(self._bundle.tools, self._facts, gold.calls, self._masked)
        return found

    def form(self, protocol: Protocol) -> FormatRules:
        """The rules of form; an agent loop asks them after every step."""
        if protocol not in self._forms:
            self._forms[protocol] = self._settings.form(tools_left(self._bundle.tools, self._task), protocol)
        return self._forms[protocol]

    def known(
        self,
        trajectory: Trajectory,
        run: Run,
        *,
        verdict: Verdict | None = None,
        judgement: Judgement | None = None,
        rubric: RubricJudgement | None = None,
    ) -> EpisodeToReward:
        """Everything a reward depends on, for an episode and what it did to the database."""
        actual = normalize(run.changes, self._schema, run.clock, self._mask)
        return EpisodeToReward(
            task=self._task,
            trajectory=trajectory,
            gold=self.gold,
            form=self.form(trajectory.protocol),
            paths=self._paths,
            same_state=actual == self._changeset,
            verdict=verdict,
            judgement=judgement,
            rubric=rubric,
        )

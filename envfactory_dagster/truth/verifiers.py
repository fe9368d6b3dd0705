"""The verifiers: for every solved task the checks that tell whether it was done, tried on right and wrong ends.

Belongs here: the prompt for it, and how the gate's findings become problems that an author can mend. Does not: the
trials themselves (`gate`), running checks (`verdicts`).
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from envfactory_dagster.authoring.loop import Authored, Question
from envfactory_dagster.authoring.parts import Parts
from envfactory_dagster.authoring.samples import sample_rows
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.base import Json, content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.database import DatabaseSchema, SeedRows, Table
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.records import Attempt, Problem
from envfactory_dagster.contracts.requests import (
    SolvedTask,
    VerifierAnswer,
    VerifierOfTask,
    VerifiersAnswer,
    VerifiersContext,
)
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.contracts.text_bounds import one_parser
from envfactory_dagster.contracts.truth import (
    GatedVerifier,
    ReferenceSolution,
    SolutionSet,
    TaskGate,
    TracedStep,
    Trial,
    TrialKind,
    Verifier,
    VerifierSet,
)
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.check_screen import beyond_checks
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.truth.free_messages import INSTRUCTIONS as FREE_MESSAGES
from envfactory_dagster.truth.free_messages import Told, call_shown, try_free_messages
from envfactory_dagster.truth.gate import NEEDLESS, try_verifier
from envfactory_dagster.truth.reported import FORFEITS_ALL
from envfactory_dagster.truth.task_by_task import Worked, listing, tasks_by_state, too_few, tries, work
from envfactory_dagster.truth.verdicts import REMEMBERS

INSTRUCTIONS = """\
You write the verifier of each of `tasks`: checks over a database before and after somebody tried to do the `task`, and
over what they reported. `theme` and `tables` are the service, `sample_rows` the first rows at the start, at the time
`clock`. The reference solution of a task made `calls`, changed the rows `changes` and handed in `report`, whose answers
follow `answer_form`; `alternatives` are programs that come to other ends which the task allows as well. The tasks have
nothing to do with each other; give as much care to the last as to the first.

`verifiers` has one entry for each of `tasks`, with its id as `task`. Split the task into what must have become true and
what must have stayed true. `source` is a module with a function for each of these, independent of the others:

    def goal_has_a_table_for_four_on_friday(world) -> bool:
        \"\"\"Has a confirmed reservation for four on Friday evening.\"\"\"
        row = world.final.one(
            "SELECT count(*) AS n FROM reservations WHERE user_id = 1 AND status = 'confirmed' AND party_size = 4"
            " AND at >= ? AND at < ?",
            ["2026-03-06T17:00:00", "2026-03-07T00:00:00"],
        )
        return row["n"] == 1

    def goal_says_the_price(world) -> bool:
        \"\"\"Has told what it costs.\"\"\"
        row = world.initial.one("SELECT price_cents FROM tables WHERE name = ?", ["Window left"])
        return world.report.says("price", row["price_cents"])

    def guard_reports_it_as_done(world) -> bool:
        \"\"\"Reports that it is done.\"\"\"
        return world.report.outcome in (None, "done")

    def guard_changes_nothing_else(world) -> bool:
        \"\"\"Touched no row but one new reservation.\"\"\"
        return len(world.changes) <= 1 and all(
            change["table"] == "reservations" and change["before"] is None for change in world.changes
        )

- The score is 0 unless every `guard_…` holds, and otherwise the share of the `goal_…` that hold. Each returns True or
  False, nothing else. A goal is false at the start; a guard is true there.
- `world.initial` and `world.final` are read-only databases: `query(sql, params)` gives a list of dicts, `one(sql,
  params)` a dict or None. `world.changes` are the rows that differ: `{"table", "key", "before", "after"}`, with `key` a
  list, `before` None for a new row and `after` None for a deleted one. `world.trajectory` are the calls.
- `world.report.outcome` is `done`, `refused`, `impossible`, `needs_information`, or None at the start, before there is
  a report; `world.report.reason` is the id of a rule or None. `world.report.says(field, value)` tells whether the
  answer in this field of the form is this value, in whatever form it was given: numbers in words, other forms of dates
  and amounts, names in any case. Money is compared in its smallest unit, `yes_no` with True or False, a field with
  `many` with a list, whose order counts if it is `ordered`. `None` asks whether the field was left empty, and `[]`
  whether the answer is that there are none. Before there is a report it says nothing.
- Allowed imports: datetime, math, json, re, collections, itertools, functools, statistics, decimal, string. SQL is a
  literal with bound values.

What makes them right
- They state the goal of the task, not the way of the reference solution: any other way there passes, and any other end
  that fits the words of the task. Never compare the id or code of a new row, and no moment at which something was done;
  ask for what the row is about: whose, which, how many, when, what state.
- They accept nothing less: every value that the task names is compared, exactly and with `=`; the right number of rows,
  no more; the right owner. Only text that the person dictated (a note, a name, a reason) is compared with
  `same_text(column, ?)` in SQL or `world.same_text(one, other)`: case, a leading article and final punctuation do not
  count, unless the task puts the text in quotation marks. What the database held already, an untouched one included,
  does not count.
- The guards forbid everything else: a second row, a row of somebody else, another column of a changed row, another
  table. What the service itself writes as a consequence, as `changes` shows it, is allowed, to that extent only.
- Every field that is due has a goal of its own, computed from `world.initial` where it can be. One that has to stay
  empty is a guard: `world.report.outcome is None or world.report.says("fee", None)`. What nobody asked for is no goal.
- Outcome and reason are guards, true before there is a report (None): a wrong outcome scores 0.
- By `kind` of the task: for `information` the answers are the goals, and a guard demands `world.changes == []`; for
  `refusal` and `unable` the same guards, and the goal is the outcome with its reason once more:
  `world.report.outcome == "refused" and world.report.reason == "the_rule"`. Doing what the rule forbids scores 0.
"""

GATE = 4
TRIALS_SHOWN = 6


class VerifiersStage:
    name = "verifiers"
    upstream = ("database_schema", "seed_rows", "environment", "reference_solutions")
    code_version = content_hash([INSTRUCTIONS, FREE_MESSAGES, GATE])[:12]

    def __init__(self, gateway: Gateway, runtime: Runtime, settings: AuthoringSettings, bundles: BundleStore) -> None:
        self._gateway = gateway
        self._runtime = runtime
        self._settings = settings
        self._bundles = bundles

    def settings_hash(self) -> str:
        return self._settings.hash_for(self.name, drops_tasks=True)

    async def make(self, stage_input: StageInput) -> StageOutcome:
        version = stage_input.artifact("environment")["version"]
        bundle = await asyncio.to_thread(self._bundles.load, stage_input.partition, version)
        solved = Solved(
            bundle,
            DatabaseSchema.model_validate(stage_input.artifact("database_schema")).tables,
            SeedRows.model_validate(stage_input.artifact("seed_rows")),
            SolutionSet.model_validate(stage_input.artifact("reference_solutions")),
        )
        checks = {gold.task: VerifierCheck(self._runtime, solved, gold) for gold in solved.set.solutions}
        by_state = tasks_by_state(map(solved.task, solved.set.solutions))
        asked = [solved.parts(tasks, checks) for tasks in by_state.values()]
        caller = Caller(self.name, bundle.key, Role.AUTHOR)
        try:
            authored, attempts = await work(self._gateway, caller, asked, self._settings.attempts)
        finally:
            self._runtime.retire(bundle)
        worked = [_worked(solved.task(gold), authored[gold.task], checks[gold.task]) for gold in solved.set.solutions]
        golds = {gold.task: gold for gold in solved.set.solutions}
        judged = [(one.task, golds[one.task.id]) for one in worked if one.value is not None]
        told = await try_free_messages(self._gateway, bundle, self.name, judged, self._settings.attempts)
        return outcome_of(worked, attempts, told, solved.set, self._settings.least_tasks)


def _worked(task: Task, authored: Authored[VerifierOfTask], checking: "VerifierCheck") -> Worked[GatedVerifier]:
    return Worked(task, Authored(checking.gated if authored.value is not None else None, authored.attempts))


@dataclass(frozen=True, slots=True)
class Solved:
    """An environment with its reference solutions: what its verifiers are written from."""

    bundle: Bundle
    tables: list[Table]
    seed: SeedRows
    set: SolutionSet

    def task(self, gold: ReferenceSolution) -> Task:
        return next(task for task in self.bundle.tasks if task.id == gold.task)

    def parts(
        self, tasks: Sequence[Task], checks: Mapping[str, "VerifierCheck"]
    ) -> Parts[VerifiersAnswer, VerifierOfTask]:
        """The question for tasks that start in the same state."""

        def ask(names: Sequence[str]) -> Question[VerifiersAnswer]:
            context = self.context([task for task in tasks if task.id in names])
            return Question("verifiers", VerifiersAnswer, INSTRUCTIONS, context)

        return Parts(
            part=VerifierOfTask,
            ask=ask,
            given=lambda answer: answer.verifiers,
            answer=lambda given: VerifiersAnswer(verifiers=given),
            gates={task.id: checks[task.id].problems for task in tasks},
        )

    def context(self, tasks: Sequence[Task]) -> VerifiersContext:
        state = tasks[0].state
        golds = {gold.task: gold for gold in self.set.solutions}
        return VerifiersContext(
            theme=self.bundle.theme,
            tables=self.tables,
            states=[state.name for state in self.seed.states],
            task_count=len(self.bundle.tasks),
            sample_rows=sample_rows(self.seed, state),
            clock=self.bundle.states[state].clock,
            tasks=[_solved_task(task, golds[task.id]) for task in tasks],
        )

    def donors(self, gold: ReferenceSolution) -> list[TracedStep]:
        """What other tasks write in the state of this one: calls that are right there, and wrong here."""
        state = self.task(gold).state
        reading = {tool.name for tool in self.bundle.tools if tool.annotations.readOnlyHint}
        others = [other for other in self.set.solutions if other is not gold and self.task(other).state == state]
        return [c for other in others for c in other.calls if c.outcome == "ok" and c.tool not in reading]


def _solved_task(task: Task, gold: ReferenceSolution) -> SolvedTask:
    return SolvedTask(
        task=task,
        calls=[call_shown(call) for call in gold.calls],
        changes=gold.changes,
        answer_form=gold.form,
        report=gold.report,
        alternatives=gold.alternatives,
    )


# -- the gate ----------------------------------------------------------------------------------------------------------


class VerifierCheck:
    """One task while its verifier is written. `gated` is the last verifier that passed, with its trials. `takes_few`:
    however few right and wrong ends could be made of the task, where all were judged rightly."""

    def __init__(self, runtime: Runtime, solved: Solved, gold: ReferenceSolution, *, takes_few: bool = False) -> None:
        self._takes_few = takes_few
        self.gated: GatedVerifier | None = None
        self._task = solved.task(gold)
        self._try = partial(try_verifier, runtime, solved.bundle, self._task, gold, donors=solved.donors(gold))

    async def problems(self, answer: VerifierAnswer) -> list[Problem]:
        if problem := reaches_beyond(answer.source):
            return [problem]
        verifier = Verifier(task=self._task.id, source=answer.source)
        try:
            gate = await self._try(verifier=verifier)
        except EnvironmentFault as fault:
            return [Problem(fault="code", message=f"The environment broke under it: {fault}")]
        if gate.passed or (self._takes_few and all(trial.right for trial in gate.trials)):
            self.gated = GatedVerifier(verifier=verifier, gate=gate)
            return []
        return problems_of(gate)


def reaches_beyond(source: str) -> Problem | None:
    """What a bundle's `judge.py` would not run; None where it would run everything."""
    with one_parser:
        beyond = beyond_checks(source)
    if beyond is None:
        return None
    return Problem(fault="verifier", message=f"The verifier reaches beyond what checks are shown: {beyond}.")


def problems_of(gate: TaskGate) -> list[Problem]:
    """What an author is told: the ends that were judged wrongly, those that must be accepted first."""
    if gate.passed:
        return []
    wrong = [*gate.refused, *gate.survivors]
    problems = [_problem(trial) for trial in wrong[:TRIALS_SHOWN]]
    if len(wrong) > TRIALS_SHOWN:
        more = f"{len(wrong) - TRIALS_SHOWN} more trials of {len(gate.trials)} were judged wrongly."
        problems.append(Problem(fault="verifier", message=more))
    too_few = "Too few different ends could be made of the task to tell what a verifier of it is worth."
    return problems or [Problem(fault="tasks", message=too_few, mendable=False)]


def _problem(trial: Trial) -> Problem:
    if trial.operator == NEEDLESS:
        message = f"The task is done just as well {trial.what}, which the person does in it: nothing waits for that."
        return Problem(fault="tasks", message=message, mendable=False)
    if trial.reason.endswith(REMEMBERS):
        message = f"This must be judged alike whatever was judged before it: {_WHAT[trial.kind]}."
    elif trial.expected == "accept":
        message = f"This must score 1 and scores {trial.score:g}: {_WHAT[trial.kind]}."
    elif trial.kind != "noop" and trial.score == 0.0:
        message = f"Every check must say yes or no of this, and one does not: {_WHAT[trial.kind]}."
    elif trial.operator in FORFEITS_ALL:
        message = f"This must score 0 and scores {trial.score:g}: {_WHAT[trial.kind]}."
    else:
        message = f"This must score less than 1 and scores {trial.score:g}: {_WHAT[trial.kind]}."
    return Problem(fault="verifier", message=message, snippet="\n".join(filter(None, (trial.what, trial.reason))))


_WHAT: dict[TrialKind, str] = {
    "gold": "the reference solution",
    "gold_again": "the reference solution, run again",
    "noop": "nothing done and nothing said",
    "minus_write": "the reference solution without one of its changes",
    "minus_person": "the reference solution without what the person does in it",
    "mutant": "the reference solution with a mistake",
    "variant": "the reference solution done in another, equivalent way",
    "alternative": "another end that the task allows",
}


# -- the stage's outcome -----------------------------------------------------------------------------------------------


def outcome_of(
    worked: Sequence[Worked[GatedVerifier]], attempts: list[Attempt], told: Told, solved: SolutionSet, least: int
) -> StageOutcome:
    refused = {one.task for one in told.dropped}
    verifiers = [told.beside(one.value) for one in worked if one.value is not None and one.task.id not in refused]
    here = [one.dropped(VerifiersStage.name) for one in worked if one.value is None] + told.dropped
    dropped = [*solved.dropped, *here]
    trials = [trial for one in verifiers for trial in one.gate.trials]
    everything = TaskGate(task="all", trials=trials, passed=not here)
    metadata: dict[str, Json] = {
        "verified": len(verifiers),
        "answers_of_a_task": tries(worked),
        "kill_rate": everything.kill_rate,
        "acceptance_rate": everything.acceptance_rate,
        "kill_matrix": kill_matrix([one.gate for one in verifiers]),
        "survivors": [_survivor(one.gate.task, trial) for one in verifiers for trial in one.gate.survivors],
        "dropped": [one.model_dump(mode="json") for one in dropped],
        "verifiers.py": listing((one.verifier.task, one.verifier.source) for one in verifiers),
    }
    reason = too_few(len(verifiers), len(worked) + len(solved.dropped), least, dropped)
    artifact = None if reason else VerifierSet(verifiers=verifiers, dropped=dropped).model_dump(mode="json")
    return StageOutcome(artifact, [*attempts, *told.attempts], reason, metadata)


def kill_matrix(gates: Sequence[TaskGate]) -> list[Json]:
    """A row for each task, a column for each kind of trial and operator: how many were judged rightly, of how many."""
    columns = dict.fromkeys(_column(trial) for gate in gates for trial in gate.trials)
    return [{"task": gate.task, **{column: _cell(gate, column) for column in columns}} for gate in gates]


def _column(trial: Trial) -> str:
    return f"{trial.kind}: {trial.operator}" if trial.operator else trial.kind


def _cell(gate: TaskGate, column: str) -> str:
    trials = [trial for trial in gate.trials if _column(trial) == column]
    return f"{sum(trial.right for trial in trials)}/{len(trials)}" if trials else ""


def _survivor(task: str, trial: Trial) -> Json:
    return {"task": task, "trial": _column(trial), "what": trial.what, "score": trial.score, "reason": trial.reason}

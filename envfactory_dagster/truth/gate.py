"""The gate every verifier passes: it must accept gold in all its forms, and nothing that is not what was asked.

Belongs here: which trials a verifier stands, executing them, and the decision. Does not: making mutants and variants
(`mutants`, `variants`, `reported`), judging (`verdicts`), and what an author is told (`verifiers`).

A mutant that comes to the same end as gold, or to an end the task allows as well, is none. What is the same is said by
the normal form of the changes, and by what the report says. Where too few mutants or variants could
be made, others are drawn once more, with another seed and more broadly. Besides what calls can do there are stray
changes, one table at a time: they show a verifier that looks away.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.truth import (
    ReferenceSolution,
    Signal,
    TaskGate,
    TracedStep,
    Trial,
    TrialKind,
    Verdict,
    Verifier,
)
from envfactory_dagster.runtime.checks import GOAL, defect_of
from envfactory_dagster.runtime.object_state import TABLE
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth import mutants, reported, variants
from envfactory_dagster.truth.changesets import AnyChange, Changeset, Mask, normalize
from envfactory_dagster.truth.execution import Run, run_calls, run_solution
from envfactory_dagster.truth.object_changes import changeable_alone, public_changes, shows_all_of
from envfactory_dagster.truth.reports import same_report
from envfactory_dagster.truth.start_rows import StartRows, schema_of
from envfactory_dagster.truth.traces import TracedTask, TrialTrace, free_choices
from envfactory_dagster.truth.trial_calls import trial_calls
from envfactory_dagster.truth.unasked_changes import unasked_changes
from envfactory_dagster.truth.verdicts import TaskChecks, judge, judge_many, remembering

LEAST_MUTANTS = 12
LEAST_MUTANTS_OF_A_NO = 6
"""Where nothing is to be done there is less to do wrongly: something is done after all, or something else reported."""
MOST_MUTANTS = 16
LEAST_VARIANTS = 4
JUDGED_ALONE = 3
"""So many right and so many wrong ends are judged a second time, each in a process that has seen nothing else."""
STRAY = "stray_change"
NEEDLESS = "comes to the same"
"""Gold without the person's deeds, where nothing waits for them."""
ID_OFFSETS = (40, 1_000)
MORE_ID_OFFSETS = (7, 250, 3_000)
"""For the second draw."""
BROADLY = 4
"""How much broader the second draw is than the first."""
_MOST_EXECUTED = 64
_AT_ONCE = 16


async def try_verifier(
    runtime: Runtime,
    bundle: Bundle,
    task: Task,
    gold: ReferenceSolution,
    verifier: Verifier,
    donors: Sequence[TracedStep] = (),
) -> TaskGate:
    """Put a verifier to every trial. `donors` are writes that other tasks' solutions make in the same state, used
    besides calls that are tried out. The same task, gold and donors give the same trials."""
    checking = _Checking(runtime, bundle, task, gold, verifier)
    trials = await checking.first()
    if all(trial.right for trial in trials):
        trials += await checking.further(donors)
        if all(trial.right for trial in trials) and not _enough(task, trials):
            trials += await checking.once_more(donors, trials)
    return TaskGate(task=task.id, trials=trials, passed=_enough(task, trials) and all(trial.right for trial in trials))


async def try_when_drawn(
    runtime: Runtime, bundle: Bundle, gold: ReferenceSolution, task: Task, verifier: Verifier, runs: Sequence[Run]
) -> TaskGate:
    """The trials that tell most, for a task of a family that has stood all of them often: gold twice, nothing done,
    gold minus each write, wrong reports. `runs` are two of gold that were made already."""
    trials = await _Checking(runtime, bundle, task, gold, verifier).when_drawn(runs)
    return TaskGate(task=task.id, trials=trials, passed=all(trial.right for trial in trials))


def _enough(task: Task, trials: Sequence[Trial]) -> bool:
    """Whether there were so many mutants and variants that the verdict on them says something."""
    drawn = sum(trial.kind == "mutant" and trial.operator != STRAY for trial in trials)
    least = LEAST_MUTANTS_OF_A_NO if task.kind not in ("action", "information") else LEAST_MUTANTS
    return drawn >= least and sum(trial.kind == "variant" for trial in trials) >= LEAST_VARIANTS


@dataclass(frozen=True, slots=True)
class _End:
    """What a run came to, as far as it matters."""

    changes: Changeset
    report: Report | None


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A run to be judged, and what it stands for."""

    kind: TrialKind
    operator: str
    what: str
    run: Run


@dataclass
class _Drawn:
    """The mutants so far: those of new ends first, the rest in reserve."""

    new: list[_Attempt] = field(default_factory=list)
    repeated: list[_Attempt] = field(default_factory=list)
    allowed: list[_Attempt] = field(default_factory=list)
    """What turned out to be an end that the task allows."""


class _Checking:
    """One verifier of one task while it is tried."""

    def __init__(
        self, runtime: Runtime, bundle: Bundle, task: Task, gold: ReferenceSolution, verifier: Verifier
    ) -> None:
        self._runtime = runtime
        self._bundle = bundle
        self._task = task
        self._gold = gold
        self._checks = TaskChecks(task, verifier.source, gold.form)
        self._schema = schema_of(bundle.schema_sql)
        self._clock = bundle.states[task.state].clock
        self._mask = Mask.of(gold)
        self._random = Random(task.id)
        self._start_rows = StartRows(self._schema, bundle.states[task.state].image, gold.changes)
        if bundle.storage == "object":
            self._start_rows.rows[TABLE] = changeable_alone(self._start_rows.rows[TABLE])
        self._tools = {tool.name: tool for tool in bundle.tools}

    # -- gold and nothing ---------------------------------------------------------------------------------------------

    async def first(self) -> list[Trial]:
        """Gold, gold once more with another process of the verifier, and nothing. Where these are wrong, nothing else
        need be tried; where there is no verdict on gold, not even these."""
        gold, again = [await self._solved(self._gold.source) for _ in range(2)]
        self._gold_run = gold
        verdict = await judge(self._runtime, self._checks, gold)
        trials = [self._gold_trial("gold", gold, verdict)]
        if verdict.signals:
            nothing = await run_calls(self._runtime, self._bundle, self._task, [], None)
            verdicts = await judge_many(self._runtime, self._checks, [again, nothing])
            more = [self._gold_trial("gold_again", again, verdicts[0]), _noop_trial(verdicts[1])]
            trials += await self._judged_alone([again, nothing], more, 1)
        return trials

    async def _solved(self, source: str, id_offset: int = 0) -> Run:
        return await run_solution(self._runtime, self._bundle, self._task, source, self._gold.form, id_offset=id_offset)

    def _gold_trial(self, kind: TrialKind, run: Run, verdict: Verdict) -> Trial:
        fault = self._fault_of(run)
        return Trial(
            kind=kind,
            what="the reference solution",
            expected="accept",
            score=verdict.score,
            right=verdict.score == 1.0 and not fault,
            reason=fault or " ".join(verdict.reasons),
        )

    def _fault_of(self, run: Run) -> str:
        """Why the reference solution itself is none."""
        if run.error is not None:
            return f"The reference solution fails: {run.error}."
        if run.state_hash != self._gold.state_hash:
            return "The reference solution does not come to the same database every time."
        if self._task.kind == "action" and not run.changes:
            return "The task asks for an action, and the reference solution changes nothing."
        if self._task.kind != "action" and run.changes:
            return f"The task is one of {self._task.kind}, and the reference solution changes the database."
        return ""

    async def when_drawn(self, runs: Sequence[Run]) -> list[Trial]:
        gold, again = runs
        self._gold_run = gold
        untouched = replace(gold, calls=[], changes=[], report=None, final=gold.initial)
        subject = self._subject_of(())
        allowed = self._allowed(())
        lacking = await self._run_all("minus_write", mutants.minus_each_write(subject))
        attempts = [
            *(attempt for attempt in lacking if not self._is_among(self._end_of(attempt), allowed)),
            *self._reported("mutant", reported.wrong(subject), allowed),
        ]
        all_runs = [gold, again, untouched, *(attempt.run for attempt in attempts)]
        verdicts = await judge_many(self._runtime, self._checks, all_runs)
        trials = [
            self._gold_trial("gold", gold, verdicts[0]),
            self._gold_trial("gold_again", again, verdicts[1]),
            _noop_trial(verdicts[2]),
            *(_trial(attempt, verdict) for attempt, verdict in zip(attempts, verdicts[3:], strict=True)),
        ]
        return await self._judged_alone(all_runs, trials, 1)

    # -- everything else ----------------------------------------------------------------------------------------------

    async def further(self, donors: Sequence[TracedStep]) -> list[Trial]:
        alternatives = await self._run_alternatives()
        subject = await self._subject(donors, alternatives)
        allowed = self._allowed(alternatives)
        lacking = await self._run_all("minus_write", mutants.minus_each_write(subject))
        lacking = [attempt for attempt in lacking if not self._is_among(self._end_of(attempt), allowed)]
        alone = await self._without_the_person(subject, allowed)
        drawn = await self._draw(subject, allowed, lacking)
        attempts = [
            *alone,
            *(_Attempt("alternative", "", f"alternative {n}", run) for n, run in enumerate(alternatives, start=1)),
            *lacking,
            *[*drawn.new, *drawn.repeated][:MOST_MUTANTS],
            *self._reported("mutant", reported.wrong(subject), allowed),
            *await self._unasked(),
            *drawn.allowed,
            *self._reported("variant", reported.right(subject), []),
            *await self._variants(variants.variants(subject), ID_OFFSETS),
        ]
        return await self._judged(attempts)

    async def _without_the_person(self, subject: TracedTask, allowed: Sequence[_End]) -> list[_Attempt]:
        """Whatever it comes to, it must not pass: what the person does would be of no use."""
        attempts = await self._run_all("minus_person", mutants.minus_the_person(subject))
        return [replace(a, operator=NEEDLESS) if self._is_among(self._end_of(a), allowed) else a for a in attempts]

    async def once_more(self, donors: Sequence[TracedStep], trials: Sequence[Trial]) -> list[Trial]:
        """Mutants and variants that are not among the trials yet, drawn with another seed and more broadly."""
        self._random = Random(f"{self._task.id} once more")
        alternatives = await self._run_alternatives()
        subject = await self._subject(donors, alternatives, BROADLY)
        made = frozenset((trial.operator, trial.what) for trial in trials)
        drawn = await self._draw(subject, self._allowed(alternatives), [], made)
        attempts = [
            *[*drawn.new, *drawn.repeated][:MOST_MUTANTS],
            *drawn.allowed,
            *await self._variants([], MORE_ID_OFFSETS),
        ]
        return await self._judged(attempts)

    async def _judged(self, attempts: Sequence[_Attempt]) -> list[Trial]:
        runs = [attempt.run for attempt in attempts]
        verdicts = await judge_many(self._runtime, self._checks, runs)
        trials = [_trial(attempt, verdict) for attempt, verdict in zip(attempts, verdicts, strict=True)]
        return await self._judged_alone(runs, trials, JUDGED_ALONE)

    async def _judged_alone(self, runs: Sequence[Run], trials: list[Trial], most: int) -> list[Trial]:
        """Judge so many right and so many wrong ends again, each of another operator and in a new process: a verifier
        that remembers cases differs there."""
        random = Random(f"{self._task.id} alone")
        sample: list[int] = []
        for expected in ("accept", "reject"):
            numbers = [number for number, trial in enumerate(trials) if trial.expected == expected]
            of_each = {trials[number].operator: number for number in random.sample(numbers, len(numbers))}
            sample += random.sample(sorted(of_each.values()), min(most, len(of_each)))
        verdicts = await asyncio.gather(*(judge(self._runtime, self._checks, runs[n]) for n in sample))
        for number, verdict in zip(sample, verdicts, strict=True):
            trial = trials[number]
            if verdict.score != trial.score:
                update = {"right": False, "reason": remembering(verdict.score, trial.score)}
                trials[number] = trial.model_copy(update=update)
        return trials

    async def _run_alternatives(self) -> list[Run]:
        return [await self._solved(source) for source in self._gold.alternatives]

    async def _subject(self, donors: Sequence[TracedStep], alternatives: Sequence[Run], breadth: int = 1) -> TracedTask:
        tried = await run_calls(
            self._runtime,
            self._bundle,
            self._task,
            trial_calls(self._tools, self._start_rows, self._clock, self._random, breadth),
            None,
        )
        donors = [*donors, *(step for step in tried.calls if step.outcome == "ok")]
        return self._subject_of(donors, alternatives, breadth)

    def _subject_of(
        self, donors: Sequence[TracedStep], alternatives: Sequence[Run] = (), breadth: int = 1
    ) -> TracedTask:
        return TracedTask(
            task=self._task,
            calls=self._gold.calls,
            form=self._gold.form,
            report=self._gold.report,
            rules=[rule.id for rule in self._bundle.theme.rules],
            tools=self._tools,
            start_rows=self._start_rows,
            random=self._random,
            donors=donors,
            free=frozenset(choice for run in alternatives for choice in free_choices(self._gold.calls, run.calls)),
            breadth=breadth,
        )

    async def _draw(
        self,
        subject: TracedTask,
        allowed: Sequence[_End],
        lacking: Sequence[_Attempt],
        made: frozenset[tuple[str, str]] = frozenset(),
    ) -> _Drawn:
        """Execute mutants until there are enough that come to ends of their own; those `made` before are left out."""
        drawn = _Drawn()
        seen = [self._end_of(attempt) for attempt in lacking]
        source = islice((m for m in mutants.draw(subject) if (m.operator, m.what) not in made), _MOST_EXECUTED)
        while len(drawn.new) < MOST_MUTANTS and (batch := list(islice(source, _AT_ONCE))):
            for attempt in await self._run_all("mutant", batch):
                end = self._end_of(attempt)
                if self._is_among(end, allowed[1:]) and not self._is_among(end, allowed[:1]):
                    drawn.allowed.append(_Attempt("variant", attempt.operator, attempt.what, attempt.run))
                elif not self._is_among(end, allowed):
                    (drawn.repeated if self._is_among(end, seen) else drawn.new).append(attempt)
                    seen.append(end)
        return drawn

    def _reported(self, kind: TrialKind, traces: Sequence[TrialTrace], allowed: Sequence[_End]) -> list[_Attempt]:
        """What gold did, with other reports: of these none is left to chance. One that the task allows with these
        changes is no mutant."""
        attempts = [
            _Attempt(kind, trace.operator, trace.what, replace(self._gold_run, report=trace.report)) for trace in traces
        ]
        changes = self._end(self._gold_run.changes, None).changes
        return [
            one
            for one in attempts
            if one.operator in (reported.LYING, reported.EMPTY)
            or not self._is_among(_End(changes, one.run.report), allowed)
        ]

    async def _unasked(self) -> list[_Attempt]:
        gold = self._gold_run
        found = await unasked_changes(self._runtime, self._start_rows, gold.final, gold.changes, self._random)
        return [_Attempt("mutant", STRAY, what, replace(self._gold_run, final=final)) for what, final in found]

    async def _variants(self, traces: Iterable[TrialTrace], id_offsets: Sequence[int]) -> list[_Attempt]:
        """Variants of the trace that come to the same changes, and the program in a world with other new ids."""
        gold = self._end(self._gold.changes, self._gold.report)
        attempts = await self._run_all("variant", traces)
        for offset in id_offsets:
            run = await self._solved(self._gold.source, offset)
            attempts.append(_Attempt("variant", "other_ids", f"new rows have ids {offset} higher", run))
        return [
            attempt
            for attempt in attempts
            if self._end_of(attempt).changes == gold.changes and self._shows_as_much(attempt.run)
        ]

    def _shows_as_much(self, run: Run) -> bool:
        """Published verifiers may ask for what gold's calls showed. They need not accept a trace that shows less."""
        return self._bundle.storage != "object" or shows_all_of(run.calls, self._gold_run.calls)

    async def _run_all(self, kind: TrialKind, traces: Iterable[TrialTrace]) -> list[_Attempt]:
        async def one(trace: TrialTrace) -> _Attempt:
            run = await run_calls(self._runtime, self._bundle, self._task, trace.calls, trace.report)
            return _Attempt(kind, trace.operator, trace.what, run)

        return list(await asyncio.gather(*(one(trace) for trace in traces)))

    def _allowed(self, alternatives: Sequence[Run]) -> list[_End]:
        """The end of gold first."""
        gold = self._end(self._gold.changes, self._gold.report)
        return [gold, *(self._end(run.changes, run.report) for run in alternatives)]

    # -- ends ---------------------------------------------------------------------------------------------------------

    def _end_of(self, attempt: _Attempt) -> _End:
        return self._end(attempt.run.changes, attempt.run.report)

    def _end(self, changes: Sequence[AnyChange], report: Report | None) -> _End:
        counting = public_changes(changes) if self._bundle.storage == "object" else changes
        return _End(normalize(counting, self._schema, self._clock, self._mask), report)

    def _is_among(self, end: _End, ends: Sequence[_End]) -> bool:
        """Whether one of these is the same: by the changes, and by what is reported but for the message."""
        return any(
            end.changes == other.changes and same_report(self._gold.form, end.report, other.report) for other in ends
        )


def _noop_trial(verdict: Verdict) -> Trial:
    """No goal holds at the start, and every guard does."""
    wrong = [defect for signal in verdict.signals if (defect := _wrong_at_the_start(signal))]
    return Trial(
        kind="noop",
        what="nothing is done and nothing said",
        expected="reject",
        score=verdict.score,
        right=verdict.score == 0.0 and bool(verdict.signals) and not wrong,
        reason=" ".join(wrong or verdict.reasons),
    )


def _wrong_at_the_start(signal: Signal) -> str | None:
    is_goal = signal.name.startswith(GOAL)
    if (defect := defect_of(signal)) is None and signal.value is is_goal:
        return f"{signal.name} {'holds before anything is done' if is_goal else 'does not hold at the start'}."
    return defect


def _trial(attempt: _Attempt, verdict: Verdict) -> Trial:
    """A score of 0 that comes from a check which failed says nothing about the end."""
    decided = bool(verdict.signals) and not any(defect_of(signal) for signal in verdict.signals)
    accept = attempt.kind in ("variant", "alternative")
    if accept:
        right = verdict.score == 1.0 and attempt.run.error is None
    elif attempt.kind == "mutant" and attempt.operator in reported.FORFEITS_ALL:
        right = verdict.score == 0.0
    else:
        right = verdict.score < 1.0
    return Trial(
        kind=attempt.kind,
        operator=attempt.operator,
        what=attempt.what,
        expected="accept" if accept else "reject",
        score=verdict.score,
        right=right and decided,
        reason=attempt.run.error or " ".join(verdict.reasons),
    )

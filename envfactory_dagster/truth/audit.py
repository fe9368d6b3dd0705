"""Auditing an environment that is there already: are its tasks worth what they claim?

Belongs here: as much of the truth gate as a task's material allows, told task by task. Does not: the trials themselves
(`gate`), and mending what was found (`repair`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from envfactory_dagster.contracts.audit import Audit, AuditFinding, AuditKind, TaskAudit
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.inspection import Finding, ToolUse
from envfactory_dagster.contracts.reports import AnswerForm
from envfactory_dagster.contracts.truth import ReferenceSolution, TaskGate, TracedStep, Trial, Verdict, Verifier
from envfactory_dagster.runtime.check_screen import beyond_checks
from envfactory_dagster.runtime.checks import GOAL
from envfactory_dagster.runtime.databases import check_files
from envfactory_dagster.runtime.object_state import ROOT, TABLE
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import Run, run_calls, run_solution
from envfactory_dagster.truth.gate import STRAY, try_verifier
from envfactory_dagster.truth.inspection.examination import examine
from envfactory_dagster.truth.programs import DONE, calls_of, program_of
from envfactory_dagster.truth.traces import Path, leaves, replaced
from envfactory_dagster.truth.verdicts import REMEMBERS, TaskChecks, judge

MOST_DONORS = 24
_SHOWN = 3
_MAY_DO_NOTHING = ("refusal", "unable", "no_tool", "underspecified")
_LEAST_TEXT = 3
_WORDED_OTHERWISE = "Please note: {} Thank you."


@dataclass(frozen=True, slots=True)
class Gold:
    """What a task's reference solution does, without the calls that fail."""

    task: Task
    run: Run
    source: str
    failed: list[str]
    """The calls that did not succeed, and what they said."""

    def reference(self, form: AnswerForm) -> ReferenceSolution:
        return ReferenceSolution(
            task=self.task.id,
            source=self.source,
            form=form,
            report=self.run.report or DONE,
            calls=self.run.calls,
            changes=self.run.row_changes,
            state_hash=self.run.state_hash,
        )


async def audit(runtime: Runtime, bundle: Bundle, tasks: Sequence[Task]) -> Audit:
    """Of these tasks; the others are what wrong ends are taken from as well."""
    await check_files(runtime, bundle)
    golds = await golds_of(runtime, bundle)
    audited = [await audit_task(runtime, bundle, task, golds) for task in tasks]
    calls = [call for gold in golds.values() for call in gold.run.calls]
    inspection = await _inspected(runtime, bundle)
    if not golds and bundle.storage == "object":
        calls = await _without_arguments(runtime, bundle)
        inspection = [_breaks(call) for call in calls if call.outcome == "environment"]
    uses = [_use(tool.name, [call for call in calls if call.tool == tool.name]) for tool in bundle.tools]
    return Audit(bundle=bundle.version, tasks=audited, tools=uses, inspection=inspection)


async def golds_of(runtime: Runtime, bundle: Bundle) -> dict[str, Gold]:
    solved = [task for task in bundle.tasks if task.id in bundle.solutions]
    return {task.id: await _gold(runtime, bundle, task) for task in solved}


async def audit_task(runtime: Runtime, bundle: Bundle, task: Task, golds: dict[str, Gold]) -> TaskAudit:
    gold, source = golds.get(task.id), bundle.verifiers.get(task.id)
    found = list(_of_gold(gold)) if gold is not None else []
    trials = 0
    if source is not None:
        checks = TaskChecks(task, source, bundle.answer_form(task.id))
        if beyond := beyond_checks(source):
            found.append(_finding("verifier_breaks", f"judge.py does not run it without a sandbox: {beyond}."))
        try:
            of_nothing = await _of_nothing(runtime, bundle, checks, gold)
            found += of_nothing
            if gold is not None and not any(one.kind == "verifier_breaks" for one in of_nothing):
                gate = await tried(runtime, bundle, gold, checks, golds)
                trials = len(gate.trials)
                found += [*_of_trials(gate), *await _unknowable(runtime, bundle, gold, checks)]
        except EnvironmentFault as fault:
            found.append(_finding("verifier_breaks", str(fault)))
    if gold is not None:
        found += _said_twice(gold, golds)
    return TaskAudit(
        task=task.id, has_solution=gold is not None, has_verifier=source is not None, trials=trials, findings=found
    )


async def tried(
    runtime: Runtime, bundle: Bundle, gold: Gold, checks: TaskChecks, golds: dict[str, Gold], source: str = ""
) -> TaskGate:
    """The gate over a verifier, the task's own or another one."""
    verifier = Verifier(task=gold.task.id, source=source or checks.source)
    reference = gold.reference(checks.form)
    return await try_verifier(runtime, bundle, gold.task, reference, verifier, donors(bundle, gold, golds))


def donors(bundle: Bundle, gold: Gold, golds: dict[str, Gold]) -> list[TracedStep]:
    """What other tasks' solutions write: right there, wrong here, where it succeeds at all."""
    reading = {tool.name for tool in bundle.tools if tool.annotations.readOnlyHint} | set(gold.task.withheld)
    others = [other for other in golds.values() if other is not gold]
    near = [other for other in others if other.task.state == gold.task.state] or others
    calls = [c for other in near for c in other.run.calls if c.outcome == "ok" and c.tool not in reading]
    return Random(gold.task.id).sample(calls, min(MOST_DONORS, len(calls)))


# -- gold --------------------------------------------------------------------------------------------------------------


async def _gold(runtime: Runtime, bundle: Bundle, task: Task) -> Gold:
    source, form = bundle.solutions[task.id], bundle.answer_forms.get(task.id, AnswerForm())
    run = await run_solution(runtime, bundle, task, source, form)
    made = calls_of(source)
    if run.error is None or made is None:
        return Gold(task, run, source, [run.error] if run.error is not None else [])
    of_person = {tool.name for tool in bundle.tools_of("user")}
    steps = [TracedStep(tool=t, principal="user" if t in of_person else "assistant", arguments=a) for t, a in made]
    going_on = await run_calls(runtime, bundle, task, steps, DONE)
    good = [(call.tool, call.arguments) for call in going_on.calls if call.outcome == "ok"]
    failed = [_told(call) for call in going_on.calls if call.outcome != "ok"]
    source = program_of(good)
    return Gold(task, await run_solution(runtime, bundle, task, source, form), source, failed)


def _told(call: TracedStep) -> str:
    return f"{call.tool} {call.arguments}: {call.error}"[:300]


def _of_gold(gold: Gold) -> Iterator[AuditFinding]:
    if gold.failed:
        yield _finding("gold_raises", "; ".join(gold.failed[:_SHOWN]))


# -- the verifier ------------------------------------------------------------------------------------------------------


async def _of_nothing(runtime: Runtime, bundle: Bundle, checks: TaskChecks, gold: Gold | None) -> list[AuditFinding]:
    """What doing nothing is worth. Where a task is done by words alone, saying them is no nothing."""
    report = (gold.run.report if gold is not None else None) or DONE
    nothing = await judge(runtime, checks, await run_calls(runtime, bundle, checks.task, [], report))
    if not nothing.signals:
        return [_finding("verifier_breaks", " ".join(nothing.reasons) or "It gives no verdict.")]
    by_words = checks.task.kind in _MAY_DO_NOTHING or bool(checks.form.fields)
    if nothing.score == 1.0 and not by_words:
        return [_finding("no_op_passes", "Nothing is done, it is reported as done, and it scores 1.")]
    silent = await judge(runtime, checks, await run_calls(runtime, bundle, checks.task, [], None))
    held = _goals_that_hold(silent)
    return [_finding("seed_satisfies", f"These goals hold at the start: {', '.join(held)}.")] if held else []


def _goals_that_hold(verdict: Verdict) -> list[str]:
    return [signal.name for signal in verdict.signals if signal.name.startswith(GOAL) and signal.value is True]


def _of_trials(gate: TaskGate) -> Iterator[AuditFinding]:
    first = gate.of("gold", "gold_again")
    refused = [trial for trial in first if not trial.right]
    if any("same database every time" in trial.reason for trial in refused):
        yield _finding("gold_varies", refused[0].reason)
    elif refused:
        yield _finding("gold_refused", f"It scores {refused[0].score:g}. {refused[0].reason}")
    wrong = [trial for trial in gate.survivors if trial.kind != "noop" and not _is_private(trial)]
    if unsound := [trial for trial in wrong if trial.score == 0.0 or trial.reason.endswith(REMEMBERS)]:
        told = "; ".join(f"{trial.what}: {trial.reason}" for trial in unsound[:_SHOWN])
        of_all = f"{len(unsound)} of {_wrong(gate)} wrong ends"
        yield _finding("verifier_breaks", f"It gives no sound verdict on {of_all}: {told}")
    if survivors := [trial for trial in wrong if trial not in unsound]:
        told = "; ".join(f"{trial.what} (scores {trial.score:g})" for trial in survivors[:_SHOWN])
        yield _finding("accepts_mutants", f"{len(survivors)} of {_wrong(gate)} wrong ends: {told}")
    others = [trial for trial in gate.refused if trial.kind not in ("gold", "gold_again")]
    if others:
        told = "; ".join(f"{trial.what} (scores {trial.score:g})" for trial in others[:_SHOWN])
        yield _finding("refuses_variants", told)


def _is_private(trial: Trial) -> bool:
    """Whether the wrong end is one in an attribute of a published object that is nobody's but its code's own."""
    return trial.operator == STRAY and f"{TABLE} {ROOT}" in trial.what and "/_" in trial.what.partition(": ")[0]


def _wrong(gate: TaskGate) -> int:
    return sum(trial.expected == "reject" for trial in gate.trials)


# -- the words ---------------------------------------------------------------------------------------------------------


async def _unknowable(runtime: Runtime, bundle: Bundle, gold: Gold, checks: TaskChecks) -> list[AuditFinding]:
    """Text that the verifier asks for and nobody could know word for word."""
    found = []
    for index, path, value in _unsaid(bundle, gold):
        call = gold.run.calls[index]
        other = call.model_copy(update={"arguments": replaced(call.arguments, path, _WORDED_OTHERWISE.format(value))})
        calls = [*gold.run.calls[:index], other, *gold.run.calls[index + 1 :]]
        run = await run_calls(runtime, bundle, gold.task, calls, gold.run.report)
        if _answers_alike(run.calls[index], call) and (await judge(runtime, checks, run)).score < 1.0:
            where = ".".join(map(str, path))
            found.append(
                _finding(
                    "ambiguous",
                    f"Nothing says the {where} of {call.tool}, which has to be {value!r:.200} word for word",
                )
            )
    return found


def _answers_alike(one: TracedStep, other: TracedStep) -> bool:
    """Whether two calls have the same outcome and answer with the same fields. Published code may refuse by answering
    with others, such as `error`."""
    fields = [sorted(call.value) if isinstance(call.value, dict) else None for call in (one, other)]
    return one.outcome == other.outcome and fields[0] == fields[1]


def _unsaid(bundle: Bundle, gold: Gold) -> Iterator[tuple[int, Path, str]]:
    """Text that gold writes: neither the task, the rules nor any row says it, and no call before showed it."""
    tools = {tool.name: tool for tool in bundle.tools}
    known = _plain(" ".join([gold.task.text, *(rule.text for rule in bundle.theme.rules)]))
    known += _plain(bundle.states[gold.task.state].image.decode("utf-8", "ignore"))
    for index, call in enumerate(gold.run.calls):
        if call.outcome == "ok" and not tools[call.tool].annotations.readOnlyHint:
            for path, value, schema in leaves(call.arguments, tools[call.tool].inputSchema):
                is_free = isinstance(value, str) and not schema.keys() & {"enum", "format", "pattern"}
                if is_free and len(text := _plain(str(value))) >= _LEAST_TEXT and text not in known:
                    yield index, path, str(value)
        known += _plain(str(call.value))


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()


def _said_twice(gold: Gold, golds: dict[str, Gold]) -> Iterator[AuditFinding]:
    for other in golds.values():
        same = other.task.text == gold.task.text and other.task.state == gold.task.state
        if other is not gold and same and other.run.state_hash != gold.run.state_hash:
            yield _finding("ambiguous", f"The task {other.task.id} says the same and comes to another end.")


# -- the tools ---------------------------------------------------------------------------------------------------------


async def _inspected(runtime: Runtime, bundle: Bundle) -> list[Finding]:
    """What can be found out without a model. The code of imported tools is not of the form that can be read, and that
    of a workspace is looked at in its environments."""
    return [] if bundle.storage in ("object", "workspace") else (await examine(runtime, bundle)).findings


async def _without_arguments(runtime: Runtime, bundle: Bundle) -> list[TracedStep]:
    """What each tool answers that only reads and can be called with nothing, at the start."""
    found = []
    for tool in bundle.tools:
        if tool.annotations.readOnlyHint and not tool.inputSchema.get("required"):
            async with await runtime.open(bundle) as session:
                came = await session.call(tool.name, {}, principal=tool.principal)
            found.append(
                TracedStep(
                    tool=tool.name, principal=tool.principal, outcome=came.outcome, value=came.value, error=came.error
                )
            )
    return found


def _breaks(call: TracedStep) -> Finding:
    told = f"It breaks when it is called without arguments: {call.error}"
    return Finding(tool=call.tool, criterion="execution", severity="fail", message=told)


def _use(tool: str, calls: Sequence[TracedStep]) -> ToolUse:
    outcomes: list[Json] = [call.outcome for call in calls]
    return ToolUse(
        tool=tool,
        worked=outcomes.count("ok"),
        refused=outcomes.count("agent"),
        broke=outcomes.count("environment"),
        refusals=len({call.error for call in calls if call.outcome == "agent"}),
    )


def _finding(kind: AuditKind, detail: str) -> AuditFinding:
    return AuditFinding(kind=kind, detail=detail)

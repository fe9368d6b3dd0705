"""Doing a task for real: a solution program, or a list of calls, in a session of its own.

Belongs here: what is kept of such a run. Does not: comparing runs (`changesets`), judging them (`verdicts`), and making
other traces out of one (`mutants`, `variants`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import CallResult, Change
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.reports import AnswerForm, Report
from envfactory_dagster.contracts.tools import Principal
from envfactory_dagster.contracts.truth import RowChange, TracedStep
from envfactory_dagster.runtime.reports import UnreadableReport, read_report
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.truth.withholding import call_many


@dataclass(frozen=True, slots=True)
class Run:
    """What one run did: its calls with their results, and the world before and after."""

    calls: list[TracedStep]
    changes: list[Change]
    report: Report | None
    error: str | None
    """What stopped the program, or why what it returned is no report; the calls up to there were made. A refused call
    stops no list of calls."""
    state_hash: str
    initial: bytes
    """The database before the first call, as an SQLite file."""
    final: bytes
    state: str
    clock: str

    @property
    def row_changes(self) -> list[RowChange]:
        """The changes as they are stored."""
        return [row_change(change) for change in self.changes]


async def run_solution(
    runtime: Runtime,
    bundle: Bundle,
    task: Task,
    source: str,
    form: AnswerForm,
    *,
    clock: str | None = None,
    id_offset: int = 0,
    instead: Mapping[int, dict[str, Json]] | None = None,
) -> Run:
    """Run a solution program from the start of a task. `clock` and `id_offset` set another time and other new ids;
    `instead` gives other arguments for some of its calls, counted from 0."""
    user_tools = {tool.name for tool in bundle.tools_of("user")}
    async with await runtime.open(bundle, state=task.state, clock=clock, id_offset=id_offset) as session:
        result = await runtime.run_program(session, source, instead)
        steps = [
            _step(call.tool, "user" if call.tool in user_tools else "assistant", dict(call.arguments), call.result)
            for call in result.calls
        ]
        report, error = (None, result.error) if result.error else _reported(bundle, form, result.answer)
        return await _outcome(bundle, session, clock, steps, report, error)


def _reported(bundle: Bundle, form: AnswerForm, returned: Json) -> tuple[Report | None, str | None]:
    """What a program returned, as a report; or why it is none."""
    if not isinstance(returned, dict):
        return None, "solve returned no dict with outcome, answers, reason and message"
    read = read_report(returned, form, [rule.id for rule in bundle.theme.rules])
    return (
        (None, f"what solve returned is no report: {read.problem}")
        if isinstance(read, UnreadableReport)
        else (read, None)
    )


async def run_calls(
    runtime: Runtime, bundle: Bundle, task: Task, calls: Sequence[TracedStep], report: Report | None
) -> Run:
    """Make these calls from the start of a task, going on after a refusal as an agent would, and give this report. Of
    each step only the tool, the principal and the arguments count: the results are those of this run."""
    async with await runtime.open(bundle, state=task.state) as session:
        steps: list[TracedStep] = []
        for principal, together in groupby(calls, key=lambda call: call.principal):
            wanted = [(call.tool, call.arguments) for call in together]
            results = await call_many(session, task, wanted, principal)
            steps += [_step(tool, principal, given, r) for (tool, given), r in zip(wanted, results, strict=True)]
        return await _outcome(bundle, session, None, steps, report, None)


def _step(tool: str, principal: Principal, arguments: dict[str, Json], result: CallResult) -> TracedStep:
    if result.outcome == "infrastructure":
        raise InfrastructureFault(f"A run could not be finished: {result.error}.")
    return TracedStep(
        tool=tool,
        principal=principal,
        arguments=arguments,
        outcome=result.outcome,
        value=result.value,
        error=result.error,
    )


async def _outcome(
    bundle: Bundle,
    session: Session,
    clock: str | None,
    steps: list[TracedStep],
    report: Report | None,
    error: str | None,
) -> Run:
    start, end = bundle.states[session.state], await session.end()
    return Run(
        calls=steps,
        changes=end.changes,
        report=report,
        error=error,
        state_hash=end.state_hash,
        initial=start.image,
        final=end.final,
        state=session.state,
        clock=clock or start.clock,
    )


def row_change(change: Change) -> RowChange:
    """A change as it is stored. Sessions know text, numbers and NULL only."""
    return RowChange.model_validate(
        {"table": change.table, "key": list(change.key), "before": change.before, "after": change.after}
    )

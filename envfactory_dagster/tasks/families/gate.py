"""What a drawn task has to stand before anybody plays it.

Belongs here: the whole gate, which is that of all tasks, and the short one for families that stood the whole gate over
many instances. Does not: drawing (`drawing`), and the trials (`truth.gate`).
"""

from collections.abc import Mapping, Sequence

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.families import Proven
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.contracts.truth import GatedVerifier, ReferenceSolution, Verifier
from envfactory_dagster.runtime.facts.results import ToolFacts
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks import proving
from envfactory_dagster.tasks.authored import difficulty
from envfactory_dagster.tasks.families.drawing import DrawnTask
from envfactory_dagster.truth.dictation import dictated_columns
from envfactory_dagster.truth.execution import run_solution
from envfactory_dagster.truth.gate import try_when_drawn
from envfactory_dagster.truth.solutions import problems_of
from envfactory_dagster.truth.verifiers import problems_of as problems_of_gate

PROVEN_INSTANCES = 30
"""After so many instances that stood the whole gate, tasks of a family are drawn through the short one."""


async def prove(runtime: Runtime, bundle: Bundle, drawn: DrawnTask, facts: ToolFacts) -> MadeTask | list[Problem]:
    """The whole gate. The bundle has the state that the task starts in."""
    solution = await proving.solve(runtime, bundle, drawn.task, drawn.solution, drawn.form)
    if isinstance(solution, list):
        return solution
    verifier = await proving.verify(runtime, bundle, drawn.task, solution, drawn.verifier)
    return verifier if isinstance(verifier, list) else _made(drawn, solution, verifier, facts)


async def check_when_drawn(
    runtime: Runtime, bundle: Bundle, drawn: DrawnTask, proven: Proven, facts: ToolFacts, level: int | None = None
) -> MadeTask | list[Problem] | None:
    """The short gate. None: the task is of another level than this one, so that nothing more was tried."""
    try:
        return await _checked(runtime, bundle, drawn, proven, facts, level)
    except EnvironmentFault as fault:
        return [Problem(fault="code", message=f"The environment broke under it: {fault}")]


async def _checked(
    runtime: Runtime, bundle: Bundle, drawn: DrawnTask, proven: Proven, facts: ToolFacts, level: int | None
) -> MadeTask | list[Problem] | None:
    task, form = drawn.task, drawn.form
    tools = {tool.name: tool for tool in bundle.tools}
    run = await run_solution(runtime, bundle, task, drawn.solution, form)
    if level is not None and run.error is None and difficulty(run.calls, facts).level != level:
        return None
    if problems := problems_of(task, run, form, tools):
        return problems
    again = await run_solution(runtime, bundle, task, drawn.solution, form)
    if run.report is None or (run.state_hash, run.report) != (again.state_hash, again.report):
        return [Problem(fault="solution", message="Run twice, it comes to two different ends.")]
    solution = ReferenceSolution(
        task=task.id,
        source=drawn.solution,
        form=form,
        report=run.report,
        calls=run.calls,
        changes=run.row_changes,
        state_hash=run.state_hash,
        volatile=_written(proven.volatile, run.changes),
        relative=_written(proven.relative, run.changes),
        dictated=dictated_columns(task, run.calls, run.changes, tools),
    )
    verifier = Verifier(task=task.id, source=drawn.verifier)
    gate = await try_when_drawn(runtime, bundle, solution, task, verifier, [run, again])
    if not gate.passed:
        return problems_of_gate(gate)
    return _made(drawn, solution, GatedVerifier(verifier=verifier, gate=gate), facts)


def _written(columns: Mapping[str, list[str]], changes: Sequence[Change]) -> dict[str, list[str]]:
    """Of the tables that were written."""
    tables = {change.table for change in changes}
    return {table: names for table, names in columns.items() if table in tables}


def _made(drawn: DrawnTask, solution: ReferenceSolution, verifier: GatedVerifier, facts: ToolFacts) -> MadeTask:
    return MadeTask(
        task=drawn.task,
        source="family",
        solution=solution,
        verifier=verifier,
        difficulty=difficulty(solution.calls, facts),
        own_rows=drawn.own_rows,
    )

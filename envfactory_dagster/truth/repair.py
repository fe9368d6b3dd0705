"""Better verifiers for the tasks of an environment in whose verifiers an audit found something.

Belongs here: which tasks can be helped so, and asking a model. Does not: what was found (`audit`), the prompt and what
a verifier has to stand (`verifiers`).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from envfactory_dagster.contracts.audit import Audit, AuditKind, TaskAudit
from envfactory_dagster.contracts.bundle import Bundle, State
from envfactory_dagster.contracts.database import InitialState, SeedRows, Table, TableRows
from envfactory_dagster.contracts.truth import SolutionSet
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.runtime.images import read_rows
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.audit import Gold, golds_of
from envfactory_dagster.truth.start_rows import schema_of
from envfactory_dagster.truth.task_by_task import tasks_by_state, work
from envfactory_dagster.truth.verifiers import Solved, VerifierCheck

STAGE = "audit"
_OF_VERIFIERS: frozenset[AuditKind] = frozenset(
    ("gold_refused", "no_op_passes", "seed_satisfies", "accepts_mutants", "refuses_variants", "verifier_breaks")
)
_DDL = re.compile(r"^\s*CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?[\"'`\[]?(\w+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Repaired:
    bundle: Bundle
    """With the better verifiers; the same as before where there are none."""
    audit: Audit
    given_up: dict[str, str]
    """Task → why no better verifier came of it."""


async def repair(gateway: Gateway, runtime: Runtime, bundle: Bundle, audit: Audit, attempts: int) -> Repaired:
    """Ask for a verifier of each task in whose own something was found. One is taken when it stands every trial."""
    golds = await golds_of(runtime, bundle)
    wanted = {one.task: one for one in audit.tasks if _has_a_bad_verifier(one)}
    given_up = {task: why for task in wanted if (why := _beyond_help(golds.get(task)))}
    solved = _solved(bundle, golds)
    asked = [one for one in solved.set.solutions if one.task in wanted and one.task not in given_up]
    benches = {gold.task: VerifierCheck(runtime, solved, gold, takes_few=True) for gold in asked}
    by_state = tasks_by_state(map(solved.task, asked))
    questions = [solved.parts(tasks, benches) for tasks in by_state.values()]
    authored, _ = await work(gateway, Caller(STAGE, bundle.key, Role.AUTHOR), questions, attempts)
    better: dict[str, str] = {}
    for task, bench in benches.items():
        if authored[task].value is not None and bench.gated is not None:
            better[task] = bench.gated.verifier.source
        else:
            given_up[task] = authored[task].rejection()
    return Repaired(
        bundle=replace(bundle, verifiers=bundle.verifiers | better) if better else bundle,
        audit=audit.model_copy(update={"tasks": [_without_what_is_mended(one, better) for one in audit.tasks]}),
        given_up=given_up,
    )


def _has_a_bad_verifier(task: TaskAudit) -> bool:
    return any(finding.kind in _OF_VERIFIERS for finding in task.findings)


def _beyond_help(gold: Gold | None) -> str:
    if gold is None:
        return "there is no reference solution to try a verifier on"
    if gold.run.error is not None:
        return "its reference solution does not run"
    if not gold.run.changes:
        return "its reference solution changes nothing, so nothing tells it from doing nothing"
    return ""


def _without_what_is_mended(task: TaskAudit, better: Mapping[str, str]) -> TaskAudit:
    if task.task not in better:
        return task
    left = [finding for finding in task.findings if finding.kind not in _OF_VERIFIERS]
    return task.model_copy(update={"findings": left, "repaired": True})


def _solved(bundle: Bundle, golds: Mapping[str, Gold]) -> Solved:
    """What the author of verifiers is shown of an environment, made from the bundle alone."""
    forms = bundle.answer_forms
    solutions = [gold.reference(forms[task]) for task, gold in golds.items() if task in forms]
    states = [_rows_of(bundle, name, state) for name, state in bundle.states.items()]
    return Solved(bundle, _tables_of(bundle.schema_sql), SeedRows(states=states), SolutionSet(solutions=solutions))


def _tables_of(schema_sql: str) -> list[Table]:
    statements = [statement.strip() for statement in schema_sql.split(";\n")]
    return [Table(name=found[1], ddl=text) for text in statements if (found := _DDL.match(text)) is not None]


def _rows_of(bundle: Bundle, name: str, state: State) -> InitialState:
    tables = schema_of(bundle.schema_sql).tables
    columns = {table.name: [column.name for column in table.columns] for table in tables.values() if not table.is_view}
    rows = read_rows(state.image, columns)
    return InitialState(
        name=name,
        clock=state.clock,
        tables=[
            TableRows(table=table, columns=names, rows=[[row[column] for column in names] for row in rows[table]])
            for table, names in columns.items()
        ],
    )

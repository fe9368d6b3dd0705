"""What is to be told, as facts for a verifier: computed from the database at the start where lineage says from where.

Belongs here: finding the row and column behind a value. Does not: the checks (`tasks.verifier_writing`).
"""

from collections.abc import Iterator

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.runtime.facts import ColumnRef, ToolFact, ToolFacts
from envfactory_dagster.tasks.graph_tasks.choosing import meant
from envfactory_dagster.tasks.graph_tasks.program import label
from envfactory_dagster.tasks.graph_tasks.reading import items_at, kind_of, scalars
from envfactory_dagster.tasks.graph_tasks.steps import Said, Step, Telling, Walked
from envfactory_dagster.tasks.verifier_writing import Fact, FactKind
from envfactory_dagster.truth.ground import Ground


def facts_of(walked: Walked, facts: ToolFacts, ground: Ground) -> list[Fact]:
    return [_fact(telling, walked, facts, ground) for telling in walked.tellings]


def _fact(telling: Telling, walked: Walked, facts: ToolFacts, ground: Ground) -> Fact:
    value = telling.value
    kind: FactKind = "number"
    if telling.how != "count" and (found := kind_of(telling.field or telling.path, value)) is not None:
        kind = found if found != "flag" else "number"
    if not isinstance(value, str | int | float):
        raise TypeError(f"nobody can be told {value!r}")
    step = walked.step(telling.step)
    column = _column(telling, facts.tools.get(step.tool))
    if telling.how == "value" and column is not None:
        for number in _numbers(telling, step, column, facts.tools[step.tool], ground):
            row = _row(ground, column, number)
            if row is not None and row.get(column.column) == value:
                key = ground.schema.tables[column.table].rowid_column
                query = f'SELECT "{column.column}" AS value FROM "{column.table}" WHERE "{key}" = ?'
                return Fact(label(telling), kind, value, query, (number,))
    return Fact(label(telling), kind, value)


def _column(telling: Telling, fact: ToolFact | None) -> ColumnRef | None:
    """The one column that a value comes from unchanged."""
    path = f"{telling.path}[].{telling.field}" if telling.field else telling.path
    for output in fact.outputs if fact is not None else ():
        if output.path == path and output.exact and len(output.columns) == 1:
            return output.columns[0]
    return None


def _numbers(telling: Telling, step: Step, column: ColumnRef, fact: ToolFact, ground: Ground) -> Iterator[int]:
    """What may be the number of the row: a field beside the value, or what the rows were chosen by."""
    key = ColumnRef(column.table, ground.schema.tables[column.table].rowid_column or "")
    beside = {output.path for output in fact.outputs if output.exact and output.columns == (key,)}
    found: list[Json] = []
    if telling.item is not None:
        [row] = meant(telling.item, items_at(step.result, telling.path))
        found += [value for name, value in row.items() if f"{telling.path}[].{name}" in beside]
    else:
        parent = telling.path.rpartition(".")[0]
        found += [value for path, value in scalars(step.result) if path in beside and path.rpartition(".")[0] == parent]
    found += [
        source.value
        for name, source in step.arguments.items()
        if not isinstance(source, Said) and key in fact.filters(name)
    ]
    yield from (number for number in found if isinstance(number, int))


def _row(ground: Ground, column: ColumnRef, number: int) -> dict[str, Cell] | None:
    key = ground.schema.tables[column.table].rowid_column
    return next((row for row in ground.rows[column.table] if key is not None and row[key] == number), None)

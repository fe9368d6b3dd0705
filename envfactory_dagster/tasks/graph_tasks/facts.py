"""Where the answers of a walk stand in the database at the start, as facts for a verifier, where lineage tells it.

Belongs here: finding the row and column behind a value. Does not: the checks (`tasks.verifier_writing`), and the fields
themselves (`fields`).
"""

from collections.abc import Iterator, Sequence

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.runtime.facts import ColumnRef, ToolFact, ToolFacts
from envfactory_dagster.tasks.graph_tasks.choosing import meant
from envfactory_dagster.tasks.graph_tasks.fields import AskedField, Part, column_of
from envfactory_dagster.tasks.graph_tasks.reading import items_at, scalars
from envfactory_dagster.tasks.graph_tasks.steps import KnownValue, Walked, WalkStep, WantedAnswer
from envfactory_dagster.tasks.verifier_writing import AnswerSource
from envfactory_dagster.truth.start_rows import StartRows

_SQL: dict[Part, str] = {
    "whole": "{}",
    "words": "{}",
    "day": "substr({}, 1, 10)",
    "time": "substr({}, 12, 5)",
    "exact_time": "substr({}, 12)",
}


def facts_of(
    fields: Sequence[AskedField], walked: Walked, facts: ToolFacts, start_rows: StartRows
) -> list[AnswerSource]:
    """For every field that a single row and column holds the query that gives it."""
    found = (_fact(one, walked, facts, start_rows) for one in fields)
    return [fact for fact in found if fact is not None]


def _fact(asked: AskedField, walked: Walked, facts: ToolFacts, start_rows: StartRows) -> AnswerSource | None:
    telling = asked.telling
    if telling.how != "value":
        return None
    step = walked.step(telling.step)
    column = column_of(telling, facts.tools.get(step.tool))
    if column is None:
        return None
    for number in _numbers(telling, step, column, facts.tools[step.tool], start_rows):
        row = _row(start_rows, column, number)
        if row is not None and row.get(column.column) == telling.value:
            key = start_rows.schema.tables[column.table].rowid_column
            value = _SQL[asked.part].format(f'"{column.column}"')
            query = f'SELECT {value} AS value FROM "{column.table}" WHERE "{key}" = ?'
            return AnswerSource(asked.field.name, query, (number,))
    return None


def _numbers(
    telling: WantedAnswer, step: WalkStep, column: ColumnRef, fact: ToolFact, start_rows: StartRows
) -> Iterator[int]:
    """What may be the number of the row: a field beside the value, or what the rows were chosen by."""
    key = ColumnRef(column.table, start_rows.schema.tables[column.table].rowid_column or "")
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
        if not isinstance(source, KnownValue) and key in fact.filters(name)
    ]
    yield from (number for number in found if isinstance(number, int))


def _row(start_rows: StartRows, column: ColumnRef, number: int) -> dict[str, Cell] | None:
    key = start_rows.schema.tables[column.table].rowid_column
    return next((row for row in start_rows.rows[column.table] if key is not None and row[key] == number), None)

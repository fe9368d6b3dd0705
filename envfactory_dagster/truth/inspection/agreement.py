"""Whether what a call says of rows is what the rows say after it.

Belongs here: results held against the database as the call left it. Does not: results held against the gate's own
expectations (`authoring.trials.answers`).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from envfactory_dagster.authoring.trials.calls import number_in_code, without_marks
from envfactory_dagster.authoring.trials.keys import Keys
from envfactory_dagster.contracts.inspection import Criterion, Finding
from envfactory_dagster.runtime.facts import ColumnRef
from envfactory_dagster.truth.inspection.exploration import Called, Exploration
from envfactory_dagster.truth.inspection.inspected import Inspected

Row = Mapping[str, Any]


def findings(inspected: Inspected, exploration: Exploration) -> Iterator[Finding]:
    """Over all calls from the rows alone: those after other calls are the same tools in the same code."""
    for call in exploration.calls:
        if call.result.ok and isinstance(call.result.value, dict):
            if not inspected.tools[call.tool].annotations.readOnlyHint:
                yield from _of_the_named_rows(inspected, call)
            yield from _of_ids(inspected, call)
    for tool, definition in inspected.tools.items():
        good = exploration.good(tool)
        if good and not definition.annotations.readOnlyHint and not any(call.changes for call in good):
            yield _finding(good[0], "state", f"{tool}: it is a command, and no call of it changed anything.")


def _of_the_named_rows(inspected: Inspected, call: Called) -> Iterator[Finding]:
    """`{"order_id": 7, "status": "cancelled"}` says of order 7 that it is cancelled."""
    result: dict[str, Any] = call.result.value  # type: ignore[assignment]
    held = [change.after for change in call.changes if change.after is not None]
    created = {cell for change in call.changes if change.before is None for cell in change.key}
    written = inspected.written("insert", "update")
    asked = inspected.tools[call.tool].inputSchema.get("properties", {})
    for name, value in {**call.arguments, **result}.items():
        key = _table_of(name, inspected.keys)
        row = _after(inspected, call, key, value) if key is not None else None
        if key is None or row is None:
            continue
        is_changed = row in held
        for field, said in result.items():
            is_of_the_row = (
                field in row and field != name and (key.table, field) in written and isinstance(said, str | int | float)
            )
            if not is_of_the_row or _same(row[field], said) or said in created or (field in asked and not is_changed):
                continue
            if _is_code_of_what_it_refers_to(inspected, call, ColumnRef(key.table, field), row[field], said):
                continue
            if said not in [other.get(field) for other in held] and not _is_of_a_row_below(
                inspected, call, (name, value), (field, said)
            ):
                what = f"it says {field} = {said!r} of {key.table} {value!r}, which holds {row[field]!r}"
                yield _finding(call, "state", f"{call.tool}: {what}.")


def _is_code_of_what_it_refers_to(
    inspected: Inspected, call: Called, column: ColumnRef, cell: Any, said: str | int | float
) -> bool:
    """Whether a result tells a row that `column` refers to by its code: `slot_id` "A-0800" where 64 is stored."""
    key = inspected.keys.domain(column)
    row = _after(inspected, call, key, cell) if key is not None and isinstance(said, str) else None
    return row is not None and _is_code_of(said, row)


def _is_of_a_row_below(inspected: Inspected, call: Called, named: tuple[str, Any], told: tuple[str, Any]) -> bool:
    """Whether a call that names another row by its own key says this of that one: a claim that tells its `id` and its
    kind beside its `cover_id`. `named` is what refers to the row above, `told` what seems to be said of it."""
    result: dict[str, Any] = call.result.value  # type: ignore[assignment]
    said = {**call.arguments, **result}
    own = {column.name for table in inspected.schema.tables.values() for column in table.columns if column.primary_key}
    keys = {name: value for name, value in said.items() if name in own or name.endswith("_id")}
    for table in inspected.schema.tables.values():
        if len(table.primary_key) != 1 or not {named[0], told[0]} <= {one.name for one in table.columns}:
            continue
        key = table.primary_key[0]
        changed = {row[key]: row for row in (one.after for one in call.changes if one.table == table.name) if row}
        for row in inspected.worlds[call.state].of(table.name):
            now = changed.get(row[key], row)
            is_named = any(value == now[key] for name, value in keys.items() if name != named[0])
            if is_named and now[named[0]] == named[1] and now[told[0]] == told[1]:
                return True
    return False


def _of_ids(inspected: Inspected, call: Called) -> Iterator[Finding]:
    """A field called `room_id` holds the id of a room that is there; where there is a new room, of that or of one
    that is changed with it. A list that tells the new one may tell others too."""
    told = [*_scalars(call.result.value)]
    for name, value in told:
        key = _table_of(name, inspected.keys)
        if key is None or isinstance(value, bool) or value in call.arguments.values():
            continue
        new = [c.after[key.column] for c in call.changes if c.table == key.table and c.before is None and c.after]
        changed = [c.after[key.column] for c in call.changes if c.table == key.table and c.before and c.after]
        is_told = any(other in new for called, other in told if _table_of(called, inspected.keys) == key)
        if (
            new
            and not is_told
            and not {value, number_in_code(value)} & {*new, *changed}
            and not _is_called(call, key, value)
        ):
            yield _finding(call, "results", f"{call.tool}: it says {name} = {value!r}; what it created is {new[0]!r}.")
        elif not _is_there(inspected, call, key, value):
            what = f"it says {name} = {value!r}, and {key.table} holds no such {key.column}"
            yield _finding(call, "results", f"{call.tool}: {what}.")


def _finding(call: Called, criterion: Criterion, message: str) -> Finding:
    snippet = f"called with {call.arguments!r} from the state {call.state}"
    return Finding(tool=call.tool, criterion=criterion, severity="fail", message=message, snippet=snippet)


def _scalars(value: Any) -> Iterator[tuple[str, Any]]:
    for name, inner in value.items() if isinstance(value, Mapping) else ():
        if isinstance(inner, str | int | float):
            yield name, inner
        elif isinstance(inner, Mapping):
            yield from _scalars(inner)
        elif isinstance(inner, Sequence):
            for item in inner:
                yield from _scalars(item)


def _table_of(name: str, keys: Keys) -> ColumnRef | None:
    return keys.table_called(name.removesuffix("_id")) if name.endswith("_id") else None


def _after(inspected: Inspected, call: Called, key: ColumnRef, value: Any) -> Row | None:
    """The row with that key as the call left it, or as it was deleted."""
    for change in (*call.changes, *call.start):
        for row in (change.after, change.before):
            if change.table == key.table and row is not None and row[key.column] == value:
                return row
    rows = inspected.worlds[call.state].with_value(key, [value])
    return rows[0] if rows else None


def _is_called(call: Called, key: ColumnRef, value: Any) -> bool:
    """Whether a row that the call wrote goes by that code."""
    written = [change.after for change in call.changes if change.table == key.table and change.after]
    return any(_is_code_of(value, row) for row in written)


def _is_code_of(value: Any, row: Row) -> bool:
    """In its own form, or with other letters before its number: CAL018256 may be COT-018256 to the outside."""
    code, number = without_marks(value), number_in_code(value)
    own = {without_marks(cell) for cell in row.values()} - {""}
    numbers = {number_in_code(cell) for cell in row.values()} - {None}
    return code in own or number in numbers


def _is_there(inspected: Inspected, call: Called, key: ColumnRef, value: Any) -> bool:
    """Whether the call left a row with that key, or one that goes by that code."""
    if any(_after(inspected, call, key, called) is not None for called in (value, number_in_code(value))):
        return True
    changed = [change.after for change in (*call.changes, *call.start) if change.table == key.table and change.after]
    return any(_is_code_of(value, row) for row in [*inspected.worlds[call.state].of(key.table), *changed])


def _same(cell: Any, said: Any) -> bool:
    return bool(cell == said) or (isinstance(cell, str) and isinstance(said, str) and cell[:10] == said[:10] != "")

"""Whether what a call changed is what it may change.

Belongs here: judging changes against the statements, the rows that the call names, and the looks of the columns.
Does not: making the calls (`trial`), and what a tool shows (`answers`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from envfactory_dagster.authoring import texts
from envfactory_dagster.authoring.trials.calls import Arguments, number_in_code, values_at, without_marks
from envfactory_dagster.authoring.trials.statements import demands
from envfactory_dagster.authoring.trials.world import USER_ID, RowId, WorldRows
from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.runtime.facts import USER, ColumnRef, ToolFact

_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?")
_ENOUGH_TO_SHOW_A_FORM = 3


def problems_of(
    fact: ToolFact,
    world: WorldRows,
    owners: Mapping[str, set[ColumnRef]],
    arguments: Arguments,
    changes: Sequence[Change],
) -> list[Problem]:
    """Everything in these changes that the call had no business with."""
    return [
        *_of_the_tables(fact, changes),
        *_of_the_rows(fact, world, arguments, changes),
        *_of_the_owner(fact, world, owners, arguments, changes),
        *_of_the_forms(fact, world, changes),
    ]


def _of_the_tables(fact: ToolFact, changes: Sequence[Change]) -> Iterator[Problem]:
    declared = {(write.table, write.kind) for write in fact.writes}
    for table, kind in sorted({(change.table, change.kind) for change in changes} - declared):
        yield _problem(f"{fact.name}: it made an {kind} in {table}, which none of its statements says.")


def _of_the_rows(
    fact: ToolFact, world: WorldRows, arguments: Arguments, changes: Sequence[Change]
) -> Iterator[Problem]:
    touched = [change for change in changes if change.before is not None and world.has(change.table, change.key)]
    if not touched:
        return
    allowed: set[tuple[str, tuple[Any, ...]]] = {*_in_reach(fact, world, arguments)}
    strangers = [change for change in touched if (change.table, change.key) not in allowed]
    for change in strangers[:1]:
        verb = "deletes" if change.kind == "delete" else "changes"
        key = ", ".join(repr(value) for value in change.key)
        yield _problem(
            f"{fact.name}: called with {dict(arguments)!r} it {verb} the row {key} of {change.table} "
            f"({len(strangers)} such rows), which neither its arguments nor the user's id lead to."
        )


def _in_reach(fact: ToolFact, world: WorldRows, arguments: Arguments) -> set[RowId]:
    """The rows a call may change: those it names, what refers to them, what these refer to, and what refers to that
    in turn (who waits for the place that is given up); what stands on a day that is named. Of the user: what belongs to
    them, and what that refers to."""
    said = {*_named(fact, world, arguments)}
    named = world.below(said | {*_of_the_same_day(fact, world, said, arguments)})
    named |= world.above(named)
    reach = named | world.beside(named)
    if any(use.source == USER for use in fact.uses):
        own = world.below([world.user])
        reach |= own | world.above(own)
    return reach


def _of_the_same_day(fact: ToolFact, world: WorldRows, named: Iterable[RowId], arguments: Arguments) -> Iterator[RowId]:
    """Rows that the tool looks up by a day which is said or stands in a row that is named: the slot of a sailing."""
    cells = [cell for row in named if row in world.by_id for cell in world.by_id[row].values()]
    days = {text[:10] for text in [*_texts_in(arguments), *cells] if isinstance(text, str) and _MOMENT.match(text)}
    for table, column in {pair for statement in fact.statements for pair in demands(statement.sql)}:
        if table in fact.reads and days:
            for row in world.of(table):
                if str(row.get(column))[:10] in days:
                    yield world.id_of(table, row)


def _named(fact: ToolFact, world: WorldRows, arguments: Arguments) -> Iterator[RowId]:
    for use in fact.uses:
        if use.source.startswith("@") or use.operator not in ("=", "in", "insert", "update"):
            continue
        column = use.column
        if use.use == "value":
            domain = world.keys.domain(column)
            if domain is None:
                continue
            column = domain
        for row in world.with_value(column, values_at(arguments, use.source)):
            yield world.id_of(column.table, row)
    said = set(_texts_in(arguments))
    numbers, codes = {number_in_code(text) for text in said} - {None}, {without_marks(text) for text in said} - {""}
    for table in fact.reads if said else ():
        yield from ((table, (number,)) for number in numbers if world.has(table, (number,)))
        for row in world.of(table):
            own = [cell for name, cell in row.items() if world.keys.names_one_row(ColumnRef(table, name))]
            if any(number_in_code(cell) in numbers or without_marks(cell) in codes for cell in own):
                yield world.id_of(table, row)


def _texts_in(arguments: object) -> Iterator[str]:
    """However deep: among them are the codes of rows, in their own form or another."""
    inside = arguments.values() if isinstance(arguments, Mapping) else arguments if isinstance(arguments, list) else ()
    for value in inside:
        if isinstance(value, str):
            yield value
        yield from _texts_in(value)


def _of_the_owner(
    fact: ToolFact,
    world: WorldRows,
    owners: Mapping[str, set[ColumnRef]],
    arguments: Arguments,
    changes: Sequence[Change],
) -> Iterator[Problem]:
    """Report a new row that belongs to somebody else than the user, in a table of which people own rows.

    It may belong to somebody else when the call says to whom, when it names a row that refers to that person, and when
    it takes a row of the same table from the user."""
    named = {*_named(fact, world, arguments)}
    referred_to = named | world.above(named)
    for change in changes:
        columns = owners.get(change.table, set())
        if change.before is not None or change.after is None or len(columns) != 1:
            continue
        column = next(iter(columns))
        given = any(use.column == column and use.use == "value" and use.source != USER for use in fact.uses)
        owner = change.after[column.column]
        people = world.keys.people.table
        handed_over = any(
            other.table == change.table and (other.before or {}).get(column.column) == USER_ID for other in changes
        )
        if not given and owner not in (USER_ID, None) and (people, (owner,)) not in referred_to and not handed_over:
            yield _problem(
                f"{fact.name}: the row it creates in {change.table} is not the user's: {column.column} = {owner!r}."
            )
            return


def of_the_echo(
    tool: str, arguments: Arguments, result: Any, changes: Sequence[Change], world: WorldRows
) -> Iterator[Problem]:
    """What the result says of a column that was just written is what was written; so does the object in it that shows
    the row, `{"booking": {"id": 7, …}}` for the table `bookings`. Where the result names a row that was changed, by
    `id` or `booking_id`, it speaks of that row; otherwise it may speak of what several rows add up to, and of any of
    the tables that were written. A word that the column never holds is of another vocabulary. A field that repeats
    the argument of its name says what was asked for and nothing of a row: who releases the slot of job 9 may be told of
    job 9, though the slot holds no job any more."""
    named = list(_named_in(result, changes))
    for field, said in result.items() if isinstance(result, dict) else ():
        if isinstance(said, dict):
            shown = [change for change in changes if _is_shown(change, field, said)]
            yield from of_the_echo(tool, {}, said, shown, world)
            continue
        if field in arguments and arguments[field] == said:
            continue
        written = [(change, change.after[field]) for change in changes if change.after and field in _written(change)]
        if not isinstance(said, str | int | float) or said in [value for _, value in written]:
            continue
        if field == "id" and (said in arguments.values() or any(change.key == (said,) for change in changes)):
            continue
        spoken_of = [one for one in written if one[0] in named] if named and field != "id" else written
        may_be_a_sum = len(spoken_of) > 1 and not isinstance(said, str)
        of_several_tables = len({change.table for change in changes}) > 1
        if spoken_of and (named or not (may_be_a_sum or of_several_tables)):
            change, value = spoken_of[0]
            if isinstance(said, str) and said not in world.values(ColumnRef(change.table, field)):
                continue
            yield _problem(
                f"{tool}: its result says {field} = {said!r}; what it wrote to {change.table} says {value!r}."
            )


def _named_in(result: Any, changes: Sequence[Change]) -> Iterator[Change]:
    """The changed rows that a result names by their keys. `id` alone says no table: it counts where one row has it."""
    for field, said in result.items() if isinstance(result, dict) else ():
        if field == "id":
            with_key = [change for change in changes if change.key == (said,)]
            yield from with_key if len(with_key) == 1 else ()
        elif field.endswith("_id"):
            yield from (change for change in changes if _is_shown(change, field[: -len("_id")], {"id": said}))


def _is_shown(change: Change, field: str, shown: Mapping[str, Any]) -> bool:
    called = texts.words(field.replace("_", " ")) <= texts.words(change.table.replace("_", " "))
    return called and change.key == (shown.get("id"),)


def _written(change: Change) -> set[str]:
    """The columns that hold something new."""
    before, after = change.before or {}, change.after or {}
    return {name for name, value in after.items() if name not in before or before[name] != value}


def _of_the_forms(fact: ToolFact, world: WorldRows, changes: Sequence[Change]) -> Iterator[Problem]:
    """A column of days or moments is given days or moments, in the form they have there."""
    for change in changes:
        for name in sorted(_written(change)):
            value = change.after[name] if change.after else None
            usual = _form(world.values(ColumnRef(change.table, name)))
            if usual is not None and value is not None and _form([value] * _ENOUGH_TO_SHOW_A_FORM) != usual:
                like = world.values(ColumnRef(change.table, name))[0]
                yield _problem(f"{fact.name}: it puts {value!r} into {change.table}.{name}, where rows hold {like!r}.")


def _form(values: Sequence[Any]) -> int | None:
    """The length of days or moments that all look alike; None for anything else."""
    if len(values) < _ENOUGH_TO_SHOW_A_FORM:
        return None
    lengths = {len(v) if isinstance(v, str) and _MOMENT.fullmatch(v) else None for v in values}
    return lengths.pop() if len(lengths) == 1 else None


def since(before: Sequence[Change], now: Sequence[Change]) -> list[Change]:
    """What happened between two looks at a session, each of which tells what changed since its start. A row that has
    gone back to how it was at the start is not in the second look, and has changed all the same."""
    earlier = {(change.table, change.key): change for change in before}
    found = []
    for change in now:
        known = earlier.pop((change.table, change.key), None)
        if known is None:
            found.append(change)
        elif known.after != change.after:
            found.append(Change(change.table, change.key, known.after, change.after))
    went_back = (Change(known.table, known.key, known.after, known.before) for known in earlier.values())
    return [*found, *went_back]


def own_rows(
    fact: ToolFact, owners: Iterable[ColumnRef], world: WorldRows, arguments: Arguments
) -> dict[str, list[RowId]]:
    """Table → the user's rows that the arguments name, of the tables whose owners are given. A row is named by its
    key; one that the tool changes may be named by any of its columns."""
    written = {write.table for write in fact.writes if write.kind != "insert"}
    found: dict[str, list[RowId]] = {}
    for use in fact.uses:
        table = use.column.table
        if use.source.startswith("@") or use.use == "value" or use.operator not in ("=", "in") or not use.exact:
            continue
        if table in {owner.table for owner in owners} and (world.keys.names_one_row(use.column) or table in written):
            rows = world.with_value(use.column, values_at(arguments, use.source))
            found.setdefault(table, []).extend(world.id_of(table, row) for row in rows if world.is_users(table, row))
    return {table: rows for table, rows in found.items() if rows}


def _problem(message: str) -> Problem:
    return Problem(fault="code", message=message)

"""The rows of one initial state as a gate looks at them: who refers to whom, and what the user owns.

Belongs here: rows and the ways between them, and the same world with the user and somebody else changed over. Does not:
what tools do to the rows (`changes`), or what they show of them (`answers`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from envfactory_dagster.authoring.trials.keys import Keys
from envfactory_dagster.contracts.database import Cell, TableRows
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.runtime import databases
from envfactory_dagster.runtime.facts import ColumnRef, ForeignKey
from envfactory_dagster.runtime.images import read_rows
from envfactory_dagster.runtime.runtime import Runtime

Row = Mapping[str, Cell]
RowId = tuple[str, tuple[Cell, ...]]
"""Table and primary key."""

USER_ID = 1


@dataclass(frozen=True)
class WorldRows:
    """The rows of one state under one schema, as its database image holds them."""

    keys: Keys
    image: bytes

    @cached_property
    def _by_table(self) -> Mapping[str, Sequence[Row]]:
        tables = self.keys.schema.tables.items()
        return read_rows(self.image, {name: [column.name for column in table.columns] for name, table in tables})

    def id_of(self, table: str, row: Row) -> RowId:
        return table, tuple(row[column] for column in self.keys.schema.tables[table].primary_key)

    def of(self, table: str) -> Sequence[Row]:
        return self._by_table[table]

    def has(self, table: str, key: tuple[Any, ...]) -> bool:
        return (table, key) in self._links

    def rows(self) -> Iterator[Row]:
        return (row for rows in self._by_table.values() for row in rows)

    def values(self, column: ColumnRef) -> list[Cell]:
        """What the column holds, each value once, in the order of the rows; missing ones left out."""
        return list(
            dict.fromkeys(row[column.column] for row in self.of(column.table) if row[column.column] is not None)
        )

    def with_value(self, column: ColumnRef, values: Iterable[object]) -> list[Row]:
        """The rows that hold one of these values. None is no value: many rows have none, and it names none of them."""
        wanted = [value for value in values if value is not None]
        return [row for row in self.of(column.table) if row[column.column] in wanted]

    # -- from row to row ----------------------------------------------------------------------------------------------

    def below(self, start: Iterable[RowId]) -> set[RowId]:
        """These rows, and all that refer to them, directly or not."""
        return self._closure(start, self._children)

    def above(self, start: Iterable[RowId]) -> set[RowId]:
        """These rows, and all that they refer to, directly or not."""
        return self._closure(start, self._parents)

    def beside(self, start: Iterable[RowId]) -> set[RowId]:
        """The rows that refer to one of these; what refers to a person does so to own it, and is left out."""
        refers = (child for parent in start if parent[0] != self.keys.people.table for child in self._children(parent))
        return set(refers)

    def _closure(self, start: Iterable[RowId], step: Callable[[RowId], list[RowId]]) -> set[RowId]:
        reached = set(start)
        waiting = list(reached)
        while waiting:
            for row in step(waiting.pop()):
                if row not in reached:
                    reached.add(row)
                    waiting.append(row)
        return reached

    def _children(self, row: RowId) -> list[RowId]:
        return self._links.get(row, ([], []))[1]

    def _parents(self, row: RowId) -> list[RowId]:
        return self._links.get(row, ([], []))[0]

    @cached_property
    def _links(self) -> dict[RowId, tuple[list[RowId], list[RowId]]]:
        """Row → the rows it refers to, and those that refer to it."""
        links: dict[RowId, tuple[list[RowId], list[RowId]]] = {row: ([], []) for row in self.by_id}
        for table, key in self._references():
            there = {_cells(row, key.parent_columns): self.id_of(key.parent, row) for row in self.of(key.parent)}
            for row in self.of(table):
                parent = there.get(_cells(row, key.columns))
                if parent is not None:
                    here = self.id_of(table, row)
                    links[here][0].append(parent)
                    links[parent][1].append(here)
        return links

    def _references(self) -> Iterator[tuple[str, ForeignKey]]:
        for table in self.keys.schema.tables.values():
            yield from ((table.name, key) for key in table.foreign_keys)

    # -- the user -----------------------------------------------------------------------------------------------------

    @property
    def user(self) -> RowId:
        return self.keys.people.table, (USER_ID,)

    def is_users(self, table: str, row: Row) -> bool:
        """Whether the row refers to the user at all."""
        return any(row[c.column] == USER_ID for c in self.keys.references_to_people() if c.table == table)

    def belongs(self, row: tuple[str, tuple[Any, ...]], owners: Mapping[str, set[ColumnRef]]) -> bool:
        """Whether the row, or one that it refers to, holds the user's id in a column that says whose it is."""
        chain = self.above([row])
        return any(
            found[owner.column] == USER_ID
            for table, key in chain
            for owner in owners.get(table, ())
            for found in [self.by_id[table, key]]
        )

    @cached_property
    def by_id(self) -> dict[RowId, Row]:
        return {self.id_of(table, row): row for table, rows in self._by_table.items() for row in rows}

    async def exchanged(self, runtime: Runtime) -> "WorldRows | None":
        """The same world, except that what was the user's belongs to somebody else, and the other way round. The two
        people stay who they are. None where nobody else is there, or the schema does not let them change places."""
        columns = set(self.keys.references_to_people())
        others = [value for value in self.values(self.keys.people) if value != USER_ID]
        if not others:
            return None
        held = [row[c.column] for c in columns for row in self.of(c.table)]
        other = max(others, key=held.count)
        swap: dict[Cell, Cell] = {USER_ID: other, other: USER_ID}
        tables = [
            self._swapped(table, {c.column for c in columns if c.table == table}, swap) for table in self._by_table
        ]
        filled = [table for table in tables if table is not None]
        try:
            return WorldRows(self.keys, await databases.build_image(runtime, self.keys.schema.sql, filled))
        except EnvironmentFault:
            return None

    async def emptied(self, runtime: Runtime) -> "WorldRows | None":
        """The same world before anything was recorded: the user is there, with what the user's row refers to, and all
        else is empty. None where the schema does not let it be so."""
        kept = self.above([self.user])
        tables = [
            TableRows(table=name, columns=list(rows[0]), rows=[list(row.values()) for row in rows])
            for name in self._by_table
            if (rows := [row for row in self.of(name) if self.id_of(name, row) in kept])
        ]
        try:
            return WorldRows(self.keys, await databases.build_image(runtime, self.keys.schema.sql, tables))
        except EnvironmentFault:
            return None

    def _swapped(self, table: str, columns: set[str], swap: Mapping[Cell, Cell]) -> TableRows | None:
        rows = self.of(table)
        if not rows:
            return None
        cells = [[swap.get(cell, cell) if name in columns else cell for name, cell in row.items()] for row in rows]
        return TableRows(table=table, columns=list(rows[0]), rows=cells)


def _cells(row: Row, columns: Iterable[str]) -> tuple[Cell, ...]:
    return tuple(row[column] for column in columns)

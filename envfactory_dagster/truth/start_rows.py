"""The rows a task starts from, and which of them a value in a call or an answer stands for.

Belongs here: finding the column a value comes from, the other values it could have had, whose a row is. Does not:
making mutants of anything (`mutants`, `answers`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from envfactory_dagster.contracts.database import Cell
from envfactory_dagster.contracts.truth import RowChange
from envfactory_dagster.runtime.facts.results import ColumnRef
from envfactory_dagster.runtime.facts.schema import Schema, SchemaTable, load_schema
from envfactory_dagster.runtime.images import read_rows

Row = dict[str, Cell]
USER = 1
"""Whom the tools serve."""
_MOST_HOPS = 3
_LEAST_DISTINCT = 0.5
"""A text column with fewer different values for its rows holds states and kinds, not names."""


@lru_cache(maxsize=16)
def schema_of(schema_sql: str) -> Schema:
    return load_schema(schema_sql)


@dataclass(frozen=True, slots=True)
class Other:
    """Another value of the same column, and whose the row is that has it; None where rows belong to nobody."""

    value: Cell
    owner: Cell


class StartRows:
    """`created` are the rows that the reference solution adds: their values are found, but never proposed."""

    def __init__(self, schema: Schema, image: bytes, created: Sequence[RowChange] = ()) -> None:
        self.schema = schema
        self._tables = {name: table for name, table in schema.tables.items() if not table.is_view}
        self.rows = _read(image, self._tables)
        self._created: dict[str, list[Row]] = {}
        for change in created:
            if change.before is None and change.after is not None:
                self._created.setdefault(change.table, []).append(change.after)

    # -- where a value comes from -------------------------------------------------------------------------------------

    def entity(self, name: str, value: object, said: str = "") -> ColumnRef | None:
        """The column whose row an argument of this name and value points at; None when it points at none. Words that
        only gold has written, in no key and not in what was `said`, are free: a message, a reason."""
        if isinstance(value, int) and not isinstance(value, bool):
            table = self._table_named(re.sub(r"_?ids?$", "", name)) if re.search(r"(^|_)ids?$", name) else None
            found = None if table is None or table.rowid_column is None else ColumnRef(table.name, table.rowid_column)
            return found if found is not None and self._has(found, value) else None
        if isinstance(value, str):
            column = next((column for column in self._names if self._has(column, value)), None)
            meant = column is not None and (self.is_key(column) or self._had(column, value) or value in said)
            return column if meant else None
        return None

    def column_holding(self, value: str) -> ColumnRef | None:
        """Any column with this text in it, states and kinds included."""
        everywhere = (ColumnRef(t.name, c.name) for t in self._tables.values() for c in t.columns if c.type == "TEXT")
        return next((column for column in everywhere if self._has(column, value)), None)

    def others(self, column: ColumnRef, value: object) -> list[Other]:
        """What else the column holds at the start, each value once."""
        table = self._tables[column.table]
        found: dict[Cell, Other] = {}
        for row in self.rows[column.table]:
            other = row[column.column]
            if other is not None and other != value:
                found.setdefault(other, Other(other, self.owner(table, row)))
        return list(found.values())

    def candidates(self, name: str) -> list[Cell]:
        """Values that an argument of this name could have: of the user's rows where rows belong to somebody."""
        table = self._table_named(re.sub(r"_(ids?|codes?)$", "", name))
        column = table.column("code") if table is not None and name.endswith(("code", "codes")) else None
        if table is not None and name.endswith(("id", "ids")):
            column = table.column(table.rowid_column or "")
        if table is None or column is None:
            return []
        owned = [(row[column.name], self.owner(table, row)) for row in self.rows[table.name]]
        return [value for value, owner in owned if owner in (None, USER)]

    def owner_of(self, column: ColumnRef, value: object) -> Cell:
        table = self._tables[column.table]
        row = next((row for row in self._all_rows(column.table) if row[column.column] == value), None)
        return None if row is None else self.owner(table, row)

    def owner(self, table: SchemaTable, row: Row, hops: int = _MOST_HOPS) -> Cell:
        """The person a row belongs to, directly or through the row it is part of."""
        if self.people is None:
            return None
        if table.name == self.people.name:
            return row[self.people.rowid_column or self.people.primary_key[0]]
        singles = [key for key in table.foreign_keys if len(key.columns) == 1 and row[key.columns[0]] is not None]
        for key in singles:
            if key.parent == self.people.name:
                return row[key.columns[0]]
        for key in singles if hops else ():
            parent = self._find(key.parent, key.parent_columns[0], row[key.columns[0]])
            owner = None if parent is None else self.owner(self._tables[key.parent], parent, hops - 1)
            if owner is not None:
                return owner
        return None

    @cached_property
    def people(self) -> SchemaTable | None:
        """The table of people: of those with names, the one most others refer to, with the user in it."""
        parents = [key.parent for table in self._tables.values() for key in table.foreign_keys]
        named = [
            table
            for table in self._tables.values()
            if any("name" in column.name or "email" in column.name for column in table.columns)
            and table.rowid_column is not None
            and self._find(table.name, table.rowid_column, USER) is not None
        ]
        return max(named, key=lambda table: parents.count(table.name), default=None)

    # -- inside -------------------------------------------------------------------------------------------------------

    @cached_property
    def _names(self) -> list[ColumnRef]:
        """The text columns that tell rows apart: first those that are unique, then those that nearly are."""
        keys, names = [], []
        for table in self._tables.values():
            for column in table.columns:
                values = [row[column.name] for row in self.rows[table.name]]
                if column.type != "TEXT" or len(values) < 2:
                    continue
                if self.is_key(ColumnRef(table.name, column.name)):
                    keys.append(ColumnRef(table.name, column.name))
                elif len(set(values)) >= _LEAST_DISTINCT * len(values) and not _is_moment(values):
                    names.append(ColumnRef(table.name, column.name))
        return keys + names

    def _table_named(self, stem: str) -> SchemaTable | None:
        """The table an id is of, by the argument's name: a foreign key of that name, or a table of that name."""
        for table in self._tables.values():
            for key in table.foreign_keys:
                if key.columns == (f"{stem}_id",):
                    return self._tables[key.parent]
        plurals = {stem, f"{stem}s", f"{stem}es", re.sub(r"y$", "ies", stem)} if stem else set()
        return next((table for table in self._tables.values() if table.name in plurals), None)

    def _all_rows(self, table: str) -> list[Row]:
        return self.rows[table] + self._created.get(table, [])

    def _has(self, column: ColumnRef, value: object) -> bool:
        return any(row[column.column] == value for row in self._all_rows(column.table))

    def _had(self, column: ColumnRef, value: object) -> bool:
        return any(row[column.column] == value for row in self.rows[column.table])

    def is_key(self, column: ColumnRef) -> bool:
        """Whether its values tell rows apart."""
        table = self._tables[column.table]
        return (column.column,) in (*table.unique, table.primary_key)

    def _find(self, table: str, column: str, value: Cell) -> Row | None:
        return self._index(table, column).get(value)

    def _index(self, table: str, column: str) -> dict[Cell, Row]:
        key = (table, column)
        if key not in self._indexes:
            self._indexes[key] = {row[column]: row for row in self._all_rows(table)}
        return self._indexes[key]

    @cached_property
    def _indexes(self) -> dict[tuple[str, str], dict[Cell, Row]]:
        return {}


def _is_moment(values: Sequence[Cell]) -> bool:
    return all(value is None or re.match(r"\d{4}-\d{2}-\d{2}", str(value)) for value in values)


def _read(image: bytes, tables: dict[str, SchemaTable]) -> dict[str, list[Row]]:
    return read_rows(image, {name: [column.name for column in table.columns] for name, table in tables.items()})

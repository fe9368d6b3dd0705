"""What holds for every row there is, and has to hold for the rows that tools leave behind.

Belongs here: finding such regularities in the rows of all states: products, sums over the rows below, fixed spans of
time, columns that are filled in some status only, columns copied from the row above. Does not: which rows tools leave
behind (`afterwards`).
"""

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any

from envfactory_dagster.authoring import texts
from envfactory_dagster.runtime.facts import ForeignKey, Schema, SchemaTable

LEAST_ROWS = 8
"""How many rows must show a regularity before it is taken for one."""
LEAST_ALIKE = 2
"""Of one status."""
LEAST_VALUES = 3
"""How many different values they must show it with: what is always zero shows nothing."""

SHOWS_NOTHING = object()
"""Instead of a value, for a row that agrees too easily to be evidence: a sum of one is any copied number."""

Row = Mapping[str, Any]
Place = tuple[str, tuple[str, ...]]
"""A table and some of its columns."""
Cells = tuple[Any, ...]


@dataclass(frozen=True)
class Rows:
    """The rows of one moment, with the ways between them."""

    schema: Schema
    tables: Mapping[str, Sequence[Row]]
    _by_key: dict[Place, dict[Cells, Row]] = field(default_factory=dict)
    _by_reference: dict[Place, dict[Cells, list[Row]]] = field(default_factory=dict)

    def parent(self, row: Row, key: ForeignKey) -> Row | None:
        index = self._index(key.parent, key.parent_columns)
        return index.get(tuple(row[column] for column in key.columns))

    def children(self, table: str, key: ForeignKey, parent: Row) -> list[Row]:
        wanted = tuple(parent[column] for column in key.parent_columns)
        return self._groups(table, key.columns).get(wanted, [])

    def _index(self, table: str, columns: tuple[str, ...]) -> dict[Cells, Row]:
        if (table, columns) not in self._by_key:
            found = {tuple(row[c] for c in columns): row for row in self.tables[table]}
            self._by_key[table, columns] = found
        return self._by_key[table, columns]

    def _groups(self, table: str, columns: tuple[str, ...]) -> dict[Cells, list[Row]]:
        if (table, columns) not in self._by_reference:
            groups = defaultdict[Cells, list[Row]](list)
            for row in self.tables[table]:
                groups[tuple(row[c] for c in columns)].append(row)
            self._by_reference[table, columns] = groups
        return self._by_reference[table, columns]


@dataclass(frozen=True)
class Invariant:
    """A regularity of one table."""

    table: str
    columns: frozenset[str]
    """Those of the table that it speaks of."""
    children: str
    """The table below that it sums up; empty when there is none."""
    says: str
    is_given: bool
    """Whether it no longer binds a tool that stores what the caller gives in one of the columns."""
    expected: Callable[[Row, Rows], Any]
    """What the regularity makes of a row: None where it says nothing, else whether it holds and a value to count."""

    def holds(self, row: Row, rows: Rows) -> bool | None:
        found = self.expected(row, rows)
        return None if found is None else bool(found[0])


def mined(schema: Schema, moments: Sequence[Rows], together: Container[tuple[str, str]]) -> list[Invariant]:
    """Every regularity that no row contradicts and enough rows show. `together`: tables whose rows some tool changes
    along with the status of the row above."""
    found = []
    for table in schema.tables.values():
        if not table.is_view:
            found += [one for one in _possible(schema, table, moments, together) if _is_shown(one, moments)]
    return found


def _is_shown(invariant: Invariant, moments: Sequence[Rows]) -> bool:
    values, count = set(), 0
    for rows in moments:
        for row in rows.tables[invariant.table]:
            found = invariant.expected(row, rows)
            if found is not None:
                if not found[0]:
                    return False
                if found[1] is not SHOWS_NOTHING:
                    count += 1
                    values.add(found[1])
    return count >= LEAST_ROWS and len(values) >= LEAST_VALUES


def _possible(
    schema: Schema, table: SchemaTable, moments: Sequence[Rows], together: Container[tuple[str, str]]
) -> Iterator[Invariant]:
    numbers = [
        c.name
        for c in table.columns
        if c.type in ("INTEGER", "REAL") and not c.primary_key and not _refers(table, c.name)
    ]
    texts = [c.name for c in table.columns if c.type == "TEXT" and not c.primary_key]
    yield from _products(table, numbers)
    yield from _spans(schema, table, texts, moments)
    yield from _filled_by_status(table, moments)
    for key in table.foreign_keys:
        above = schema.tables[key.parent]
        yield from _from_above(table, numbers, key, above)
        if (table.name, above.name) in together:
            yield from _statuses_together(table, key, above, moments)
    for below in schema.tables.values():
        for key in below.foreign_keys:
            if key.parent == table.name:
                yield from _sums(table, numbers, below, key)


def _refers(table: SchemaTable, column: str) -> bool:
    return any(column in key.columns for key in table.foreign_keys)


def _products(table: SchemaTable, numbers: Sequence[str]) -> Iterator[Invariant]:
    for a, (b, c) in ((a, pair) for a in numbers for pair in combinations(numbers, 2) if a not in pair):

        def product(row: Row, rows: Rows, a: str = a, b: str = b, c: str = c) -> Any:
            known = None not in (row[a], row[b], row[c])
            return (row[a] == row[b] * row[c], (row[b], row[c])) if known else None

        yield Invariant(table.name, frozenset({a, b, c}), "", f"{a} = {b} × {c}", False, product)
    for a, b, c in permutations(numbers, 3):
        if b < c:

            def total(row: Row, rows: Rows, a: str = a, b: str = b, c: str = c) -> Any:
                known = None not in (row[a], row[b], row[c])
                return (row[a] == row[b] + row[c], (row[b], row[c])) if known else None

            yield Invariant(table.name, frozenset({a, b, c}), "", f"{a} = {b} + {c}", False, total)


def _spans(schema: Schema, table: SchemaTable, texts: Sequence[str], moments: Sequence[Rows]) -> Iterator[Invariant]:
    """From one day or moment to another: always the same, or so many days as the row above says."""
    moving = [t for t in texts if any(_days(r[t], r[t]) == 0 for rows in moments for r in rows.tables[table.name][:5])]
    for a, b in permutations(moving, 2):
        spans = {_days(row[a], row[b]) for rows in moments for row in rows.tables[table.name]} - {None}
        usual = spans.pop() if len(spans) == 1 else None
        if usual:

            def fixed(row: Row, rows: Rows, a: str = a, b: str = b, usual: float = usual) -> Any:
                span = _days(row[a], row[b])
                return None if span is None else (span == usual, row[a])

            yield Invariant(table.name, frozenset({a, b}), "", f"{b} is {usual:g} days after {a}", True, fixed)
        elif spans:
            yield from _scaled_spans(schema, table, a, b)


def _scaled_spans(schema: Schema, table: SchemaTable, a: str, b: str) -> Iterator[Invariant]:
    for key in table.foreign_keys:
        for column in schema.tables[key.parent].columns:
            for factor in (1, 7, 30, 365) if column.type == "INTEGER" and not column.primary_key else ():

                def scaled(
                    row: Row, rows: Rows, key: ForeignKey = key, name: str = column.name, factor: int = factor
                ) -> Any:
                    span, above = _days(row[a], row[b]), rows.parent(row, key)
                    known = span is not None and above is not None and above[name] is not None
                    return (span == factor * above[name], span) if known and above is not None else None

                says = f"{b} is {factor} × {key.parent}.{column.name} days after {a}"
                yield Invariant(table.name, frozenset({a, b, *key.columns}), "", says, True, scaled)


@lru_cache(maxsize=65536)
def _days(start: Any, end: Any) -> float | None:
    try:
        one, other = datetime.fromisoformat(start), datetime.fromisoformat(end)
        return (other - one).total_seconds() / 86400 if (len(start) > 10) == (len(end) > 10) else None
    except (TypeError, ValueError):
        return None


def _filled_by_status(table: SchemaTable, moments: Sequence[Rows]) -> Iterator[Invariant]:
    """In one status a column is always filled, in another never."""
    if table.column("status") is None:
        return
    for column in (column for column in table.columns if not column.not_null and not column.primary_key):
        if not any(column.name.startswith(status) for status in _statuses(table, moments)):
            continue
        seen = {(r["status"], r[column.name] is not None) for rows in moments for r in rows.tables[table.name]}
        known = {status: is_filled for status, is_filled in seen if (status, not is_filled) not in seen}
        if set(known.values()) == {True, False}:

            def filled(row: Row, rows: Rows, name: str = column.name, known: dict[str, bool] = known) -> Any:
                is_filled = row[name] is not None
                if not name.startswith(row["status"]):
                    return None
                return known.get(row["status"], is_filled) == is_filled, (row["status"], row[name])

            says = f"whether {column.name} is filled depends on the status"
            yield Invariant(table.name, frozenset({"status", column.name}), "", says, False, filled)


def _statuses(table: SchemaTable, moments: Sequence[Rows]) -> set[str]:
    return {row["status"] for rows in moments for row in rows.tables[table.name]}


def _from_above(table: SchemaTable, numbers: Sequence[str], key: ForeignKey, above: SchemaTable) -> Iterator[Invariant]:
    for column in above.columns:
        if column.primary_key or (len(key.columns) == 1 and column.name in key.parent_columns):
            continue
        for a in numbers if column.type == "INTEGER" else ():

            def copied(row: Row, rows: Rows, a: str = a, name: str = column.name) -> Any:
                parent = rows.parent(row, key)
                known = parent is not None and None not in (row[a], parent[name])
                return (row[a] == parent[name], row[a]) if known and parent is not None else None

            yield Invariant(
                table.name, frozenset({a, *key.columns}), "", f"{a} = {above.name}.{column.name}", True, copied
            )
        if column.type in ("INTEGER", "REAL"):
            for a, b in permutations(numbers, 2):

                def priced(row: Row, rows: Rows, a: str = a, b: str = b, name: str = column.name) -> Any:
                    parent = rows.parent(row, key)
                    known = parent is not None and None not in (row[a], row[b], parent[name])
                    return (row[a] == row[b] * parent[name], (row[b], row[a])) if known and parent is not None else None

                says = f"{a} = {b} × {above.name}.{column.name}"
                yield Invariant(table.name, frozenset({a, b, *key.columns}), "", says, False, priced)


def _statuses_together(
    table: SchemaTable, key: ForeignKey, above: SchemaTable, moments: Sequence[Rows]
) -> Iterator[Invariant]:
    """What is paid has a payment that went through: the status below tells the status above."""
    if table.column("status") is None or above.column("status") is None:
        return
    seen = defaultdict[str, list[str]](list)
    for rows in moments:
        for row in rows.tables[table.name]:
            if (parent := rows.parent(row, key)) is not None:
                seen[row["status"]].append(parent["status"])
    known = {below: found[0] for below, found in seen.items() if len(set(found)) == 1 and len(found) >= LEAST_ALIKE}

    def together(row: Row, rows: Rows) -> Any:
        parent = rows.parent(row, key)
        if parent is None or row["status"] not in known:
            return None
        return parent["status"] == known[row["status"]], tuple(row.values())

    if len(set(known.values())) > 1:
        says = f"its status tells the status of its row of {above.name}"
        yield Invariant(table.name, frozenset({"status"}), "", says, False, together)


_TOTAL = re.compile(r"(^|_)(total|sum|balance|count|amount|number|due|owed|paid|spent|used|taken|quantity)(_|$)")


def _is_a_total(name: str, below: str, parts: Sequence[str]) -> bool:
    """Whether a column sounds like one, speaks of what is summed up, or is called like a column that is. The price of
    a thing is the sum of others by chance."""
    own, children = (texts.words(one.replace("_", " ")) for one in (name, below))
    return name in parts or bool(_TOTAL.search(name) or own & children)


def _sums(table: SchemaTable, numbers: Sequence[str], below: SchemaTable, key: ForeignKey) -> Iterator[Invariant]:
    amounts = [
        c.name
        for c in below.columns
        if c.type in ("INTEGER", "REAL") and not c.primary_key and not _refers(below, c.name)
    ]
    factors: list[tuple[str, ...]] = [(), *((one,) for one in amounts), *combinations(amounts, 2)]
    for a, parts in ((a, parts) for a in numbers for parts in factors if _is_a_total(a, below.name, parts)):

        def summed(row: Row, rows: Rows, a: str = a, parts: tuple[str, ...] = parts) -> Any:
            children = rows.children(below.name, key, row)
            total = 0
            for child in children:
                value = 1
                for part in parts:
                    value *= child[part] or 0
                total += value
            shown = total if len(children) > 1 else SHOWS_NOTHING
            return (row[a] == total, shown) if children and row[a] is not None else None

        what = " × ".join(parts) or "the number"
        yield Invariant(
            table.name, frozenset({a}), below.name, f"{a} = the sum of {what} of its {below.name}", False, summed
        )

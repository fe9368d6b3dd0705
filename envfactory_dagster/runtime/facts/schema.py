"""The schema of an environment, as SQLite itself understands its DDL.

Belongs here: building the empty database and reading its tables, columns and keys. Does not: judging whether a
schema is a good one (the schema gate does), and statements over it (`binding.py`).
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property

import apsw

from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.runtime.facts.results import ColumnRef
from envfactory_dagster.runtime.sql_tokens import tokens

_DDL = frozenset(
    {
        apsw.SQLITE_CREATE_TABLE,
        apsw.SQLITE_CREATE_INDEX,
        apsw.SQLITE_CREATE_TRIGGER,
        apsw.SQLITE_CREATE_VIEW,
        apsw.SQLITE_REINDEX,
        apsw.SQLITE_FUNCTION,
        apsw.SQLITE_READ,
    }
)
"""What creating tables, indexes, triggers and views asks the authorizer for. SQLITE_SELECT is left out on purpose:
only CREATE TABLE … AS SELECT, which would run a query, asks for it."""
_CATALOG_WRITES = frozenset({apsw.SQLITE_INSERT, apsw.SQLITE_UPDATE, apsw.SQLITE_DELETE})
_CREATES = frozenset(
    {apsw.SQLITE_CREATE_TABLE, apsw.SQLITE_CREATE_INDEX, apsw.SQLITE_CREATE_TRIGGER, apsw.SQLITE_CREATE_VIEW}
)
_IGNORED = frozenset({apsw.SQLITE_PRAGMA, apsw.SQLITE_TRANSACTION})
_MOST_VALUE_BYTES = 1_000_000
_MOST_SQL_BYTES = 4_000_000
_MOST_SCHEMA_CHARACTERS = 1_000_000
"""The largest schema of the library has 24,000."""
_MOST_COLUMNS = 500
_MOST_SELECTS = 100
"""In one compound query."""
_MOST_OPERATIONS = 100_000
"""Of the program that SQLite makes of one statement. Views, triggers and generated columns multiply in it."""
_MOST_STEPS = 20_000_000
"""Of SQLite's virtual machine, for one statement: some seconds."""
_MOST_DEFINITIONS = 2_000
"""Tables, indexes (those of UNIQUE and keys included), triggers and views. SQLite looks through all it has for each
new one, so that ten times as many take a hundred times as long: these take half a second."""
_MOST_VIEWS_IN_VIEWS = 12
"""SQLite writes a view out wherever it is read, and the views in it again: dozens, each read twice, never end. With
this many readings of a view by a view, one is written out 81 times at most."""
_COUNTED = (
    ("triggers and views", 20, "sqlite_schema WHERE type IN ('trigger', 'view')"),
    ("foreign keys", 200, "sqlite_schema AS s, pragma_foreign_key_list(s.name) WHERE s.type = 'table'"),
    ("columns", 20_000, "sqlite_schema AS s, pragma_table_info(s.name) WHERE s.type = 'table'"),
)
"""Triggers, views and foreign keys are written out wherever a statement sets them off, n foreign keys of one table to
itself n² times. An author may write no trigger and no view; the library has 54 foreign keys in a schema at most."""
_STORED_GENERATED_OR_VIRTUAL = (2, 3)
_VIRTUAL_TABLE_HIDDEN = 1


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `primary_key` is its position in the key from 1, or 0."""

    name: str
    type: str
    not_null: bool
    default: str | None
    primary_key: int
    generated: bool


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """`columns` of the table that has it refer to `parent_columns` of `parent`."""

    columns: tuple[str, ...]
    parent: str
    parent_columns: tuple[str, ...]
    on_delete: str


@dataclass(frozen=True)
class SchemaTable:
    """A table, or a view (which has columns and its `CREATE VIEW` text, and nothing else)."""

    name: str
    columns: tuple[Column, ...]
    foreign_keys: tuple[ForeignKey, ...]
    unique: tuple[tuple[str, ...], ...]
    rowid_column: str | None
    strict: bool
    is_view: bool
    sql: str

    @property
    def primary_key(self) -> tuple[str, ...]:
        """The names of the key's columns, in key order."""
        keyed = sorted((column.primary_key, column.name) for column in self.columns if column.primary_key)
        return tuple(name for _, name in keyed)

    def column(self, name: str) -> Column | None:
        """The column of that name, in any case."""
        return self._by_name.get(name.lower())

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name.lower(): column for column in reversed(self.columns)}

    def must_be_given(self, column: Column) -> bool:
        """Whether an INSERT that leaves `column` out is bound to fail."""
        optional = column.default is not None or column.generated or column.name == self.rowid_column
        return column.not_null and not optional


@dataclass(frozen=True)
class Schema:
    """All tables and views, in the order they were created."""

    sql: str
    tables: dict[str, SchemaTable]

    def table(self, name: str) -> SchemaTable | None:
        """The table or view of that name, in any case."""
        return self._by_name.get(name.lower())

    @cached_property
    def _by_name(self) -> dict[str, SchemaTable]:
        return {name.lower(): table for name, table in self.tables.items()}


def bounded_database() -> apsw.Connection:
    """A fresh in-memory database in which no value, text of SQL or run of a statement grows without end. What one call
    of a function costs is not bounded: rows meet CHECK constraints of somebody else's in a sandboxed worker only."""
    database = apsw.Connection(":memory:")
    for limit, most in (
        (apsw.SQLITE_LIMIT_LENGTH, _MOST_VALUE_BYTES),
        (apsw.SQLITE_LIMIT_SQL_LENGTH, _MOST_SQL_BYTES),
        (apsw.SQLITE_LIMIT_EXPR_DEPTH, 200),
        (apsw.SQLITE_LIMIT_COLUMN, _MOST_COLUMNS),
        (apsw.SQLITE_LIMIT_COMPOUND_SELECT, _MOST_SELECTS),
        (apsw.SQLITE_LIMIT_VDBE_OP, _MOST_OPERATIONS),
        (apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
    ):
        database.limit(limit, most)
    # Every statement counts its steps anew, and the first call of the handler ends it.
    database.set_progress_handler(lambda: True, _MOST_STEPS)
    return database


@contextmanager
def only_definitions(database: apsw.Connection) -> Iterator[None]:
    """Inside, tables, indexes, triggers and views may be created, so many and no more. PRAGMA and transaction
    statements are skipped, anything else is refused with an `apsw.AuthError`."""
    created = 0

    def authorize(action: int, *named: str | None) -> int:
        nonlocal created
        created += action in _CREATES
        return apsw.SQLITE_DENY if created > _MOST_DEFINITIONS else _authorize_ddl(action, *named)

    database.authorizer = authorize
    try:
        yield
    except apsw.AuthError as error:
        if created <= _MOST_DEFINITIONS:
            raise
        raise EnvironmentFault(
            f"The schema defines more than {_MOST_DEFINITIONS} tables, indexes, triggers and views."
        ) from error
    finally:
        database.authorizer = None


def open_empty_database(schema_sql: str) -> apsw.Connection:
    """A fresh in-memory database with the schema and no rows, where `"text"` is never a string.

    The DDL is somebody else's. It is run here, not in a sandboxed worker, because definitions evaluate nothing as long
    as there are no rows: they are parsed and stored, within the bounds of `bounded_database`.
    """
    if len(schema_sql) > _MOST_SCHEMA_CHARACTERS:
        raise EnvironmentFault(
            f"The schema has {len(schema_sql):,} characters; {_MOST_SCHEMA_CHARACTERS:,} is the most."
        )
    database = bounded_database()
    database.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
    database.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    try:
        with only_definitions(database):
            database.execute(schema_sql)
    except apsw.AuthError as error:
        raise EnvironmentFault(
            "The schema may only CREATE tables, indexes, triggers and views; another kind of statement, "
            "a virtual table or CREATE TABLE … AS SELECT stands in it."
        ) from error
    except apsw.NoMemError as error:
        raise EnvironmentFault(
            "A definition of the schema is too large once everything it refers to is written out; split it up."
        ) from error
    except (apsw.Error, ValueError) as error:
        raise EnvironmentFault(f"SQLite does not accept the schema: {error}.") from error
    _refuse_views_upon_views(database)
    _refuse_too_much(database)
    return database


def _refuse_too_much(database: apsw.Connection) -> None:
    """Before any view is looked at or any statement is prepared, since that is what takes so long."""
    for what, most, counted in _COUNTED:
        try:
            [(count,)] = database.execute(f"SELECT count(*) FROM {counted}")
        except apsw.NoMemError:  # the count is a program with a step for each
            count = most + 1
        if count > most:
            raise EnvironmentFault(f"The schema has more than {most:,} {what}.")


def _refuse_views_upon_views(database: apsw.Connection) -> None:
    """Before any view is looked at, since that is what takes so long."""
    views = dict(list(database.execute("SELECT lower(name), sql FROM sqlite_schema WHERE type = 'view'")))
    read = sum(name in views for sql in views.values() for name in _names_in(sql)) - len(views)
    if read > _MOST_VIEWS_IN_VIEWS:
        raise EnvironmentFault(
            f"The views of the schema read other views {read} times; {_MOST_VIEWS_IN_VIEWS} times are allowed."
        )


def _names_in(sql: str) -> Iterator[str]:
    """Every name in a statement as SQLite compares it, and every text, which may stand for a name."""
    for piece in tokens(sql):
        if piece.kind in ("name", "string"):
            quote = piece.text[-1]
            yield piece.text[1:-1].replace(quote * 2, quote).lower()
        elif piece.kind == "word":
            yield piece.word


def _authorize_ddl(action: int, first: str | None = None, *more: str | None) -> int:
    if action in _IGNORED:
        return apsw.SQLITE_IGNORE
    if action in _DDL or (action in _CATALOG_WRITES and (first or "").startswith("sqlite_")):
        return apsw.SQLITE_OK
    return apsw.SQLITE_DENY


def load_schema(schema_sql: str) -> Schema:
    """The tables, columns and keys of a DDL text; a DDL that SQLite refuses is an `EnvironmentFault`."""
    database = open_empty_database(schema_sql)
    try:
        kinds = {
            name: (without_rowid, strict)
            for name, without_rowid, strict in database.execute(
                "SELECT name, wr, strict FROM pragma_table_list WHERE schema = 'main'"
            )
        }
        created = list(
            database.execute(
                "SELECT name, type, coalesce(sql, '') FROM sqlite_schema "
                "WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
            )
        )
        tables = {name: _read_table(database, name, kind, sql, *kinds[name]) for name, kind, sql in created}
    except apsw.Error as error:
        raise EnvironmentFault(f"A view of the schema does not work: {error}.") from error
    finally:
        database.close()
    return Schema(schema_sql, {name: _with_parent_keys(table, tables) for name, table in tables.items()})


def _read_table(
    database: apsw.Connection, name: str, kind: str, sql: str, without_rowid: int, strict: int
) -> SchemaTable:
    columns = tuple(
        Column(column, declared, bool(not_null), default, key, hidden in _STORED_GENERATED_OR_VIRTUAL)
        for column, declared, not_null, default, key, hidden in database.execute(
            'SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?)', (name,)
        )
        if hidden != _VIRTUAL_TABLE_HIDDEN
    )
    indexes = list(
        database.execute('SELECT name, origin FROM pragma_index_list(?) WHERE "unique" AND NOT partial', (name,))
    )
    key = [column.name for column in columns if column.primary_key]
    # SQLite keeps no index for a key that is the rowid itself; every other primary key has one.
    has_rowid_key = len(key) == 1 and not without_rowid and all(origin != "pk" for _, origin in indexes)
    return SchemaTable(
        name=name,
        columns=columns,
        foreign_keys=_read_foreign_keys(database, name),
        unique=_read_unique(database, (index for index, _ in indexes)),
        rowid_column=key[0] if has_rowid_key else None,
        strict=bool(strict),
        is_view=kind == "view",
        sql=sql,
    )


def _read_unique(database: apsw.Connection, indexes: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    found = []
    for index in indexes:
        names = [name for (name,) in database.execute("SELECT name FROM pragma_index_info(?)", (index,))]
        if None not in names:  # an index over an expression promises nothing about columns
            found.append(tuple(names))
    return tuple(sorted(found))


def _read_foreign_keys(database: apsw.Connection, table: str) -> tuple[ForeignKey, ...]:
    rows: dict[int, list[tuple[str, str, str | None, str]]] = {}
    for number, parent, column, target, on_delete in database.execute(
        'SELECT id, "table", "from", "to", on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq', (table,)
    ):
        rows.setdefault(number, []).append((parent, column, target, on_delete))
    return tuple(
        ForeignKey(
            columns=tuple(column for _, column, _, _ in parts),
            parent=parts[0][0],
            parent_columns=tuple(target for _, _, target, _ in parts if target is not None),
            on_delete=parts[0][3],
        )
        for parts in rows.values()
    )


def _with_parent_keys(table: SchemaTable, tables: dict[str, SchemaTable]) -> SchemaTable:
    """The same table, foreign keys resolved: the parent exists and its columns are named as it names them."""
    by_name = {name.lower(): parent for name, parent in tables.items()}
    resolved = []
    for key in table.foreign_keys:
        parent = by_name.get(key.parent.lower())
        if parent is None:
            raise EnvironmentFault(f"A foreign key of {table.name} names the table {key.parent}, which does not exist.")
        targets = tuple(parent.column(name) for name in key.parent_columns or parent.primary_key)
        names = tuple(target.name for target in targets if target is not None)
        if len(names) != len(key.columns):
            raise EnvironmentFault(
                f"The foreign key ({', '.join(key.columns)}) of {table.name} does not match columns of {parent.name}."
            )
        resolved.append(ForeignKey(key.columns, parent.name, names, key.on_delete))
    return replace(table, foreign_keys=tuple(resolved))


def fk_graph(schema: Schema) -> dict[ColumnRef, tuple[ColumnRef, ...]]:
    """For every column with a foreign key, the columns it refers to."""
    edges: dict[ColumnRef, list[ColumnRef]] = {}
    for table in schema.tables.values():
        for key in table.foreign_keys:
            for column, target in zip(key.columns, key.parent_columns, strict=True):
                edges.setdefault(ColumnRef(table.name, column), []).append(ColumnRef(key.parent, target))
    return {column: tuple(sorted(set(targets))) for column, targets in edges.items()}

"""Binding one SQL statement to the schema: SQLite prepares it (and never runs it), so its word is final.

Belongs here: what a statement reads, writes and takes, and whether it may stand in a tool. Does not: the sentences
about refusals (`refusals.py`), value lineage (`lineage.py`), the Python around the statement (`dataflow.py`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import apsw
import apsw.ext

from envfactory_dagster.runtime.facts import refusals, sqltext
from envfactory_dagster.runtime.facts.flow import StatementFlow
from envfactory_dagster.runtime.facts.refusals import StatementRefusal
from envfactory_dagster.runtime.facts.results import StatementKind, TableWrite
from envfactory_dagster.runtime.facts.schema import Schema, SchemaTable, open_empty_database
from envfactory_dagster.runtime.newer_sql import newer_than_oldest
from envfactory_dagster.runtime.sql_tokens import Token, tokens

_TABLE_FUNCTIONS = frozenset({"json_each", "json_tree"})
_LONGEST_STATEMENT = 20_000
_MOST_STATEMENTS = 1_000
_MOST_ACTIONS = 60_000
"""What SQLite reports of all statements: each column read, each table changed, foreign keys and triggers included. The
largest module of the library has 130 statements and 3,000 actions."""


@dataclass(frozen=True, slots=True)
class BoundStatement:
    """A statement that SQLite accepts over the schema.

    `placeholders` are the names that have to be given, in order; a positional one is called after its position.
    `fields` are the names of the columns of its rows.
    """

    kind: StatementKind
    reads: dict[str, tuple[str, ...]]
    writes: tuple[TableWrite, ...]
    placeholders: tuple[str, ...]
    positional: bool
    fields: tuple[str, ...]
    rowid_column: str | None
    target: str
    lineage: StatementFlow | None


@dataclass(frozen=True, slots=True)
class BindingVerdict:
    """What became of a statement; `bound` is None where SQLite or the rules of tools do not let it be prepared."""

    bound: BoundStatement | None
    refusals: tuple[StatementRefusal, ...]


class Binder:
    """Binds statements to one schema; every distinct text is judged once."""

    def __init__(self, schema: Schema) -> None:
        # sqlglot costs a tenth of a second to import and nothing but binding needs it.
        from envfactory_dagster.runtime.facts.lineage import LineageReader

        self._schema = schema
        self._reader = LineageReader(schema)
        self._database = open_empty_database(schema.sql)
        self._verdicts: dict[str, BindingVerdict] = {}
        self._actions = 0

    def bind(self, sql: str) -> BindingVerdict:
        """Judge one statement."""
        if sql not in self._verdicts:
            self._verdicts[sql] = self._judge(sql)
        return self._verdicts[sql]

    def _judge(self, sql: str) -> BindingVerdict:
        if len(sql) > _LONGEST_STATEMENT:
            return BindingVerdict(None, (refusals.TOO_LONG,))
        if len(self._verdicts) >= _MOST_STATEMENTS or self._actions > _MOST_ACTIONS:
            return BindingVerdict(None, (refusals.TOO_MANY,))
        pieces = tokens(sql)
        if (refusal := _refused_by_its_words(sql, pieces)) is not None:
            return BindingVerdict(None, (refusal,))
        kind = sqltext.statement_kind(pieces)
        try:
            reading = self._prepare(sql, foreign_keys=False)
            acting = self._prepare(sql, foreign_keys=True)
        except apsw.Error as error:
            return BindingVerdict(None, (refusals.explain(error, sql, pieces, self._schema),))
        if kind is None:
            return BindingVerdict(None, (refusals.forbidden(pieces[0]),))
        if None in reading.bindings_names and any(name and not name.isdigit() for name in reading.bindings_names):
            return BindingVerdict(None, (refusals.MIXED_PLACEHOLDERS,))
        lineage = self._reader.read(pieces)
        bound = self._bound(kind, pieces, reading, acting, lineage)
        called = {action.function_name.lower() for action in reading.actions or () if action.function_name}
        found = [
            *refusals.impure_readings(pieces, called),
            *_tables_refused(reading, self._schema),
            *refusals.missing_values(lineage, self._schema),
        ]
        if not found and (newer := newer_than_oldest(sql)) is not None:
            found = [refusals.newer(newer)]
        return BindingVerdict(bound, tuple(found))

    def _prepare(self, sql: str, *, foreign_keys: bool) -> apsw.ext.QueryDetails:
        """With foreign keys on, SQLite also reports the tables it would cascade to and look up parents in."""
        self._database.config(apsw.SQLITE_DBCONFIG_ENABLE_FKEY, int(foreign_keys))
        prepared = apsw.ext.query_info(self._database, sql, actions=True)
        self._actions += len(prepared.actions or ())
        return prepared

    def _bound(
        self,
        kind: StatementKind,
        pieces: Sequence[Token],
        reading: apsw.ext.QueryDetails,
        acting: apsw.ext.QueryDetails,
        lineage: StatementFlow | None,
    ) -> BoundStatement:
        fields = tuple(name for name, _ in reading.description)
        if lineage is not None and len(lineage.results) != len(fields):
            lineage = None  # the reader saw another statement than SQLite did: better silent than wrong
        target = self._target(kind, acting)
        names = reading.bindings_names
        positional = all(name is None or name.isdigit() for name in names)
        given = (sqltext.placeholder_name(at) if positional else name or "" for at, name in enumerate(names, start=1))
        return BoundStatement(
            kind=kind,
            reads=self._reads(reading),
            writes=self._writes(acting, target, pieces, lineage),
            placeholders=tuple(given),
            positional=positional,
            fields=fields,
            rowid_column=target.rowid_column if target else None,
            target=target.name if target else "",
            lineage=lineage,
        )

    def _target(self, kind: StatementKind, acting: apsw.ext.QueryDetails) -> SchemaTable | None:
        verbs = {"insert": apsw.SQLITE_INSERT, "update": apsw.SQLITE_UPDATE, "delete": apsw.SQLITE_DELETE}
        for action in acting.actions or ():
            if action.action == verbs.get(kind):
                return self._schema.table(action.table_name or "")
        return None

    def _reads(self, reading: apsw.ext.QueryDetails) -> dict[str, tuple[str, ...]]:
        columns: dict[str, set[str]] = {}
        for action in reading.actions or ():
            table = self._schema.table(action.table_name or "") if action.action == apsw.SQLITE_READ else None
            if table is not None and not table.is_view:
                read = table.column(action.column_name or "")
                columns.setdefault(table.name, set()).update({read.name} if read else ())
        return {table: tuple(sorted(names)) for table, names in sorted(columns.items())}

    def _writes(
        self,
        acting: apsw.ext.QueryDetails,
        target: SchemaTable | None,
        pieces: Sequence[Token],
        lineage: StatementFlow | None,
    ) -> tuple[TableWrite, ...]:
        writes = set[TableWrite]()
        updated: dict[tuple[str, bool], set[str]] = {}
        for action in acting.actions or ():
            table = self._schema.table(action.table_name or "")
            if table is None:
                continue
            indirect = table != target or action.trigger_or_view is not None
            if action.action == apsw.SQLITE_INSERT:
                given = lineage.insert.columns if lineage and lineage.insert and not indirect else None
                columns = given if given is not None else tuple(c.name for c in table.columns if not c.generated)
                writes.add(TableWrite(table.name, "insert", tuple(sorted(columns)), indirect))
            elif action.action == apsw.SQLITE_DELETE:
                writes.add(TableWrite(table.name, "delete", (), indirect))
            elif action.action == apsw.SQLITE_UPDATE:
                updated.setdefault((table.name, indirect), set()).add(action.column_name or "")
        writes |= {
            TableWrite(name, "update", tuple(sorted(cols)), indirect) for (name, indirect), cols in updated.items()
        }
        if target is not None and sqltext.replaces_rows(pieces):
            writes.add(TableWrite(target.name, "delete", (), indirect=True))
        return tuple(sorted(writes))


def _refused_by_its_words(sql: str, pieces: Sequence[Token]) -> StatementRefusal | None:
    """Refuse what SQLite must not even prepare: some PRAGMAs act while they are prepared."""
    if all(piece.text == ";" for piece in pieces):
        return refusals.EMPTY
    if "\0" in sql or sql.encode(errors="replace").decode() != sql:
        return refusals.UNREADABLE
    if (second := sqltext.second_statement(pieces)) is not None:
        return refusals.several_statements(second)
    if pieces[0].word in sqltext.FORBIDDEN_VERBS:
        return refusals.forbidden(pieces[0])
    return None


def _tables_refused(reading: apsw.ext.QueryDetails, schema: Schema) -> Iterator[StatementRefusal]:
    read = {action.table_name or "" for action in reading.actions or () if action.action == apsw.SQLITE_READ}
    for name in sorted(read - _TABLE_FUNCTIONS):
        if schema.table(name) is None:
            yield refusals.foreign_table(name)

"""Database images: from a schema and rows to the SQLite file that a session starts from.

Belongs here: building an image, changing rows of one, and the same rows as SQL for people to read. Does not: opening
an image for a session (`overlay`), or judging whether schema and rows are any good (`authoring`).

Inserting evaluates the CHECK constraints and defaults of a schema. Where a model wrote it, ask a sandboxed worker to
(`databases`); call these functions for a schema that was written by hand.
"""

from collections.abc import Iterable, Mapping, Sequence

import apsw

from envfactory_dagster.contracts.database import Cell, TableRows
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.tools import GivenRow
from envfactory_dagster.runtime.facts.schema import bounded_database, only_definitions

PAGE_SIZE = 1024
"""Small pages: a session pays for the pages it writes."""
_MOST_REFUSED = 100
_REFUSALS = (apsw.Error, OverflowError, ValueError, MemoryError)
"""What SQLite and its Python binding raise at statements and values that they do not take."""


def build_image(schema_sql: str, rows: Sequence[TableRows]) -> bytes:
    """Create the tables, insert the rows and return the database file. The same input gives the same bytes.

    Rows may refer to rows that come later. Whatever the database refuses raises `EnvironmentFault` with its name.
    """
    connection = bounded_database()
    connection.execute(f"PRAGMA page_size = {PAGE_SIZE}; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY")
    try:
        with only_definitions(connection):
            connection.execute(schema_sql)
    except (apsw.Error, ValueError) as error:
        raise EnvironmentFault(f"The schema cannot be created: {_reason(error)}.") from error
    _refuse_lax_tables(connection)
    connection.execute("BEGIN; PRAGMA defer_foreign_keys = ON")
    for table in rows:
        _insert(connection, table)
    _refuse_dangling_references(connection)
    connection.execute("COMMIT; VACUUM")
    return connection.serialize("main")


def with_rows_given(image: bytes, given: Sequence[GivenRow]) -> bytes:
    """The image with these rows changed. What the database refuses, or does not have, raises `EnvironmentFault`."""
    connection = _opened(image)
    for row in given:
        assignments = ", ".join(f"{_name(column)} = ?" for column in row.values)
        try:
            connection.execute(
                f"UPDATE {_name(row.table)} SET {assignments} WHERE id = ?", (*row.values.values(), row.id)
            )
        except _REFUSALS as error:
            raise EnvironmentFault(f"Table {row.table}, the row with id {row.id!r}: {_reason(error)}.") from error
        if connection.changes() == 0:
            raise EnvironmentFault(f"Table {row.table} has no row with id {row.id!r}.")
    return connection.serialize("main")


def with_rows_added(image: bytes, rows: Sequence[TableRows]) -> bytes:
    """The image with these rows beside its own, which they may refer to. What the database refuses raises
    `EnvironmentFault`."""
    connection = _opened(image)
    connection.execute("BEGIN; PRAGMA defer_foreign_keys = ON")
    for table in rows:
        _insert(connection, table)
    _refuse_dangling_references(connection)
    connection.execute("COMMIT")
    return connection.serialize("main")


def with_statement(image: bytes, statement: str, values: Sequence[Cell]) -> bytes | None:
    """The image after one statement that writes rows; None when a constraint does not allow it."""
    connection = _opened(image)
    try:
        connection.execute(statement, values)
        return connection.serialize("main")
    except apsw.ConstraintError:
        return None
    except _REFUSALS as error:
        raise EnvironmentFault(f"The database cannot be changed: {_reason(error)}.") from error
    finally:
        connection.close()


def refused_statements(statements: Sequence[tuple[str, str]]) -> list[tuple[int, str]]:
    """Which of these definitions, each with the name of its table, cannot be created in their order, and why."""
    connection = bounded_database()
    refused = []
    with only_definitions(connection):
        for index, (table, statement) in enumerate(statements):
            try:
                connection.execute(statement)
            except apsw.AuthError:
                refused.append((index, f"{table}: only plain CREATE TABLE and CREATE INDEX are allowed."))
            except _REFUSALS as error:
                refused.append((index, f"SQLite does not create {table}: {_reason(error)}."))
    return refused


def refused_rows(schema_sql: str, rows: Sequence[TableRows]) -> list[tuple[str, str]]:
    """What is wrong with each row that the database does not take, and the row; no more than `_MOST_REFUSED`."""
    connection = bounded_database()
    with only_definitions(connection):
        connection.execute(schema_sql)
    refused = []
    for table in rows:
        statement = _insert_of(table)
        for index, row in enumerate(table.rows):
            try:
                connection.execute(statement, row)
            except _REFUSALS as error:
                refused.append((f"Table {table.table}, row {index}: {_reason(error)}.", _shown(table, row)))
                if len(refused) == _MOST_REFUSED:
                    return refused
    for child, rowid, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        refused.append(
            (f"Table {child}, the row with id {rowid}: it refers to a row of {parent} that is not there.", "")
        )
    return refused[:_MOST_REFUSED]


def read_rows(image: bytes, columns: Mapping[str, Iterable[str]]) -> dict[str, list[dict[str, Cell]]]:
    """The rows of these tables, in these columns.

    The image may come from a worker that tools ran in. Where a name is no table, or a column is computed when it is
    read, reading would run an expression: that raises `EnvironmentFault`.
    """
    connection = bounded_database()
    try:
        connection.deserialize("main", image)
        return {table: _rows_of(connection, table, list(names)) for table, names in columns.items()}
    except apsw.Error as error:
        raise EnvironmentFault(f"The database cannot be read: {_reason(error)}.") from error
    finally:
        connection.close()


def _rows_of(connection: apsw.Connection, table: str, columns: list[str]) -> list[dict[str, Cell]]:
    kinds = {kind for (kind,) in connection.execute("SELECT type FROM pragma_table_list(?)", (table,))}
    if kinds != {"table"}:
        raise EnvironmentFault(f"The database cannot be read: {table} is no table in it.")
    if list(connection.execute("SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden = 2", (table,))):
        raise EnvironmentFault(
            f"The database cannot be read: {table} has columns that are computed when they are read."
        )
    rows = connection.execute(f"SELECT {_names(columns)} FROM {_name(table)}")
    return [dict(zip(columns, row, strict=True)) for row in rows]


def seed_sql(rows: Sequence[TableRows]) -> str:
    """The rows as INSERT statements for people to read, one row a line, tables in the order given."""
    return "\n".join(_insert_statement(table) for table in rows if table.rows)


def _refuse_lax_tables(connection: apsw.Connection) -> None:
    lax = [
        name
        for name, strict in connection.execute(
            "SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        if not strict
    ]
    if lax:
        raise EnvironmentFault(f"These tables are not STRICT: {', '.join(sorted(lax))}.")


def _insert(connection: apsw.Connection, table: TableRows) -> None:
    statement = _insert_of(table)
    for index, row in enumerate(table.rows):
        try:
            connection.execute(statement, row)
        except _REFUSALS as error:
            raise EnvironmentFault(
                f"Table {table.table}, row {index} {_shown(table, row)}: {_reason(error)}."
            ) from error


def _insert_of(table: TableRows) -> str:
    places = ", ".join("?" * len(table.columns))
    return f"INSERT INTO {_name(table.table)} ({_names(table.columns)}) VALUES ({places})"


def _opened(image: bytes) -> apsw.Connection:
    """A database in memory with what the image holds, foreign keys enforced."""
    connection = bounded_database()
    connection.deserialize("main", image)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _reason(error: Exception) -> str:
    """Why SQLite did not do something, without a full stop."""
    if isinstance(error, apsw.NoMemError | MemoryError):
        return "it needs more memory than a database may take"
    if isinstance(error, apsw.TooBigError):
        return "it makes a value that is longer than a database may hold"
    if isinstance(error, apsw.InterruptError):
        return "it takes more steps than one statement may"
    return str(error)[:400]


def _refuse_dangling_references(connection: apsw.Connection) -> None:
    for child, rowid, parent, number in connection.execute("PRAGMA foreign_key_check"):
        references = connection.execute(
            'SELECT "from" FROM pragma_foreign_key_list(?) WHERE id = ? ORDER BY seq', (child, number)
        )
        columns = ", ".join(str(column) for (column,) in references)
        raise EnvironmentFault(
            f"Table {child}, the row with rowid {rowid}: FOREIGN KEY constraint failed: "
            f"{columns} refers to a row of {parent} that does not exist."
        )


def _shown(table: TableRows, row: Sequence[object]) -> str:
    cells = ", ".join(f"{column}={cell!r}" for column, cell in zip(table.columns, row, strict=True))
    return f"({cells[:160]}…)" if len(cells) > 160 else f"({cells})"


def _insert_statement(table: TableRows) -> str:
    values = ",\n".join(f"    ({', '.join(apsw.format_sql_value(cell) for cell in row)})" for row in table.rows)
    return f"INSERT INTO {table.table} ({', '.join(table.columns)}) VALUES\n{values};\n"


def _names(columns: Sequence[str]) -> str:
    return ", ".join(_name(column) for column in columns)


def _name(identifier: str) -> str:
    return f'"{identifier}"'

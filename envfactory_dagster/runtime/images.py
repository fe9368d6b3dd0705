"""Database images: from a schema and rows to the SQLite file that a session starts from.

Belongs here: building an image, changing rows of one, and the same rows as SQL for people to read. Does not: opening
an image for a session (`overlay`), or judging whether schema and rows are any good (`authoring`).
"""

from collections.abc import Sequence

import apsw

from envfactory_dagster.contracts.database import TableRows
from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.contracts.tools import GivenRow

PAGE_SIZE = 1024
"""Small pages: a session pays for the pages it writes."""


def build_image(schema_sql: str, rows: Sequence[TableRows]) -> bytes:
    """Create the tables, insert the rows and return the database file. The same input gives the same bytes.

    Rows may refer to rows that come later. Whatever the database refuses raises `EnvironmentFault` with its name.
    """
    connection = apsw.Connection(":memory:")
    connection.execute(f"PRAGMA page_size = {PAGE_SIZE}; PRAGMA foreign_keys = ON")
    try:
        connection.execute(schema_sql)
    except apsw.Error as error:
        raise EnvironmentFault(f"The schema cannot be created: {error}.") from error
    _refuse_lax_tables(connection)
    connection.execute("BEGIN; PRAGMA defer_foreign_keys = ON")
    for table in rows:
        _insert(connection, table)
    _refuse_dangling_references(connection)
    connection.execute("COMMIT; VACUUM")
    return connection.serialize("main")


def with_rows_given(image: bytes, given: Sequence[GivenRow]) -> bytes:
    """The image with these rows changed. What the database refuses, or does not have, raises `EnvironmentFault`."""
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", image)
    connection.execute("PRAGMA foreign_keys = ON")
    for row in given:
        assignments = ", ".join(f"{_name(column)} = ?" for column in row.values)
        try:
            connection.execute(
                f"UPDATE {_name(row.table)} SET {assignments} WHERE id = ?", (*row.values.values(), row.id)
            )
        except (apsw.Error, OverflowError) as error:
            raise EnvironmentFault(f"Table {row.table}, the row with id {row.id!r}: {error}.") from error
        if connection.changes() == 0:
            raise EnvironmentFault(f"Table {row.table} has no row with id {row.id!r}.")
    return connection.serialize("main")


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
    placeholders = ", ".join("?" * len(table.columns))
    statement = f"INSERT INTO {_name(table.table)} ({_names(table.columns)}) VALUES ({placeholders})"
    for index, row in enumerate(table.rows):
        try:
            connection.execute(statement, row)
        except (apsw.Error, OverflowError) as error:
            raise EnvironmentFault(f"Table {table.table}, row {index} {_shown(table, row)}: {error}.") from error


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

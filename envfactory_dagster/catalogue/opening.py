"""Opening the catalogue of a home: views over its files in a DuckDB that lives in memory, and asking it.

Belongs here: the connection and what it may do. Does not: the views (`catalog.sql`), the questions that come along
(`shipped`), and showing answers (`commands.catalog`).

The catalogue reads the files of the home whenever it is asked, and writes none: DuckDB is no shared writer here. A home
in an object store is read through the client that wrote it.
No extension of DuckDB is fetched or needed.
"""

import glob
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

from envfactory_dagster.contracts.errors import InfrastructureFault, UsageError
from envfactory_dagster.store.home import Home

if TYPE_CHECKING:
    import duckdb


_NOTHING_IS_FETCHED = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}


@dataclass(frozen=True, slots=True)
class QueryResult:
    columns: list[str]
    rows: list[tuple[Any, ...]]

    def records(self) -> list[dict[str, Any]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


class Catalogue:
    """An open catalogue. Use `open_catalogue`."""

    def __init__(self, connection: "duckdb.DuckDBPyConnection", home: Home) -> None:
        self._connection = connection
        self._home = home

    def ask(self, sql: str) -> QueryResult:
        """The answer to one question."""
        answers = self.ask_all(sql)
        if len(answers) != 1:
            raise UsageError(f"one question is expected, and there are {len(answers)} in: {sql.strip()[:200]!r}")
        return answers[0]

    def ask_all(self, sql: str) -> list[QueryResult]:
        """An answer to every statement. Statements that are no questions are refused before anything is answered."""
        if not self._home.is_local:
            # The file system remembers what it listed; others may have written since.
            self._home.root.fs.invalidate_cache()
        with _explained():
            statements = self._connection.extract_statements(sql)
            for statement in statements:
                if statement.type.name != "SELECT":
                    allowed = "SELECT, FROM, WITH, DESCRIBE, SHOW, SUMMARIZE"
                    raise UsageError(f"the catalogue only answers questions ({allowed}), and changes nothing")
            return [self._answer(statement) for statement in statements]

    def views(self) -> dict[str, str]:
        """Every view, with what it holds."""
        found = self.ask("SELECT view_name, comment FROM duckdb_views() WHERE NOT internal ORDER BY view_name")
        return dict(found.rows)

    def _answer(self, statement: "duckdb.Statement") -> QueryResult:
        result = self._connection.execute(statement)
        return QueryResult([column[0] for column in result.description or []], result.fetchall())


@contextmanager
def open_catalogue(home: Home) -> Iterator[Catalogue]:
    import duckdb

    with duckdb.connect(":memory:", config=dict(_NOTHING_IS_FETCHED)) as connection:
        if not home.is_local:
            connection.register_filesystem(home.root.fs)
        connection.execute("SET VARIABLE home = ?", [_pattern(home.root)])
        connection.execute("SET VARIABLE language = ?", [_pattern(home.root / "language")])
        _keep_to(connection, home)
        connection.execute(resources.files(__package__).joinpath("catalog.sql").read_text(encoding="utf-8"))
        yield Catalogue(connection, home)


def _keep_to(connection: "duckdb.DuckDBPyConnection", home: Home) -> None:
    """From here on, questions read what lies below the home, and no other file. DuckDB checks a pattern before it looks
    for names, and then every name it found: a folder is allowed as both."""
    folders = [home.root / name for name in ("records", "bundles", "trajectories", "datasets", "language")]
    allowed = {form for folder in folders for form in (str(folder), _pattern(folder))}
    listed = ", ".join("'" + form.replace("'", "''") + "'" for form in sorted(allowed))
    connection.execute(f"SET allowed_directories = [{listed}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _pattern(folder: object) -> str:
    """The folder as part of a pattern of file names: nothing in its own name stands for other names."""
    return glob.escape(str(folder).rstrip("/"))


@contextmanager
def _explained() -> Iterator[None]:
    import duckdb

    try:
        yield
    except duckdb.IOException as error:
        raise InfrastructureFault(f"the files of the home cannot be read: {error}") from error
    except duckdb.Error as error:
        raise UsageError(str(error)) from error

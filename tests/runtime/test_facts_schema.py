"""The schema as the facts see it, held against the database that SQLite builds from it."""

import apsw
import pytest

from envfactory_dagster.contracts.errors import EnvironmentFault
from envfactory_dagster.runtime.facts import ColumnRef, fk_graph, load_schema
from tests.support.library import SCHEMA


def library() -> apsw.Connection:
    """The library's empty database."""
    connection = apsw.Connection(":memory:")
    connection.execute(SCHEMA)
    return connection


def test_the_schema_is_what_sqlite_built() -> None:
    schema = load_schema(SCHEMA)
    books = schema.tables["books"]
    assert [column.name for column in books.columns if column.generated] == ["price", "shelf"]
    assert books.unique == (("author_id", "title"),)
    assert (books.primary_key, books.rowid_column, books.strict) == (("id",), "id", True)
    assert (schema.tables["copies"].primary_key, schema.tables["copies"].rowid_column) == (("id",), None)
    assert schema.tables["fines"].primary_key == ("loan_id", "number")
    assert schema.tables["members"].unique == (("email",),)  # neither the expression index
    assert schema.tables["loans"].unique == ()  # nor the partial one promises anything about a column
    assert [column.name for column in schema.tables["open_loans"].columns] == ["loan", "member", "title"]
    assert schema.tables["open_loans"].is_view
    assert schema.table("OPENING HOURS") is schema.tables["opening hours"]


def test_every_table_and_column_agrees_with_sqlites_pragmas() -> None:
    sqlite = library()
    for name, table in load_schema(SCHEMA).tables.items():
        told = list(sqlite.execute(f'PRAGMA table_xinfo("{name}")'))
        assert [(c.name, c.type, int(c.not_null), c.default, c.primary_key, c.generated) for c in table.columns] == [
            (name, type_, notnull, default, key, hidden > 1) for _, name, type_, notnull, default, key, hidden in told
        ]
        told_keys = {(row[2], row[3], row[6]) for row in sqlite.execute(f'PRAGMA foreign_key_list("{name}")')}
        keys = {(key.parent, column, key.on_delete) for key in table.foreign_keys for column in key.columns}
        assert keys == told_keys


def test_a_column_must_be_given_exactly_when_an_insert_without_it_fails() -> None:
    connection = library()
    connection.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
    for table in load_schema(SCHEMA).tables.values():
        writable = [column for column in table.columns if not column.generated and not table.is_view]
        for left_out in writable:
            given = [column.name for column in writable if column is not left_out]
            names, values = ", ".join(f'"{name}"' for name in given), ", ".join("1" for _ in given)
            with connection:
                connection.execute(f'DELETE FROM "{table.name}"')
                try:
                    connection.execute(f'INSERT INTO "{table.name}" ({names}) VALUES ({values})')
                    failed = False
                except apsw.ConstraintError as error:
                    failed = "NOT NULL" in str(error)
            assert table.must_be_given(left_out) == failed, (table.name, left_out.name)


def test_foreign_keys_become_a_graph_of_columns() -> None:
    graph = fk_graph(load_schema(SCHEMA))
    assert graph[ColumnRef("books", "author_id")] == (ColumnRef("authors", "id"),)  # the parent's key was implied
    assert graph[ColumnRef("categories", "parent_id")] == (ColumnRef("categories", "id"),)
    assert ColumnRef("books", "id") not in graph


def test_composite_keys_are_paired_in_order() -> None:
    graph = fk_graph(
        load_schema(
            "CREATE TABLE a (x INTEGER, y INTEGER, PRIMARY KEY (y, x)) STRICT;"
            "CREATE TABLE b (p INTEGER, q INTEGER, FOREIGN KEY (p, q) REFERENCES A) STRICT;"
        )
    )
    assert graph == {
        ColumnRef("b", "p"): (ColumnRef("a", "y"),),
        ColumnRef("b", "q"): (ColumnRef("a", "x"),),
    }


@pytest.mark.parametrize(
    ("ddl", "word"),
    [
        ("CREATE TABLE x (", "incomplete"),
        ("CREATE TABLE x (a TEXTUAL) STRICT", "TEXTUAL"),
        ("CREATE TABLE x (a INTEGER REFERENCES nowhere (b))", "nowhere"),
        ("CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE x (a INTEGER REFERENCES p (wrong))", "does not match"),
        ("CREATE TABLE x AS SELECT 1 AS a", "only CREATE"),
        ("CREATE TABLE x (a); INSERT INTO x VALUES (1)", "only CREATE"),
        ("CREATE VIRTUAL TABLE x USING fts5(a)", "only CREATE"),
        ("ATTACH 'x.db' AS x", "only CREATE"),
        ("CREATE TABLE x (a); DROP TABLE x", "only CREATE"),
        ("CREATE VIEW v AS SELECT a FROM nowhere", "view"),
        ("CREATE TABLE x (a)\0", "null character"),
    ],
)
def test_a_schema_that_does_not_work_is_an_environment_fault(ddl: str, word: str) -> None:
    with pytest.raises(EnvironmentFault, match=word):
        load_schema(ddl)


def test_settings_and_transactions_in_a_schema_change_nothing() -> None:
    schema = load_schema("PRAGMA foreign_keys = OFF; BEGIN; CREATE TABLE x (a TEXT) STRICT; COMMIT;")
    assert list(schema.tables) == ["x"]


MANY = {
    "tables": "".join(f"CREATE TABLE t{n} (a);" for n in range(2_001)),
    "keys": "".join(f"CREATE TABLE t{n} (a UNIQUE, b UNIQUE, c UNIQUE);" for n in range(501)),
}


@pytest.mark.parametrize("kind", MANY)
def test_more_definitions_than_anybody_means_are_refused(kind: str) -> None:
    """Each takes longer than the one before: without a limit they would keep this process for hours."""
    with pytest.raises(EnvironmentFault, match=r"defines more than 2000 tables, indexes, triggers and views\."):
        load_schema(MANY[kind])


@pytest.mark.parametrize("quoted", ["v{}", '"V{}"', "[v{}]", "`v{}`", "'v{}'", "main.v{}"])
def test_views_upon_views_are_refused_before_sqlite_writes_them_out(quoted: str) -> None:
    """Two dozen, each of which reads the one before it twice, keep SQLite busy for days."""
    upon = [
        f"CREATE VIEW v{n} AS SELECT a.x FROM {quoted.format(n - 1)} AS a, {quoted.format(n - 1)} AS b;"
        for n in range(1, 25)
    ]
    table = "CREATE TABLE t (x INTEGER PRIMARY KEY) STRICT; CREATE VIEW v0 AS SELECT x FROM t;"
    with pytest.raises(EnvironmentFault, match="views of the schema read other views 48 times"):
        load_schema(f"{table}{' '.join(upon)}")
    assert load_schema(f"{table}{' '.join(upon[:6])}").tables["v6"].is_view


REFERRING = "".join(f", p{n} INTEGER REFERENCES people (id) ON DELETE CASCADE" for n in range(480))
TOO_MUCH = {
    "characters": ("CREATE TABLE t (a INTEGER /*" + "x" * 1_100_000 + "*/);", "1,000,000 is the most"),
    "columns": (f"CREATE TABLE t ({', '.join(f'c{n}' for n in range(1_000))});", "too many columns"),
    "columns of all tables": (
        "".join(f"CREATE TABLE t{t} ({', '.join(f'c{n}' for n in range(490))});" for t in range(50)),
        "more than 20,000 columns",
    ),
    "foreign keys": (f"CREATE TABLE people (id INTEGER PRIMARY KEY{REFERRING});", "more than 200 foreign keys"),
    "wide foreign keys": (
        "CREATE TABLE p ({0}); CREATE TABLE t ({0}{1});".format(
            ", ".join(f"c{n}" for n in range(400)),
            f", FOREIGN KEY ({', '.join(f'c{n}' for n in range(400))}) REFERENCES p" * 300,
        ),
        "more than 200 foreign keys",
    ),
    "triggers": (
        "CREATE TABLE t (a);"
        + "".join(f"CREATE TRIGGER r{n} AFTER INSERT ON t BEGIN INSERT INTO t VALUES (1); END;" for n in range(100)),
        "more than 20 triggers and views",
    ),
    "queries in a view": (
        "CREATE VIEW v AS " + " UNION ".join(["SELECT 1"] * 400),
        "too many terms in compound SELECT",
    ),
    "generated columns that double": (
        "CREATE TABLE t (a INTEGER, g0 AS (a)"
        + "".join(f", g{n} AS (g{n - 1} + g{n - 1})" for n in range(1, 60))
        + ");",
        "too large once everything it refers to is written out",
    ),
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_a_schema_that_multiplies_is_refused_before_anything_is_made_of_it(what: str) -> None:
    schema_sql, message = TOO_MUCH[what]
    with pytest.raises(EnvironmentFault, match=message):
        load_schema(schema_sql)

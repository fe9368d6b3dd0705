"""The facts about SQL, with SQLite as the judge: what they call fine it prepares, what it refuses they refuse."""

import re

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from envfactory_dagster.runtime.facts import ColumnRef, ToolFact, analyze_tools
from envfactory_dagster.runtime.facts.sql_trees import tree_of
from envfactory_dagster.runtime.sql_tokens import tokens
from tests.support.library import (
    BAD,
    GOOD,
    ROWS,
    SCHEMA,
    STRICTER,
    outputs_of,
    placeholders,
    the_tool,
    tool_around,
    uses_of,
)

DOCUMENTED_DIFFERENCES = frozenset(
    (
        "newer-sql",
        "sql-clock",
        "sql-random",
        "forbidden-function",
        "forbidden-statement",
        "several-statements",
        "missing-not-null",
    )
)
EVERY_PLACEHOLDER = {name: None for sql in GOOD for name in placeholders(sql)}


def library() -> apsw.Connection:
    """An ordinary connection to the library, where double quotes never mean text."""
    connection = apsw.Connection(":memory:")
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.execute(SCHEMA)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


SQLITE = library()


def sqlite_refuses(sql: str) -> str | None:
    """SQLite's own word about a statement."""
    try:
        SQLITE.execute(f"EXPLAIN {sql}", EVERY_PLACEHOLDER | dict.fromkeys(placeholders(sql))).fetchall()
    except apsw.Error as error:
        return str(error)
    return None


def fact_of(sql: str) -> ToolFact:
    """The facts of a tool that runs this statement with its own parameters."""
    return the_tool(tool_around(sql))


# -- SQLite as the judge -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sql", GOOD)
def test_what_is_called_fine_sqlite_prepares(sql: str) -> None:
    assert sqlite_refuses(sql) is None
    assert all(statement.traced for statement in fact_of(sql).statements)


@pytest.mark.parametrize(("sql", "rule", "word"), BAD)
def test_what_sqlite_refuses_is_refused_with_a_sentence_to_repair_it_from(sql: str, rule: str, word: str) -> None:
    assert sqlite_refuses(sql) is not None
    (problem,) = analyze_tools(tool_around(sql), SCHEMA).problems
    assert (problem.rule, problem.line, problem.function) == (rule, 2, "tool")
    assert word in problem.sentence
    assert problem.snippet == sql


@pytest.mark.parametrize(("sql", "rule", "word"), STRICTER)
def test_tools_are_held_stricter_than_sqlite_where_it_is_documented(sql: str, rule: str, word: str) -> None:
    (problem,) = analyze_tools(tool_around(sql), SCHEMA).problems
    assert problem.rule == rule
    assert word in problem.sentence


WORDS = re.compile(r"'[^']*'|:?\w+|\S")
PIECES = sorted({word for sql in GOOD for word in WORDS.findall(sql)})


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A good statement with one or two of its words dropped, doubled, swapped or replaced."""
    words = WORDS.findall(re.sub(r"--[^\n]*", "", draw(st.sampled_from(GOOD))))
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(words) - 1))
        deed = draw(st.sampled_from(("drop", "double", "swap", "replace")))
        if deed == "drop":
            words[at : at + 1] = []
        elif deed == "double":
            words[at:at] = [words[at]]
        elif deed == "swap":
            words[at - 1], words[at] = words[at], words[at - 1]
        else:
            words[at] = draw(st.sampled_from(PIECES))
        words = words or ["SELECT"]
    return " ".join(words)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(damaged(), min_size=10, max_size=10))
def test_of_damaged_statements_exactly_those_are_refused_that_sqlite_refuses(statements: list[str]) -> None:
    source = "\n".join(
        f"def tool_{at}(env, *, given: dict) -> dict:\n    return {{'rows': env.query({sql!r}, given)}}"
        for at, sql in enumerate(statements)
    )
    rules: dict[str, set[str]] = {}
    for problem in analyze_tools(source, SCHEMA).problems:
        rules.setdefault(problem.function, set()).add(problem.rule)
    for at, sql in enumerate(statements):
        refused_for = rules.get(f"tool_{at}", set()) - {"wrong-method"}
        if refused_for <= DOCUMENTED_DIFFERENCES and refused_for:
            continue
        assert bool(refused_for) == (sqlite_refuses(sql) is not None), (sql, refused_for)


@pytest.mark.parametrize("sql", GOOD)
def test_a_result_that_is_one_column_is_the_column_sqlite_names(sql: str) -> None:
    told: dict[str, tuple[str | None, str | None]] = {}

    def note(cursor: apsw.Cursor, statement: str, bindings: object) -> bool:
        told.update({name: (table, column) for name, _, _, table, column in cursor.description_full})
        return False

    cursor = library().cursor()
    cursor.exec_trace = note
    with pytest.raises(apsw.ExecTraceAbort):
        cursor.execute(sql, EVERY_PLACEHOLDER)
    for output in fact_of(sql).outputs:
        table, column = told[output.path.removeprefix("rows[].")]
        if table is not None and column is not None and table != "json_each":
            assert ColumnRef(table, column) in output.columns  # of a UNION SQLite names one side only
            assert output.exact


@pytest.mark.parametrize("sql", GOOD)
def test_lineage_stays_within_what_sqlite_says_is_read_and_written(sql: str) -> None:
    fact = fact_of(sql)
    written = {ColumnRef(write.table, column) for write in fact.writes for column in write.columns}
    read = {ColumnRef(table, column) for table, columns in fact.reads.items() for column in columns}
    for use in fact.uses:
        assert use.column in (written if use.use == "value" else read)
    for output in fact.outputs:
        assert set(output.columns) <= read | written


# -- parameter → column ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "uses"),
    [
        ("SELECT id FROM books WHERE (:author IS NULL OR author_id = :author)", {"author = books.author_id"}),
        ("SELECT id FROM books WHERE :y <= year AND year < :z", {"y range books.year", "z range books.year"}),
        ("SELECT id FROM books WHERE title LIKE '%' || :q || '%'", {"q like books.title ~"}),
        ("SELECT id FROM books WHERE lower(title) = lower(:t)", {"t = books.title ~"}),
        (
            "SELECT id FROM books WHERE NOT (author_id = :a OR year IN (:y))",
            {"a != books.author_id", "y not in books.year"},
        ),
        ("SELECT id FROM books WHERE year = coalesce(:y, year)", {"y = books.year"}),
        ("SELECT id FROM books WHERE id IN (SELECT value FROM json_each(:ids))", {"ids[] in books.id"}),
        ("SELECT b.id FROM json_each(:ids) j JOIN books b ON b.id = j.value", {"ids[] = books.id"}),
        ("SELECT id FROM books WHERE :b IN (SELECT book_id FROM favourites)", {"b in favourites.book_id"}),
        ("SELECT id FROM members WHERE (name, city) = (:n, :c)", {"n = members.name", "c = members.city"}),
        ("SELECT loan FROM open_loans WHERE title = :t", {"t = books.title"}),
        ("SELECT x.b FROM (SELECT id AS b, year AS y FROM books) x WHERE y = :y", {"y = books.year"}),
        (
            "SELECT f.book_id FROM favourites f JOIN copies c USING (book_id) WHERE book_id = :b",
            {"b = favourites.book_id"},
        ),
        ("SELECT count(*) AS n FROM loans GROUP BY member_id HAVING member_id = :m", {"m = loans.member_id"}),
        ("SELECT year + 1 AS next FROM books WHERE next = :n", {"n = books.year ~"}),
        (
            "SELECT id FROM loans l WHERE EXISTS (SELECT 1 FROM copies WHERE id = l.copy_id AND book_id = :b)",
            {"b = copies.book_id"},
        ),
        (
            "INSERT INTO members (name, email, joined_on) VALUES (trim(:n), :e, :e)",
            {"n insert members.name ~", "e insert members.email", "e insert members.joined_on"},
        ),
        (
            "INSERT INTO favourites SELECT :m, id, 5 FROM books WHERE title = :t",
            {"m insert favourites.member_id", "t = books.title"},
        ),
        (
            "UPDATE books SET price_cents = price_cents - :off WHERE id = :id",
            {"off update books.price_cents ~", "id = books.id"},
        ),
        (
            "INSERT INTO favourites VALUES (:m, :b, :s) ON CONFLICT DO UPDATE SET stars = excluded.stars",
            {
                "m insert favourites.member_id",
                "b insert favourites.book_id",
                "s insert favourites.stars",
                "s update favourites.stars",
            },
        ),
    ],
)
def test_a_parameter_is_traced_to_the_columns_it_filters_or_sets(sql: str, uses: set[str]) -> None:
    assert uses_of(tool_around(sql)) == uses


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM books ORDER BY id LIMIT :n",
        "SELECT id, :x AS x FROM books",
        "SELECT id FROM books WHERE :sort = 'year'",
        "SELECT id FROM books WHERE year + price_cents = :sum",
        "SELECT id, year = :y AS is_it FROM books",
        "SELECT id FROM books ORDER BY CASE WHEN :desc THEN year END",
        "SELECT id FROM books WHERE length(title) = :a + :b",
    ],
)
def test_where_no_single_column_is_meant_nothing_is_claimed(sql: str) -> None:
    assert uses_of(tool_around(sql)) == set()


# -- output → column ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "outputs"),
    [
        ("SELECT m.id AS who, loans.id FROM members m, loans", {"who": "members.id", "id": "loans.id"}),
        ("SELECT id FROM members UNION SELECT book_id FROM copies", {"id": "copies.book_id members.id"}),
        (
            "SELECT sum(cents) AS total, max(number) AS last, count(*) AS n FROM fines",
            {"total": "fines.cents ~", "last": "fines.number"},
        ),
        ("WITH a AS (SELECT id x FROM books), b AS (SELECT x y FROM a) SELECT y AS z FROM b", {"z": "books.id"}),
        ("SELECT (SELECT name FROM authors WHERE id = b.author_id) AS author FROM books b", {"author": "authors.name"}),
        ("SELECT authors.name AS book FROM books AS members, members AS books, authors", {"book": "authors.name"}),
        ("SELECT books.name FROM books AS members, members AS books", {"name": "members.name"}),
        (
            "SELECT price_cents * 2 AS double, title || shelf AS both FROM books",
            {"double": "books.price_cents ~", "both": "books.shelf books.title ~"},
        ),
        ("SELECT :x AS x, coalesce(:y, year) AS y FROM books", {"x": "x", "y": "books.year y"}),
        ("SELECT loan AS l, member FROM open_loans", {"l": "loans.id", "member": "members.name"}),
        (
            "WITH RECURSIVE t(i, p) AS (SELECT id, name FROM categories UNION ALL SELECT i, p || '/' FROM t)"
            " SELECT * FROM t",
            {"i": "categories.id", "p": "categories.name ~"},
        ),
        (
            "DELETE FROM favourites RETURNING book_id AS gone, stars + 1 AS more",
            {"gone": "favourites.book_id", "more": "favourites.stars ~"},
        ),
        ("SELECT 1 AS one, 'x' AS text, NULL AS empty", {}),
    ],
)
def test_a_result_is_traced_to_the_columns_it_comes_from(sql: str, outputs: dict[str, str]) -> None:
    found = outputs_of(tool_around(sql))
    assert found == {f"rows[].{name}": origin for name, origin in outputs.items()}


ARGUMENTS: dict[str, object] = {
    "id": 63,
    "book": 32,
    "me": 12,
    "m": 11,
    "ids": "[31, 32]",
    "copy": "c1",
    "branch": "N",
    "city": "Bonn",
    "name": "Ada",
    "author": "Dumas",
    "title": "Cities",
    "q": "",
    "low": 1900,
    "high": 2000,
    "price": 0,
    "today": "2026-06-01",
    "now": "2026-06-01",
    "due": "2026-07-01",
    "n": 5,
    "skip": 0,
    "least": 0,
}


@pytest.mark.parametrize("sql", [sql for sql in GOOD if "SELECT" in sql.upper().split("FROM")[0]])
def test_what_is_claimed_to_come_from_a_column_does_so_on_real_rows(sql: str) -> None:
    connection = library()
    connection.execute(ROWS)
    cursor = connection.execute(sql, {name: ARGUMENTS.get(name) for name in placeholders(sql)})
    rows = [dict(zip((name for name, *_ in cursor.description), row, strict=True)) for row in cursor]
    for output in fact_of(sql).outputs:
        if output.exact and not output.parameters:
            claimed = {
                value
                for column in output.columns
                for (value,) in connection.execute(f'SELECT "{column.column}" FROM "{column.table}"')
            }
            assert {row[output.path.removeprefix("rows[].")] for row in rows} <= claimed | {None}


# -- reads and writes --------------------------------------------------------------------------------------------------


def test_a_read_set_looks_through_views() -> None:
    fact = fact_of("SELECT title FROM open_loans")
    assert set(fact.reads) == {"books", "copies", "loans", "members"}
    assert fact.reads["books"] == ("id", "title")


def test_a_write_set_holds_what_triggers_cascades_and_replace_do() -> None:
    def writes(sql: str) -> list[tuple[str, str, tuple[str, ...], bool]]:
        return [(w.table, w.kind, w.columns, w.indirect) for w in fact_of(sql).writes]

    assert writes("UPDATE books SET price_cents = 1 WHERE id = 1") == [
        ("books", "update", ("price_cents",), False),
        ("changes", "insert", ("book_id", "id", "what"), True),
    ]
    assert writes("DELETE FROM books WHERE id = :id") == [
        ("books", "delete", (), False),
        ("copies", "delete", (), True),
    ]
    assert writes("REPLACE INTO branches (code, city) VALUES ('x', 'y')") == [
        ("branches", "delete", (), True),
        ("branches", "insert", ("city", "code"), False),
    ]
    assert writes(
        "INSERT INTO favourites (member_id, book_id) VALUES (1, 2) ON CONFLICT DO UPDATE SET stars = stars + 1"
    ) == [
        ("favourites", "insert", ("book_id", "member_id"), False),
        ("favourites", "update", ("stars",), False),
    ]


def test_a_foreign_key_lookup_is_not_a_read_of_the_tool() -> None:
    assert fact_of("INSERT INTO favourites (member_id, book_id) VALUES (:m, :b)").reads == {}


ITSELF = "CREATE TABLE t (a INTEGER, b INTEGER) STRICT;"


def sentences(sql: str, schema_sql: str = SCHEMA) -> list[str]:
    facts = analyze_tools(f"def tool(env) -> dict:\n    return {{'a': env.query({sql!r})}}\n", schema_sql)
    return [problem.sentence for problem in facts.problems]


def test_a_statement_is_measured_before_it_is_cut_into_pieces() -> None:
    (sentence,) = sentences("SELECT " + "[" * 190_000)
    assert "longer than any tool needs" in sentence


@pytest.mark.parametrize("opening", ["'", '"', "[", "`"])
def test_what_is_never_closed_is_one_piece_as_it_is_for_sqlite(opening: str) -> None:
    assert [piece.text for piece in tokens(f"SELECT {opening * 3}a b")] == ["SELECT", f"{opening * 3}a b"]
    assert len(tokens("SELECT " + "[" * 300_000)) == 2


@pytest.mark.parametrize("word", ["STRUCT(", "ANY(", "coalesce(1, "])
def test_words_that_can_be_read_in_many_ways_are_given_up(word: str) -> None:
    """Two readings on each of forty levels."""
    assert not tree_of("SELECT " + word * 40 + "1" + ")" * 40).expressions or word.startswith("coalesce")


def test_a_query_that_hands_values_on_from_column_to_column_is_not_followed_to_the_end() -> None:
    columns = ", ".join(f"c{n}" for n in range(100))
    shifted = ", ".join(f"c{(n + 1) % 100}" for n in range(100))
    given = ", ".join(f":p{n}" for n in range(100))
    facts = analyze_tools(
        "def tool(env) -> dict:\n    return {'a': env.query("
        + repr(f"WITH RECURSIVE r ({columns}) AS (SELECT {given} UNION SELECT {shifted} FROM r) SELECT * FROM r")
        + ")}\n",
        SCHEMA,
    )
    assert [statement.traced for statement in facts.tools["tool"].statements] == [False]


def test_a_statement_that_sets_off_too_much_is_refused() -> None:
    schema_sql = ITSELF + f"CREATE TRIGGER r AFTER INSERT ON t BEGIN {'DELETE FROM t; ' * 40_000} END;"
    facts = analyze_tools("def tool(env) -> dict:\n    env.insert('INSERT INTO t VALUES (1, 2)')\n", schema_sql)
    assert "too large once all that it reads and sets off" in facts.problems[0].sentence


def test_more_statements_than_any_module_has_are_refused() -> None:
    calls = "".join(f"    env.query('SELECT {n}')\n" for n in range(1_100))
    facts = analyze_tools(f"def tool(env) -> dict:\n{calls}", SCHEMA)
    assert len([problem for problem in facts.problems if "more than is read" in problem.sentence]) == 100


def test_an_endless_name_is_compared_with_none() -> None:
    (sentence,) = sentences("SELECT " + "ab" * 9_000 + " FROM t", ITSELF)
    assert sentence.startswith("There is no column") and "t has a, b." in sentence

"""What is known about a tool module without running it."""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest

import envfactory_dagster.examples
from envfactory_dagster.runtime.facts import ColumnRef, analyze_tools, screen_tools
from tests.support.library import facts_of, outputs_of


def problems_of(source: str) -> list[tuple[int, str]]:
    return [(problem.line, problem.rule) for problem in facts_of(source).problems]


LENDING = '''
"""Lending."""
import json

LATE = "SELECT id, due_on FROM loans WHERE member_id = ? AND returned_at IS NULL"


def _loan(env, loan_id):
    row = env.one("SELECT id, copy_id, due_on FROM loans WHERE id = ? AND member_id = ?", [loan_id, env.user_id])
    if row is None:
        raise env.Error(f"you have no loan {loan_id}")
    return row


def find_books(env, *, author: str | None = None, ids: list[int] | None = None, words: str = "") -> dict:
    """Find books."""
    books = env.query(
        """
        SELECT b.id AS book_id, b.title, a.name AS author, count(c.id) AS copies
        FROM books b JOIN authors a ON a.id = b.author_id LEFT JOIN copies c ON c.book_id = b.id
        WHERE (:author IS NULL OR a.name = :author) AND b.title LIKE :words
          AND (:ids IS NULL OR b.id IN (SELECT value FROM json_each(:ids)))
        GROUP BY b.id
        """,
        {"author": author, "words": f"%{words}%", "ids": json.dumps(ids) if ids else None},
    )
    return {"books": books, "found": len(books)}


def borrow(env, *, copy_id: str, days: int = 14) -> dict:
    """Borrow a copy."""
    if env.query(LATE, [env.user_id]):
        raise env.Error("bring back what is due first")
    loan_id = env.insert(
        "INSERT INTO loans (copy_id, member_id, taken_at, due_on) VALUES (?, ?, ?, date(?, ? || ' days'))",
        [copy_id, env.user_id, env.now, env.now, int(days)],
    )
    env.execute("UPDATE copies SET state = 'out' WHERE id = ?", [copy_id])
    return {"loan_id": loan_id, "copy_id": copy_id}


def give_back(env, *, loan_id: int) -> dict:
    """Give a copy back."""
    loan = _loan(env, loan_id)
    env.execute("UPDATE loans SET returned_at = ? WHERE id = ?", [env.now, loan["id"]])
    env.execute("UPDATE copies SET state = 'in' WHERE id = ?", [loan["copy_id"]])
    loan["still_out"] = env.query(LATE, [env.user_id])
    return loan
'''


# -- one module, all facts ---------------------------------------------------------------------------------------------


def test_a_module_in_good_order_has_no_problems() -> None:
    assert facts_of(LENDING).problems == ()
    assert screen_tools(LENDING) == []


def test_reads_and_writes_follow_the_calls_into_helpers() -> None:
    tool = facts_of(LENDING).tools["give_back"]
    assert tool.helpers == ("_loan",)
    assert tool.reads == {
        "copies": ("id",),
        "loans": ("copy_id", "due_on", "id", "member_id", "returned_at"),
    }
    assert [(write.table, write.kind, write.columns) for write in tool.writes] == [
        ("copies", "update", ("state",)),
        ("loans", "update", ("returned_at",)),
    ]
    assert [(s.function, s.method, s.kind) for s in tool.statements] == [
        ("_loan", "one", "select"),
        ("give_back", "execute", "update"),
        ("give_back", "execute", "update"),
        ("give_back", "query", "select"),
    ]


def test_parameters_lead_to_columns() -> None:
    tools = facts_of(LENDING).tools
    assert tools["find_books"].filters("author") == (ColumnRef("authors", "name"),)
    assert tools["find_books"].filters("ids") == (ColumnRef("books", "id"),)
    assert [(u.operator, u.exact) for u in tools["find_books"].uses if u.source == "words"] == [("like", False)]
    assert tools["give_back"].filters("loan_id") == (ColumnRef("loans", "id"),)
    stored = {(use.source, str(use.column), use.exact) for use in tools["borrow"].uses if use.use == "value"}
    assert stored == {
        ("@now", "loans.taken_at", True),
        ("@user", "loans.member_id", True),
        ("copy_id", "loans.copy_id", True),
    }  # due_on is made of two values: nothing is claimed


def test_what_is_held_against_the_user_is_known() -> None:
    tools = facts_of(LENDING).tools
    assert tools["find_books"].own_row_columns() == ()
    assert tools["give_back"].own_row_columns() == (ColumnRef("loans", "member_id"),)


def test_outputs_come_from_columns() -> None:
    tools = facts_of(LENDING).tools
    found = {output.path: [str(column) for column in output.columns] for output in tools["find_books"].outputs}
    assert found == {
        "books[].book_id": ["books.id"],
        "books[].title": ["books.title"],
        "books[].author": ["authors.name"],
    }
    borrowed = {o.path: ([str(c) for c in o.columns], o.parameters) for o in tools["borrow"].outputs}
    assert borrowed == {"loan_id": (["loans.id"], ()), "copy_id": ([], ("copy_id",))}
    assert [output.path for output in tools["give_back"].outputs] == [
        "copy_id",
        "due_on",
        "id",
        "still_out[].due_on",
        "still_out[].id",
    ]


def test_parameters_are_described_as_the_signature_states_them() -> None:
    parameters = facts_of(LENDING).tools["borrow"].parameters
    assert [(p.name, p.annotation, p.required) for p in parameters] == [
        ("copy_id", "str", True),
        ("days", "int", False),
    ]


def test_facts_can_be_dumped() -> None:
    dumped = json.loads(json.dumps(dataclasses.asdict(facts_of(LENDING))))
    assert dumped["tools"]["give_back"]["uses"][0]["column"] == {"table": "loans", "column": "returned_at"}


def test_the_shipped_example_has_no_problems_and_every_statement_is_traced() -> None:
    for folder in Path(envfactory_dagster.examples.__path__[0]).iterdir():
        if (folder / "tools.py").exists():
            source = (folder / "tools.py").read_text()
            facts = analyze_tools(source, (folder / "schema.sql").read_text())
            assert facts.problems == ()
            assert screen_tools(source) == []
            assert all(statement.traced for tool in facts.tools.values() for statement in tool.statements)


# -- what is wrong -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sql",
    [
        'f"SELECT id FROM {table}"',
        '"SELECT id FROM books" + where',
        '"SELECT id FROM %s" % table',
        "build(table)",
        "table",
        "UNKNOWN",
        'f"SELECT id FROM books"',
    ],
)
def test_sql_that_is_not_a_literal_is_an_error(sql: str) -> None:
    source = f"def tool(env, *, table: str) -> dict:\n    where = ''\n    return {{'rows': env.query({sql})}}\n"
    (problem,) = facts_of(source).problems
    assert (problem.line, problem.rule, problem.function) == (3, "sql-not-literal", "tool")
    assert problem.snippet == f"return {{'rows': env.query({sql})}}"
    assert "string literal" in problem.sentence


def test_literals_may_be_constants_concatenations_and_keyword_arguments() -> None:
    source = """
        ONE = "SELECT id FROM books"

        def tool(env, *, id: int) -> dict:
            env.query(ONE)
            env.query("SELECT id "
                      "FROM books")
            return {"rows": env.query(sql="SELECT title FROM books WHERE id = ?", params=[id])}
        """
    assert outputs_of(source) == {"rows[].title": "books.title"}


def test_the_line_of_a_problem_is_the_line_inside_the_statement() -> None:
    source = '''
        def tool(env) -> dict:
            return env.one(
                """
                SELECT title,
                       yeer
                FROM books
                """
            )
        '''
    (problem,) = facts_of(source).problems
    assert (problem.line, problem.snippet) == (6, "yeer")
    assert problem.sentence == "There is no column yeer. Did you mean year?"


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        ('env.query("SELECT 1 FROM books WHERE id = ? AND year = ?", [a])', "wrong-parameter-count"),
        ('env.query("SELECT 1 FROM books WHERE id = ?", [a, a])', "wrong-parameter-count"),
        ('env.query("SELECT 1 FROM books", [a])', "wrong-parameter-count"),
        ('env.query("SELECT 1 FROM books WHERE id = ?")', "wrong-parameter-count"),
        ('env.query("SELECT 1 FROM books WHERE id = ?", {"a": a})', "wrong-parameter-count"),
        ('env.query("SELECT 1 FROM books WHERE id = :a", [a])', "wrong-parameter-count"),
        ('env.query("SELECT 1 FROM books WHERE id = ?3", [a, a])', "wrong-parameter-count"),
        ('env.query("SELECT 1 FROM books WHERE id = :a AND year = :b", {"a": a})', "missing-parameter"),
        ('env.query("SELECT 1 FROM books WHERE id = :a", {"A": a})', "missing-parameter"),
        ('env.query("DELETE FROM books WHERE id = ?", [a])', "wrong-method"),
        ('env.insert("UPDATE books SET year = 1 WHERE id = ?", [a])', "wrong-method"),
        ('env.execute("SELECT 1 FROM books WHERE id = ?", [a])', "wrong-method"),
        ('env.one("SELECT id FROM books WHERE id = ?", [a])["title"]', "unknown-field"),
    ],
)
def test_a_call_that_cannot_work_is_an_error(call: str, rule: str) -> None:
    assert problems_of(f"def tool(env, *, a: int) -> dict:\n    return {{'x': {call}}}\n") == [(2, rule)]


@pytest.mark.parametrize(
    "given",
    ["[*a]", "{**a}", "a", "{a: 1}", "[x for x in a]", "_given(env)", "{'a': 1, 'b': 2, 'more': 3}"],
)
def test_parameters_that_are_not_known_exactly_are_not_complained_about(given: str) -> None:
    source = (
        "def _given(env):\n    return globals()\n\n"
        "def tool(env, *, a: list) -> dict:\n"
        f"    return {{'x': env.query('SELECT 1 FROM books WHERE id = :a AND year = :b', {given})}}\n"
    )
    assert problems_of(source) == []


def test_a_helper_that_no_tool_calls_is_looked_at_too() -> None:
    source = """
        def _unused(env, a):
            return env.one("SELECT id FROM books WHERE id = ? AND yeer = 1", [a, a])["id"]

        def _also_unused(env, a):
            return env.one("SELECT id FROM books WHERE id = ?", [a, a])
        """
    assert problems_of(source) == [(3, "unknown-column"), (6, "wrong-parameter-count")]


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("def tool(env:\n", "python-syntax"),
        ("x = '\0'", "python-syntax"),
        ("x = " + "(" * 5000, "python-syntax"),
        ("def tool(env) -> dict:\n    return " + "+".join(["1"] * 600), "python-syntax"),
    ],
)
def test_source_that_cannot_be_followed_is_one_clear_problem(source: str, rule: str) -> None:
    (problem,) = facts_of(source).problems
    assert problem.rule == rule


def test_helpers_that_call_each_other_ever_more_often_end() -> None:
    helpers = "\n".join(f"def _h{n}(env, x):\n    _h{n + 1}(env, x)\n    return _h{n + 1}(env, x)\n" for n in range(40))
    facts = facts_of(
        helpers
        + "def _h40(env, x):\n    return x\n\ndef tool(env, *, x: int) -> dict:\n    return {'x': _h0(env, x)}\n"
    )
    assert "too-complex" in {problem.rule for problem in facts.problems}
    assert facts.tools["tool"].helpers[-1] == "_h40"


def test_sqlglot_is_imported_only_when_a_statement_is_bound() -> None:
    check = "import sys, envfactory_dagster.runtime.facts; print('sqlglot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True).stdout == "False\n"


def test_a_call_of_a_builtin_is_no_call_of_the_tool_that_has_its_name() -> None:
    source = """
def list(env) -> dict:
    \"\"\"List the books.\"\"\"
    return {"books": env.query("SELECT id, title FROM books")}


def count(env) -> dict:
    \"\"\"Count.\"\"\"
    return {"numbers": list(range(3))}
"""
    assert facts_of(source).tools["list"].reads
    assert not facts_of(source).tools["count"].reads


CONSTANTS = "A0 = (1, 1)\n" + "".join(f"A{n} = (A{n - 1}, A{n - 1})\n" for n in range(1, 40))
LOOPS = "".join(f"{' ' * (4 + n)}for i{n} in [1]:\n" for n in range(12)) + " " * 16 + "y = (" + "x, " * 20_000 + ")\n"
ENDLESS = {
    "constants of constants": CONSTANTS + "def tool(env, *, x: int) -> dict:\n    return {'a': A39}\n",
    "loops in loops around a wide line": "def tool(env, *, x: int) -> dict:\n" + LOOPS,
    "a wide constant again and again": f"A = ({'1, ' * 20_000})\n"
    + "def tool(env, *, x: int) -> dict:\n"
    + "    z = A\n" * 2_000,
    "branches among many variables": "def tool(env, *, x: int) -> dict:\n"
    + "".join(f"    v{n} = x\n" for n in range(2_000))
    + "    if x:\n        q = 1\n" * 1_500,
    "one of many objects": "def tool(env, *, x: int) -> dict:\n    y = {}\n"
    + "".join(f"    if x:\n        y = {{'k': {n}}}\n" for n in range(2_000))
    + "    return y\n",
    "fields in fields": "def tool(env, *, x: int) -> dict:\n    y = {'a': x}\n"
    + "".join("    y = {" + ", ".join(f"'f{n}': y" for n in range(100)) + "}\n" for _ in range(6))
    + "    return y\n",
}


@pytest.mark.parametrize("what", ENDLESS)
def test_following_values_ends_whatever_the_source_is(what: str) -> None:
    assert "too-complex" in {problem.rule for problem in facts_of(ENDLESS[what]).problems}


def test_all_functions_together_are_followed_for_so_long() -> None:
    helpers = "".join(f"def _h{n}(env):\n    y = ({'1, ' * 20_000})\n\n" for n in range(4))
    source = helpers + "".join(
        f"def t{n}(env, *, x: int) -> dict:\n    return {{'x': [_h{n % 4}(env), _h{n % 4}(env)]}}\n\n"
        for n in range(40)
    )
    assert "too-complex" in {problem.rule for problem in facts_of(source).problems}


def test_a_missing_field_is_told_without_listing_thousands() -> None:
    fields = ", ".join(f"'f{n}': x" for n in range(5_000))
    source = f"def tool(env, *, x: int) -> dict:\n    y = {{{fields}}}\n    return {{'a': y['zz']}}\n"
    (problem,) = facts_of(source).problems
    assert problem.rule == "unknown-field" and len(problem.sentence) < 400


@pytest.mark.parametrize("annotation", ["+".join(["1"] * 400), "0x" + "f" * 9_000])
def test_a_parameter_of_an_endless_type_is_a_problem_of_the_source(annotation: str) -> None:
    (problem,) = facts_of(f"def tool(env, *, x: {annotation}) -> dict:\n    return {{}}\n").problems
    assert problem.rule == "python-syntax"

"""Values on their way through the Python of a tool: what is followed, and what is left unsaid."""

import textwrap

import pytest

from envfactory_dagster.runtime.facts import ColumnRef
from tests.support.library import outputs_of, the_tool, uses_of

PATHS = {
    "through a variable, a conversion and a strip": """
        def tool(env, *, title: str, id: str) -> dict:
            wanted = title.strip()
            number = int(id)
            return {"rows": env.query("SELECT year FROM books WHERE title = ? AND id = ?", [wanted, number])}
        """,
    "through a dict built step by step": """
        def tool(env, *, title: str, id: int) -> dict:
            given = {"title": title}
            given["id"] = id
            return {"rows": env.query("SELECT year FROM books WHERE title = :title AND id = :id", given)}
        """,
    "through dict(), a tuple and numbered placeholders": """
        def tool(env, *, title: str, id: int) -> dict:
            env.query("SELECT 1 FROM books WHERE title = :t", dict(t=title))
            return {"rows": env.query("SELECT year FROM books WHERE title = ?2 AND id = ?1", (id, title))}
        """,
    "through helpers of helpers, by position and by name": """
        def _find(env, id, *, title):
            return env.query("SELECT year FROM books WHERE title = ? AND id = ?", [title, id])

        def _look(env, number, title="x"):
            return _find(env, number, title=title)

        def tool(env, *, title: str, id: int) -> dict:
            return {"rows": _look(env, id, title)}
        """,
    "through the keywords a helper collects": """
        def _find(env, **wanted):
            given = [wanted["title"], wanted.get("id")]
            return env.query("SELECT year FROM books WHERE title = ? AND id = ?", given)

        def tool(env, *, title: str, id: int) -> dict:
            return {"rows": _find(env, id=id, title=title)}
        """,
    "where a default stands in": """
        def tool(env, *, title: str | None = None, id: int | None = None) -> dict:
            if title is None:
                title = None
            rows = env.query("SELECT year FROM books WHERE title = ? AND id = ?", [title or None, id if id else None])
            return {"rows": rows}
        """,
}


@pytest.mark.parametrize("source", PATHS.values(), ids=PATHS)
def test_a_parameter_is_followed(source: str) -> None:
    assert uses_of(source) == {"title = books.title", "id = books.id"}
    assert outputs_of(source) == {"rows[].year": "books.year"}


def test_parts_of_a_parameter_are_followed() -> None:
    source = """
        def tool(env, *, stars: list[dict]) -> dict:
            for entry in stars:
                env.execute(
                    "UPDATE favourites SET stars = :stars WHERE member_id = :me AND book_id = :book",
                    {"stars": entry["stars"], "me": env.user_id, "book": entry.get("book_id")},
                )
            return {"books": [entry["book_id"] for entry in stars]}
        """
    assert uses_of(source) == {
        "stars[].stars update favourites.stars",
        "stars[].book_id = favourites.book_id",
        "@user = favourites.member_id",
    }
    assert outputs_of(source) == {"books[]": "stars[].book_id"}


def test_a_comparison_in_python_is_a_check() -> None:
    source = """
        def tool(env, *, loan_id: int, year: int, copies: list[str]) -> dict:
            loan = env.one("SELECT member_id, copy_id, due_on FROM loans WHERE id = ?", [loan_id])
            if loan["member_id"] != env.user_id or loan["due_on"] < env.now or loan["copy_id"] not in copies:
                raise env.Error("no")
            return {}
        """
    tool = the_tool(source)
    checks = {(use.source, use.operator, str(use.column)) for use in tool.uses if use.use == "check"}
    assert checks == {
        ("@user", "!=", "loans.member_id"),
        ("@now", "range", "loans.due_on"),
        ("copies[]", "not in", "loans.copy_id"),
    }
    assert tool.own_row_columns() == (ColumnRef("loans", "member_id"),)


def test_an_id_made_by_the_tool_is_the_key_it_was_inserted_as() -> None:
    source = """
        def tool(env, *, book_id: int) -> dict:
            copy_id = env.new_id("C")
            env.execute("INSERT INTO copies (id, book_id, branch_code) VALUES (?, ?, 'N')", [copy_id, book_id])
            env.insert("INSERT INTO loans (copy_id, member_id, taken_at, due_on) VALUES (?, 1, 'x', 'y')", [copy_id])
            return {"copy": {"id": copy_id}}
        """
    assert outputs_of(source) == {"copy.id": "copies.id"}


def test_the_row_id_of_a_table_with_another_key_says_nothing() -> None:
    source = """
        def tool(env, *, code: str) -> dict:
            return {"it": env.insert("INSERT INTO copies (id, book_id, branch_code) VALUES (?, 1, 'N')", [code])}
        """
    assert outputs_of(source) == {}


SHAPES = {
    "the row itself": ("return env.one(SQL, [id])", {"id": "books.id", "title": "books.title"}),
    "renamed": ("row = env.one(SQL, [id])\nreturn {'name': row['title']}", {"name": "books.title"}),
    "comprehended": (
        "return {'all': [{'t': r['title'], 'n': 1} for r in env.query(SQL, [id]) if r['id'] > 2]}",
        {"all[].t": "books.title"},
    ),
    "appended": (
        "out = []\nfor r in env.query(SQL, [id]):\n    out.append({'t': r.get('title')})\nreturn {'out': out}",
        {"out[].t": "books.title"},
    ),
    "enumerated": (
        "out = []\nfor n, r in enumerate(env.query(SQL, [id])):\n    out += [{'n': n, 't': r['title']}]"
        "\nreturn {'out': out}",
        {"out[].t": "books.title"},
    ),
    "enriched in place": (
        "rows = env.query(SQL, [id])\nfor r in rows:\n    r['by'] = env.one('SELECT name FROM authors')"
        "\nreturn {'rows': rows}",
        {"rows[].id": "books.id", "rows[].title": "books.title", "rows[].by.name": "authors.name"},
    ),
    "merged": (
        "row = env.one(SQL, [id])\nreturn {**row, 'id': 5} | {'by': row['title']}",
        {"title": "books.title", "by": "books.title"},
    ),
    "updated": (
        "out = dict(ok=True)\nout.update(env.one(SQL, [id]))\nreturn out",
        {"id": "books.id", "title": "books.title"},
    ),
    "picked by a list of names": (
        "row = env.one(SQL, [id])\nreturn {key: row[key] for key in ('title',)}",
        {"title": "books.title"},
    ),
    "without a field": ("row = env.one(SQL, [id])\nrow.pop('id')\nreturn row", {"title": "books.title"}),
    "the first of a sorted list": (
        "rows = sorted(env.query(SQL, [id]), key=lambda r: r['title'])"
        "\nreturn {'first': rows[0]['id'], 'rest': rows[1:]}",
        {"first": "books.id", "rest[].id": "books.id", "rest[].title": "books.title"},
    ),
    "the best": ("return {'best': max(env.query(SQL, [id]), key=lambda r: r['id'])['title']}", {"best": "books.title"}),
    "summed up": (
        "total = 0\nfor r in env.query(SQL, [id]):\n    total += r['id']\nreturn {'total': total, 'n': sum([1])}",
        {"total": "books.id ~"},
    ),
    "one of two": (
        "row = env.one(SQL, [id])\nif row is None:\n    row = env.one('SELECT id FROM authors WHERE id = ?', [id])"
        "\n    return {'id': row['id']}\nreturn {'id': row['id']}",
        {"id": "authors.id books.id"},
    ),
    "the later of two in one variable": (
        "row = env.one(SQL, [id])\nrow = env.one('SELECT id FROM authors')\nreturn {'id': row['id']}",
        {"id": "authors.id"},
    ),
    "within try and while": (
        "try:\n    row = env.one(SQL, [id])\nexcept ValueError:\n    raise env.Error('x')\nwhile True:\n    break"
        "\nreturn {'id': row['id']}",
        {"id": "books.id"},
    ),
}


@pytest.mark.parametrize(("body", "outputs"), SHAPES.values(), ids=SHAPES)
def test_a_result_is_followed_through(body: str, outputs: dict[str, str]) -> None:
    head = 'SQL = "SELECT id, title FROM books WHERE id = ?"\n\ndef tool(env, *, id: int) -> dict:\n'
    assert outputs_of(head + textwrap.indent(body, "    ")) == outputs


LOST = {
    "what was given by position to a helper that takes any": "return _first(env, env.one(SQL, [id]))",
    "a field under a computed name": "row = env.one(SQL, [id])\nrow[str(id)] = 1\nreturn row",
    "a row other code may change": "empty = lambda r: r.clear()\nrow = env.one(SQL, [id])\nempty(row)\nreturn row",
    "a helper that calls itself": "return _again(env, env.one(SQL, [id]))",
    "a branch nothing is known about": "return {'id': env.one(SQL, [id])['id'] if id else (lambda: 5)()}",
    "a dict by computed keys": "return {str(r['id']): r['title'] for r in env.query(SQL, [id])}",
}


@pytest.mark.parametrize("body", LOST.values(), ids=LOST)
def test_where_the_value_is_lost_nothing_is_claimed(body: str) -> None:
    source = (
        'SQL = "SELECT id, title FROM books WHERE id = ?"\n\n'
        "def _first(env, *rows):\n    return rows[0]\n\n"
        "def _again(env, row):\n    return _again(env, row)\n\n"
        "def tool(env, *, id: int) -> dict:\n" + textwrap.indent(body, "    ")
    )
    assert outputs_of(source) == {}

"""A lending library: a schema with every shape SQLite offers, and statements over it, good, bad and forbidden.

Belongs here: what `tests/runtime/test_facts*.py` hold SQLite and the facts against, and short ways to ask. Does not:
tests.
"""

import json
import re
import textwrap

from envfactory_dagster.runtime.facts import ToolFact, ToolFacts, analyze_tools

SCHEMA = """
-- A comment; with a semicolon, and 'a quote.
CREATE TABLE members (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    city TEXT,
    joined_on TEXT NOT NULL
) STRICT;
CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER) STRICT;
CREATE TABLE books (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    author_id INTEGER NOT NULL REFERENCES authors,
    title TEXT NOT NULL CHECK (length(title) > 0),
    year INTEGER,
    tags TEXT NOT NULL DEFAULT '[]',
    price_cents INTEGER NOT NULL,
    price REAL GENERATED ALWAYS AS (price_cents / 100.0) VIRTUAL,
    shelf TEXT AS (upper(substr(title, 1, 1))) STORED,
    UNIQUE (author_id, title)
) STRICT;
CREATE TABLE branches (code TEXT PRIMARY KEY, city TEXT NOT NULL, note TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE copies (
    id TEXT PRIMARY KEY,
    book_id INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
    branch_code TEXT NOT NULL REFERENCES branches (code),
    state TEXT NOT NULL DEFAULT 'in' CHECK (state IN ('in', 'out', 'lost'))
) STRICT;
CREATE TABLE loans (
    id INTEGER PRIMARY KEY,
    copy_id TEXT NOT NULL REFERENCES copies (id),
    member_id INTEGER NOT NULL REFERENCES members (id),
    taken_at TEXT NOT NULL,
    due_on TEXT NOT NULL,
    returned_at TEXT
) STRICT;
CREATE TABLE fines (
    loan_id INTEGER NOT NULL REFERENCES loans (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    cents INTEGER NOT NULL,
    stamped_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (loan_id, number)
) STRICT;
CREATE TABLE favourites (
    member_id INTEGER NOT NULL REFERENCES members (id),
    book_id INTEGER NOT NULL REFERENCES books (id),
    stars INTEGER NOT NULL DEFAULT 3,
    PRIMARY KEY (member_id, book_id)
) STRICT;
CREATE TABLE "opening hours" (branch_code TEXT NOT NULL, "week day" INTEGER NOT NULL, opens TEXT) STRICT;
CREATE TABLE changes (id INTEGER PRIMARY KEY, what TEXT NOT NULL, book_id INTEGER) STRICT;
CREATE TABLE categories (
    id INTEGER PRIMARY KEY,
    parent_id INTEGER REFERENCES categories (id),
    name TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX one_copy_out ON loans (copy_id) WHERE returned_at IS NULL;
CREATE UNIQUE INDEX members_by_email ON members (lower(email));
CREATE VIEW open_loans (loan, member, title) AS
    SELECT l.id, m.name, b.title /* the book */ FROM loans l JOIN members m ON m.id = l.member_id
    JOIN copies c ON c.id = l.copy_id JOIN books b ON b.id = c.book_id WHERE l.returned_at IS NULL;
CREATE TRIGGER note_price AFTER UPDATE OF price_cents ON books BEGIN
    INSERT INTO changes (what, book_id) VALUES ('price; changed', new.id);
END;
"""

ROWS = """
INSERT INTO members VALUES (11, 'Ada', 'ada@x', 'Bonn', '2020-01-01'), (12, 'Bo', 'bo@x', NULL, '2020-01-02');
INSERT INTO authors VALUES (21, 'Calvino', 1923), (22, 'Dumas', 1802);
INSERT INTO books (id, author_id, title, year, tags, price_cents) VALUES
    (31, 21, 'Cities', 1972, '["fable"]', 1950), (32, 22, 'Musketeers', NULL, '["war", "fun"]', 990);
INSERT INTO branches VALUES ('N', 'Bonn', 'north'), ('S', 'Ulm', NULL);
INSERT INTO copies VALUES ('c1', 31, 'N', 'out'), ('c2', 32, 'N', 'in'), ('c3', 31, 'S', 'in');
INSERT INTO loans VALUES
    (51, 'c1', 11, '2026-01-01', '2026-02-01', NULL),
    (52, 'c2', 12, '2026-01-02', '2026-02-02', '2026-01-09');
INSERT INTO fines VALUES (52, 1, 250, '2026-03-01');
INSERT INTO favourites VALUES (11, 31, 4), (12, 32, 5);
INSERT INTO "opening hours" VALUES ('N', 3, '09:00');
INSERT INTO changes VALUES (71, 'opened', 31);
INSERT INTO categories VALUES (61, NULL, 'all'), (62, 61, 'novels'), (63, 62, 'historical');
"""
"""A few rows in which no two columns share a value unless one refers to the other."""

GOOD = """
SELECT id, name FROM members WHERE id = :id

select
  M.ID as member_id, -- the key; really
  m.Name /* FROM nowhere */ from MEMBERS as m
WHERE m.CITY=:city;

SELECT * FROM books

SELECT b.*, a.name FROM books b, authors a WHERE a.id = b.author_id

SELECT members.id, books.id AS book_id FROM members CROSS JOIN books

SELECT books.id FROM members AS books WHERE books.email LIKE :q || '%'

SELECT title FROM books JOIN authors ON authors.id = author_id WHERE born BETWEEN :low AND :high

SELECT book_id, stars, state FROM favourites JOIN copies USING (book_id) WHERE book_id = :book

SELECT * FROM favourites NATURAL JOIN copies

SELECT member_id, copy_id FROM favourites NATURAL LEFT JOIN loans

SELECT book_id FROM favourites FULL JOIN copies USING (book_id)

SELECT a.id AS one, b.id AS other FROM categories a JOIN categories b ON b.parent_id = a.id WHERE a.name = :name

SELECT c.id FROM (copies AS c JOIN books AS b ON b.id = c.book_id)
    JOIN branches ON branches.code = c.branch_code

SELECT id FROM members UNION SELECT id FROM authors

SELECT name AS who FROM members UNION ALL SELECT name FROM authors ORDER BY who LIMIT :n OFFSET :skip

SELECT city FROM members EXCEPT SELECT city FROM branches

SELECT title FROM books WHERE author_id IN (SELECT id FROM authors WHERE name = :author)

SELECT name FROM members m WHERE EXISTS (SELECT 1 FROM loans WHERE member_id = m.id AND due_on < :now)

SELECT name, (SELECT count(*) FROM loans WHERE member_id = members.id) AS loans FROM members

SELECT name, (SELECT max(due_on) FROM loans l WHERE l.member_id = m.id AND l.copy_id = :copy) AS due
    FROM members m

SELECT id FROM books WHERE (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) WHERE value = :tag))

SELECT id FROM books WHERE id IN (SELECT value FROM json_each(:ids)) AND (:y IS NULL OR year >= :y)

SELECT j.value AS wanted, b.title FROM json_each(:ids) AS j LEFT JOIN books b ON b.id = j.value

SELECT id FROM books ORDER BY CASE :sort WHEN 'price' THEN price_cents ELSE year END DESC, id

SELECT author_id, count(*) AS n, sum(price_cents) AS worth, min(title) AS first FROM books
    GROUP BY author_id HAVING count(*) > :least

SELECT title, rank() OVER (PARTITION BY author_id ORDER BY year) AS place FROM books

SELECT title, sum(price_cents) OVER w AS running FROM books WINDOW w AS (ORDER BY id ROWS UNBOUNDED PRECEDING)

SELECT count(*) FILTER (WHERE state = 'out') AS gone FROM copies WHERE branch_code = :branch

WITH late AS (SELECT member_id, copy_id FROM loans WHERE due_on < :today) SELECT m.name, late.copy_id
    FROM late JOIN members m ON m.id = late.member_id

WITH a(x) AS (SELECT id FROM books), b AS (SELECT x AS y FROM a) SELECT y FROM b WHERE y = :book

WITH members AS (SELECT id AS who FROM authors) SELECT who FROM members

WITH RECURSIVE up(id, parent_id) AS (SELECT id, parent_id FROM categories WHERE id = :id UNION ALL
    SELECT c.id, c.parent_id FROM categories c JOIN up ON c.id = up.parent_id) SELECT id FROM up

WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < :n) SELECT i FROM n

SELECT inner_id FROM (SELECT id AS inner_id FROM (SELECT id FROM loans WHERE member_id = :m) AS x) AS y

SELECT loan, title FROM open_loans WHERE member = :name

SELECT rowid, name FROM members WHERE oid = :id

SELECT rowid FROM copies

SELECT price, shelf FROM books WHERE price > :price

SELECT "week day", [opens] FROM "opening hours" WHERE `branch_code` = :branch

SELECT 'a; -- b' AS text, ';' || name AS x FROM members

SELECT coalesce(city, 'nowhere') AS city, ifnull(city, NULL) AS same, nullif(city, '') AS maybe FROM members

SELECT CASE WHEN year > 2000 THEN title ELSE NULL END AS new_title, iif(year, title, shelf) AS either FROM books

SELECT title FROM books WHERE (author_id, title) = (:author, :title)

SELECT title FROM books WHERE NOT (year = :year) AND title NOT LIKE :q ESCAPE '!' AND id NOT IN (:a, :b)

SELECT title FROM books WHERE year IS NOT :year AND author_id IS :author AND title COLLATE NOCASE = :title

SELECT date(taken_at, '+14 days') AS due, strftime('%Y', taken_at) AS year FROM loans
    WHERE date(due_on) <= date(:day)

SELECT json_extract(tags, '$[0]') AS tag, tags ->> 1 AS second
    FROM books INDEXED BY sqlite_autoindex_books_1 WHERE author_id = 1

SELECT what FROM changes

SELECT x'00ff' AS blob, 1e-3 AS number, -.5 AS half, 0x1F AS hex

VALUES (:a, 1), (2, :b)

INSERT INTO members (name, email, joined_on) VALUES (:name, lower(:email), :now)

INSERT INTO members VALUES (NULL, :name, :email, NULL, :now)

INSERT INTO fines (loan_id, number, cents, stamped_at) VALUES (:l, 1, 5, :now), (:l, 2, :c, :now)

INSERT INTO changes (what) VALUES ('a;b')

INSERT INTO favourites (member_id, book_id) SELECT :me, id FROM books WHERE author_id = :author

INSERT INTO favourites (member_id, book_id, stars) VALUES (:me, :book, :stars)
    ON CONFLICT (member_id, book_id) DO UPDATE SET stars = excluded.stars WHERE stars < :most

INSERT INTO favourites (member_id, book_id) VALUES (:me, :book) ON CONFLICT DO NOTHING

INSERT OR IGNORE INTO branches (code, city) VALUES (:code, :city) RETURNING code, city AS town

REPLACE INTO branches (code, city) VALUES (:code, :city)

WITH mine AS (SELECT id FROM copies
    WHERE book_id = :book) INSERT INTO loans (copy_id, member_id, taken_at, due_on)
    SELECT id, :me, :now, :due FROM mine LIMIT 1 RETURNING *

UPDATE loans SET returned_at = :now WHERE id = :loan AND member_id = :me RETURNING copy_id

UPDATE books SET price_cents = price_cents + :more, (year, tags) = (:year, json(:tags)) WHERE id = :id

UPDATE copies AS c SET state = :state FROM loans l JOIN members m ON m.id = l.member_id
    WHERE l.copy_id = c.id AND m.email = :email

UPDATE OR IGNORE members SET email = :email WHERE rowid = :id

DELETE FROM books WHERE id = :id

DELETE FROM favourites WHERE member_id = :me AND book_id IN (SELECT id FROM books WHERE year < :year)
    RETURNING book_id

WITH replace AS (SELECT id FROM books) SELECT replace.id, replace('a', 'b', 'c') AS text FROM replace

SELECT 1;
""".strip().split("\n\n")
"""Statements that tools may use: SQLite accepts them and so must the facts."""

BAD = (
    ("SELECT * FROM member", "unknown-table", "members"),
    ("SELECT * FROM loans l JOIN boks b ON 1", "unknown-table", "books"),
    ("SELECT nme FROM members", "unknown-column", "name"),
    ("SELECT m.emial FROM members m", "unknown-column", "email"),
    ("SELECT x.id FROM members m", "unknown-column", "neither a table nor an alias"),
    ("SELECT id FROM members WHERE title = 'x'", "unknown-column", "books"),
    ("INSERT INTO members (nam, email, joined_on) VALUES (1, 2, 3)", "unknown-column", "name"),
    ("UPDATE books SET titel = 'x' WHERE id = 1", "unknown-column", "title"),
    ("SELECT q.id FROM (SELECT id AS other FROM books) AS q", "unknown-column", "q has no column id"),
    ("WITH w AS (SELECT id FROM books) SELECT title FROM w", "unknown-column", "does not pass it on"),
    (
        "INSERT INTO favourites VALUES (1, 2, 3) ON CONFLICT (member_id, book_id) DO UPDATE SET stars = exluded.stars",
        "unknown-column",
        "exluded",
    ),
    ("SELECT id FROM members JOIN loans ON member_id = members.id", "ambiguous-column", "members.id"),
    ("SELECT book_id FROM favourites f, copies c", "ambiguous-column", "f.book_id"),
    ("INSERT INTO authors VALUES (1, 'x')", "wrong-value-count", "3 columns"),
    ("INSERT INTO authors (id, name) VALUES (1)", "wrong-value-count", "2 columns"),
    ("INSERT INTO authors (id, name) VALUES (1, 'a'), (2)", "wrong-value-count", "same number"),
    ("INSERT INTO authors (id, name) SELECT id FROM books", "wrong-value-count", "1 values"),
    ("SELEC 1", "sql-syntax", "SELEC"),
    ("SELECT FROM members", "sql-syntax", "FROM"),
    ("SELECT (1", "sql-syntax", "incomplete"),
    ("SELECT 'open", "sql-syntax", "unrecognized token"),
    ("SELECT id::text FROM members", "sql-syntax", ":"),
    ("SELECT DISTINCT ON (id) id FROM members", "sql-syntax", "syntax error"),
    ("SELECT id FROM members WHERE name ILIKE 'x'", "sql-syntax", "ILIKE"),
    ("SELECT id FROM members LIMIT 1 WHERE id = 2", "sql-syntax", "WHERE"),
    ("SELECT now()", "unknown-function", "env.now"),
    ("SELECT concat_all(name) FROM members", "unknown-function", "concat_all"),
    ("SELECT length(1, 2)", "refused-by-sqlite", "wrong number of arguments"),
    ("SELECT id FROM members UNION SELECT id, name FROM authors", "refused-by-sqlite", "UNION"),
    ("SELECT id FROM members WHERE count(*) > 1", "refused-by-sqlite", "aggregate"),
    (
        "INSERT INTO books (author_id, title, price_cents, price) VALUES (1, 'x', 2, 3)",
        "refused-by-sqlite",
        "generated",
    ),
    ("UPDATE books SET shelf = 'X'", "refused-by-sqlite", "generated"),
    ("DELETE FROM open_loans", "refused-by-sqlite", "view"),
    (
        "INSERT INTO members (name, email, joined_on) VALUES ('a', 'b', 'c') ON CONFLICT (name) DO NOTHING",
        "refused-by-sqlite",
        "UNIQUE",
    ),
    ("SELECT * FROM members JOIN books USING (title)", "refused-by-sqlite", "cannot join"),
    ("SELECT rowid FROM branches", "unknown-column", "rowid"),
    ("SELECT id FROM members WHERE id IN (SELECT id, name FROM authors)", "refused-by-sqlite", "columns"),
    ("SELECT ?0", "refused-by-sqlite", "variable number"),
)
"""Statements that SQLite refuses, the rule that must be named, and a word the sentence must hold."""

STRICTER = (
    ("", "sql-syntax", "empty"),
    (" ; ;", "sql-syntax", "empty"),
    ("-- nothing; here", "sql-syntax", "empty"),
    ("SELECT 1; SELECT 2", "several-statements", "once for each"),
    (";;DELETE FROM members", "several-statements", "once for each"),
    ("CREATE TABLE x (y)", "forbidden-statement", "CREATE"),
    ("drop table members", "forbidden-statement", "DROP"),
    ("ALTER TABLE members ADD COLUMN x", "forbidden-statement", "ALTER"),
    ("ATTACH 'x.db' AS x", "forbidden-statement", "ATTACH"),
    ("/* hi */ pragma foreign_keys = OFF", "forbidden-statement", "PRAGMA"),
    ("\ufeff\tPRAGMA user_version", "forbidden-statement", "PRAGMA"),
    ("VACUUM", "forbidden-statement", "VACUUM"),
    ("BEGIN", "forbidden-statement", "transaction"),
    ("COMMIT", "forbidden-statement", "transaction"),
    ("SAVEPOINT x", "forbidden-statement", "SAVEPOINT"),
    ("EXPLAIN SELECT 1", "forbidden-statement", "EXPLAIN"),
    ("SELECT load_extension('x')", "forbidden-function", "load_extension"),
    ("SELECT last_insert_rowid()", "forbidden-function", "env.insert"),
    ("SELECT name FROM sqlite_schema", "unknown-table", "schema"),
    ("SELECT name FROM pragma_table_info('members')", "unknown-table", "SQLite's own"),
    ("SELECT CURRENT_TIMESTAMP", "sql-clock", "env.now"),
    ("SELECT id FROM loans WHERE due_on < date('now')", "sql-clock", "env.now"),
    ("SELECT id FROM loans WHERE due_on < DATE ( 'NOW' , '-1 day' )", "sql-clock", "env.now"),
    ("SELECT date()", "sql-clock", "env.now"),
    ("SELECT strftime('%Y')", "sql-clock", "env.now"),
    ("SELECT strftime('%Y', 'now')", "sql-clock", "env.now"),
    ("SELECT unixepoch('subsec')", "sql-clock", "env.now"),
    ("SELECT timediff(taken_at, 'now') FROM loans", "sql-clock", "env.now"),
    ("SELECT datetime(taken_at, 'localtime') FROM loans", "sql-clock", "time zone"),
    ("SELECT id FROM members ORDER BY random()", "sql-random", "every time"),
    ("SELECT hex(randomblob(4))", "sql-random", "every time"),
    (
        "SELECT group_concat(name, ', ' ORDER BY name) AS names FROM members",
        "newer-sql",
        "ORDER BY among the arguments",
    ),
    ("INSERT INTO members (name) VALUES ('x')", "missing-not-null", "email, joined_on"),
    ("INSERT INTO members (name, email, joined_on) VALUES (NULL, 'x', 'y')", "missing-not-null", "members.name"),
    ("INSERT INTO members DEFAULT VALUES", "missing-not-null", "name, email, joined_on"),
    ("INSERT INTO fines (loan_id, number, cents) VALUES (1, 2, 3)", "sql-clock", "stamped_at"),
    ('SELECT id FROM members WHERE name = "Ada"', "unknown-column", "single quotes"),
    ("SELECT :a, ?", "wrong-parameter-count", "mixes"),
)
"""Statements that an ordinary SQLite prepares and tools may not use: the documented difference."""


def placeholders(sql: str) -> list[str]:
    """The named placeholders of a statement, each once."""
    return list(dict.fromkeys(re.findall(r"(?<![:\w]):([a-z_]\w*)", sql)))


def tool_around(sql: str) -> str:
    """A tool module with one tool, `tool`, that does nothing but run the statement with its own parameters."""
    names = placeholders(sql)
    returns_rows = "RETURNING" in sql or not re.search(r"\b(INSERT|REPLACE INTO|UPDATE|DELETE)\b", sql)
    parameters = ", ".join(f"{name}: str" for name in names)
    given = "{" + ", ".join(f'"{name}": {name}' for name in names) + "}"
    call = f"env.{'query' if returns_rows else 'execute'}({json.dumps(sql)}, {given})"
    body = f'return {{"rows": {call}}}' if returns_rows else f"{call}\n    return {{}}"
    return f"def tool(env{', *, ' if names else ''}{parameters}) -> dict:\n    {body}\n"


def facts_of(source: str) -> ToolFacts:
    """The facts of a module over the library."""
    return analyze_tools(textwrap.dedent(source), SCHEMA)


def the_tool(source: str) -> ToolFact:
    """The facts of a module with one tool and nothing wrong."""
    facts = facts_of(source)
    assert facts.problems == ()
    (tool,) = facts.tools.values()
    return tool


def uses_of(source: str) -> set[str]:
    """`parameter operator table.column`, with a `~` where something else than the very value arrives."""
    return {f"{u.source} {u.operator} {u.column}{'' if u.exact else ' ~'}" for u in the_tool(source).uses}


def outputs_of(source: str) -> dict[str, str]:
    """Path of a result → where it comes from, with a `~` where it is computed."""
    return {
        output.path: " ".join([*map(str, output.columns), *output.parameters]) + ("" if output.exact else " ~")
        for output in the_tool(source).outputs
    }

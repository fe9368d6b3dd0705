"""Attacks by SQL, and by an SQLite connection in the hands of code that broke out of the façade."""

from collections.abc import Mapping

from tests.security.attack import (
    AUTHORIZER,
    EVERYWHERE,
    REFUSED,
    SECCOMP,
    TOO_LATE,
    TOOL,
    WATCHDOG,
    WITH_A_DATABASE,
    Attack,
    Place,
)

DENIED = "not authorized"


def by_sql(name: str, sql: str, says: str | Mapping[Place, str] = DENIED) -> Attack:
    return Attack(name, f"return query({sql!r}, ())", AUTHORIZER, says, WITH_A_DATABASE)


STATEMENTS = [
    by_sql("attaches_a_database", "ATTACH ':memory:' AS other"),
    by_sql("attaches_a_file", "ATTACH '/etc/passwd' AS other"),
    by_sql(
        "vacuums_into_a_file",
        "VACUUM INTO '/var/tmp/stolen.sqlite'",
        {"tool": "cannot VACUUM", "verifier": "authorization denied"},
    ),
    by_sql("sets_a_pragma", "PRAGMA foreign_keys = OFF"),
    by_sql("makes_the_schema_writable", "PRAGMA writable_schema = ON"),
    by_sql("asks_a_pragma_by_a_table", "SELECT * FROM pragma_database_list"),
    by_sql("maps_the_file", "PRAGMA mmap_size = 268435456"),
    by_sql("loads_an_extension", "SELECT load_extension('/var/tmp/x.so')"),
    by_sql("reads_a_file_by_sql", "SELECT readfile('/etc/passwd')", "no such function: readfile"),
    by_sql("asks_for_chance", "SELECT random()"),
    by_sql("asks_what_others_wrote", "SELECT last_insert_rowid(), changes(), total_changes()"),
    by_sql("writes_to_the_schema", "UPDATE sqlite_schema SET sql = 'x'", "may not be modified"),
    by_sql("writes_to_the_sequence", "UPDATE sqlite_sequence SET seq = 99"),
    by_sql("creates_a_table", "CREATE TABLE stolen (x)"),
    by_sql("creates_a_temporary_table", "CREATE TEMP TABLE message (x)"),
    by_sql("creates_a_trigger", "CREATE TRIGGER spy AFTER INSERT ON orders BEGIN SELECT 1; END"),
    by_sql("creates_a_temporary_trigger", "CREATE TEMP TRIGGER spy AFTER INSERT ON orders BEGIN SELECT 1; END"),
    by_sql("creates_a_view", "CREATE TEMP VIEW items AS SELECT 1"),
    by_sql("creates_a_virtual_table", "CREATE VIRTUAL TABLE spy USING fts5 (x)"),
    by_sql("reads_pages", "SELECT * FROM sqlite_dbpage", "no such table"),
    by_sql("drops_a_table", "DROP TABLE orders"),
    by_sql("adds_a_column", "ALTER TABLE orders ADD COLUMN message"),
    by_sql("begins", "BEGIN"),
    by_sql("commits", "COMMIT"),
    by_sql("saves_a_point", "SAVEPOINT mine"),
    by_sql("analyzes", "ANALYZE"),
    by_sql(
        "never_ends",
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n",
        {"tool": "Interrupt", "verifier": "a query took too many steps"},
    ),
    by_sql("makes_a_huge_value", "SELECT hex(zeroblob(1000000000))", "too big"),
    by_sql("nests_an_expression", f"SELECT {'(' * 300}1{' + 1)' * 300}", "Expression tree is too large"),
    by_sql(
        "asks_for_too_many_rows",
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) SELECT i FROM n",
        "more than 10000 rows",
    ),
    Attack(
        "sorts_more_than_memory",
        """
return query(
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300)"
    " SELECT length(t) AS n FROM (SELECT hex(zeroblob(2000000)) || i AS t FROM n ORDER BY t DESC) LIMIT 1", ())
""",
        AUTHORIZER,
        "out of memory",
        WITH_A_DATABASE,
    ),
    Attack(
        "fills_the_database",
        """
while True:
    sees.execute("INSERT INTO users (name) SELECT hex(zeroblob(1000000)) FROM items", ())
""",
        AUTHORIZER,
        "database or disk is full",
        TOOL,
    ),
    Attack(
        "ends_its_transaction",
        """
sees.execute("UPDATE items SET stock = 5", ())
try:
    sees.execute("INSERT OR ROLLBACK INTO items (id, name, price, stock) VALUES (1, 'x', 1.0, 1)", ())
except Exception:
    sees.execute("UPDATE items SET stock = 6", ())
raise sees.Error("nothing happened")
""",
        AUTHORIZER,
        "ended the transaction of this call",
        TOOL,
    ),
]

# From here on the code has the connection itself, and takes off whatever guards it.
FREE = """
connection.authorizer = None
connection.set_progress_handler(None)
connection.limit(apsw.SQLITE_LIMIT_ATTACHED, 10)
apsw.hard_heap_limit(0)
if connection.in_transaction:
    connection.execute("ROLLBACK")
"""


def by_connection(
    name: str, code: str, says: str | Mapping[Place, str], layer: str = SECCOMP, *, slow: bool = False
) -> Attack:
    return Attack(name, FREE + code, layer, says, EVERYWHERE, slow)


WITH_THE_CONNECTION = [
    by_connection(
        "attaches_a_file_unguarded",
        "return apsw.Connection(':memory:').execute(\"ATTACH '/etc/passwd' AS x\").fetchall()",
        "unable to open database",
    ),
    by_connection(
        "vacuums_into_a_file_unguarded",
        """return connection.execute("VACUUM INTO '" + FOLDER + "/stolen.sqlite'").fetchall()""",
        {"tool": "output file already exists", "verifier": "unable to open", "program": "unable to open"},
    ),
    by_connection(
        "backs_up_into_a_file",
        'return apsw.Connection(FOLDER + "/stolen.sqlite").backup("main", connection, "main").step()',
        "CantOpenError",
    ),
    by_connection("opens_a_database_file", 'return apsw.Connection("/etc/passwd")', "CantOpenError"),
    by_connection(
        "opens_a_file_by_a_file_system",
        'return apsw.VFSFile("unix", "/etc/passwd", [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])',
        "CantOpenError",
    ),
    by_connection(
        "deletes_by_a_file_system",
        'return apsw.VFS("mine", "unix").xDelete(FOLDER + "/precious", False)',
        "IOError",
    ),
    by_connection(
        "loads_a_library",
        "connection.enable_load_extension(True)\nreturn connection.load_extension(FOLDER + '/precious')",
        REFUSED,
    ),
    by_connection(
        "spills_to_a_temporary_file",
        """
other = apsw.Connection("")
other.execute("PRAGMA cache_size = 1; CREATE TABLE t (x)").fetchall()
other.execute("INSERT INTO t SELECT hex(zeroblob(100000)) FROM (VALUES (1), (2), (3), (4))").fetchall()
return other.execute("SELECT count(*) FROM t").get
""",
        "IOError",
    ),
    by_connection(
        "runs_endless_sql_unguarded",
        """
sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
return connection.execute(sql).fetchall()
""",
        TOO_LATE,
        WATCHDOG,
        slow=True,
    ),
]

ATTACKS = STATEMENTS + WITH_THE_CONNECTION

"""SQL that only newer versions of SQLite understand than those a bundle's own scripts may meet."""

import sqlite3

import apsw
import pytest

from envfactory_dagster.runtime.newer_sql import newer_than_oldest

NEWER = {
    "SELECT group_concat(x, ',' ORDER BY x) FROM (SELECT 1 AS x)": "ORDER BY among the arguments of group_concat()",
    "SELECT sum(DISTINCT x order by x) FROM (SELECT 1 AS x)": "ORDER BY among the arguments of sum()",
    "SELECT 1_000": "the number 1_000",
    "SELECT 0xA_0": "the number 0xA_0",
    "SELECT 1.5_0": "the number 1.5_0",
    "SELECT datetime('2024-01-01 10:00:00', 'subsec')": "the modifier 'subsec'",
    "SELECT time('10:00:00.5', 'SUBSECOND')": "the modifier 'SUBSECOND'",
    "SELECT date('2024-01-31', '+1 month', 'floor')": "the modifier 'floor'",
    "SELECT date('2024-01-31', '+1 month', 'ceiling')": "the modifier 'ceiling'",
    "SELECT date('2024-01-01', '+0001-00-00')": "the modifier '+0001-00-00'",
    "SELECT strftime('%F', '2024-01-01')": "strftime's %F",
    "SELECT strftime('%Y week %V', '2024-01-01')": "strftime's %V",
    "SELECT iif(1, 2)": "iif() with other than three arguments",
    "SELECT iif(0, 2, 1, 3, 4)": "iif() with other than three arguments",
    "SELECT '[1, 2]' ->> -1": "-> with a negative index",
    "SELECT '[1, 2]' -> - 1": "-> with a negative index",
}
OLD = [
    "SELECT 1 FROM (SELECT 1 AS a) x FULL JOIN (SELECT 2 AS b) y ON a = b",
    "SELECT 1 FROM (SELECT 1 AS a) x RIGHT JOIN (SELECT 2 AS b) y ON a = b",
    "SELECT sum(1) OVER (ORDER BY 1), sum(1) OVER (PARTITION BY 1 ORDER BY 1)",
    "SELECT sum(1) OVER w FROM (SELECT 1 AS x) WINDOW v AS (PARTITION BY x), w AS (v ORDER BY x)",
    "SELECT 1 WHERE 1 IN (SELECT 1 ORDER BY 1)",
    "SELECT coalesce((SELECT 1 ORDER BY 1), 2)",
    "SELECT max((SELECT x FROM (SELECT 1 AS x) ORDER BY x), iif(1, max(2, 3), 4))",
    "SELECT '1_000', 'ORDER BY', \"x\" FROM (SELECT 1 AS x) -- 1_000",
    "SELECT strftime('%Y-%m-%d %H:%M:%S 100%%F', '2024-01-01'), date('2024-01-01', '+10:00', 'start of month')",
    "SELECT 'subsec' || replace('floor', 'f', 'd')",
    "SELECT '[1, 2]' ->> 1, 5 - -1, 5 > -1, json_extract('[1]', '$[#-1]')",
    "SELECT 1 IS NOT DISTINCT FROM 1, unixepoch(1700000000, 'auto')",
    "WITH a(n) AS MATERIALIZED (SELECT 1) SELECT n FROM a",
]


@pytest.mark.parametrize("sql", NEWER)
def test_what_is_newer_is_seen(sql: str) -> None:
    assert newer_than_oldest(sql) == NEWER[sql]
    assert apsw.Connection(":memory:").execute(sql).fetchall() != [(None,)]


@pytest.mark.parametrize("sql", OLD)
def test_what_is_old_is_let_through(sql: str) -> None:
    assert newer_than_oldest(sql) is None
    assert rows_of_python(sql) == apsw.Connection(":memory:").execute(sql).fetchall()


@pytest.mark.skipif(sqlite3.sqlite_version_info >= (3, 41), reason="this Python has a newer SQLite")
@pytest.mark.parametrize("sql", NEWER)
def test_the_oldest_version_does_not_understand_it(sql: str) -> None:
    assert rows_of_python(sql) != apsw.Connection(":memory:").execute(sql).fetchall()


def rows_of_python(sql: str) -> object:
    connection = sqlite3.connect(":memory:")
    try:
        return connection.execute(sql).fetchall()
    except sqlite3.OperationalError as error:
        return str(error)
    finally:
        connection.close()

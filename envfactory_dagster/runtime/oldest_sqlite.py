"""The oldest SQLite that a bundle's scripts run on. Python's standard library only.

Belongs here: the version, and the sentence that refuses an older one. Does not: what newer SQL is (`newer_sql`).
"""

import sqlite3

OLDEST_SQLITE = (3, 40, 0)


def sqlite_too_old() -> str | None:
    """Why this Python cannot run the bundle; None if it can."""
    if sqlite3.sqlite_version_info >= OLDEST_SQLITE:
        return None
    return f"this Python has SQLite {sqlite3.sqlite_version}; 3.40 or newer is needed"

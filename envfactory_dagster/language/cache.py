"""Answers that were paid for, kept forever under the hash of everything that decided them.

The address of the endpoint is part of that: two servers may well serve different models under one name, and a wrong
answer costs more than a second payment. So are the model, the messages, the schema, the tools, the seed, the
temperature and the length limit.
Belongs here: the key, putting and getting. Does not: what an answer means (`replies`), or when to ask (`exchange`).
"""

import sqlite3
from collections.abc import Mapping
from typing import Any

from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.language.book import Book


def request_key(endpoint: str, path: str, wish: Mapping[str, Any]) -> str:
    return content_hash({"endpoint": endpoint, "path": path, "wish": wish})


class AnswerCache:
    """Bodies by key. Once written, a body never changes."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def get(self, key: str) -> bytes | None:
        with self._book.reading() as db:
            found = db.execute("SELECT body FROM answers WHERE key = ?", [key]).fetchone()
        return found[0] if found else None

    def put(self, db: sqlite3.Connection, bodies: Mapping[str, bytes]) -> None:
        """Inside a transaction of the book, so that an answer and its row in the ledger appear together."""
        db.executemany("INSERT OR IGNORE INTO answers VALUES (?, ?)", bodies.items())

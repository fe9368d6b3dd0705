"""What was asked, kept beside the answers of the book: so that answers can be taken out of a home with their questions.

A question is kept once, under the key of its answer. The large parts of contexts, which an environment's questions have
in common, are kept once each.
Belongs here: remembering a structured question, and reading all of an environment in the order they were asked last.
Does not: the answers themselves (`cache`), or what an answer is good for (`library`).
"""

import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from envfactory_dagster.contracts.base import Json, canonical_json, content_hash
from envfactory_dagster.language.book import Book
from envfactory_dagster.language.ledger import LedgerRow
from envfactory_dagster.language.replies import Completion

LARGE_BYTES = 200
"""A part of a context that is longer is kept by itself."""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A structured question, without what was said of earlier answers."""

    schema_name: str
    instructions: str
    context: Mapping[str, Json]
    again: bool
    """Whether an earlier answer was shown, with what was wrong with it."""


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question as it was asked, and the text of its answer."""

    stage: str
    schema_name: str
    prompt: str
    """Hash of the instructions."""
    model: str
    context: dict[str, Any]
    again: bool
    text: str


def remember(db: sqlite3.Connection, key: str, row: LedgerRow, asked: AskedQuestion) -> None:
    """Inside a transaction of the book. A question that is asked once more moves to the end."""
    context, fragments = dict[str, Any](), list[tuple[str, bytes]]()
    for name, value in asked.context.items():
        written = canonical_json(value)
        if len(written) > LARGE_BYTES:
            fragments.append((content_hash(value), zlib.compress(written)))
            context[name] = {"fragment": fragments[-1][0]}
        else:
            context[name] = {"value": value}
    question = {
        "schema": asked.schema_name,
        "prompt": content_hash(asked.instructions),
        "model": row.model,
        "context": context,
        "again": asked.again,
    }
    db.executemany("INSERT OR IGNORE INTO fragments VALUES (?, ?)", fragments)
    db.execute(
        "INSERT OR REPLACE INTO questions (key, asset, partition, question) VALUES (?, ?, ?, ?)",
        [key, row.asset, row.partition, orjson.dumps(question).decode()],
    )


def answered_questions(home: Path, partition: str) -> Iterator[AnsweredQuestion]:
    """Every question about an environment with its answer, in the order in which they were asked last."""
    folder = home / "language"
    if not (folder / "book.sqlite").exists():
        return
    with Book(folder) as book, book.reading() as db:
        rows = db.execute(
            "SELECT q.asset, q.question, a.body FROM questions q JOIN answers a USING (key) WHERE q.partition = ?"
            " ORDER BY q.number",
            [partition],
        ).fetchall()
        for asset, written, body in rows:
            question = orjson.loads(written)
            context = {name: _value(db, kept) for name, kept in question["context"].items()}
            text = Completion.parse(body).choices[0].text
            yield AnsweredQuestion(
                asset, question["schema"], question["prompt"], question["model"], context, question["again"], text
            )


def _value(db: sqlite3.Connection, kept: Mapping[str, Any]) -> Any:
    if "value" in kept:
        return kept["value"]
    (body,) = db.execute("SELECT body FROM fragments WHERE hash = ?", [kept["fragment"]]).fetchone()
    return orjson.loads(zlib.decompress(body))

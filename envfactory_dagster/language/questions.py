"""What was asked, kept beside the answers of the book: so that answers can be taken out of a home with their questions.

A question is kept once, under the key of its answer. The large parts of contexts, which an environment's questions have
in common, are kept once each.
Belongs here: remembering a structured question, and reading all of an environment in the order they were asked last.
Does not: the answers themselves (`cache`), or what an answer is good for (`library`).
"""

import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson
from upath import UPath

from envfactory_dagster.contracts.base import Json, canonical_json, content_hash
from envfactory_dagster.language.book import Book
from envfactory_dagster.language.ledger import LedgerRow
from envfactory_dagster.language.replies import Completion
from envfactory_dagster.store.objects import Objects

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


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """A question as it is kept."""

    question: dict[str, Any]
    fragments: dict[str, bytes]
    """By hash, packed."""

    @classmethod
    def of(cls, row: LedgerRow, asked: AskedQuestion) -> "WrittenQuestion":
        context, fragments = dict[str, Any](), dict[str, bytes]()
        for name, value in asked.context.items():
            written = canonical_json(value)
            if len(written) > LARGE_BYTES:
                fragments[content_hash(value)] = zlib.compress(written)
                context[name] = {"fragment": content_hash(value)}
            else:
                context[name] = {"value": value}
        question = {
            "schema": asked.schema_name,
            "prompt": content_hash(asked.instructions),
            "model": row.model,
            "context": context,
            "again": asked.again,
        }
        return cls(question, fragments)


def remember(db: sqlite3.Connection, key: str, row: LedgerRow, asked: AskedQuestion) -> None:
    """Inside a transaction of the book. A question that is asked once more moves to the end."""
    written = WrittenQuestion.of(row, asked)
    db.executemany("INSERT OR IGNORE INTO fragments VALUES (?, ?)", written.fragments.items())
    db.execute(
        "INSERT OR REPLACE INTO questions (key, asset, partition, question) VALUES (?, ?, ?, ?)",
        [key, row.asset, row.partition, orjson.dumps(written.question).decode()],
    )


def remember_in(objects: Objects, key: str, row: LedgerRow, asked: AskedQuestion) -> None:
    """The same in an object store, where the moment tells the order."""
    written = WrittenQuestion.of(row, asked)
    for name, fragment in written.fragments.items():
        objects.put_if(f"fragments/{name}", fragment, None)
    kept = {"asked_at": time.time(), "asset": row.asset, "key": key, "question": written.question}
    objects.put(f"{_folder(row.partition)}/{key}.json", orjson.dumps(kept))


def _folder(partition: str) -> str:
    return f"questions/of-{quote(partition, safe='')}"


def answered_questions(home: Path | UPath, partition: str) -> Iterator[AnsweredQuestion]:
    """Every question about an environment with its answer, in the order in which they were asked last."""
    folder = home / "language"
    if not isinstance(folder, Path):
        yield from _in_object_store(Objects(folder), partition)
        return
    if not (folder / "book.sqlite").exists():
        return
    with Book(folder) as book, book.reading() as db:
        rows = db.execute(
            "SELECT q.asset, q.question, a.body FROM questions q JOIN answers a USING (key) WHERE q.partition = ?"
            " ORDER BY q.number",
            [partition],
        ).fetchall()
        for asset, written, body in rows:
            yield _answered(asset, orjson.loads(written), body, lambda name: _fragment(db, name))


def _fragment(db: sqlite3.Connection, name: str) -> bytes:
    (body,) = db.execute("SELECT body FROM fragments WHERE hash = ?", [name]).fetchone()
    return bytes(body)


def _in_object_store(objects: Objects, partition: str) -> Iterator[AnsweredQuestion]:
    kept = [orjson.loads(found.data) for found in objects.get_all(objects.names_in(_folder(partition))).values()]
    kept.sort(key=lambda one: one["asked_at"])
    answers = objects.get_all([f"answers/{one['key']}" for one in kept])
    parts = {
        f"fragments/{part['fragment']}"
        for one in kept
        for part in one["question"]["context"].values()
        if "fragment" in part
    }
    fragments = objects.get_all(sorted(parts))
    for one in kept:
        answer = answers.get(f"answers/{one['key']}")
        if answer is not None:
            yield _answered(
                one["asset"], one["question"], answer.data, lambda name: fragments[f"fragments/{name}"].data
            )


def _answered(
    asset: str, question: Mapping[str, Any], body: bytes, fragment: Callable[[str], bytes]
) -> AnsweredQuestion:
    context = {
        name: part["value"] if "value" in part else orjson.loads(zlib.decompress(fragment(part["fragment"])))
        for name, part in question["context"].items()
    }
    text = Completion.parse(body).choices[0].text
    return AnsweredQuestion(
        asset, question["schema"], question["prompt"], question["model"], context, question["again"], text
    )

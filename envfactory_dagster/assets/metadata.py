"""What a person sees of a record in Dagster's UI.

Belongs here: the pure function from a record to metadata values. Does not: which facts a stage reports (the stage
puts them into its record), and the events that carry them (`assets.events`).
"""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import dagster as dg
import orjson

from envfactory_dagster.contracts.records import Spent, StageRecord
from envfactory_dagster.language.prices import cost_in_words
from envfactory_dagster.store.home import Home

SITE_URL = "ENVFACTORY_SITE_URL"
_ON_A_CARD = ("environment", "inspection", "release")
"""Stages of which the card of an environment tells."""
_LONGEST_TABLE = 50
_LONGEST_TEXT = 8_000
_LONGEST_OF_A_RECORD = 2_000
"""What one record is to take, in bytes. Events are stored whole, several times over, and pages read them whole. What is
longer stays in the store, and is cut here with a word. A record with many tables and texts takes more, because each
table keeps its first row and each text its beginning."""
_BEGINNING = 200
"""The number of characters of a text that are always shown."""
_OF_A_VALUE, _OF_A_COLUMN, _OF_A_ROW = 110, 170, 40
"""What Dagster writes around each."""
_MOST_COLUMNS = 12
"""Of a table of Dagster's. A wider one is a Markdown table, which takes a fifth of the bytes."""

_LANGUAGES = {"sql": "sql", "py": "python", "json": "json"}
_FENCE = "````"

Metadata = dict[str, dg.MetadataValue[Any]]


def record_metadata(record: StageRecord, home: str, *, reused: bool) -> Metadata:
    """Status and cost of the making, then whatever the stage reported: tables as tables, code as Markdown.

    Code is a text of several lines; the language is read off its name (`schema.sql`, `tools.py`). `reused`: the record
    was there already, so that nothing was paid now. `path` is one below the home.
    """
    problems = [
        {"attempt": attempt.number, "fault": problem.fault, "message": problem.message, "snippet": problem.snippet}
        for attempt in record.attempts
        for problem in (*attempt.unusable, *attempt.problems)
    ]
    facts: dict[str, Any] = {"status": record.status, "reused": reused}
    if record.reason:
        facts["reason"] = record.reason
    if record.attempts:
        facts["attempts"] = len(record.attempts)
    facts |= _cost(record)
    if problems:
        facts["problems"] = problems
    shown = as_metadata(_short(facts | record.metadata | facts))
    if isinstance(path := record.metadata.get("path"), str):
        shown["path"] = dg.MetadataValue.path(f"{home.rstrip('/')}/{path}")
    if record.stage in _ON_A_CARD and record.status == "ok":
        shown["page"] = page(Home.resolve(home), f"environments/{record.partition}/index.html")
    return shown


def page(home: Home, path: str) -> dg.MetadataValue[Any]:
    """A page that `envfactory view` writes: a link where its site is published, else the file."""
    published = os.environ.get(SITE_URL)
    if published:
        return dg.MetadataValue.url(f"{published.rstrip('/')}/{path}")
    return dg.MetadataValue.path(str(home.site / path))


def _cost(record: StageRecord) -> dict[str, Any]:
    """What was spent for this materialization: nothing, where what there was is used again."""
    spent = record.spent
    if spent is None:
        attempts = record.attempts
        counted = {
            "tokens_in": sum(attempt.tokens_in for attempt in attempts),
            "tokens_out": sum(attempt.tokens_out for attempt in attempts),
        }
        return counted if attempts else {}
    return cost_facts(spent)


def cost_facts(spent: Spent) -> dict[str, Any]:
    """In dollars where the price is known, in tokens in any case."""
    said = cost_in_words(spent)
    if not spent.calls:
        return {"cost": said} if said else {}
    facts = {"cost": said, "calls": spent.calls, "tokens_in": spent.tokens_in, "tokens_out": spent.tokens_out}
    return facts if spent.cost_usd is None else facts | {"cost_usd": spent.cost_usd}


def _short(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The same in about as many bytes as a record is to take. Numbers and short texts stay; tables and long texts share
    what is left, each as much as the next."""
    long = {name: value for name, value in facts.items() if _bytes(value) > _OF_A_VALUE}
    room = _LONGEST_OF_A_RECORD - sum(_bytes(value) + _OF_A_VALUE for name, value in facts.items() if name not in long)
    shown = dict(facts)
    for left, name in zip(range(len(long), 0, -1), sorted(long, key=lambda name: _bytes(long[name])), strict=True):
        shown[name] = _within(long[name], room // left - _OF_A_VALUE)
        room -= _bytes(shown[name]) + _OF_A_VALUE
    return shown


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _columns(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(column for row in rows for column in row))


def _within(value: Any, room: int) -> Any:
    if _bytes(value) <= room:
        return value
    if _is_table(value):
        return _first_rows(value, room)
    return _cut(value if isinstance(value, str) else orjson.dumps(value).decode(), max(room, _BEGINNING))


def _first_rows(rows: Sequence[dict[str, Any]], room: int) -> list[dict[str, Any]]:
    """The first rows that fit; at least one."""
    number = 1
    while number < len(rows) and _bytes(rows[: number + 1]) <= room:
        number += 1
    return [*rows[:number], _rest(_columns(rows), len(rows) - number)] if number < len(rows) else [*rows]


def _rest(columns: Sequence[str], rows: int) -> dict[str, Any]:
    return {column: f"… and {rows} more" if column == columns[0] else None for column in columns}


def _bytes(value: Any) -> int:
    """About what a value takes in an event."""
    if isinstance(value, str):
        return len(value.encode())
    if not _is_table(value):
        return len(orjson.dumps(value))
    columns = _columns(value)
    if len(columns) > _MOST_COLUMNS:
        return len(_markdown(value).encode())
    return len(columns) * _OF_A_COLUMN + sum(_OF_A_ROW + len(orjson.dumps(row)) for row in value)


def as_metadata(facts: Mapping[str, Any]) -> Metadata:
    """Lists of objects as tables, texts of several lines as Markdown, everything else as what it is."""
    return {name: _value(name, value) for name, value in facts.items()}


def _value(name: str, value: Any) -> dg.MetadataValue[Any]:
    match value:
        case bool():
            return dg.MetadataValue.bool(value)
        case int():
            return dg.MetadataValue.int(value)
        case float():
            return dg.MetadataValue.float(value)
        case str() if "\n" in value:
            language = _LANGUAGES.get(name.rpartition(".")[2], "")
            return dg.MetadataValue.md(f"{_FENCE}{language}\n{_cut(value)}\n{_FENCE}")
        case str():
            return dg.MetadataValue.text(_cut(value))
        case list() if _is_table(value):
            return _table(value)
        case _:
            return dg.MetadataValue.json(value)


def _table(rows: Sequence[Mapping[str, Any]]) -> dg.MetadataValue[Any]:
    columns = _columns(rows)
    shown = [*rows[:_LONGEST_TABLE]]
    if len(rows) > len(shown):
        shown.append(_rest(columns, len(rows) - len(shown)))
    if len(columns) > _MOST_COLUMNS:
        return dg.MetadataValue.md(_markdown(shown))
    records = [dg.TableRecord({column: _cell(row.get(column)) for column in columns}) for row in shown]
    return dg.MetadataValue.table(records)


def _markdown(rows: Sequence[Mapping[str, Any]]) -> str:
    columns = _columns(rows)
    cells = [["" if row.get(column) is None else str(_cell(row[column])) for column in columns] for row in rows]
    lines = [columns, ["-"] * len(columns), *cells]
    return "\n".join(
        "|" + "|".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line) + "|" for line in lines
    )


def _cell(value: Any) -> str | int | float | bool | None:
    if isinstance(value, str):
        return _cut(value)
    return value if isinstance(value, int | float | None) else _cut(orjson.dumps(value).decode())


def _cut(text: str, longest: int = _LONGEST_TEXT) -> str:
    """The beginning, and how long the whole is. A text of one line stays one."""
    if len(text) <= longest:
        return text
    return text[:longest] + ("\n" if "\n" in text else " ") + f"… cut: {len(text):,} characters in all"

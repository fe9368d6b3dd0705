"""The tables of a document, in whichever form it is: rows under named columns.

Belongs here: finding them, and how large they may be. Does not: what is made of them (`authoring.mining`).
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.sources.html import HtmlPage
from envfactory_dagster.sources.parsing import UnreadableFile, as_json, parse_json, parse_yaml

MOST_COLUMNS = 200
MOST_ROWS = 20_000
MOST_CELL_CHARS = 100_000
MOST_TABLES = 100

Value = str | int | float | bool | None
_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*")
"""The line under the head of a Markdown table."""


@dataclass(frozen=True, slots=True)
class FoundTable:
    title: str
    """What it is called in its document; empty where it has no name."""
    columns: list[str]
    rows: list[list[Value]]


def tables_of(form: str, text: str) -> list[FoundTable]:
    """Raises UnreadableFile where the document is not of its form, or larger than can be read."""
    found = list(_found(form, text))
    if len(found) > MOST_TABLES:
        raise UnreadableFile(f"has {len(found)} tables; at most {MOST_TABLES} are read")
    return found


def _found(form: str, text: str) -> Iterator[FoundTable]:
    match form:
        case "csv":
            yield _table("", list(_delimited(text, ",")))
        case "tsv":
            yield _table("", list(_delimited(text, "\t")))
        case "jsonl":
            lines = [line for line in text.split("\n") if line.strip()]
            _refuse_rows(len(lines))
            yield from _of_values([parse_json(line, f"line {n} ") for n, line in enumerate(lines, 1)])
        case "json":
            yield from _of_values(parse_json(text))
        case "yaml":
            yield from _of_values(as_json(parse_yaml(text)))
        case "html":
            yield from (_table("", [list(row) for row in rows if row]) for rows in HtmlPage(text).tables if any(rows))
        case "markdown":
            yield from _of_markdown(text.splitlines())
        case _:
            return


def _delimited(text: str, delimiter: str) -> Iterator[list[Value]]:
    csv.field_size_limit(MOST_CELL_CHARS)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            if row:
                _refuse_columns(len(row))
                yield list(row)
    except csv.Error as error:
        raise UnreadableFile(f"cannot be read as a table from line {reader.line_num} on: {error}") from error


def _table(title: str, rows: Sequence[Sequence[Value]]) -> FoundTable:
    """The first row names the columns. Short rows are filled up; cells beyond the last column have no name."""
    if not rows:
        return FoundTable(title, [], [])
    _refuse_rows(len(rows))
    _refuse_columns(max(map(len, rows)))
    columns = _names([str(cell).strip() for cell in rows[0]], max(map(len, rows)))
    return FoundTable(title, columns, [[*row, *[None] * (len(columns) - len(row))] for row in rows[1:]])


def _names(given: Sequence[str], width: int) -> list[str]:
    names: list[str] = []
    for number in range(width):
        name = given[number] if number < len(given) else ""
        name = name or f"column {number + 1}"
        names.append(name if name not in names else f"{name} {number + 1}")
    return names


def _of_values(value: Any) -> Iterator[FoundTable]:
    """A list of objects is a table; so is each such list that stands in an object."""
    if isinstance(value, list):
        yield from _of_objects("", value)
    elif isinstance(value, dict):
        for name, inner in value.items():
            if isinstance(inner, list):
                yield from _of_objects(str(name), inner)


def _of_objects(title: str, values: list[Any]) -> Iterator[FoundTable]:
    objects = [one for one in values if isinstance(one, dict)]
    if not objects:
        return
    _refuse_rows(len(objects))
    columns: dict[str, None] = {}
    for one in objects:
        columns |= dict.fromkeys(map(str, one))
        _refuse_columns(len(columns))
    yield FoundTable(title, list(columns), [[_scalar(one.get(name)) for name in columns] for one in objects])


def _scalar(value: Json) -> Value:
    """What is nested stands in its cell as JSON."""
    return orjson.dumps(value).decode()[:MOST_CELL_CHARS] if isinstance(value, dict | list) else value


def _of_markdown(lines: Sequence[str]) -> Iterator[FoundTable]:
    number = 0
    while number + 1 < len(lines):
        if "|" in lines[number] and "|" in lines[number + 1] and _RULE.fullmatch(lines[number + 1]):
            end = number + 2
            while end < len(lines) and "|" in lines[end]:
                end += 1
            yield _table("", [_cells(line) for line in (lines[number], *lines[number + 2 : end])])
            number = end
        number += 1


def _cells(line: str) -> list[Value]:
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def _refuse_columns(number: int) -> None:
    if number > MOST_COLUMNS:
        raise UnreadableFile(f"has a table of {number:,} columns; at most {MOST_COLUMNS} are read")


def _refuse_rows(number: int) -> None:
    if number > MOST_ROWS:
        raise UnreadableFile(f"has a table of {number:,} rows; at most {MOST_ROWS:,} are read")

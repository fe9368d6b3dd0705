"""What only all tools together can be blamed for: a table nobody touches, a rule nobody enforces.

Belongs here: judging a complete module, and finding the tool that is most likely to be the place. Does not: anything
about one function.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from envfactory_dagster.authoring import texts
from envfactory_dagster.authoring.trials.world import Row
from envfactory_dagster.contracts.domain import Theme
from envfactory_dagster.contracts.file_layout import DOCUMENTS_TABLE
from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.text_bounds import python_tree
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.runtime.facts import Schema, SchemaTable, ToolFacts

_NUMBER = re.compile(r"\d+(?:,\d{3})*(?::\d{2})?(?:\.\d+)?")
_LASTS = re.compile(r"[ -](minute|hour)s?\b", re.IGNORECASE)
_UNITS = (1, 100, 0.01, 60, 3600, 24, 7, 12, 28, 30, 365)
"""A rule says euros, hours, weeks or years where code and rows may say cents, minutes, days or months."""


def problems_of(
    theme: Theme, schema: Schema, rows: Iterable[Row], tools: Sequence[ToolDefinition], facts: ToolFacts, source: str
) -> dict[str, list[Problem]]:
    """By tool. `rows` are those of all states: a limit that a rule speaks of may be kept there."""
    found: dict[str, list[Problem]] = {}
    for table in untouched(schema, facts):
        tool = _closest(f"{table.name} {' '.join(c.name for c in table.columns)}", tools)
        message = f"No tool reads or writes the table {table.name}; {tool} is the closest to it: use it there."
        found.setdefault(tool, []).append(Problem(fault="code", message=message, snippet=table.sql))
    kept = list(rows)
    in_code, in_rows = {*_numbers_in(source)}, _numbers_by_word(kept)
    times, lengths = set(_times_in(kept)), set(_minutes_between(kept))
    commands = [tool for tool in tools if not tool.annotations.readOnlyHint] or tools
    for rule in theme.rules:
        known = in_code.union(*(in_rows.get(word, set()) for word in texts.words(rule.text)))
        for said in _NUMBER.finditer(rule.text):
            number = said[0]
            kept_in_rows = number in times or _minutes_said(rule.text, said) in lengths
            if not kept_in_rows and not _is_known(number, known, source):
                tool = _closest(rule.text, commands)
                message = f"The rule {rule.id} speaks of {number}, and no tool does; {tool} may have to enforce it."
                found.setdefault(tool, []).append(Problem(fault="code", message=message, snippet=rule.text))
    return found


def untouched(schema: Schema, facts: ToolFacts) -> list[SchemaTable]:
    """The tables that no tool reads or writes."""
    touched = {table for fact in facts.tools.values() for table in fact.reads}
    touched |= {write.table for fact in facts.tools.values() for write in fact.writes}
    return [t for t in schema.tables.values() if t.name not in touched and t.sql != DOCUMENTS_TABLE]


def unread_columns(schema: Schema, facts: ToolFacts) -> list[str]:
    """The columns that no tool reads, whether or not it writes them."""
    read = {(table, column) for fact in facts.tools.values() for table, names in fact.reads.items() for column in names}
    columns = ((table.name, column.name) for table in schema.tables.values() for column in table.columns)
    return [f"{table}.{column}" for table, column in columns if (table, column) not in read]


def _closest(text: str, tools: Sequence[ToolDefinition]) -> str:
    wanted = texts.words(text.replace("_", " "))

    def likeness(tool: ToolDefinition) -> int:
        fields = " ".join([*tool.inputSchema.get("properties", {}), *tool.outputSchema.get("properties", {})])
        return len(wanted & texts.words(f"{tool.name} {tool.description} {fields}".replace("_", " ")))

    return max(tools, key=likeness).name


def _numbers_in(source: str) -> Iterator[float]:
    for node in ast.walk(python_tree(source)):
        if isinstance(node, ast.Constant):
            if isinstance(node.value, int | float):
                yield float(node.value)
            elif isinstance(node.value, str):
                yield from map(float, re.findall(r"\d+(?:\.\d+)?", node.value))


def _numbers_by_word(rows: Iterable[Row]) -> dict[str, set[float]]:
    """The numbers in columns, by the words of the columns' names: `cancellation_hours` may hold what a rule says of
    cancellations."""
    found: dict[str, set[float]] = {}
    for row in rows:
        for column, cell in row.items():
            if isinstance(cell, int | float):
                for word in column.split("_"):
                    found.setdefault(texts.stem(word), set()).add(float(cell))
    return found


def _times_in(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        for cell in row.values():
            if isinstance(cell, str):
                yield from re.findall(r"\b\d{2}:\d{2}\b", cell.replace("T", " "))


def _minutes_between(rows: Iterable[Row]) -> Iterator[float]:
    """How long something lasts that has a time at which it starts and one at which it ends."""
    for row in rows:
        minutes = [_minutes(time) for time in _times_in([row])]
        yield from (float(abs(later - earlier)) for earlier, later in pairwise(minutes))


def _minutes_said(text: str, number: re.Match[str]) -> float | None:
    """How long `90 minutes` or `1.5 hours` are; None of a number that counts something else."""
    unit = _LASTS.match(text, number.end())
    if unit is None or ":" in number[0]:
        return None
    return float(number[0].replace(",", "")) * (60 if unit[1].lower() == "hour" else 1)


def _minutes(time: str) -> int:
    hours, _, minutes = time.partition(":")
    return int(hours) * 60 + int(minutes)


def _is_known(number: str, numbers: set[float], source: str) -> bool:
    if ":" in number:
        hour, _, minutes = number.partition(":")
        return number in source or (
            minutes == "00" and re.search(rf"(?:hours?|time)\W+{int(hour)}\b", source) is not None
        )
    said = float(number.replace(",", ""))
    return any(round(said * unit, 6) in numbers for unit in _UNITS)

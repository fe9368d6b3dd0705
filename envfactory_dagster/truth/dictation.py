"""Text that the person dictated and that is stored as they said it: a note, a name, a reason.

Belongs here: which arguments and which cells hold such text. Does not: comparing it (`runtime.answer_values`), and what
a changeset makes of it (`changesets`).

Case, a leading article and final punctuation of dictated text do not count, unless the task puts it in quotation marks.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.calls import Change
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime.answer_values import folded
from envfactory_dagster.truth.traces import Path, leaves

_FEWEST_LETTERS = 3
_QUOTED = re.compile(r"[\"“„«](.+?)[\"”“»]")
_CODE = re.compile(r"\d|^[A-Z_]+$")


def dictated_arguments(
    task: Task, calls: Sequence[TracedStep], tools: Mapping[str, ToolDefinition]
) -> Iterator[tuple[int, Path, str]]:
    """The texts of successful writes that stand in the words of the task: which call, where in it, and the text."""
    said = f" {folded(task.text)} "
    exact = {folded(quoted) for quoted in _QUOTED.findall(task.text)}
    for index, call in enumerate(calls):
        tool = tools.get(call.tool)
        if call.outcome != "ok" or tool is None or tool.annotations.readOnlyHint:
            continue
        for path, value, schema in leaves(call.arguments, tool.inputSchema):
            if isinstance(value, str) and "enum" not in schema and "pattern" not in schema and _is_words(value):
                plain = folded(value)
                if plain not in exact and re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", said):
                    yield index, path, value


def dictated_columns(
    task: Task, calls: Sequence[TracedStep], changes: Sequence[Change], tools: Mapping[str, ToolDefinition]
) -> dict[str, list[str]]:
    """Table → columns in which the run stored such a text as it was dictated."""
    texts = {value for _, _, value in dictated_arguments(task, calls, tools)}
    found: dict[str, set[str]] = {}
    for change in changes:
        for column, value in (change.after or {}).items():
            if isinstance(value, str) and value in texts and value != (change.before or {}).get(column):
                found.setdefault(change.table, set()).add(column)
    return {table: sorted(columns) for table, columns in sorted(found.items())}


def _is_words(value: Json) -> bool:
    text = str(value)
    return sum(character.isalpha() for character in text) >= _FEWEST_LETTERS and not _CODE.search(text)

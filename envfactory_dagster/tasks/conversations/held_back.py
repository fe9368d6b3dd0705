"""Values that a person can keep to themselves until they are asked: what a change needs and no tool can tell.

Belongs here: finding them in a solution, as the task writes them. Does not: leaving them out (`planning`, `variants`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.tools import ToolDefinition
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.tasks.conversations.identifiers import Internals
from envfactory_dagster.tasks.conversations.values import spellings


@dataclass(frozen=True, slots=True)
class OpenValue:
    """A value that a change needs and only the person knows."""

    call: int
    written: tuple[str, ...]
    """The ways in which the text writes it."""
    beside: tuple[str, ...]
    """The other values of the same call, as the text writes them."""


def open_values(bundle: Bundle, internals: Internals, calls: Sequence[TracedStep], text: str) -> Iterator[OpenValue]:
    """Those that the text says once, so that it can be left without saying them; also where several calls need one."""
    found = set[tuple[str, ...]]()
    reading = {tool.name for tool in bundle.tools if tool.annotations.readOnlyHint}
    open_ones = {tool.name: _open_parameters(tool) for tool in bundle.tools}
    for place, call in enumerate(calls):
        if call.tool in reading or call.outcome != "ok":
            continue
        needed = {name: value for name, value in call.arguments.items() if name in open_ones[call.tool]}
        said = internals.outside(call)
        for value in internals.outside(call.model_copy(update={"arguments": needed})):
            written = tuple(written_in(text, value))
            if written not in found and sum(times(one, text) for one in written) == 1:
                found.add(written)
                beside = [one for other in said if other != value for one in written_in(text, other)]
                yield OpenValue(place, written, tuple(beside))


def written_in(text: str, value: Json) -> list[str]:
    """How a text writes a value."""
    return [one for one in spellings(value) if times(one, text)]


def times(spelling: str, text: str) -> int:
    return len(re.findall(rf"(?<![\w.,:-]){re.escape(spelling)}(?![\w:-]|\.\d)", text, re.IGNORECASE))


def _open_parameters(tool: ToolDefinition) -> set[str]:
    """The parameters that a call needs and whose value can be anything: a choice among few is easily guessed."""
    properties = tool.inputSchema.get("properties", {})
    return {name for name in tool.inputSchema.get("required", []) if "enum" not in properties.get(name, {})}

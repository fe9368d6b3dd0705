"""The tools of an environment held against those of the source it was made from.

Belongs here: what is missing or incompatible, what is not exactly as the source has it, which share is there. Does not:
the prompts (`tool_spec`, `mirrored_tools`), or reading sources (`discovery`).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from envfactory_dagster.contracts.records import Problem
from envfactory_dagster.contracts.requests import SourcedToolSpecAnswer
from envfactory_dagster.contracts.sources import LeftOutTool, SourceDocument, SourceTool
from envfactory_dagster.contracts.tools import ToolDefinition


def problems_of(answer: SourcedToolSpecAnswer, document: SourceDocument, shown: Collection[str]) -> Iterator[Problem]:
    """Every tool of the source that was shown is there and can be called as the source says, or is left out."""
    tools = {tool.name: tool for tool in answer.tools}
    left_out = [one.name for one in answer.left_out]
    asked = {tool.name: tool for tool in document.tools if tool.name in shown}
    for name in dict.fromkeys(left_out):
        if name not in asked:
            yield _problem(f"`left_out` names {name[:80]!r}, which is no tool of the source.")
        elif name in tools or left_out.count(name) > 1:
            yield _problem(f"{name} stands in `left_out` and again elsewhere; list it once, as a tool or as left out.")
    for name, source in asked.items():
        if name in tools:
            yield from _incompatible(source, tools[name])
        elif name not in left_out:
            yield _problem(
                f"{name}, a tool of the source, is missing: specify it, or list it in `left_out` and say why."
            )


def all_left_out(answer: SourcedToolSpecAnswer, document: SourceDocument, shown: Collection[str]) -> list[LeftOutTool]:
    """Those the author left out, those it was not shown, and those that no environment can offer."""
    realized = {tool.name for tool in answer.tools}
    by_author = [LeftOutTool(**one.model_dump()) for one in answer.left_out]
    hidden = [tool.name for tool in document.tools if tool.name not in shown and tool.name not in realized]
    not_shown = [LeftOutTool(name=name, reason="not_shown") for name in hidden]
    return [*by_author, *not_shown, *document.unusable]


def share_realized(tools: Sequence[ToolDefinition], document: SourceDocument) -> float:
    """Of all tools of the source, those included that no environment can offer."""
    names = {tool.name for tool in tools}
    everything = len(document.tools) + len(document.unusable)
    return sum(tool.name in names for tool in document.tools) / everything if everything else 1.0


def required_of(source: SourceTool) -> list[str]:
    return [name for name in source.inputSchema.get("required", []) if isinstance(name, str)]


def _incompatible(source: SourceTool, tool: ToolDefinition) -> Iterator[Problem]:
    """A call with what the source requires, and nothing else, must be possible."""
    wanted, given = source.inputSchema.get("properties", {}), tool.inputSchema.get("properties", {})
    required = required_of(source)
    if missing := [name for name in required if name not in given]:
        yield _problem(f"{source.name} lacks the parameter {', '.join(missing)}, which the source requires.")
    if more := [name for name in tool.inputSchema.get("required", []) if name not in required]:
        yield _problem(f"{source.name} requires {', '.join(more)}, which the source does not; make it optional.")
    for name in required:
        if name in given and name in wanted:
            yield from _other_values(f"{source.name}: the parameter {name}", wanted[name], given[name])


def _other_values(what: str, wanted: Any, given: Any) -> Iterator[Problem]:
    expected, found = _types(wanted), _types(given)
    if expected and found and not _accepts(found, expected):
        yield _problem(
            f"{what} is of type {' or '.join(sorted(found))}; in the source {' or '.join(sorted(expected))}."
        )
    if isinstance(wanted, dict) and isinstance(given, dict) and "enum" in given:
        lost = [str(value) for value in wanted.get("enum", []) if value not in given["enum"]]
        if lost:
            yield _problem(f"{what} does not take {', '.join(lost)}, which the source does.")


def _accepts(found: set[str], expected: set[str]) -> bool:
    return expected <= found or (expected <= {"integer", "null", "number"} and "number" in found)


def _types(part: Any) -> set[str]:
    declared = part.get("type", []) if isinstance(part, dict) else []
    return {str(name) for name in (declared if isinstance(declared, list) else [declared])} - {"null"}


# -- a mirror ----------------------------------------------------------------------------------------------------------


def differences(source: SourceTool, tool: ToolDefinition) -> list[str]:
    """Where a tool of a mirror is not exactly as the source has it: names, `required`, types, enums."""
    found = [] if source.name == tool.name else [f"{tool.name} is called {source.name}"]
    found += _differences(source.inputSchema, tool.inputSchema, "inputSchema")
    if source.outputSchema is not None:
        found += _differences(source.outputSchema, tool.outputSchema, "outputSchema")
    return found


def _differences(one: Any, other: Any, place: str) -> Iterator[str]:
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        if one != other:
            yield f"{place} differs"
        return
    for word in ("type", "enum", "const", "$ref"):
        if one.get(word) != other.get(word):
            yield f"{place}.{word} is {other.get(word)!r}; in the source {one.get(word)!r}"
    if sorted(one.get("required", [])) != sorted(other.get("required", [])):
        yield f"{place}.required differs"
    for word in ("properties", "$defs"):
        first, second = one.get(word, {}), other.get(word, {})
        if first.keys() != second.keys():
            yield f"{place}.{word} differ: {', '.join(sorted(first.keys() ^ second.keys()))}"
        for name in first.keys() & second.keys():
            yield from _differences(first[name], second[name], f"{place}.{name}")
    if "items" in one or "items" in other:
        yield from _differences(one.get("items"), other.get("items"), f"{place}[]")
    for word in ("anyOf", "oneOf", "allOf"):
        for index, (first, second) in enumerate(zip(one.get(word, []), other.get(word, []), strict=False)):
            yield from _differences(first, second, f"{place}.{word}[{index}]")
        if len(one.get(word, [])) != len(other.get(word, [])):
            yield f"{place}.{word} differs"


def _problem(message: str) -> Problem:
    return Problem(fault="spec", message=message)

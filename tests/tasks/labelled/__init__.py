"""Ten environments written by hand for measuring tool graphs, with the edges that a person sees in them.

A folder holds `schema.sql`, `tools.py` and `labels.json`. The docstring of a tool says what it is for, then a line
for each parameter, then after `Gives:` the fields of its result. An edge (A, B) is labelled when somebody at work here
would take a value out of A's answer to hand it to B: an identifier, a name that stands for one, a figure that B wants
repeated. Not when the value is one that A had to be given itself, and not for what the person says anyway: dates,
amounts, texts, states.
"""

import ast
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from envfactory_dagster.contracts.tools import ToolAnnotations, ToolDefinition

HERE = Path(__file__).parent
_TYPES = {"int": "integer", "str": "string", "float": "number", "bool": "boolean"}


@dataclass(frozen=True)
class Labelled:
    name: str
    schema_sql: str
    source: str
    tools: list[ToolDefinition]
    edges: frozenset[tuple[str, str]]
    internal: frozenset[tuple[str, str]]


def names() -> list[str]:
    return sorted(path.parent.name for path in HERE.glob("*/labels.json"))


def load(name: str) -> Labelled:
    folder = HERE / name
    labels = json.loads((folder / "labels.json").read_text())
    source = (folder / "tools.py").read_text()
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"]
    return Labelled(
        name=name,
        schema_sql=(folder / "schema.sql").read_text(),
        source=source,
        tools=[_tool(function, labels["user_tools"]) for function in functions],
        edges=frozenset((source, target) for source, target in labels["edges"]),
        internal=frozenset(tuple(parameter.split(".", 1)) for parameter in labels["internal"]),
    )


def _tool(function: ast.FunctionDef, user_tools: list[str]) -> ToolDefinition:
    said = (ast.get_docstring(function) or "").splitlines()
    explained = dict(line.strip().split(": ", 1) for line in said[1:] if ": " in line)
    gives = explained.pop("Gives").split(", ")
    taken: dict[str, Any] = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    for argument, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True):
        taken["properties"][argument.arg] = _parameter(argument, explained)
        if default is None:
            taken["required"].append(argument.arg)
    given: dict[str, Any] = {"type": "object", "properties": {}}
    for path in gives:
        _put(given, path.split("."), {})
    return ToolDefinition(
        name=function.name,
        description=said[0],
        inputSchema=taken,
        outputSchema=given,
        annotations=ToolAnnotations(readOnlyHint="env.execute" not in ast.unparse(function) and not _inserts(function)),
        principal="user" if function.name in user_tools else "assistant",
    )


def _inserts(function: ast.FunctionDef) -> bool:
    return "env.insert" in ast.unparse(function)


def _parameter(argument: ast.arg, explained: dict[str, str]) -> dict[str, Any]:
    annotation = ast.unparse(argument.annotation).removesuffix(" | None") if argument.annotation else ""
    parts = {path: text for path, text in explained.items() if path.startswith(f"{argument.arg}[].")}
    if parts:
        members = {path.rsplit(".", 1)[-1]: {"description": text} for path, text in parts.items()}
        return {"type": "array", "items": {"type": "object", "properties": members, "required": list(members)}}
    schema: dict[str, Any] = {"description": explained[argument.arg]}
    if annotation.startswith("list["):
        return schema | {"type": "array", "items": {"type": _TYPES[annotation[5:-1]]}}
    return schema | {"type": _TYPES[annotation]}


def _put(schema: dict[str, Any], path: list[str], leaf: dict[str, Any]) -> None:
    name, rest = path[0], path[1:]
    if not rest:
        schema["properties"][name.removesuffix("[]")] = leaf
        return
    inner = schema["properties"].setdefault(
        name.removesuffix("[]"), {"type": "array", "items": {"type": "object", "properties": {}}}
    )
    _put(inner["items"], rest, leaf)

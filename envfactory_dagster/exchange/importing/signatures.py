"""The schema of a published function's arguments, going by its text.

Belongs here: annotations, defaults and the `Args:` part of docstrings. Does not: schemas that were published as such.
"""

import ast
import re
from typing import Any

from envfactory_dagster.exchange.importing.effects import Function

_TYPES = {
    "str": "string", "int": "integer", "float": "number", "bool": "boolean", "dict": "object", "Dict": "object",
    "list": "array", "List": "array", "tuple": "array", "Tuple": "array", "set": "array", "Sequence": "array",
}  # fmt: skip
_ARGUMENT = re.compile(r"^\s*\*{0,2}(\w+)\s*+(?:\([^)]*\)\s*+)?:\s*(.+)$")
_SECTION = re.compile(r"^\s*(\w[\w ]*+):\s*$")


def summary(function: Function) -> str:
    """What its docstring says before it comes to arguments and results."""
    lines = []
    for line in (ast.get_docstring(function) or "").splitlines():
        if _SECTION.match(line):
            break
        lines.append(line)
    return "\n".join(lines).strip()


def arguments_schema(function: Function) -> dict[str, Any]:
    told = _told(ast.get_docstring(function) or "")
    given = function.args
    places = [one for one in (*given.posonlyargs, *given.args) if one.arg not in ("self", "cls")]
    optional = {one.arg for one in places[len(places) - len(given.defaults) :]} if given.defaults else set()
    optional |= {
        one.arg for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True) if default is not None
    }
    properties = {}
    for one in (*places, *given.kwonlyargs):
        schema = _schema(one.annotation)
        properties[one.arg] = schema | ({"description": told[one.arg]} if one.arg in told else {})
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required}


def _told(docstring: str) -> dict[str, str]:
    found: dict[str, str] = {}
    inside, last = False, ""
    for line in docstring.splitlines():
        section = _SECTION.match(line)
        if section is not None:
            inside, last = section[1].lower() in ("args", "arguments", "parameters"), ""
        elif inside and (argument := _ARGUMENT.match(line)) is not None:
            last = argument[1]
            found[last] = argument[2].strip()
        elif inside and last and line.strip():
            found[last] += f" {line.strip()}"
    return found


def _schema(annotation: ast.expr | None) -> dict[str, Any]:
    """The schema of an annotation. One that cannot be read allows any value, and the published code checks it."""
    if isinstance(annotation, ast.Constant) and annotation.value is None:
        return {"type": "null"}
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return _either([annotation.left, annotation.right])
    if isinstance(annotation, ast.Name | ast.Attribute):
        kind = _TYPES.get(_name(annotation))
        return {"type": kind} if kind else {}
    if not isinstance(annotation, ast.Subscript):
        return {}
    inner = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
    name = _name(annotation.value)
    if name == "Optional":
        return _either([inner[0], ast.Constant(None)])
    if name == "Union":
        return _either(inner)
    if name == "Literal":
        values = [one.value for one in inner if isinstance(one, ast.Constant)]
        return {"enum": values} if len(values) == len(inner) else {}
    if name == "Annotated":
        return _schema(inner[0])
    kind = _TYPES.get(name)
    if kind == "array":
        items = _schema(inner[0])
        return {"type": "array"} | ({"items": items} if items else {})
    return {"type": kind} if kind else {}


def _either(parts: list[ast.expr]) -> dict[str, Any]:
    schemas = [_schema(part) for part in parts]
    return {"anyOf": schemas} if all(schemas) else {}


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""

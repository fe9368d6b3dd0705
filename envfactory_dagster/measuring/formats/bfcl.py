"""BFCL's functions and calls, and those of the OpenAI API.

Belongs here: both ways. Does not: what is done with them (`measuring.bfcl`).

A function has JSON Schema with types of its own; a call is a piece of Python. The OpenAI form is the one that BFCL's
own handler for such endpoints makes, because a model's score depends on what it is shown.
"""

import ast
import keyword
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from envfactory_dagster.contracts.text_bounds import TextRefused, python_expression

TYPES = {
    "integer": "integer", "number": "number", "float": "number", "string": "string", "boolean": "boolean",
    "bool": "boolean", "array": "array", "list": "array", "dict": "object", "object": "object", "tuple": "array",
    "any": "string", "byte": "integer", "short": "integer", "long": "integer", "double": "number", "char": "string",
    "ArrayList": "array", "Array": "array", "HashMap": "object", "Hashtable": "object", "Queue": "array",
    "Stack": "array", "Any": "string", "String": "string", "Bigint": "integer",
}  # fmt: skip
"""Theirs → JSON Schema's. What is not listed is shown as a string."""
_IS_A_FLOAT = " This is a float type value."


def to_openai(function: Mapping[str, Any]) -> dict[str, Any]:
    """The function as a tool. Dots in its name become underscores."""
    found = deepcopy(dict(function))
    found["name"] = found["name"].replace(".", "_")
    parameters = found["parameters"]
    found["parameters"] = {**parameters, "type": "object", "properties": _to_properties(parameters["properties"])}
    return {"type": "function", "function": found}


def from_openai(tool: Mapping[str, Any]) -> dict[str, Any]:
    """The tool as a function. Types that the OpenAI form has only one of come back as the commonest of theirs."""
    found = deepcopy(dict(tool["function"]))
    parameters = found["parameters"]
    found["parameters"] = {**parameters, "type": "dict", "properties": _from_properties(parameters["properties"])}
    return found


def _to_properties(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _to_schema(schema) for name, schema in properties.items()}


def _to_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    found, kind = dict(schema), schema.get("type", "string")
    if kind == "float":
        found |= {"format": "float", "description": found.get("description", "") + _IS_A_FLOAT}
    found["type"] = TYPES.get(kind, "string")
    if found["type"] in ("array", "object"):
        if "properties" in found:
            found["properties"] = _to_properties(found["properties"])
        elif "items" in found:
            found["items"] = _to_items(found["items"])
    return found


def _to_items(items: Mapping[str, Any]) -> dict[str, Any]:
    """Of what is inside a list only types are translated, and of what is inside a list of lists."""
    found = {**items, "type": TYPES.get(items["type"], "string")}
    if found["type"] == "array" and "items" in found:
        found["items"] = {**found["items"], "type": TYPES.get(found["items"]["type"], "string")}
    elif found["type"] == "object" and "properties" in found:
        found["properties"] = _to_properties(found["properties"])
    return found


def _from_properties(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _from_schema(schema) for name, schema in properties.items()}


def _from_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(schema)
    if found.get("format") == "float" and str(found.get("description", "")).endswith(_IS_A_FLOAT):
        del found["format"]
        found |= {"type": "float", "description": found["description"].removesuffix(_IS_A_FLOAT)}
    elif found["type"] == "object":
        found["type"] = "dict"
    if "properties" in found:
        found["properties"] = _from_properties(found["properties"])
    elif "items" in found:
        found["items"] = _from_items(found["items"])
    return found


def _from_items(items: Mapping[str, Any]) -> dict[str, Any]:
    found = {**items, "type": "dict" if items["type"] == "object" else items["type"]}
    if "items" in found:
        inner = found["items"]
        found["items"] = {**inner, "type": "dict" if inner["type"] == "object" else inner["type"]}
    elif "properties" in found:
        found["properties"] = _from_properties(found["properties"])
    return found


def call_string(name: str, arguments: Mapping[str, Any]) -> str:
    """The call as a piece of Python. Raises ValueError where a name is none."""
    for one in (name, *arguments):
        if not one.isidentifier() or keyword.iskeyword(one):
            raise ValueError(f"{one!r} is no name")
    return f"{name}({','.join(f'{key}={value!r}' for key, value in arguments.items())})"


def read_call(text: str, parameters: Sequence[str] = ()) -> tuple[str, dict[str, Any]]:
    """Its name and arguments. `parameters`: in their order, for arguments that are not named. Raises ValueError where
    it is no call with literal arguments."""
    try:
        found = python_expression(text.strip())
        if not isinstance(found, ast.Call):
            raise ValueError("it calls nothing")
        given = [*zip(parameters, found.args, strict=False), *((one.arg, one.value) for one in found.keywords)]
        if any(name is None for name, _ in given) or len(given) < len(found.args) + len(found.keywords):
            raise ValueError("an argument has no name")
        return ast.unparse(found.func), {str(name): ast.literal_eval(value) for name, value in given}
    except (TextRefused, TypeError, ValueError) as error:
        raise ValueError(f"{text!r} is no call: {error}") from error

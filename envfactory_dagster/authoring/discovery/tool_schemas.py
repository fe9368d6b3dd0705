"""The schemas of somebody else's tools, brought into the part of JSON Schema that calls are checked with.

Belongs here: what is kept, what is loosened and said, what cannot be kept. A schema that fits as it is stays word for
word. Does not: where schemas come from (`tool_formats`), or checking values (`runtime.json_schema`).
"""

import keyword
from collections.abc import Mapping
from typing import Any

from envfactory_dagster.contracts.parameter_names import parameter_name, property_name
from envfactory_dagster.contracts.sources import LeftOut
from envfactory_dagster.runtime.json_schema import SchemaError, compile_schema

MOST_PARTS = 600
LONGEST_NAME = 64
"""The most that chat endpoints take for the name of a function."""

_TYPES = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_KEPT = frozenset({"title", "description", "default", "examples", "$comment", "deprecated"})
_LIMITS = frozenset(
    {
        "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
        "minItems", "maxItems", "uniqueItems", "pattern", "format",
    }
)  # fmt: skip
_CHOICES = ("anyOf", "oneOf")
_SAYS_NOTHING = frozenset(
    {
        "$schema", "$id", "id", "$anchor", "$defs", "definitions", "components", "example", "readOnly", "writeOnly",
        "xml", "externalDocs", "discriminator", "contentEncoding", "contentMediaType", "nullable", "collectionFormat",
        "allowEmptyValue", "style", "explode",
    }
)  # fmt: skip
"""Keywords by which no value is refused; some of them are read elsewhere."""


class Unusable(Exception):
    """Why a tool cannot be offered as it is: the reason, and a sentence that says where."""

    def __init__(self, reason: LeftOut, detail: str) -> None:
        super().__init__(detail)
        self.reason: LeftOut = reason
        self.detail = detail


def check_name(name: str) -> None:
    """Raises Unusable when no function can be called so."""
    _check(name, "a function", not keyword.iskeyword(name))


def check_parameter(name: str) -> None:
    """Raises Unusable when no function can have such a parameter."""
    _check(name, "a parameter", property_name(parameter_name(name)) == name)


def _check(name: str, what: str, is_free: bool) -> None:
    if not name.isascii() or not name.isidentifier() or name.startswith("_") or not is_free:
        raise Unusable("name", f"{name[:80]!r} cannot be the name of {what}")
    if len(name) > LONGEST_NAME:
        raise Unusable("name", f"{name[:80]!r} has {len(name)} characters; {LONGEST_NAME} is the most")


def object_schema(schema: Any, root: Any, label: str, notes: list[str]) -> dict[str, Any]:
    """The schema of an object that calls can be checked with; what had to be loosened is added to `notes`.

    It takes no fields but its own: a misspelled argument is refused and not ignored.
    """
    if not isinstance(schema, dict):
        raise Unusable("schema", f"{label} is no JSON Schema of an object")
    as_it_is = {"type": "object", **schema}
    usable = as_it_is if _fits(as_it_is) and not _says_true_or_false(as_it_is) else None
    if usable is None or {"$ref", "allOf"} & usable.keys():
        usable = {"type": "object", **_Reader(root, notes).read(schema, label, ())}
    if usable["type"] != "object":
        raise Unusable("schema", f"{label} is of the type {usable['type']!r}; arguments and results are objects")
    if any(isinstance(part, dict) and "properties" in part for word in _CHOICES for part in usable.get(word, [])):
        raise Unusable("schema", f"{label} is a choice between objects; one with all fields could be offered")
    if isinstance(usable.get("additionalProperties"), dict):
        notes.append(f"{label}.additionalProperties")
    usable["additionalProperties"] = False
    if unknown := [name for name in usable.get("required", []) if name not in usable.get("properties", {})]:
        raise Unusable("schema", f"{label} requires {unknown[0][:80]!r}, which is none of its properties")
    try:
        compile_schema(usable, label)
    except SchemaError as error:
        raise Unusable("schema", str(error)) from error
    return usable


def _fits(schema: Mapping[str, Any]) -> bool:
    try:
        compile_schema(schema)
    except SchemaError:
        return False
    return True


def _says_true_or_false(schema: Any) -> bool:
    """Whether any part of it is `true` or `false`, which stand for "anything" and "nothing"."""
    if not isinstance(schema, dict):
        return isinstance(schema, bool)
    parts = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
    parts += [schema["items"]] if "items" in schema else []
    parts += [part for word in ("anyOf", "oneOf", "allOf") for part in schema.get(word, [])]
    return any(_says_true_or_false(part) for part in parts)


class _Reader:
    def __init__(self, root: Any, notes: list[str]) -> None:
        self._root = root
        self._notes = notes
        self._parts = 0

    def read(self, schema: Any, place: str, chain: tuple[str, ...]) -> dict[str, Any]:
        """With every reference replaced by what it refers to."""
        self._parts += 1
        if self._parts > MOST_PARTS:
            raise Unusable("schema", f"{place}: the schema has more than {MOST_PARTS} parts")
        if isinstance(schema, bool):
            return {} if schema else {"enum": []}
        if not isinstance(schema, dict):
            raise Unusable("schema", f"{place} is no schema")
        if isinstance(reference := schema.get("$ref"), str):
            return self._referred(schema, reference, place, chain)
        found = {word: schema[word] for word in _KEPT & schema.keys()}
        found |= self._type_and_values(schema, place)
        found |= self._limits(schema, place)
        self._inside(found, schema, place, chain)
        self._choices(found, schema, place, chain)
        known = _KEPT | _LIMITS | _SAYS_NOTHING | {"type", "enum", "const", "properties", "required", "items"}
        known |= {"additionalProperties", "anyOf", "oneOf", "allOf"}
        self._notes += [f"{place}.{word}" for word in schema if word not in known and not str(word).startswith("x-")]
        return found

    def _referred(
        self, schema: Mapping[str, Any], reference: str, place: str, chain: tuple[str, ...]
    ) -> dict[str, Any]:
        if reference in chain:
            raise Unusable("recursive_schema", f"{place} leads back to itself through {reference}")
        target = pointed_at(self._root, reference)
        if target is None:
            raise Unusable("schema", f"{place} refers to {reference[:120]}, which is not in the document")
        return self.read(target, place, (*chain, reference)) | {w: schema[w] for w in _KEPT & schema.keys()}

    def _type_and_values(self, schema: Mapping[str, Any], place: str) -> dict[str, Any]:
        declared = schema.get("type")
        names = declared if isinstance(declared, list) else [declared] if declared is not None else []
        if unknown := [name for name in names if not isinstance(name, str) or name not in _TYPES]:
            raise Unusable("schema", f"{place}: there is no type {str(unknown[0])[:40]!r}")
        nullable = schema.get("nullable") is True and bool(names) and "null" not in names
        found: dict[str, Any] = {}
        if names:
            found["type"] = [*names, "null"] if nullable else declared
        if "const" in schema:
            self._keep_scalars(found, "const", schema["const"], [schema["const"]], place)
        if isinstance(values := schema.get("enum"), list):
            values = [*values, None] if nullable and None not in values else values
            self._keep_scalars(found, "enum", values, values, place)
        return found

    def _keep_scalars(self, found: dict[str, Any], word: str, kept: Any, values: list[Any], place: str) -> None:
        if any(isinstance(value, dict | list) for value in values):
            self._notes.append(f"{place}.{word}")
        else:
            found[word] = kept

    def _limits(self, schema: Mapping[str, Any], place: str) -> dict[str, Any]:
        found = {}
        for word in sorted(_LIMITS & schema.keys()):
            value = schema[word]
            if word.startswith("exclusive") and isinstance(value, bool):  # as in JSON Schema of 2013 and OpenAPI 3.0
                plain = word.removeprefix("exclusive").lower()
                if value and plain in schema:
                    found[word] = schema[plain]
                    found.pop(plain, None)
            elif _fits({word: value}):
                found[word] = value
            elif word != "format":  # a format that nobody knows refuses nothing
                self._notes.append(f"{place}.{word}")
        for bound in ("minimum", "maximum"):
            if schema.get(f"exclusive{bound.capitalize()}") is True:
                found.pop(bound, None)
        return found

    def _inside(self, found: dict[str, Any], schema: Mapping[str, Any], place: str, chain: tuple[str, ...]) -> None:
        if isinstance(properties := schema.get("properties"), dict):
            found["properties"] = {
                str(name): self.read(part, f"{place}.{name}", chain) for name, part in properties.items()
            }
        if isinstance(required := schema.get("required"), list):
            found["required"] = list(dict.fromkeys(map(str, required)))
        if "additionalProperties" in schema:
            extra = schema["additionalProperties"]
            found["additionalProperties"] = (
                extra if isinstance(extra, bool) else self.read(extra, f"{place}.additionalProperties", chain)
            )
        if isinstance(items := schema.get("items"), dict | bool):
            found["items"] = self.read(items, f"{place}[]", chain)
        elif items is not None:
            self._notes.append(f"{place}.items")

    def _choices(self, found: dict[str, Any], schema: Mapping[str, Any], place: str, chain: tuple[str, ...]) -> None:
        for word in ("anyOf", "oneOf", "allOf"):
            parts = schema.get(word)
            if not isinstance(parts, list) or not parts:
                continue
            read = [self.read(part, f"{place}.{word}", chain) for part in parts]
            if word == "allOf" and all(part.get("type", "object") == "object" for part in read):
                _merge(found, read)
            else:
                found[word] = read


def _merge(found: dict[str, Any], parts: list[dict[str, Any]]) -> None:
    """One object out of several that a value has to be at once."""
    for part in parts:
        properties = {**found.get("properties", {}), **part.get("properties", {})}
        required = list(dict.fromkeys([*found.get("required", []), *part.get("required", [])]))
        rest = {word: value for word, value in part.items() if word not in ("properties", "required")}
        found |= {word: value for word, value in rest.items() if word not in found}
        if properties:
            found["properties"] = properties
        if required:
            found["required"] = required


def pointed_at(document: Any, reference: str) -> Any:
    """What a reference within the document points at; None when it leads out of it or to nothing."""
    value = document
    if reference == "#":
        return document
    for step in reference.removeprefix("#/").split("/") if reference.startswith("#/") else [reference]:
        value = value.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(value, dict) else None
    return value

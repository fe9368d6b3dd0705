"""Formats of tool definitions: MCP servers, OpenAPI documents (a tool for each operation), lists of functions.

Belongs here: names, parameters, bodies and responses. Does not: schemas (`tool_schemas`), opening files
(`source_folders`), running servers (`mirroring`).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from envfactory_dagster.authoring.discovery.tool_schemas import (
    Unusable,
    check_name,
    check_parameter,
    object_schema,
    pointed_at,
)
from envfactory_dagster.contracts.sources import LeftOutTool, SourceDocument, SourceTool

METHODS = ("get", "put", "post", "delete", "patch", "options", "head", "trace")
LONGEST_TEXT = 4_000
_SCHEMA_KEYS = ("inputSchema", "input_schema", "parameters", "arguments")
_WORDS_OF_AN_OBJECT = {
    "type",
    "properties",
    "required",
    "additionalProperties",
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
    "$schema",
}
_READING = frozenset({"get", "head", "options", "trace"})
_JSON = re.compile(r"application/(?:json|[\w.+-]+\+json)\b|\*/\*", re.IGNORECASE)


def mcp_document(server: Mapping[str, Any], title: str, reference: str) -> SourceDocument:
    """A server as `tools/list` tells of it."""
    tools, unusable = tools_of(server.get("tools") or [])
    described = _text(server.get("description") or server.get("instructions"))
    return SourceDocument(
        kind="mcp_spec", reference=reference, title=title, description=described, tools=tools, unusable=unusable
    )


def tools_of(given: Sequence[Any]) -> tuple[list[SourceTool], list[LeftOutTool]]:
    """Tool definitions as MCP, OpenAI and tool-use datasets write them; and those that nothing can be called by."""
    return _sorted((partial(_tool, tool), str(tool.get("name", "?"))) for tool in map(_unwrapped, given))


def _unwrapped(tool: Any) -> dict[str, Any]:
    if not isinstance(tool, dict):
        return {}
    inner = tool.get("function")
    return inner if isinstance(inner, dict) else tool


def _tool(given: Mapping[str, Any]) -> SourceTool:
    notes: list[str] = []
    name = given.get("name")
    if not isinstance(name, str) or not name.strip():
        raise Unusable("name", "it has no name")
    schema = next((given[key] for key in _SCHEMA_KEYS if given.get(key) is not None), {"type": "object"})
    if isinstance(schema, dict) and schema and not _WORDS_OF_AN_OBJECT & schema.keys():
        schema = {"type": "object", "properties": schema}  # parameters by name and nothing around them
    if isinstance(schema, dict) and schema.get("type") == "dict":
        schema = {**schema, "type": "object"}
    annotations = given.get("annotations")
    return SourceTool(
        name=name,
        description=_text(given.get("description")),
        inputSchema=_arguments(schema, schema, notes),
        outputSchema=_result(given.get("outputSchema"), given.get("outputSchema"), notes),
        annotations=annotations if isinstance(annotations, dict) else {},
        loosened=notes,
    )


def api_document(document: Mapping[str, Any], title: str, reference: str) -> SourceDocument:
    """An API: a tool for every operation, called by its `operationId`."""
    info = document.get("info")
    about: Mapping[str, Any] = info if isinstance(info, dict) else {}
    tools, unusable = _sorted(
        (partial(_operation, document, path, method, item), _operation_name(path, method, item[method]))
        for path, item in _paths(document)
        for method in METHODS
        if isinstance(item.get(method), dict)
    )
    return SourceDocument(
        kind="tool_docs",
        reference=reference,
        title=str(about.get("title") or title),
        description=_text(about.get("description")),
        tools=tools,
        unusable=unusable,
        things=_things(document),
    )


def _paths(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path, item in document["paths"].items():
        found = _resolved(document, item)
        if isinstance(found, dict):
            yield str(path), found


def _operation_name(path: str, method: str, operation: Mapping[str, Any]) -> str:
    """Its `operationId`; of one that has none, its method and path in words."""
    given = operation.get("operationId")
    return str(given) if given else "_".join([method, *re.findall(r"[a-z0-9]+", path.lower())])


def _operation(document: Mapping[str, Any], path: str, method: str, item: Mapping[str, Any]) -> SourceTool:
    operation: Mapping[str, Any] = item[method]
    notes: list[str] = []
    schema: dict[str, Any] = {"type": "object", "properties": {}, "required": []}
    bodies = list(_parameters(document, item, operation, schema, notes))
    bodies += _request_body(document, operation)
    for body, required in bodies:
        _add_body(document, schema, body, required)
    said = [_text(operation.get(key)) for key in ("summary", "description")]
    return SourceTool(
        name=_operation_name(path, method, operation),
        description="\n".join(dict.fromkeys(text for text in said if text)),
        inputSchema=_arguments(schema, document, notes),
        outputSchema=_result(_response(document, operation), document, notes),
        annotations={"readOnlyHint": True} if method in _READING else {},
        operation=f"{method.upper()} {path}",
        loosened=notes,
    )


def _parameters(
    document: Mapping[str, Any],
    item: Mapping[str, Any],
    operation: Mapping[str, Any],
    schema: dict[str, Any],
    notes: list[str],
) -> Iterator[tuple[Any, bool]]:
    """Adds the parameters of path and query; yields a body that is written among them, as Swagger 2 has it."""
    found = {}
    for given in (item.get("parameters") or [], operation.get("parameters") or []):
        if not isinstance(given, list):
            raise Unusable("schema", "its parameters are no list")
        for parameter in (_resolved(document, one) for one in given):
            if isinstance(parameter, dict) and parameter.get("name"):
                found[str(parameter["name"]), str(parameter.get("in"))] = parameter
    for (name, place), parameter in found.items():
        required = parameter.get("required") is True
        if place == "body":
            yield parameter.get("schema"), required
        elif place in ("header", "cookie"):
            notes.append(f"{place} parameter {name}")  # of the transport: who is calling, and how
        elif name in schema["properties"] or (place != "path" and (name, "path") in found):
            notes.append(f"{place} parameter {name}")  # a tool has one parameter of a name; that of the path counts
        else:
            schema["properties"][name] = _parameter_schema(parameter)
            schema["required"] += [name] * required


def _parameter_schema(parameter: Mapping[str, Any]) -> dict[str, Any]:
    content = parameter.get("content")
    inner = parameter.get("schema")
    if isinstance(content, dict):
        inner = next((one.get("schema") for one in content.values() if isinstance(one, dict)), None)
    if not isinstance(inner, dict):
        inner = {word: value for word, value in parameter.items() if word not in ("name", "in", "required", "schema")}
    described = {"description": _text(parameter.get("description"))} if parameter.get("description") else {}
    return {**inner, **described}


def _request_body(document: Mapping[str, Any], operation: Mapping[str, Any]) -> list[tuple[Any, bool]]:
    body = _resolved(document, operation.get("requestBody"))
    if not isinstance(body, dict):
        return []
    schema = _content_schema(body.get("content"), any_kind=True)
    return [] if schema is None else [(schema, body.get("required") is True)]


def _add_body(document: Mapping[str, Any], schema: dict[str, Any], body: Any, required: bool) -> None:
    """The fields of an object become parameters of the tool; anything else is the parameter `body`."""
    fields = _resolved(document, body)
    plain = isinstance(fields, dict) and isinstance(fields.get("properties"), dict) and "allOf" not in fields
    if plain and not schema["properties"].keys() & fields["properties"].keys():
        names = fields.get("required") or []
        if not isinstance(names, list):
            raise Unusable("schema", "`required` of its body is no list of names")
        schema["properties"] |= fields["properties"]
        schema["required"] += [name for name in names if required or _is_all(schema, fields)]
    else:
        schema["properties"]["body"] = body
        schema["required"] += ["body"] * required


def _is_all(schema: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    """Whether a call consists of the body alone: without its required fields there is nothing to call for."""
    return len(schema["properties"]) == len(fields["properties"])


def _response(document: Mapping[str, Any], operation: Mapping[str, Any]) -> Any:
    """The schema of what the operation answers when it succeeds."""
    responses = operation.get("responses")
    if not isinstance(responses, dict):
        return None
    by_code = {str(code).upper(): response for code, response in responses.items()}
    good = [code for code in sorted(by_code) if code.startswith("2")] + ["DEFAULT"] * ("DEFAULT" in by_code)
    for code in good:
        response = _resolved(document, by_code[code])
        if isinstance(response, dict):
            schema = response.get("schema") or _content_schema(response.get("content"))
            if isinstance(schema, dict):
                return schema
    return None


def _content_schema(content: Any, *, any_kind: bool = False) -> Any:
    if not isinstance(content, dict):
        return None
    kinds = sorted(content, key=lambda kind: _JSON.match(str(kind)) is None)
    for kind in kinds:
        if (any_kind or _JSON.match(str(kind))) and isinstance(content[kind], dict):
            return content[kind].get("schema")
    return None


def _arguments(schema: Any, root: Any, notes: list[str]) -> dict[str, Any]:
    usable = object_schema(schema, root, "inputSchema", notes)
    for name in usable.get("properties", {}):
        check_parameter(name)
    return usable


def _result(schema: Any, root: Any, notes: list[str]) -> dict[str, Any] | None:
    """What the tool answers. A list or a single value becomes the field `result`, since results are objects."""
    if schema is None:
        return None
    found = _resolved(root, schema)
    if isinstance(found, dict) and found.get("type", "object") != "object":
        schema = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
    try:
        result = object_schema(schema, root, "outputSchema", notes)
    except Unusable as problem:
        notes.append(f"the whole outputSchema: {problem.detail}")
        return None
    return result if result.get("properties") else None


def _sorted(given: Iterable[tuple[Callable[[], SourceTool], str]]) -> tuple[list[SourceTool], list[LeftOutTool]]:
    """The tools that can be called, and the others with the reason. No name twice."""
    tools: dict[str, SourceTool] = {}
    unusable: list[LeftOutTool] = []
    for make, called in given:
        try:
            tool = make()
            check_name(tool.name)
            if tool.name in tools:
                raise Unusable("repeated_name", "another tool of the source has the same name")
            tools[tool.name] = tool
        except Unusable as problem:
            unusable.append(LeftOutTool(name=called[:200] or "?", reason=problem.reason, detail=problem.detail[:500]))
    return list(tools.values()), unusable


def _things(document: Mapping[str, Any]) -> dict[str, Any]:
    components = document.get("components")
    schemas = components.get("schemas") if isinstance(components, dict) else document.get("definitions")
    return {str(name): schema for name, schema in schemas.items()} if isinstance(schemas, dict) else {}


def _resolved(document: Any, value: Any) -> Any:
    """What a chain of references ends at; None when it leads nowhere."""
    for _ in range(20):
        if not (isinstance(value, dict) and isinstance(value.get("$ref"), str)):
            return value
        value = pointed_at(document, value["$ref"])
    return None


def _text(value: Any) -> str:
    return value.strip()[:LONGEST_TEXT] if isinstance(value, str) else ""

"""What a source file says: each of its entries as a short text a model can be shown.

Belongs here: the five formats, and the few hundred words that are kept of an entry. Does not: opening files
(`folders`), or what is proposed from an entry (`proposals`).
"""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from envfactory_dagster.authoring.discovery.folders import Kind, Unreadable, parse_json, parse_yaml

EXCERPT_CHARS = 2_400
ENTRIES_PER_FILE = 5_000
LINE_CHARS = 240
THINGS_SHOWN = 60

Found = tuple[str, str | Unreadable]
"""What an entry is called within its file ("" when it is the file), and its text or what is wrong with it."""

METHODS = ("get", "put", "post", "delete", "patch", "options", "head", "trace")
TASK_KEYS = ("task", "instruction", "query", "question", "prompt", "request", "text")
PLACE_KEYS = ("environment", "domain", "app", "service", "category", "tools", "apis")


def entries_of(kind: Kind, name: str, text: str) -> Iterator[Found]:
    """The entries of a file, at most so many. Raises Unreadable when the file as a whole makes no sense."""
    for number, found in enumerate(_READERS[kind](name, text)):
        if number == ENTRIES_PER_FILE:
            yield "rest", Unreadable(f"has more than {ENTRIES_PER_FILE} entries; the rest is not read, so split it")
            return
        yield found


def _names(name: str, text: str) -> Iterator[Found]:
    """One world a line: its name, and after a comma its category."""
    rows = csv.reader(io.StringIO(text), skipinitialspace=True)
    try:
        for row in rows:
            cells = [cell.strip() for cell in row]
            if not any(cells) or cells[0].startswith("#") or [c.lower() for c in cells[:2]] == ["name", "category"]:
                continue
            category = f"\ncategory: {cells[1]}" if len(cells) > 1 and cells[1] else ""
            yield f"line {rows.line_num}", _bounded(f"name: {cells[0]}{category}")
    except csv.Error as error:
        yield f"line {rows.line_num}", Unreadable(f"cannot be read as CSV from here on: {error}")


def _mcp_servers(name: str, text: str) -> Iterator[Found]:
    """One server, or a list of them: a name and tools with JSON Schemas."""
    document = parse_json(text)
    if isinstance(document, list):
        for number, server in enumerate(document, 1):
            try:
                yield f"server {number}", _mcp_server(server, f"server {number}")
            except Unreadable as problem:
                yield f"server {number}", problem
    else:
        yield "", _mcp_server(document, PurePosixPath(name).stem)


def _mcp_server(server: Any, fallback: str) -> str:
    tools = server.get("tools") if isinstance(server, dict) else None
    described = [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    if not described:
        raise Unreadable("is no MCP server specification: it has no list of tools")
    info = server.get("serverInfo")
    name = server.get("name") or (info.get("name") if isinstance(info, dict) else None) or fallback
    lines = [f"name: {name}", _line(server.get("description") or server.get("instructions"))]
    for tool in described:
        schema = next((tool[key] for key in ("inputSchema", "input_schema", "parameters") if key in tool), None)
        properties = schema.get("properties") if isinstance(schema, dict) else None
        wants = ", ".join(map(str, properties)) if isinstance(properties, dict) else ""
        lines.append(f"- {tool.get('name', '?')}({wants}): {_line(tool.get('description'))}")
    return _bounded("\n".join(line for line in lines if line))


def _api(name: str, text: str) -> Iterator[Found]:
    """An OpenAPI or Swagger document: its title, its paths with their operations, the things it knows."""
    document = parse_json(text) if name.endswith(".json") else parse_yaml(text)
    paths = document.get("paths") if isinstance(document, dict) else None
    if not isinstance(paths, dict) or not paths:
        raise Unreadable("is no OpenAPI document: it has no paths")
    info = document.get("info")
    about: Mapping[str, Any] = info if isinstance(info, dict) else {}
    lines = [f"title: {about.get('title') or PurePosixPath(name).stem}", _line(about.get("description"))]
    for path, item in paths.items():
        lines += _operations(str(path), resolved(document, item))
    lines.append(f"things: {', '.join(_things(document))}")
    yield "", _bounded("\n".join(line for line in lines if line))


def _operations(path: str, item: Any) -> Iterator[str]:
    if not isinstance(item, dict):
        return
    for method in METHODS:
        operation = item.get(method)
        if isinstance(operation, dict):
            said = operation.get("summary") or operation.get("description") or operation.get("operationId")
            yield f"- {method.upper()} {path}: {_line(said)}"


def _things(document: Mapping[str, Any]) -> list[str]:
    """Names of the schemas. What they hold is not followed, so schemas that refer to each other do no harm; one that
    is only a name for another, and that for the first again, means nothing."""
    components = document.get("components")
    schemas = components.get("schemas") if isinstance(components, dict) else document.get("definitions")
    if not isinstance(schemas, dict):
        return []
    for schema in schemas.values():
        resolved(document, schema)
    return [str(name) for name in schemas][:THINGS_SHOWN]


def resolved(document: Any, value: Any) -> Any:
    """What a chain of `$ref`s within the document ends at; None when it leads out of it."""
    seen: list[str] = []
    while isinstance(value, dict) and isinstance(reference := value.get("$ref"), str):
        if reference in seen:
            raise Unreadable(f"has references that go in a circle and end nowhere: {' → '.join([*seen, reference])}")
        seen.append(reference)
        value = _pointed_at(document, reference)
    return value


def _pointed_at(document: Any, reference: str) -> Any:
    value = document
    for step in reference.removeprefix("#/").split("/") if reference.startswith("#/") else [reference]:
        value = value.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(value, dict) else None
    return value


def _requirements(name: str, text: str) -> Iterator[Found]:
    """A product requirement document: its title, then every section as far as there is room."""
    heading = re.search(r"^#{1,6}\s+(.+)$", text, re.MULTILINE)
    title = heading[1] if heading else PurePosixPath(name).stem
    body = text.replace(heading[0], "", 1) if heading else text
    prose = [line.strip() for line in body.splitlines() if line.strip() and not set(line.strip()) <= set("-=*_|: ")]
    if not prose:
        raise Unreadable("has a title and nothing else")
    yield "", _bounded(f"title: {title.strip()}\n" + "\n".join(prose))


def _tasks(name: str, text: str) -> Iterator[Found]:
    """One task a line, as JSON: its text, and whatever says where it belongs."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield f"line {number}", _task(parse_json(line, f"line {number} "), f"line {number}")
            except Unreadable as problem:
                yield f"line {number}", problem


def _task(task: Any, where: str) -> str:
    known = task if isinstance(task, dict) else {"task": task}
    said = next((known[key] for key in TASK_KEYS if isinstance(known.get(key), str) and known[key].strip()), None)
    if said is None:
        raise Unreadable(f"{where} holds no task: it needs a text under one of {', '.join(TASK_KEYS)}")
    lines = [f"task: {_line(said, EXCERPT_CHARS // 2)}"]
    lines += [f"{key}: {_line(_words(known[key]))}" for key in PLACE_KEYS if known.get(key)]
    return _bounded("\n".join(lines))


def _words(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    names = [item.get("name") if isinstance(item, dict) else item for item in value[:THINGS_SHOWN]]
    return ", ".join(str(name) for name in names)


def _line(value: Any, most: int = LINE_CHARS) -> str:
    """A text on one line, cut at a word."""
    words = " ".join(value[: 4 * most].split()) if isinstance(value, str) else ""
    return words if len(words) <= most else words[:most].rsplit(" ", 1)[0] + " …"


def _bounded(text: str) -> str:
    return text if len(text) <= EXCERPT_CHARS else text[:EXCERPT_CHARS].rsplit("\n", 1)[0] + "\n…"


_READERS: dict[Kind, Callable[[str, str], Iterator[Found]]] = {
    "name_seed": _names,
    "mcp_spec": _mcp_servers,
    "tool_docs": _api,
    "prd": _requirements,
    "task_set": _tasks,
}

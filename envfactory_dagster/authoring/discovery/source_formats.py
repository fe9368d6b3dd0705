"""The formats of source files: a function for each kind of source that yields the entries of a file.

Belongs here: `READERS`, and the short text of an entry that a model proposes a world from. Does not: opening files
(`source_folders`), definitions of tools (`tool_formats`), tasks (`task_formats`), or proposing (`proposals`).
"""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from envfactory_dagster.authoring.discovery.task_formats import FoundTask, tasks_in
from envfactory_dagster.authoring.discovery.tool_formats import METHODS, api_document, mcp_document
from envfactory_dagster.authoring.discovery.tool_schemas import pointed_at
from envfactory_dagster.contracts.sources import FolderKind, SourceDocument, SourceSection
from envfactory_dagster.sources.parsing import UnreadableFile, as_json, parse_json, parse_yaml

EXCERPT_CHARS = 2_400
ENTRIES_PER_FILE = 5_000
LINE_CHARS = 240
THINGS_SHOWN = 60


@dataclass(frozen=True, slots=True)
class FileEntry:
    text: str
    """A few hundred words of the entry, for the model that proposes a world."""
    document: SourceDocument | None = None
    """The whole entry. A name has none."""


Found = tuple[str, FileEntry | UnreadableFile]
"""The name of an entry, or "" for a whole file; and the entry, or the error."""


def entries_of(kind: FolderKind, name: str, text: str) -> Iterator[Found]:
    """The entries of a file, up to `ENTRIES_PER_FILE`. Raises UnreadableFile when the whole cannot be read."""
    for number, found in enumerate(READERS[kind](name, text)):
        if number == ENTRIES_PER_FILE:
            yield "rest", UnreadableFile(f"has more than {ENTRIES_PER_FILE} entries; the rest is not read, so split it")
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
            yield f"line {rows.line_num}", FileEntry(_bounded(f"name: {cells[0]}{category}"))
    except csv.Error as error:
        yield f"line {rows.line_num}", UnreadableFile(f"cannot be read as CSV from here on: {error}")


def _mcp_servers(name: str, text: str) -> Iterator[Found]:
    """One server, or a list of them: a name and tools with JSON Schemas."""
    document = parse_json(text)
    if isinstance(document, list):
        for number, server in enumerate(document, 1):
            try:
                yield f"server {number}", mcp_entry(server, f"server {number}", f"{name} server {number}")
            except UnreadableFile as problem:
                yield f"server {number}", problem
    else:
        yield "", mcp_entry(document, PurePosixPath(name).stem, name)


def excerpt_of(document: SourceDocument) -> str:
    """A few hundred words of a document that was not read from a source file (`--mirror`, `--data`)."""
    lines = [f"name: {document.title}", _line(document.description)]
    for tool in document.tools:
        lines.append(f"- {tool.name}({', '.join(tool.inputSchema.get('properties', {}))}): {_line(tool.description)}")
    lines += [f"## {section.title}\n{section.text}" for section in document.sections]
    return _bounded("\n".join(line for line in lines if line))


def mcp_entry(server: Any, fallback: str, reference: str) -> FileEntry:
    """The entry of one MCP server. Raises UnreadableFile when it lists no tools."""
    tools = server.get("tools") if isinstance(server, dict) else None
    described = [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    if not described:
        raise UnreadableFile("is no MCP server specification: it has no list of tools")
    info = server.get("serverInfo")
    name = server.get("name") or (info.get("name") if isinstance(info, dict) else None) or fallback
    lines = [f"name: {name}", _line(server.get("description") or server.get("instructions"))]
    for tool in described:
        schema = next((tool[key] for key in ("inputSchema", "input_schema", "parameters") if key in tool), None)
        properties = schema.get("properties") if isinstance(schema, dict) else None
        wants = ", ".join(map(str, properties)) if isinstance(properties, dict) else ""
        lines.append(f"- {tool.get('name', '?')}({wants}): {_line(tool.get('description'))}")
    return FileEntry(_bounded("\n".join(line for line in lines if line)), mcp_document(server, str(name), reference))


def _api(name: str, text: str) -> Iterator[Found]:
    """An OpenAPI or Swagger document: its title, its paths with their operations, the things it knows."""
    yield "", api_entry(parse_json(text) if name.endswith(".json") else parse_yaml(text), name)


def api_entry(document: Any, name: str) -> FileEntry:
    """The entry of an OpenAPI document. Raises UnreadableFile when it has no paths."""
    paths = document.get("paths") if isinstance(document, dict) else None
    if not isinstance(paths, dict) or not paths:
        raise UnreadableFile("is no OpenAPI document: it has no paths")
    info = document.get("info")
    about: Mapping[str, Any] = info if isinstance(info, dict) else {}
    title = about.get("title") or PurePosixPath(name).stem
    lines = [f"title: {title}", _line(about.get("description"))]
    for path, item in paths.items():
        lines += _operations(str(path), resolved(document, item))
    lines.append(f"things: {', '.join(_things(document))}")
    return FileEntry(
        _bounded("\n".join(line for line in lines if line)), api_document(as_json(document), str(title), name)
    )


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
            raise UnreadableFile(
                f"has references that go in a circle and end nowhere: {' → '.join([*seen, reference])}"
            )
        seen.append(reference)
        value = pointed_at(document, reference)
    return value


def _requirements(name: str, text: str) -> Iterator[Found]:
    """A product requirement document: its title, then every section as far as there is room."""
    heading = re.search(r"^#{1,6}\s+(.+)$", text, re.MULTILINE)
    title = heading[1] if heading else PurePosixPath(name).stem
    body = text.replace(heading[0], "", 1) if heading else text
    prose = [line.strip() for line in body.splitlines() if line.strip() and not set(line.strip()) <= set("-=*_|: ")]
    if not prose:
        raise UnreadableFile("has a title and nothing else")
    document = SourceDocument(kind="prd", reference=name, title=title.strip(), sections=_sections(text))
    yield "", FileEntry(_bounded(f"title: {title.strip()}\n" + "\n".join(prose)), document)


def _sections(text: str) -> list[SourceSection]:
    """The text by its headings; what stands before the first is a section without one."""
    parts = re.split(r"^#{1,6}[ \t]+(.+)$", text, flags=re.MULTILINE)
    pairs = zip(["", *parts[1::2]], parts[0::2], strict=True)
    return [SourceSection(title=title.strip(), text=body.strip()) for title, body in pairs if title or body.strip()]


def _tasks(name: str, text: str) -> Iterator[Found]:
    """Tasks in any of the forms that are known."""
    for where, found in tasks_in(name, text):
        yield where, found if isinstance(found, UnreadableFile) else _task(found, f"{name} {where}".strip())


def _task(found: FoundTask, reference: str) -> FileEntry:
    task = found.task
    lines = [f"task: {_line(task.text, EXCERPT_CHARS // 2)}"]
    lines += [f"{key}: {_line(said)}" for key, said in task.place.items()]
    document = SourceDocument(
        kind="task_set", reference=reference, tasks=[task], tools=found.tools, unusable=found.unusable
    )
    return FileEntry(_bounded("\n".join(lines)), document)


def _line(value: Any, most: int = LINE_CHARS) -> str:
    """A text on one line, cut at a word."""
    words = " ".join(value[: 4 * most].split()) if isinstance(value, str) else ""
    return words if len(words) <= most else words[:most].rsplit(" ", 1)[0] + " …"


def _bounded(text: str) -> str:
    return text if len(text) <= EXCERPT_CHARS else text[:EXCERPT_CHARS].rsplit("\n", 1)[0] + "\n…"


READERS: dict[FolderKind, Callable[[str, str], Iterator[Found]]] = {
    "name_seed": _names,
    "mcp_spec": _mcp_servers,
    "tool_docs": _api,
    "prd": _requirements,
    "task_set": _tasks,
}

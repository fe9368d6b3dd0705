"""Reading the service that is to be mirrored: a file, an address, or an MCP server that runs or is started.

Belongs here: telling these apart, asking a server for its tools, and what is wrong with one that dies, lies or never
ends. Does not: tool definitions (`tool_formats`), or what becomes of the document (`expansion`).
"""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import anyio

from envfactory_dagster.authoring.discovery.source_formats import FileEntry, api_entry, mcp_entry
from envfactory_dagster.authoring.discovery.tool_formats import METHODS
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.sources import SourceDocument
from envfactory_dagster.sources.mcp_servers import STDIO, ask_server, called
from envfactory_dagster.sources.parsing import UnreadableFile, parse_json, parse_yaml

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import Tool

MOST_TOOLS = 128
"""As many as chat endpoints take in one request: an agent has to be shown all of them."""
LARGEST_BYTES = 20_000_000
MOST_PAGES = 100
SECONDS = 60.0
REASONS_SHOWN = 5


async def read_service(target: str, seconds: float = SECONDS) -> SourceDocument:
    """The service at a path, an address or behind `stdio:COMMAND`, as a document to mirror. Raises UsageError."""
    name = called(target)
    try:
        with anyio.fail_after(seconds):
            entry = await _entry(target, name)
    except TimeoutError:
        raise UsageError(f"{name} does not answer within {seconds:.0f} seconds; nothing was changed.") from None
    except UnreadableFile as problem:
        raise UsageError(f"{name} {problem}; nothing was changed.") from None
    document = entry.document
    if document is None or not document.tools:
        reasons = [f"{one.name}: {one.detail}" for one in (document.unusable if document else [])]
        listed = f" {'; '.join(reasons[:REASONS_SHOWN])}." if reasons else ""
        raise UsageError(f"{name} has no tool that could be mirrored.{listed}")
    return document.model_copy(update={"mirror": True, "reference": _published(target)})


def _published(target: str) -> str:
    """The reference that the bundle has. Of a file it is the name alone, since folders may tell whose it is."""
    return called(target) if target.startswith(STDIO) or "://" in target else Path(target).name


async def _entry(target: str, name: str) -> FileEntry:
    if target.startswith(STDIO):
        return await _served(target, name)
    if "://" in target:
        return await _at_an_address(target, name)
    return parsed(await anyio.to_thread.run_sync(_file_text, Path(target)), name)


def _file_text(path: Path) -> str:
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise UnreadableFile("is no file")
        if size > LARGEST_BYTES:
            raise UnreadableFile(f"has {size / 1e6:.1f} MB; at most {LARGEST_BYTES / 1e6:.0f} MB are read")
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise UnreadableFile(f"cannot be opened: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UnreadableFile("is not UTF-8 text") from None


# -- documents ---------------------------------------------------------------------------------------------------------


def parsed(text: str, name: str) -> FileEntry:
    """An MCP server's tools, in any of the usual wrappings, or an OpenAPI document. Raises UnreadableFile."""
    is_json = text.lstrip()[:1] in ("{", "[")
    document = parse_json(text) if is_json else parse_yaml(text)
    if isinstance(document, dict) and isinstance(document.get("paths"), dict):
        _refuse_too_many(sum(method in item for item in document["paths"].values() if isinstance(item, dict)
                             for method in METHODS))  # fmt: skip
        return api_entry(document, name)
    server = _server(document)
    _refuse_too_many(len(server["tools"]))
    return mcp_entry(server, PurePosixPath(name).stem, name)


def _server(document: Any) -> dict[str, Any]:
    if isinstance(document, dict) and isinstance(document.get("result"), dict):  # the answer to `tools/list` as it came
        document = document["result"]
    if isinstance(document, list) and document and all(isinstance(one, dict) for one in document):
        if not any("tools" in one for one in document):
            document = {"tools": document}
        elif len(document) > 1:
            raise UnreadableFile(f"holds {len(document)} servers; give a file with one of them")
        else:
            document = document[0]
    if not isinstance(document, dict) or not isinstance(document.get("tools"), list) or not document["tools"]:
        raise UnreadableFile(
            "is neither an OpenAPI document (it has no paths) nor an MCP server (it has no list of tools)"
        )
    return document


def _refuse_too_many(number: int) -> None:
    if number > MOST_TOOLS:
        raise UnreadableFile(
            f"has {number:,} tools; an agent can be given {MOST_TOOLS} at most. Write those to be mirrored into a file"
        )


# -- servers -----------------------------------------------------------------------------------------------------------


async def _at_an_address(url: str, name: str) -> FileEntry:
    """A document to be fetched; otherwise an MCP server that is asked for its tools."""
    import httpx2

    headers = {"accept": "application/json, application/yaml, text/yaml, text/plain;q=0.5"}
    try:
        async with httpx2.AsyncClient(follow_redirects=True) as client:
            async with client.stream("GET", url, headers=headers) as answer:
                kind = answer.headers.get("content-type", "")
                is_document = answer.status_code == 200 and "event-stream" not in kind and "html" not in kind
                text = await _body(answer) if is_document else ""
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise UnreadableFile(f"cannot be reached: {str(error) or type(error).__name__}") from None
    return parsed(text, name) if text.strip() else await _served(url, name)


async def _body(answer: Any) -> str:
    data = b""
    async for chunk in answer.aiter_bytes():
        data += chunk
        if len(data) > LARGEST_BYTES:
            raise UnreadableFile(f"is too large: more than {LARGEST_BYTES / 1e6:.0f} MB")
    return data.decode("utf-8-sig", "replace")


async def _served(server: str, name: str) -> FileEntry:
    """The tools that a server lists."""

    async def told(client: "Client") -> dict[str, Any]:
        info = client.server_info
        tools = await _listed(client)
        return {"name": info.name if info else name, "instructions": client.instructions, "tools": tools}

    return mcp_entry(_server(await ask_server(server, told, "lists its tools")), name, name)


async def _listed(client: "Client") -> list[Mapping[str, Any]]:
    """All pages. A server that gives a page twice would go on for ever."""
    tools: list[Mapping[str, Any]] = []
    cursor, seen = None, set[str]()
    for _ in range(MOST_PAGES):
        page = await client.list_tools(cursor=cursor, cache_mode="bypass")
        tools += map(_as_listed, page.tools)
        _refuse_too_many(len(tools))
        cursor = page.next_cursor
        if not cursor:
            return tools
        if cursor in seen:
            break
        seen.add(cursor)
    raise UnreadableFile("lists its tools without end: a page leads back to an earlier one, or there are too many")


def _as_listed(tool: "Tool") -> dict[str, Any]:
    hints = tool.annotations
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": hints.model_dump(mode="json", by_alias=True, exclude_none=True) if hints else {},
    }

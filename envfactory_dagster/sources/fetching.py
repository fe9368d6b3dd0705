"""Pages of the web and resources of MCP servers, written into a folder that `expand --data` reads.

Nothing is fetched unless somebody names its address, and a world is always made from the files, so that it can be made
again without a network. Only the named hosts are asked, whatever a page links or redirects to.

Belongs here: what is asked for, how much of it is kept and under which name. Does not: how an address is asked (`web`,
`mcp_servers`), or reading the files (`local_folder`).
"""

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urlsplit

import anyio
import orjson

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.mining import LeftOutDocument
from envfactory_dagster.sources.documents import FORMS, LARGEST_BYTES, MOST_BYTES, MOST_DOCUMENTS, form_of, text_of
from envfactory_dagster.sources.html import links
from envfactory_dagster.sources.local_folder import FETCHED, FetchedFile, fetched_files
from envfactory_dagster.sources.mcp_servers import ask_server, called, sentence
from envfactory_dagster.sources.parsing import UnreadableFile, decoded
from envfactory_dagster.sources.web import Web, is_allowed, site_of
from envfactory_dagster.store.files import LocalFiles

if TYPE_CHECKING:
    from mcp import Client

MOST_PAGES = 20
"""Of a server's list of resources."""
MOST_RESOURCES = 1000
LONGEST_PART = 35
"""Of a file's path, which has five of them and may have 200 characters."""
SECONDS = 60.0
ENDINGS = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/markdown": ".md",
    "text/plain": ".txt",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "application/json": ".json",
    "application/jsonl": ".jsonl",
    "application/x-ndjson": ".jsonl",
    "application/yaml": ".yaml",
    "application/x-yaml": ".yaml",
    "text/yaml": ".yaml",
}


@dataclass
class Fetched:
    """What a folder has now, and what could not be had."""

    folder: Path
    files: dict[str, FetchedFile] = field(default_factory=dict)
    """By address; those of an MCP server by its name and address."""
    left_out: list[LeftOutDocument] = field(default_factory=list)

    def keep(self, address: str, name: str, text: str, server: str = "") -> None:
        data = text.encode("utf-8", "replace")
        if len(data) > LARGEST_BYTES:
            raise UnreadableFile(f"has {len(data) / 1e6:.1f} MB; at most {LARGEST_BYTES / 1e6:.0f} MB are read")
        decoded(data)  # what could not be read later is not kept
        self.refuse_more(len(data))
        if not Path(os.path.realpath((self.folder / name).parent)).is_relative_to(self.folder.resolve()):
            raise UnreadableFile(f"would be kept as {name}, which a link leads out of the folder")
        files = LocalFiles(self.folder)
        files.replace(name, data)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        sha256 = hashlib.sha256(data).hexdigest()
        kept = FetchedFile(file=name, address=address, server=server, fetched_at=now, bytes=len(data), sha256=sha256)
        self.files[kept.key] = kept
        listed = [one.model_dump() for one in self.files.values()]
        files.replace(FETCHED, orjson.dumps(listed, option=orjson.OPT_INDENT_2))

    def refuse_more(self, size: int = 0) -> None:
        if len(self.files) == MOST_DOCUMENTS:
            raise UnreadableFile(f"is one too many: {MOST_DOCUMENTS} documents are read")
        if sum(one.bytes for one in self.files.values()) + size > MOST_BYTES:
            raise UnreadableFile(f"is more than is read: all documents together may have {MOST_BYTES // 1_000_000} MB")

    def leave_out(self, address: str, reason: str) -> None:
        self.left_out.append(LeftOutDocument(document=called(address), reason=reason))


async def fetch(
    addresses: Sequence[str],
    folder: Path,
    *,
    servers: Sequence[str] = (),
    linked: int = 0,
    private: bool = False,
    pause_s: float = 1.0,
) -> Fetched:
    """Write what is at the addresses, and what MCP servers offer as resources, into a folder. What it has already is
    not asked for again. Raises UsageError.

    `linked` is how many further pages may be taken that those lead to, `private` whether hosts of one's own network may
    be asked, and `pause_s` the time between two questions to the web."""
    for address in addresses:
        if not is_allowed(address):
            raise UsageError(
                f"{called(address)} is no address of the web: it begins with https:// or http:// and has no password."
            )
    folder = folder.resolve()
    async with LocalFiles(folder.parent).locked(folder.name):
        kept = {key: one for key, one in fetched_files(folder).items() if (folder / one.file).is_file()}
        fetched = Fetched(folder, kept)
        await _fetch_pages(addresses, fetched, linked, Web({site_of(one) for one in addresses}, private, pause_s))
        for server in servers:
            await _fetch_resources(server, fetched)
    return fetched


# -- pages -------------------------------------------------------------------------------------------------------------


async def _fetch_pages(addresses: Sequence[str], fetched: Fetched, linked: int, web: Web) -> None:
    waiting = list(dict.fromkeys(urldefrag(one).url for one in addresses))
    seen, still = set(waiting), len(waiting) + linked
    async with aclosing(web):
        while waiting and still:
            address, still = waiting.pop(0), still - 1
            try:
                text = await _page(address, fetched, web)
            except UnreadableFile as problem:
                fetched.leave_out(address, str(problem))
                continue
            if linked and form_of(fetched.files[address].file) == "html":
                found = [urldefrag(link).url for link in links(text, address)]
                further = [one for one in dict.fromkeys(found) if is_allowed(one) and web.knows(one)]
                waiting += [one for one in further if one not in seen]
                seen.update(further)


async def _page(address: str, fetched: Fetched, web: Web) -> str:
    """Its text, which is in the folder then."""
    if known := fetched.files.get(address):
        return text_of(fetched.folder / known.file, fetched.folder, tuple(FORMS), LARGEST_BYTES)
    fetched.refuse_more()
    answer = await web.get(address, LARGEST_BYTES)
    ending = ENDINGS.get(answer.media_type) or _known_ending(address)
    if not ending:
        raise UnreadableFile(f"is {answer.media_type or 'of no known form'}, which is not read")
    fetched.keep(address, _name_of(address, ending, fetched.files), answer.text)
    return answer.text


def _known_ending(address: str) -> str:
    ending = PurePosixPath(urlsplit(address).path).suffix.lower()
    return ending if ending in FORMS else ""


def _name_of(address: str, ending: str, taken: Mapping[str, FetchedFile]) -> str:
    """A file of its own for every address, in a folder of its host."""
    parts = urlsplit(address)
    words = [_plain(part) for part in PurePosixPath(parts.path).parts if part != "/"][-4:]
    folders = [word.replace(".", "-") for word in words[:-1]]  # so that none has the name of a file
    last = words[-1] if words else "index"
    known = PurePosixPath(last).suffix.lower() in FORMS
    stem = PurePosixPath(last).stem if known else last
    name = "/".join([_plain(parts.netloc.rpartition("@")[2]) or "server", *folders, stem])
    used = {one.file.casefold() for one in taken.values()}
    if parts.query or f"{name}{ending}".casefold() in used:
        name = f"{name}-{hashlib.sha256(address.encode()).hexdigest()[:8]}"
    return f"{name}{ending}"


def _plain(part: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", part).strip("-.")[:LONGEST_PART] or "page"


# -- resources ---------------------------------------------------------------------------------------------------------


async def _fetch_resources(server: str, fetched: Fetched) -> None:
    try:
        with anyio.fail_after(SECONDS):
            await ask_server(server, lambda client: _take_resources(client, server, fetched), "offers resources")
    except TimeoutError:
        fetched.leave_out(server, f"did not answer everything within {SECONDS:.0f} seconds; what came is kept")
    except UnreadableFile as problem:
        fetched.leave_out(server, str(problem))


async def _take_resources(client: "Client", server: str, fetched: Fetched) -> None:
    cursor, seen = None, 0
    for _ in range(MOST_PAGES):
        page = await client.list_resources(cursor=cursor, cache_mode="bypass")
        for resource in page.resources:
            seen += 1
            if seen > MOST_RESOURCES:
                raise UnreadableFile(f"lists more than {MOST_RESOURCES} resources; no further ones are taken")
            address = str(resource.uri)
            try:
                await _take_resource(client, address, resource.mime_type or "", server, fetched)
            except UnreadableFile as problem:
                fetched.leave_out(address, str(problem))
        cursor = page.next_cursor
        if not cursor:
            return
    raise UnreadableFile(f"lists its resources without end: more than {MOST_PAGES} pages")


async def _take_resource(client: "Client", address: str, said: str, server: str, fetched: Fetched) -> None:
    from mcp import MCPError

    offered_by = f"{called(server)}#{hashlib.sha256(server.encode()).hexdigest()[:8]}"
    if f"{offered_by} {address}" in fetched.files:
        return
    fetched.refuse_more()
    try:
        urlsplit(address)
        read = await client.read_resource(address, cache_mode="bypass")
    except (ValueError, MCPError) as error:
        raise UnreadableFile(f"cannot be had: {sentence(error)}") from None
    texts = [(one.mime_type or said, one.text) for one in read.contents if hasattr(one, "text")]
    if not texts:
        raise UnreadableFile("is no text")
    media_type, text = texts[0][0].partition(";")[0].strip().lower(), "\n".join(text for _, text in texts)
    ending = ENDINGS.get(media_type) or _known_ending(address)
    if not ending:
        raise UnreadableFile(f"is {media_type or 'of no known form'}, which is not read")
    fetched.keep(address, _name_of(address, ending, fetched.files), text, offered_by)

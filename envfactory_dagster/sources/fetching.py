"""Pages of the web and resources of MCP servers, written into a folder that `expand --data` reads.

Nothing is fetched unless somebody names its address, and a world is always made from the files, so that it can be made
again without a network. Only the named hosts are asked, whatever a page links or redirects to.

Belongs here: what is asked for, how much of it is kept and under which name. Does not: how an address is asked (`web`,
`mcp_servers`), or reading the files (`local_folder`).
"""

import hashlib
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
from envfactory_dagster.sources.documents import FORMS, LARGEST_BYTES, MOST_BYTES, MOST_DOCUMENTS, form_of
from envfactory_dagster.sources.files import text_of
from envfactory_dagster.sources.html import links
from envfactory_dagster.sources.local_folder import FETCHED, FetchedFile, fetched_files
from envfactory_dagster.sources.mcp_servers import ask_server, called
from envfactory_dagster.sources.parsing import Unreadable
from envfactory_dagster.sources.web import Web, is_allowed, site_of

if TYPE_CHECKING:
    from mcp import Client

MOST_PAGES = 20
"""Of a server's list of resources."""
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
    """By address."""
    left_out: list[LeftOutDocument] = field(default_factory=list)

    def keep(self, address: str, name: str, text: str) -> None:
        data = text.encode()
        if len(data) > LARGEST_BYTES:
            raise Unreadable(f"has {len(data) / 1e6:.1f} MB; at most {LARGEST_BYTES / 1e6:.0f} MB are read")
        self.refuse_more(len(data))
        path = self.folder / name
        if not path.resolve().is_relative_to(self.folder.resolve()):
            raise Unreadable(f"would be kept as {name}, which a link leads out of the folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        sha256 = hashlib.sha256(data).hexdigest()
        self.files[address] = FetchedFile(file=name, address=address, fetched_at=now, bytes=len(data), sha256=sha256)
        listed = [one.model_dump() for one in self.files.values()]
        (self.folder / FETCHED).write_bytes(orjson.dumps(listed, option=orjson.OPT_INDENT_2))

    def refuse_more(self, size: int = 0) -> None:
        if len(self.files) == MOST_DOCUMENTS:
            raise Unreadable(f"is one too many: {MOST_DOCUMENTS} documents are read")
        if sum(one.bytes for one in self.files.values()) + size > MOST_BYTES:
            raise Unreadable(f"is more than is read: all documents together may have {MOST_BYTES // 1_000_000} MB")

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
    folder.mkdir(parents=True, exist_ok=True)
    fetched = Fetched(folder, fetched_files(folder))
    for address in addresses:
        if not is_allowed(address):
            raise UsageError(
                f"{called(address)} is no address of the web: it begins with https:// or http:// and has no password."
            )
    await _fetch_pages(addresses, fetched, linked, Web({site_of(one) for one in addresses}, private, pause_s))
    for server in servers:
        try:
            with anyio.fail_after(SECONDS):
                await ask_server(server, lambda client: _take_resources(client, fetched), "offers resources")
        except TimeoutError:
            fetched.leave_out(server, f"does not answer within {SECONDS:.0f} seconds")
        except Unreadable as problem:
            fetched.leave_out(server, str(problem))
    return fetched


# -- pages -------------------------------------------------------------------------------------------------------------


async def _fetch_pages(addresses: Sequence[str], fetched: Fetched, linked: int, web: Web) -> None:
    waiting, seen = list(addresses), set(addresses)
    still = len(addresses) + linked
    async with aclosing(web):
        while waiting and still:
            address, still = waiting.pop(0), still - 1
            try:
                text = await _page(address, fetched, web)
            except Unreadable as problem:
                fetched.leave_out(address, str(problem))
                continue
            if linked and form_of(fetched.files[address].file) == "html":
                found = [urldefrag(link).url for link in links(text, address)]
                further = [one for one in dict.fromkeys(found) if is_allowed(one) and web.knows(one)]
                waiting += [one for one in further if one not in seen]
                seen.update(further)


async def _page(address: str, fetched: Fetched, web: Web) -> str:
    """Its text, which is in the folder then."""
    known = fetched.files.get(address)
    if known is not None and (fetched.folder / known.file).is_file():
        return text_of(fetched.folder / known.file, fetched.folder, tuple(FORMS), LARGEST_BYTES)
    fetched.refuse_more()
    answer = await web.get(address, LARGEST_BYTES)
    ending = ENDINGS.get(answer.media_type) or _known_ending(address)
    if not ending:
        raise Unreadable(f"is {answer.media_type or 'of no known form'}, which is not read")
    fetched.keep(address, _name_of(address, ending, fetched.files), answer.text)
    return answer.text


def _known_ending(address: str) -> str:
    ending = PurePosixPath(urlsplit(address).path).suffix.lower()
    return ending if ending in FORMS else ""


def _name_of(address: str, ending: str, taken: Mapping[str, FetchedFile]) -> str:
    """A file of its own for every address, in a folder of its host."""
    parts = urlsplit(address)
    words = [_plain(part) for part in PurePosixPath(parts.path).parts if part != "/"][-4:]
    last = words[-1] if words else "index"
    known = PurePosixPath(last).suffix.lower() in FORMS
    stem = PurePosixPath(last).stem if known else last
    name = "/".join([_plain(parts.netloc.rpartition("@")[2]) or "server", *words[:-1], stem])
    used = {one.file for one in taken.values()}
    if parts.query or f"{name}{ending}" in used:
        name = f"{name}-{hashlib.sha256(address.encode()).hexdigest()[:8]}"
    return f"{name}{ending}"


def _plain(part: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", part).strip("-.")[:60] or "page"


# -- resources ---------------------------------------------------------------------------------------------------------


async def _take_resources(client: "Client", fetched: Fetched) -> None:
    cursor = None
    for _ in range(MOST_PAGES):
        page = await client.list_resources(cursor=cursor, cache_mode="bypass")
        for resource in page.resources:
            address = str(resource.uri)
            if address in fetched.files:
                continue
            try:
                await _take_resource(client, address, resource.mime_type or "", fetched)
            except Unreadable as problem:
                fetched.leave_out(address, str(problem))
        cursor = page.next_cursor
        if not cursor:
            return
    raise Unreadable(f"lists its resources without end: more than {MOST_PAGES} pages")


async def _take_resource(client: "Client", address: str, said: str, fetched: Fetched) -> None:
    fetched.refuse_more()
    read = await client.read_resource(address, cache_mode="bypass")
    texts = [(one.mime_type or said, one.text) for one in read.contents if hasattr(one, "text")]
    if not texts:
        raise Unreadable("is no text")
    media_type, text = texts[0][0].partition(";")[0].strip().lower(), "\n".join(text for _, text in texts)
    ending = ENDINGS.get(media_type) or _known_ending(address)
    if not ending:
        raise Unreadable(f"is {media_type or 'of no known form'}, which is not read")
    fetched.keep(address, _name_of(address, ending, fetched.files), text)

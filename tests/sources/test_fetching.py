"""Documents fetched from real servers on this machine: what is kept, what is left alone, and who is never asked."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI, Request, Response
from fastapi.responses import PlainTextResponse, RedirectResponse

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.sources.documents import LARGEST_BYTES
from envfactory_dagster.sources.fetching import MOST_RESOURCES, Fetched, fetch
from envfactory_dagster.sources.local_folder import FETCHED, DocumentFolder, fetched_files
from tests.language.played_endpoint import served

PAGE = """<h1>Ferries</h1><a href="fares.csv">fares</a> <a href="/islands?kind=small#top">islands</a>
<a href="http://elsewhere.example/x">other</a>
<a href="/secret/plans">plans</a> <a href="mailto:a@b.example">write</a>"""


class Site:
    """A small site that counts what is asked of it."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.app = FastAPI()

        @self.app.middleware("http")
        async def counted(request: Request, call_next):  # type: ignore[no-untyped-def]
            self.asked.append(request.url.path)
            return await call_next(request)

        @self.app.get("/robots.txt")
        def robots() -> Response:
            return PlainTextResponse("User-agent: *\nDisallow: /secret/\n")

        @self.app.get("/ferries/")
        def ferries() -> Response:
            return Response(PAGE, media_type="text/html")

        @self.app.get("/ferries/fares.csv")
        def fares() -> Response:
            return Response("from,to,fare\nÅland,Turku,12\n".encode("latin-1"), media_type="text/csv; charset=latin-1")

        @self.app.get("/islands")
        def islands(kind: str) -> Response:
            return Response(f"<p>{kind} islands</p>", media_type="text/html")

        @self.app.get("/moved")
        def moved() -> Response:
            return RedirectResponse("/islands?kind=far")

        @self.app.get("/away")
        def away() -> Response:
            return RedirectResponse("http://169.254.169.254/latest/meta-data/")

        @self.app.get("/round")
        def round_() -> Response:
            return RedirectResponse("/round")

        @self.app.get("/large")
        def large() -> Response:
            return Response(b"x" * (LARGEST_BYTES + 1), media_type="text/plain")

        @self.app.get("/picture")
        def picture() -> Response:
            return Response(b"\x89PNG", media_type="image/png")


@pytest.fixture
def site() -> Iterator[tuple[Site, str]]:
    made = Site()
    with served(made.app) as url:
        yield made, url.removesuffix("/v1")


async def fetched(folder: Path, *addresses: str, linked: int = 0) -> Fetched:
    return await fetch(addresses, folder, linked=linked, private=True, pause_s=0)


async def test_pages_become_documents_that_say_where_they_come_from(site: tuple[Site, str], tmp_path: Path) -> None:
    _, url = site
    found = await fetched(tmp_path, f"{url}/ferries/", f"{url}/ferries/fares.csv", f"{url}/moved")
    assert found.left_out == []
    folder = DocumentFolder(tmp_path)
    documents = {one.address.removeprefix(url): one for one in folder.documents()}
    assert {address: one.form for address, one in documents.items()} == {
        "/ferries/": "html",
        "/ferries/fares.csv": "csv",
        "/moved": "html",
    }
    assert all(one.fetched_at for one in documents.values())
    assert "Åland" in folder.text(documents["/ferries/fares.csv"].id), "kept as UTF-8, whatever it was"
    assert "far islands" in folder.text(documents["/moved"].id)


async def test_links_are_followed_on_named_hosts_and_where_programs_may_read(
    site: tuple[Site, str], tmp_path: Path
) -> None:
    made, url = site
    found = await fetched(tmp_path, f"{url}/ferries/", linked=5)
    assert [one.removeprefix(url) for one in found.files] == [
        "/ferries/",
        "/ferries/fares.csv",
        "/islands?kind=small",
    ]
    assert [(one.document.removeprefix(url), one.reason) for one in found.left_out] == [
        ("/secret/plans", "is not to be read by programs, as the robots.txt of its host says")
    ]
    assert "/secret/plans" not in made.asked
    assert len((await fetched(tmp_path / "fewer", f"{url}/ferries/", linked=1)).files) == 2


async def test_what_is_there_is_not_asked_for_again(site: tuple[Site, str], tmp_path: Path) -> None:
    made, url = site
    await fetched(tmp_path, f"{url}/ferries/", linked=5)
    before = len(made.asked)
    again = await fetched(tmp_path, f"{url}/ferries/", linked=5)
    assert (len(again.files), made.asked[before:]) == (3, ["/robots.txt"]), "asked for the page that is still wanted"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/nothing", "was answered with the status 404"),
        ("/away", "leads to 169.254.169.254, which is none of the hosts that you named"),
        ("/round", "leads on and on: more than 5 redirects"),
        ("/large", "has more than 5 MB"),
        ("/picture", "is image/png, which is not read"),
    ],
)
async def test_what_cannot_be_read_is_left_out_and_named(
    site: tuple[Site, str], tmp_path: Path, path: str, reason: str
) -> None:
    _, url = site
    found = await fetched(tmp_path, f"{url}{path}", f"{url}/ferries/")
    assert [(one.document, one.reason) for one in found.left_out] == [(f"{url}{path}", reason)]
    assert len(found.files) == 1


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "0.0.0.0"]
)
async def test_hosts_of_a_private_network_are_asked_only_if_that_was_said(
    site: tuple[Site, str], tmp_path: Path, host: str
) -> None:
    made, url = site
    found = await fetch([url.replace("127.0.0.1", host) + "/ferries/"], tmp_path, pause_s=0)
    assert found.files == {}
    assert "private network" in found.left_out[0].reason or "cannot be reached" in found.left_out[0].reason
    assert made.asked == []


@pytest.mark.parametrize(
    "address",
    [
        "http://[bad",
        "http://me:hidden@[bad",
        "file:///etc/passwd",
        "ftp://host/x",
        "/etc/passwd",
        "https://me:hidden@host/",
        "http://",
    ],
)
async def test_other_addresses_are_refused(tmp_path: Path, address: str) -> None:
    with pytest.raises(UsageError, match="is no address of the web") as refused:
        await fetch([address], tmp_path)
    assert "hidden" not in str(refused.value)


async def test_a_link_in_the_folder_leads_nowhere(site: tuple[Site, str], tmp_path: Path) -> None:
    _, url = site
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / url.removeprefix("http://").replace(":", "-")).symlink_to(outside)
    found = await fetched(folder, f"{url}/ferries/")
    assert "leads out of the folder" in found.left_out[0].reason
    assert list(outside.iterdir()) == []


async def test_a_list_of_what_was_fetched_that_is_none_is_told_of(tmp_path: Path) -> None:
    (tmp_path / FETCHED).write_text('[{"file": 3}]')
    with pytest.raises(UsageError, match="cannot be read; remove it"):
        await fetch([], tmp_path)


SERVER = """
import json, sys
INFO = {"protocolVersion": "2025-06-18", "capabilities": {"resources": {}}, "serverInfo": {"name": "k", "version": "1"}}
LISTED = [{"uri": "kennel://rules.md", "name": "rules", "mimeType": "text/markdown"},
          {"uri": "kennel://photo", "name": "photo", "mimeType": "image/png"},
          {"uri": "kennel://../../../etc/x.txt", "name": "odd", "mimeType": "text/plain"}]
for line in sys.stdin:
    asked = json.loads(line)
    uri = asked.get("params", {}).get("uri", "")
    if "id" not in asked:
        continue
    elif asked["method"] == "initialize":
        said = {"result": INFO}
    elif asked["method"] == "resources/list":
        said = {"result": {"resources": LISTED}}
    elif asked["method"] == "resources/read" and "photo" in uri:
        said = {"result": {"contents": [{"uri": uri, "mimeType": "image/png", "blob": "AAAA"}]}}
    elif asked["method"] == "resources/read":
        said = {"result": {"contents": [{"uri": uri, "text": "# Rules"}]}}
    else:
        said = {"error": {"code": -32601, "message": "no such method"}}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **said}), flush=True)
"""


async def test_resources_of_an_mcp_server_become_documents(tmp_path: Path) -> None:
    server = "stdio:" + shlex.join([sys.executable, "-c", SERVER])
    found = await fetch([], tmp_path, servers=[server])
    assert [(one.document, one.reason) for one in found.left_out] == [("kennel://photo", "is no text")]
    assert len(found.files) == 2
    assert {DocumentFolder(tmp_path).text(one.id) for one in DocumentFolder(tmp_path).documents()} == {"# Rules"}
    assert all((tmp_path / one.file).resolve().is_relative_to(tmp_path) for one in found.files.values())


async def test_servers_are_told_apart_though_their_resources_have_the_same_addresses(tmp_path: Path) -> None:
    servers = ["stdio:" + shlex.join([sys.executable, "-c", SERVER, which]) for which in ("one", "two")]
    assert len((await fetch([], tmp_path, servers=servers)).files) == 4
    assert len((await fetch([], tmp_path, servers=servers)).files) == 4, "what is there is not taken again"
    assert {one.address for one in DocumentFolder(tmp_path).documents() if "rules" in one.address} == {
        f"kennel://rules.md of {one.server}" for one in fetched_files(tmp_path).values()
    }


async def test_a_list_of_resources_that_is_too_long_is_cut(tmp_path: Path) -> None:
    listed = '[{"uri": f"kennel://{n}", "name": "n", "mimeType": "image/png"} for n in range(3000)]'
    server = SERVER.replace("for line in sys.stdin", f"LISTED = {listed}\nfor line in sys.stdin")
    server = server.replace('"photo" in uri', "True")
    found = await fetch([], tmp_path, servers=["stdio:" + shlex.join([sys.executable, "-c", server])])
    assert len(found.left_out) == MOST_RESOURCES + 1
    assert "lists more than 1000 resources" in found.left_out[-1].reason


async def test_one_resource_that_cannot_be_had_is_left_out_alone(tmp_path: Path) -> None:
    server = SERVER.replace(
        "LISTED = [", 'LISTED = [{"uri": "x://[bad", "name": "b"}, {"uri": "x://gone", "name": "g"},'
    )
    server = server.replace(
        'elif asked["method"] == "resources/read":', 'elif "/read" in asked["method"] and "gone" not in uri:'
    )
    found = await fetch([], tmp_path, servers=["stdio:" + shlex.join([sys.executable, "-c", server])])
    assert [(one.document, one.reason) for one in found.left_out[:2]] == [
        ("x://[bad", "cannot be had: ValueError: Invalid IPv6 URL"),
        ("x://gone", "cannot be had: MCPError: no such method"),
    ]
    assert len(found.files) == 2


async def test_an_address_of_a_server_that_is_none_is_told_of(tmp_path: Path) -> None:
    found = await fetch([], tmp_path, servers=["http://me:hidden@[bad"])
    assert [one.document for one in found.left_out] == ["http://[bad"]


async def test_a_server_that_dies_is_told_of(tmp_path: Path) -> None:
    found = await fetch(
        [], tmp_path, servers=["stdio:" + shlex.join([sys.executable, "-c", "import sys; sys.exit(3)"])]
    )
    assert "is no MCP server that offers resources" in found.left_out[0].reason

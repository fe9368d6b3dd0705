"""Pages of hosts that answer oddly, lead elsewhere or are not who they say: real connections on this machine."""

import asyncio
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.contracts.errors import EnvFactoryError
from envfactory_dagster.sources.fetching import Fetched, fetch
from envfactory_dagster.sources.html import HtmlPage
from envfactory_dagster.sources.local_folder import FETCHED, DocumentFolder, fetched_files


def answer(body: bytes = b"hello", kind: str = "text/plain", status: str = "200 OK", more: str = "") -> bytes:
    head = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n{more}\r\n"
    return head.encode("latin-1") + body


def leads_to(location: str) -> bytes:
    return answer(b"", status="302 Found", more=f"location: {location}\r\n")


@asynccontextmanager
async def serving(answers: Mapping[str, bytes], tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """The port at which each path has its answer, byte for byte, for as many questions as a connection brings."""
    missing = answer(b"", status="404 Not Found")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                writer.write(answers.get(head.split()[1].decode(), missing))
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def fetched(answers: Mapping[str, bytes], folder: Path, *paths: str, linked: int = 0) -> Fetched:
    async with serving(answers) as port:
        addresses = [f"http://127.0.0.1:{port}{path}" for path in paths]
        return await fetch(addresses, folder, linked=linked, private=True, pause_s=0)


def reasons(found: Fetched) -> list[str]:
    return [one.reason for one in found.left_out]


async def test_a_redirect_does_not_lead_around_robots_txt(tmp_path: Path) -> None:
    robots = answer(b"User-agent: *\nDisallow: /secret/\n")
    answers = {"/robots.txt": robots, "/open": leads_to("/secret/plans"), "/secret/plans": answer()}
    assert reasons(await fetched(answers, tmp_path, "/open")) == [
        "is not to be read by programs, as the robots.txt of its host says"
    ]


async def test_a_robots_txt_that_begins_with_a_mark_counts(tmp_path: Path) -> None:
    robots = answer(b"\xef\xbb\xbfUser-agent: *\nDisallow: /\n", "text/plain; charset=utf-8")
    assert (await fetched({"/robots.txt": robots, "/a": answer()}, tmp_path, "/a")).files == {}


async def test_of_a_robots_txt_without_end_the_beginning_counts(tmp_path: Path) -> None:
    robots = answer(b"User-agent: *\nDisallow: /secret\n" + b"#" * 600_000)
    answers = {"/robots.txt": robots, "/a": answer(), "/b": answer(), "/secret": answer()}
    found = await fetched(answers, tmp_path, "/a", "/b", "/secret")
    assert (len(found.files), len(found.left_out)) == (2, 1)


@pytest.mark.parametrize(
    ("robots", "reason"),
    [
        (
            leads_to("http://elsewhere.example/"),
            "leads to elsewhere.example, which is none of the hosts that you named",
        ),
        (answer(b"", status="503 Busy"), "was answered with the status 503"),
    ],
)
async def test_where_robots_txt_cannot_be_had_every_page_says_so(tmp_path: Path, robots: bytes, reason: str) -> None:
    found = await fetched({"/robots.txt": robots, "/a": answer(), "/b": answer()}, tmp_path, "/a", "/b")
    assert reasons(found) == [f"is left alone, because the robots.txt of its host {reason}"] * 2


@pytest.mark.parametrize("location", ["http://[bad/", "http://a\\@b/", "//127.0.0.1:99999/", "file:///etc/passwd"])
async def test_a_redirect_to_no_page_is_told_of(tmp_path: Path, location: str) -> None:
    found = await fetched({"/a": leads_to(location)}, tmp_path, "/a")
    assert reasons(found) == ["leads to something that is no page of the web"]


@pytest.mark.parametrize("charset", ["none-such", "base64", "idna", "undefined", "unicode_escape"])
async def test_a_charset_that_is_none_does_no_harm(tmp_path: Path, charset: str) -> None:
    found = await fetched({"/a": answer(b"ferries \\ud800", f"text/plain; charset={charset}")}, tmp_path, "/a")
    (one,) = found.files.values()
    assert "ferries" in (tmp_path / one.file).read_text()


@pytest.mark.parametrize("odd", ["<a ", '<a x="', "<!--", "<![odd["])
def test_a_page_of_tags_without_end_is_read_all_the_same(odd: str) -> None:
    assert HtmlPage("<p>Ferries</p>" + odd * 200_000).lines == ["Ferries"]
    assert HtmlPage("<p>Ferries</p>if a < b &amp; c").lines == ["Ferries", "if a < b & c"]


async def test_odd_markup_ends_no_run(tmp_path: Path) -> None:
    answers = {"/a": answer(b'<![odd[ x ]]><a href="/b">b</a>', "text/html"), "/b": answer()}
    assert len((await fetched(answers, tmp_path, "/a", linked=1)).files) == 2


@pytest.mark.parametrize(
    "paths",
    [
        ("/a.html", "/a.html/b.html"),
        ("/a.html/b.html", "/a.html"),
        ("/a.html", "/A.html"),
        ("/" + "/".join(["long" * 30] * 6), "/" + "/".join(["long" * 30] * 5)),
        ("/.fetched.json", "/..fetched.json"),
    ],
)
async def test_every_page_has_a_file_of_its_own_on_every_system(tmp_path: Path, paths: tuple[str, str]) -> None:
    found = await fetched({path: answer(path.encode(), "text/html") for path in paths}, tmp_path, *paths)
    assert found.left_out == []
    assert len({one.file.casefold() for one in found.files.values()}) == 2
    folder = DocumentFolder(tmp_path)
    assert {folder.text(one.id) for one in folder.documents()} == set(paths)


@pytest.mark.parametrize(("body", "reason"), [(b"a\0b", "is binary, not text"), (b" \n", "is empty")])
async def test_what_could_not_be_read_later_is_not_kept(tmp_path: Path, body: bytes, reason: str) -> None:
    assert reasons(await fetched({"/a": answer(body)}, tmp_path, "/a")) == [reason]


async def test_a_part_of_a_page_is_the_page(tmp_path: Path) -> None:
    assert len((await fetched({"/a": answer()}, tmp_path, "/a#one", "/a#two")).files) == 1


async def test_a_linked_list_is_replaced_and_what_it_leads_to_is_left_alone(tmp_path: Path) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside.json"
    folder.mkdir()
    outside.write_text("[]")
    (folder / FETCHED).symlink_to(outside)
    await fetched({"/a": answer()}, folder, "/a")
    assert (outside.read_text(), len(fetched_files(folder))) == ("[]", 1)


async def test_runs_at_once_forget_nothing_of_each_other(tmp_path: Path) -> None:
    answers = {f"/{name}": answer() for name in "abcdef"}
    await asyncio.gather(*(fetched(answers, tmp_path, path) for path in answers))
    assert len(fetched_files(tmp_path)) == 6


async def test_what_was_thrown_out_is_not_listed(tmp_path: Path) -> None:
    async with serving({"/a": answer(), "/b": answer()}) as port:
        a, b = (f"http://127.0.0.1:{port}/{name}" for name in "ab")
        first = await fetch([a], tmp_path, private=True, pause_s=0)
        (tmp_path / first.files[a].file).unlink()
        assert list((await fetch([b], tmp_path, private=True, pause_s=0)).files) == [b]


async def test_a_folder_that_is_a_file_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    with pytest.raises(EnvFactoryError, match="File exists"):
        await fetched({"/a": answer()}, tmp_path / "file", "/a")


Resolved = list[tuple[Any, ...]]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Numeric addresses of names that no name server knows."""
    known: dict[str, list[str]] = {}
    real = socket.getaddrinfo

    def look_up(host: str | bytes, port: Any, *rest: Any, **named: Any) -> Resolved:
        name = host.decode() if isinstance(host, bytes) else host
        return [one for address in known.get(name, [name]) for one in real(address, port, *rest, **named)]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return known


async def test_every_address_of_a_host_is_tried(tmp_path: Path, names: dict[str, list[str]]) -> None:
    names["two.example"] = ["::1", "127.0.0.1"]
    async with serving({"/a": answer()}) as port:
        found = await fetch([f"http://two.example:{port}/a"], tmp_path, private=True, pause_s=0)
    assert len(found.files) == 1


@pytest.mark.parametrize("address", ["127.0.0.1", "::7f00:1", "fec0::1", "64:ff9b:1::7f00:1", "2002:7f00:1::"])
async def test_a_host_with_one_private_address_among_public_ones_is_not_asked(
    tmp_path: Path, names: dict[str, list[str]], address: str
) -> None:
    names["mixed.example"] = ["93.184.215.14", address]
    found = await fetch(["http://mixed.example/a"], tmp_path, pause_s=0)
    assert "which is a host of a private network" in reasons(found)[0]


@pytest.fixture
def tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A trusted certificate of `localhost`, and of nobody else."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    asked = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate]
    asked += ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(asked, check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(certificate, key)
    return made


async def test_each_host_shows_its_own_certificate(tmp_path: Path, tls: ssl.SSLContext) -> None:
    """Both names lead to the same numeric address."""
    async with serving({"/a": answer()}, tls) as port:
        addresses = [f"https://{host}:{port}/a" for host in ("localhost", "127.0.0.1")]
        found = await fetch(addresses, tmp_path / "folder", private=True, pause_s=0)
    assert list(found.files) == addresses[:1]
    assert "certificate is not valid for '127.0.0.1'" in reasons(found)[0]

"""Who is let in."""

import asyncio
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from envfactory_dagster.runtime.gateway.settings import GatewaySettings
from tests.gateway.conftest import Serve, Served

PATHS = ["/health", "/metrics", "/environments", "/sessions", "/mcp/tiny-shop", "/docs", "/openapi.json"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "evil.example:8000"},
        {"host": "localhost.evil.example"},
        {"host": "127.0.0.1.evil.example"},
        {"host": ""},
        {"host": "[::1"},
        {"origin": "http://evil.example"},
        {"origin": "https://evil.example:8000"},
        {"origin": "http://localhost.evil.example"},
        {"origin": "http://192.168.1.4"},
        {"origin": "null"},
        {"origin": "http://["},
    ],
)
async def test_a_page_of_another_site_reaches_nothing(shop: Served, path: str, headers: dict[str, str]) -> None:
    answer = await shop.rest.get(path, headers=headers)
    assert answer.status_code == (421 if "host" in headers else 403)
    assert next(iter(headers.values()))[:20] in answer.json()["error"]


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "localhost:8000"},
        {"host": "127.0.0.1"},
        {"host": "[::1]:8000"},
        {"host": "192.168.1.4:8000"},
        {"host": "LOCALHOST"},
        {"origin": "http://localhost:6274"},
        {"origin": "http://127.0.0.1"},
        {"host": "192.168.1.4:8000", "origin": "http://192.168.1.4:8000"},
    ],
)
async def test_this_machine_and_addresses_do(shop: Served, headers: dict[str, str]) -> None:
    assert (await shop.rest.get("/health", headers=headers)).status_code == 200


async def test_a_name_is_answered_to_when_it_was_given(serve: Serve) -> None:
    async with serve(allowed_hosts=frozenset({"envs.internal"})) as gateway:
        for headers in ({"host": "envs.internal:8000"}, {"host": "ENVS.internal"}, {"origin": "https://envs.internal"}):
            assert (await gateway.rest.get("/health", headers=headers)).status_code == 200
        assert (await gateway.rest.get("/health", headers={"host": "other.internal"})).status_code == 421


@pytest_asyncio.fixture(scope="module")
async def guarded(serve: Serve) -> AsyncIterator[Served]:
    async with serve(token="s3cret") as gateway:
        yield gateway


@pytest.mark.parametrize("path", ["/metrics", "/environments", "/sessions", "/mcp/tiny-shop", "/docs", "/openapi.json"])
@pytest.mark.parametrize("given", [None, "Bearer wrong", "Bearer", "Basic s3cret", "s3cret", "Bearer s3cret2"])
async def test_without_the_token_nothing_is_served(guarded: Served, path: str, given: str | None) -> None:
    headers = {} if given is None else {"authorization": given}
    answer = await guarded.rest.get(path, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "s3cret" not in answer.text


async def test_with_the_token_everything_is(guarded: Served) -> None:
    assert (await guarded.rest.get("/health")).status_code == 200, "a health check needs no token"
    for scheme in ("Bearer", "bearer"):
        headers = {"authorization": f"{scheme} s3cret"}
        assert (await guarded.rest.get("/environments", headers=headers)).status_code == 200


def test_the_token_is_not_shown() -> None:
    assert "s3cret" not in repr(GatewaySettings(token="s3cret"))


async def test_half_a_body_takes_no_session_and_ends_in_time(serve: Serve) -> None:
    """Each of these says that more of its body is to come, and it never comes."""
    async with serve(max_sessions=2, body_seconds=0.2) as gateway:
        where = urlsplit(gateway.url)
        opened = [await asyncio.open_connection(where.hostname, where.port) for _ in range(4)]
        for path, (_, writer) in zip(["/mcp/tiny-shop", "/sessions"] * 2, opened, strict=True):
            head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            accept = "Accept: application/json, text/event-stream\r\nContent-Length: 1000\r\n\r\n{"
            writer.write((head + accept).encode())
            await writer.drain()
        assert await gateway.open()
        for reader, writer in opened:
            assert b" 408 " in await asyncio.wait_for(reader.readline(), 30)
            writer.close()
        assert len(gateway.service.slots) == 1


async def test_half_a_head_ends_in_time(serve: Serve) -> None:
    """At the beginning of a connection, and after a request that was answered."""
    async with serve(head_seconds=0.2) as gateway:
        where = urlsplit(gateway.url)
        silent, half, second = [await asyncio.open_connection(where.hostname, where.port) for _ in range(3)]
        half[1].write(b"GET /health HTTP/1.1\r\nHost: localho")
        second[1].write(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 200 " in await asyncio.wait_for(second[0].readline(), 30)
        second[1].write(b"GET /health HTTP/1.1\r\nHost: localho")
        for reader, writer in (silent, half, second):
            assert b"HTTP/1.1 408 " in await asyncio.wait_for(reader.read(), 30)
            writer.close()


async def test_a_head_without_end_is_refused(shop: Served) -> None:
    where = urlsplit(shop.url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + b"X-Endless: 1\r\n" * 6_000)
    assert b" 431 " in await asyncio.wait_for(reader.readline(), 30)
    writer.close()


async def test_connections_that_ask_for_nothing_leave_room_for_one_that_asks(serve: Serve) -> None:
    async with serve(max_connections=50) as gateway:
        where = urlsplit(gateway.url)
        busy = await gateway.open()
        held = []
        for _ in range(200):
            held.append(await asyncio.open_connection(where.hostname, where.port))
            held[-1][1].write(b"GET /health HTTP/1.1\r\nHost: localho")
        assert (await gateway.call(busy, "get_item", {"item_id": 3}))["outcome"] == "ok"
        assert await gateway.open()
        for reader, _ in held[:100]:
            assert await asyncio.wait_for(reader.read(), 30) == b""
        for _, writer in held:
            writer.close()


async def test_a_body_of_wrong_fields_has_a_short_answer(shop: Served) -> None:
    body = {"environment": "tiny-shop"} | {f"field_{number}": 1 for number in range(50_000)}
    answer = await shop.rest.post("/sessions", json=body)
    assert answer.status_code == 422 and len(answer.content) < 5_000
    assert "and 49980 more" in answer.json()["error"]

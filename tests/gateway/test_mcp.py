"""What an MCP client gets over streamable HTTP, through the official client on a real socket."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from mcp import Client, MCPError

from envfactory_dagster.authoring.discovery import read_service
from tests.gateway.conftest import ACCEPT, HANDSHAKE, Serve, Served, eventually, initialize
from tests.support.tiny import schema, tiny, tool


async def test_the_server_introduces_itself_with_the_rules_of_the_domain(shop: Served) -> None:
    async with Client(shop.mcp()) as client:
        assert client.server_info.name == "tiny-shop"
        assert client.server_info.title == "Tiny shop"
        assert "Nothing is sold that is not in stock." in (client.instructions or "")


async def test_a_server_over_http_can_be_mirrored(shop: Served) -> None:
    document = await read_service(shop.mcp())
    assert sorted(tool.name for tool in document.tools) == ["cancel_order", "get_item", "list_items", "place_order"]
    item = next(tool for tool in document.tools if tool.name == "get_item")
    assert (item.inputSchema["required"], item.outputSchema) == (["item_id"], schema_of("get_item"))


async def test_tools_are_listed_with_all_that_is_known_of_them(shop: Served) -> None:
    async with Client(shop.mcp()) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert sorted(tools) == ["cancel_order", "get_item", "list_items", "place_order"]
    assert tools["get_item"].input_schema["required"] == ["item_id"]
    assert tools["get_item"].output_schema == schema_of("get_item")
    assert tools["get_item"].annotations is not None
    assert tools["get_item"].annotations.read_only_hint is True
    assert tools["place_order"].annotations is not None
    assert tools["place_order"].annotations.read_only_hint is False


def schema_of(name: str) -> dict[str, Any]:
    return next(tool.outputSchema for tool in tiny().tools if tool.name == name)


async def test_an_answer_is_structured_and_text(shop: Served) -> None:
    async with Client(shop.mcp()) as client:
        result = await client.call_tool("get_item", {"item_id": 3})
    expected = {"id": 3, "name": "Item 3", "price": 13.0, "stock": 10_000}
    assert not result.is_error
    assert result.structured_content == expected
    assert [json.loads(block.text) for block in result.content if block.type == "text"] == [expected]


async def test_a_long_answer_has_its_note_as_a_text_of_its_own(serve: Serve) -> None:
    async with serve(tiny(items=300)) as gateway, Client(gateway.mcp()) as client:
        result = await client.call_tool("list_items", {})
        answer, note = (block.text for block in result.content if block.type == "text")
        assert len(json.loads(answer)["items"]) == 200
        assert "first 200 of 300" in note


@pytest.mark.parametrize(
    ("name", "arguments", "outcome", "says"),
    [
        ("get_item", {"item_id": 999}, "agent", "there is no item 999"),
        ("get_item", {"item_id": "three"}, "agent", "integer"),
        ("get_item", {}, "agent", "missing 'item_id'"),
        ("get_itme", {"item_id": 3}, "agent", "did you mean 'get_item'"),
        ("confirm_order", {"order_id": 1}, "agent", "no tool called 'confirm_order'"),
        ("reset", {}, "agent", "no tool called 'reset'"),
        ("verify", {}, "agent", "no tool called 'verify'"),
        ("broken", {}, "environment", "ZeroDivisionError"),
    ],
)
async def test_a_failure_is_an_error_result_that_says_whose_fault_it_was(
    broken_shop: Served, name: str, arguments: dict[str, Any], outcome: str, says: str
) -> None:
    async with Client(broken_shop.mcp()) as client:
        result = await client.call_tool(name, arguments)
        assert result.is_error
        assert result.structured_content is None
        assert result.meta == {"envfactory/outcome": outcome}
        assert says in text_of(result)
        assert not (await client.call_tool("get_item", {"item_id": 1})).is_error, "the next call works"


@pytest_asyncio.fixture(scope="module")
async def broken_shop(serve: Serve) -> AsyncIterator[Served]:
    source = "def broken(env) -> dict:\n    return {'a': 1 / 0}\n"
    async with serve(tiny(source=source, definitions=[tool("broken", result=schema())])) as gateway:
        yield gateway


def text_of(result: Any) -> str:
    return " ".join(block.text for block in result.content)


async def test_the_user_has_tools_of_its_own_in_the_same_session(shop: Served) -> None:
    session = await shop.open()
    joined = f"?session={session}"
    async with (
        Client(shop.mcp(query=joined)) as assistant,
        Client(shop.mcp(query=f"{joined}&principal=user")) as user,
    ):
        assert [tool.name for tool in (await user.list_tools()).tools] == ["confirm_order"]
        placed = await assistant.call_tool("place_order", {"item_id": 1})
        confirmed = await user.call_tool("confirm_order", {"order_id": placed.structured_content["order_id"]})
        assert confirmed.structured_content == {"confirmed": True}
        assert (await user.call_tool("place_order", {"item_id": 1})).is_error
    still_open = await shop.call(session, "get_item", {"item_id": 1})
    assert still_open["value"]["stock"] == 9_999, "whoever joins a session does not end it by leaving"


async def test_a_client_chooses_its_initial_state(shop: Served) -> None:
    async with Client(shop.mcp(query="?state=spring")) as client:
        assert len((await client.call_tool("list_items", {})).structured_content["items"]) == 5


async def test_a_hundred_clients_at_once_each_in_a_session_of_its_own(serve: Serve) -> None:
    async def stay(number: int) -> int:
        async with Client(gateway.mcp(), mode="legacy") as client:
            for _ in range(number % 5 + 1):
                assert not (await client.call_tool("place_order", {"item_id": 1})).is_error
            all_here.append(number)
            await eventually(lambda: len(all_here) == 100, 60)
            item = await client.call_tool("get_item", {"item_id": 1})
            return int(item.structured_content["stock"])

    all_here: list[int] = []
    async with serve() as gateway:
        stocks = await asyncio.gather(*(stay(number) for number in range(100)))
        assert stocks == [10_000 - (number % 5 + 1) for number in range(100)]
        await eventually(lambda: len(gateway.service.slots) == 0)


async def test_a_client_that_leaves_frees_its_slot(serve: Serve) -> None:
    async with serve(max_sessions=1) as gateway:
        for _ in range(3):
            async with Client(gateway.mcp()):
                assert len(gateway.service.slots) == 1
            await eventually(lambda: len(gateway.service.slots) == 0)


async def test_a_client_that_vanishes_frees_its_slot(serve: Serve) -> None:
    async with serve(lost_seconds=0.05) as gateway:
        async with AsyncExitStack() as connection:
            rest = await connection.enter_async_context(httpx2.AsyncClient(base_url=gateway.url))
            session = await initialize(rest)
            listening = await connection.enter_async_context(
                rest.stream("GET", "/mcp/tiny-shop", headers=ACCEPT | {"mcp-session-id": session})
            )
            assert listening.status_code == 200
            assert await gateway.service.slots.reap() == 0
        # The connection is cut: no DELETE was sent.
        await eventually(lambda: len(gateway.service.slots) == 0)
        assert gateway.service.metrics.reaped == 1


async def test_a_client_whose_stream_breaks_may_come_back(serve: Serve) -> None:
    now = 1000.0
    async with serve(lost_seconds=60, idle_seconds=600, clock=lambda: now) as gateway:
        async with httpx2.AsyncClient(base_url=gateway.url) as rest:
            session = await initialize(rest)
            headers = ACCEPT | {"mcp-session-id": session}
            async with rest.stream("GET", "/mcp/tiny-shop", headers=headers):
                pass
            slot = gateway.service.slots.get(session)
            await eventually(lambda: slot.patience == 60)
            now += 50
            assert (await rest.post("/mcp/tiny-shop", json=request("ping"), headers=headers)).status_code == 200
            now += 500
            assert await gateway.service.slots.reap() == 0, "it came back, so the usual patience holds again"
            now += 500
            assert await gateway.service.slots.reap() == 1


async def test_an_idle_client_loses_its_session_and_is_told(serve: Serve) -> None:
    now = 1000.0
    async with serve(idle_seconds=600, clock=lambda: now) as gateway:
        async with Client(gateway.mcp()) as client:
            now += 599
            await client.call_tool("get_item", {"item_id": 1})
            now += 601
            assert await gateway.service.slots.reap() == 1
            with pytest.raises(MCPError, match="Initialize again"):
                await client.call_tool("get_item", {"item_id": 1})


async def test_when_full_a_client_is_told_so(serve: Serve) -> None:
    async with serve(max_sessions=1) as gateway, Client(gateway.mcp()):
        with pytest.raises(BaseExceptionGroup) as refused:
            async with Client(gateway.mcp()):
                pass
        assert "All 1 sessions are in use" in str(innermost(refused.value))
        answer = await gateway.rest.post("/mcp/tiny-shop", json=HANDSHAKE, headers=ACCEPT)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")


def innermost(failure: BaseException) -> BaseException:
    while isinstance(failure, BaseExceptionGroup):
        failure = failure.exceptions[0]
    return failure


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/mcp/nowhere", 404, "there are: tiny-shop"),
        ("/mcp/tiny-shop?state=winter", 400, "it has: initial, spring"),
        ("/mcp/tiny-shop?principal=judge", 400, "assistant, user"),
        ("/mcp/tiny-shop?session=unknown", 404, "no session 'unknown'"),
    ],
)
async def test_an_address_that_leads_nowhere_is_explained(shop: Served, path: str, status: int, says: str) -> None:
    answer = await shop.rest.post(path, json=HANDSHAKE, headers=ACCEPT)
    assert answer.status_code == status
    assert says in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{", {}, 400),
        (b"[]", {}, 400),
        (b"NaN", {}, 400),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "\\ud800"}', {}, 400),
        (b"[" * 100_000, {}, 400),
        (json.dumps(HANDSHAKE).encode(), {"content-type": "text/plain"}, 400),
        (json.dumps(HANDSHAKE).encode(), {"accept": "text/html"}, 406),
        (json.dumps({**HANDSHAKE, "method": "tools/list"}).encode(), {}, 400),
        (b'{"x": "' + b"x" * 10_000_000 + b'"}', {}, 413),
    ],
)
async def test_an_opening_that_is_none_is_refused_and_holds_no_slot(
    shop: Served, body: bytes, headers: dict[str, str], status: int
) -> None:
    before = len(shop.service.slots)
    answer = await shop.rest.post("/mcp/tiny-shop", content=body, headers=ACCEPT | headers)
    assert answer.status_code == status
    await eventually(lambda: len(shop.service.slots) == before)


async def test_a_handshake_that_fails_holds_no_slot(shop: Served) -> None:
    before = len(shop.service.slots)
    answer = await shop.rest.post("/mcp/tiny-shop", json={**HANDSHAKE, "params": {}}, headers=ACCEPT)
    assert "error" in answer.json()
    await eventually(lambda: len(shop.service.slots) == before)


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{", {}, 400),
        (b"[]", {}, 400),
        (json.dumps({**HANDSHAKE, "method": "tools/list"}).encode(), {}, 400),
        (json.dumps({**HANDSHAKE, "params": {}}).encode(), {}, 400),
        (json.dumps(HANDSHAKE).encode(), {"content-type": "text/plain"}, 400),
        (json.dumps(HANDSHAKE).encode(), {"accept": "text/html"}, 406),
        (json.dumps(HANDSHAKE).encode(), {}, 503),
    ],
)
async def test_an_opening_is_read_before_a_session_is_looked_for(
    full: Served, body: bytes, headers: dict[str, str], status: int
) -> None:
    """Where none is free, what begins nothing is told so, and only what begins something is told to come back."""
    answer = await full.rest.post("/mcp/tiny-shop", content=body, headers=ACCEPT | headers)
    assert answer.status_code == status, answer.text
    assert "; :" not in answer.text, "a fault that has no place"


@pytest_asyncio.fixture(scope="module")
async def full(serve: Serve) -> AsyncIterator[Served]:
    async with serve(max_sessions=1) as gateway:
        await gateway.open()
        yield gateway


@pytest.mark.parametrize(
    "arguments",
    ['{"item_id": NaN}', '{"item_id": 1e999}', '{"item_id": [[[[[1]]]]]}', '{"item_id": 1' + "0" * 30 + "}"],
)
async def test_arguments_no_tool_could_take_are_an_error_result(shop: Served, arguments: str) -> None:
    session = await initialize(shop.rest)
    body = '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "get_item", "arguments": %s}}'
    answer = await shop.rest.post(
        "/mcp/tiny-shop", content=body % arguments, headers=ACCEPT | {"mcp-session-id": session}
    )
    assert answer.status_code == 200
    assert answer.json()["result"]["isError"] is True


async def test_a_session_belongs_to_the_environment_it_was_opened_in(serve: Serve) -> None:
    async with serve(tiny(), tiny("other-shop")) as gateway:
        headers = ACCEPT | {"mcp-session-id": await initialize(gateway.rest)}
        assert (await gateway.rest.post("/mcp/other-shop", json=request("ping"), headers=headers)).status_code == 404
        assert (await gateway.rest.post("/mcp/tiny-shop", json=request("ping"), headers=headers)).status_code == 200
        joining = await gateway.rest.post(
            f"/mcp/other-shop?session={headers['mcp-session-id']}", json=HANDSHAKE, headers=ACCEPT
        )
        assert joining.status_code == 400


async def test_revisions_without_sessions_are_declined_by_naming_those_with_them(shop: Served) -> None:
    headers = ACCEPT | {"mcp-protocol-version": "2026-07-28"}
    answer = await shop.rest.post("/mcp/tiny-shop", json=request("server/discover"), headers=headers)
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["code"], error["data"]["requested"]) == (-32022, "2026-07-28")
    assert "2025-11-25" in error["data"]["supported"]


def request(method: str) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 7, "method": method}

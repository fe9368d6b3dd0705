"""A gateway on a real socket of this machine, in this process, over the tests' runtime."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
import pytest_asyncio

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.runtime.gateway.service import Service
from envfactory_dagster.runtime.gateway.serving import GatewayServer, listen
from envfactory_dagster.runtime.gateway.settings import GatewaySettings
from envfactory_dagster.runtime.gateway.slots import Clock
from envfactory_dagster.runtime.runtime import Runtime
from tests.support.tiny import tiny

HANDSHAKE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
ACCEPT = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
"""What every MCP client sends along."""


@dataclass(frozen=True, slots=True)
class Served:
    """A gateway under test: where it is, and a client for its REST side."""

    url: str
    service: Service
    rest: httpx2.AsyncClient

    def mcp(self, key: str = "tiny-shop", query: str = "") -> str:
        return f"{self.url}/mcp/{key}{query}"

    async def open(self, **wanted: str) -> str:
        """A new session over REST; its id."""
        answer = await self.rest.post("/sessions", json={"environment": "tiny-shop", **wanted})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    async def call(self, session: str, tool: str, arguments: dict[str, Any] | None = None, **more: str) -> Any:
        answer = await self.rest.post(
            f"/sessions/{session}/calls", json={"tool": tool, "arguments": arguments or {}, **more}
        )
        assert answer.status_code == 200, answer.text
        return answer.json()


Serve = Callable[..., AbstractAsyncContextManager[Served]]


@pytest.fixture(scope="session")
def serve(runtime: Runtime) -> Serve:
    """Serve environments (the tiny shop unless others are given) with gateway settings given by name."""

    @asynccontextmanager
    async def serving(*bundles: Bundle, clock: Clock = time.monotonic, **settings: Any) -> AsyncIterator[Served]:
        async with Service(runtime, bundles or [tiny()], GatewaySettings(**settings), clock) as service:
            ready = asyncio.Event()
            server = GatewayServer(service, ready.set)
            listening = listen("127.0.0.1", 0)
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            task = asyncio.create_task(server.serve([listening]))
            await asyncio.wait_for(ready.wait(), 10)
            try:
                async with httpx2.AsyncClient(base_url=url, timeout=30) as rest:
                    yield Served(url, service, rest)
            finally:
                server.should_exit = True
                await task

    return serving


@pytest_asyncio.fixture(scope="session")
async def shop(serve: Serve) -> AsyncIterator[Served]:
    """The tiny shop, for every test that is content with the usual settings."""
    async with serve() as gateway:
        yield gateway


async def eventually(holds: Callable[[], bool] | Callable[[], Awaitable[bool]], seconds: float = 60) -> None:
    """Wait until something holds, and fail when it does not in time."""
    deadline = time.monotonic() + seconds
    while True:
        answer = holds()
        if await answer if isinstance(answer, Awaitable) else answer:
            return
        assert time.monotonic() < deadline, f"not true after {seconds} seconds"
        await asyncio.sleep(0.01)


async def initialize(rest: httpx2.AsyncClient) -> str:
    """Begin an MCP session without a client library; its id."""
    answer = await rest.post("/mcp/tiny-shop", json=HANDSHAKE, headers=ACCEPT)
    assert answer.status_code == 200, answer.text
    return answer.headers["mcp-session-id"]

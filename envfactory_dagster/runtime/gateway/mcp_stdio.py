"""MCP over stdin and stdout: one client, one session, for as long as the client keeps the pipe open.

Belongs here: reading and writing lines, ending. Does not: what the client may ask (`mcp_server`).

A thread of our own reads stdin, because a read that waits can be neither cancelled nor left behind by asyncio's.
"""

import asyncio
import contextlib
import os
import signal
import sys
import threading

import anyio
import mcp_types as types
import uvloop
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.runner import serve_dual_era_loop
from mcp.shared.message import SessionMessage

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.tools import Principal
from envfactory_dagster.runtime.gateway.mcp_server import McpClient, mcp_server
from envfactory_dagster.runtime.gateway.security import MOST_BODY_BYTES
from envfactory_dagster.runtime.gateway.service import Service
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings

_CHUNK = 1 << 16


def serve_stdio(
    bundle: Bundle, state: str | None, task: str | None, principal: Principal, runtime_settings: RuntimeSettings
) -> None:
    """Serve one client until the end of stdin, SIGINT or SIGTERM; then end every process."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve_stdio(bundle, state, task, principal, runtime_settings))


async def _serve_stdio(
    bundle: Bundle, state: str | None, task: str | None, principal: Principal, runtime_settings: RuntimeSettings
) -> None:
    async with Runtime(runtime_settings) as runtime, Service(runtime, [bundle]) as service:
        slot = await service.open(bundle.key, state, task=task, opened_by="stdio")
        to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception]()
        to_client, from_server = anyio.create_memory_object_stream[SessionMessage]()
        with service.slots.using(slot):  # a client that says nothing is still there: its pipe is open
            async with asyncio.TaskGroup() as tasks:
                reading = tasks.create_task(_read(to_server, to_client.clone()))
                for number in (signal.SIGINT, signal.SIGTERM):
                    asyncio.get_running_loop().add_signal_handler(number, reading.cancel)
                tasks.create_task(_write(from_server))
                server = mcp_server(service, bundle, principal)
                await serve_dual_era_loop(server, from_client, to_client, lifespan_state=McpClient(slot))


async def _read(
    to_server: MemoryObjectSendStream[SessionMessage | Exception], to_client: MemoryObjectSendStream[SessionMessage]
) -> None:
    """One message a line. What is none is answered as MCP wants, by nobody in particular."""
    lines = asyncio.StreamReader(limit=MOST_BODY_BYTES)
    threading.Thread(target=_pump_stdin, args=(lines, asyncio.get_running_loop()), daemon=True).start()
    async with to_server, to_client:
        while True:
            try:
                line = await lines.readline()
                if not line:
                    return
                message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValueError as error:
                problem = types.ErrorData(code=types.PARSE_ERROR, message=f"This is no message of MCP: {error}"[:500])
                await to_client.send(SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=None, error=problem)))
            else:
                await to_server.send(SessionMessage(message))


def _pump_stdin(lines: asyncio.StreamReader, loop: asyncio.AbstractEventLoop) -> None:
    try:
        while data := os.read(sys.stdin.fileno(), _CHUNK):
            loop.call_soon_threadsafe(lines.feed_data, data)
        loop.call_soon_threadsafe(lines.feed_eof)
    except RuntimeError:
        return  # the loop has ended before the client did


async def _write(from_server: MemoryObjectReceiveStream[SessionMessage]) -> None:
    """A client that reads no more has gone, or soon will; it ends by closing stdin."""
    async with from_server:
        async for answer in from_server:
            line = answer.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
            with contextlib.suppress(BrokenPipeError):
                while line:
                    line = line[os.write(sys.stdout.fileno(), line) :]

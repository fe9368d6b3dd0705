"""MCP over streamable HTTP: one URL for each environment, a session of its own for every client.

Belongs here: which client talks to which slot, and when a client is gone. Does not: what it may ask (`mcp_server`).

A client ends its session with DELETE, by saying nothing for too long, or by vanishing: clients that keep a stream open
to listen are known to be gone when it breaks, and are given a moment to come back.

Environments keep state between calls, so the protocol's revisions without sessions (2026-07-28 and later) are declined
by naming those that have them; clients then fall back to one of these by themselves.
"""

import asyncio
import secrets
from dataclasses import dataclass
from typing import Any, get_args

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_loop
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER, StreamableHTTPServerTransport, check_accept_headers
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from envfactory_dagster.contracts.errors import EnvFactoryError, UsageError
from envfactory_dagster.contracts.tools import Principal
from envfactory_dagster.runtime.gateway.mcp_server import McpClient, mcp_server
from envfactory_dagster.runtime.gateway.problems import retry_headers, status_of
from envfactory_dagster.runtime.gateway.security import first
from envfactory_dagster.runtime.gateway.service import Service
from envfactory_dagster.runtime.gateway.slots import Full, NoSuchSession, Slot

_BEGIN = "This is an MCP server (streamable HTTP): begin with a POST of `initialize`"
_MOST_PLACE = 200
_PRINCIPALS: dict[str, Principal] = {name: name for name in get_args(Principal)}


@dataclass(eq=False, slots=True)
class _Conversation:
    """One client session of MCP."""

    id: str
    key: str
    caller: McpClient
    owns_slot: bool
    transport: StreamableHTTPServerTransport
    listening: int = 0

    async def stop(self) -> None:
        if not self.transport.is_terminated:
            await self.transport.terminate()


class McpEndpoint:
    """The ASGI application at `/mcp/{key}`."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._servers: dict[tuple[str, Principal], Server[McpClient]] = {}
        self._conversations: dict[str, _Conversation] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        requested = request.headers.get(MCP_PROTOCOL_VERSION_HEADER)
        if requested is not None and requested not in HANDSHAKE_PROTOCOL_VERSIONS:
            await _decline_version(requested)(scope, receive, send)
            return
        try:
            conversation = self._find(request)
            if conversation is None:
                # Before a session is opened: one that is opened for nothing is one less for somebody else.
                refusal = await _no_beginning(request)
                if refusal is not None:
                    await refusal(scope, receive, send)
                    return
                request = Request(scope, first([{"type": "http.request", "body": await request.body()}], receive))
                conversation = await self._begin(request)
        except EnvFactoryError as failure:
            code = types.INVALID_REQUEST if isinstance(failure, UsageError) else types.INTERNAL_ERROR
            answer = _error(status_of(failure), code, str(failure), headers=retry_headers(failure))
            await answer(scope, receive, send)
            return
        await self._pass_on(conversation, request, send)
        if not conversation.caller.initialized:
            await conversation.stop()

    def stop_listening(self) -> None:
        """Break the streams that clients listen to, so that they do not hold up a shutdown."""
        for conversation in self._conversations.values():
            conversation.transport.close_standalone_sse_stream()

    async def close(self) -> None:
        """End every conversation."""
        for conversation in list(self._conversations.values()):
            await conversation.stop()
        await asyncio.gather(*self._tasks)

    def _find(self, request: Request) -> _Conversation | None:
        """The conversation a request belongs to, or None when it is to begin one."""
        given = request.headers.get(MCP_SESSION_ID_HEADER)
        if given is None:
            return None
        conversation = self._conversations.get(given)
        if conversation is None or conversation.key != request.path_params["key"]:
            raise NoSuchSession("There is no such MCP session; it ended, or was idle for too long. Initialize again.")
        return conversation

    async def _begin(self, request: Request) -> _Conversation:
        key = request.path_params["key"]
        server = self._server(key, request.query_params.get("principal", "assistant"))
        joins = request.query_params.get("session")
        slot = await self._slot(key, joins, request.query_params.get("state"), request.query_params.get("task"))
        conversation_id = slot.id if joins is None else secrets.token_hex(16)
        transport = StreamableHTTPServerTransport(conversation_id, is_json_response_enabled=True)
        conversation = _Conversation(conversation_id, key, McpClient(slot), joins is None, transport)
        self._conversations[conversation_id] = conversation
        slot.on_close.append(conversation.stop)
        ready = asyncio.Event()
        task = asyncio.create_task(self._converse(server, conversation, ready))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await ready.wait()
        return conversation

    def _server(self, key: str, principal_name: str) -> Server[McpClient]:
        bundle = self._service.bundle(key)
        principal = _PRINCIPALS.get(principal_name)
        if principal is None:
            raise UsageError(f"A principal is one of {', '.join(_PRINCIPALS)}, not {principal_name[:64]!r}.")
        if (key, principal) not in self._servers:
            self._servers[key, principal] = mcp_server(self._service, bundle, principal)
        return self._servers[key, principal]

    async def _slot(self, key: str, joins: str | None, state: str | None, task: str | None) -> Slot:
        if joins is None:
            return await self._service.open(key, state, task=task, opened_by="mcp")
        slot = self._service.slots.get(joins)
        if slot.environment != key:
            raise UsageError(f"That session is one of {slot.environment}, not of {key}.")
        if len(self._conversations) >= 2 * self._service.slots.capacity:
            raise Full("Too many MCP clients have joined sessions of others; try later.")
        return slot

    async def _converse(self, server: Server[McpClient], conversation: _Conversation, ready: asyncio.Event) -> None:
        caller = conversation.caller
        try:
            async with conversation.transport.connect() as (incoming, outgoing):
                ready.set()
                await serve_loop(server, incoming, outgoing, lifespan_state=caller, session_id=conversation.id)
        finally:
            ready.set()
            del self._conversations[conversation.id]
            caller.slot.on_close.remove(conversation.stop)
            if conversation.owns_slot:
                await self._service.slots.close(caller.slot)

    async def _pass_on(self, conversation: _Conversation, request: Request, send: Send) -> None:
        slots, slot = self._service.slots, conversation.caller.slot
        if request.method != "GET":
            with slots.using(slot):
                await conversation.transport.handle_request(request.scope, request.receive, send)
            return
        conversation.listening += 1
        try:
            await conversation.transport.handle_request(request.scope, request.receive, send)
        finally:
            conversation.listening -= 1
            if not conversation.listening and conversation.owns_slot:
                slots.hurry(slot, self._service.settings.lost_seconds)


async def _no_beginning(request: Request) -> Response | None:
    """Why a request without a session does not begin one; None when it does."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if request.method != "POST" or kind != "application/json":
        return _error(400, types.INVALID_REQUEST, f"{_BEGIN}, with Content-Type: application/json.")
    if not check_accept_headers(request)[0]:
        return _error(406, types.INVALID_REQUEST, "The client must accept application/json.")
    try:
        message = types.jsonrpc_message_adapter.validate_json(await request.body(), by_name=False)
        if not isinstance(message, types.JSONRPCRequest) or message.method != "initialize":
            return _error(400, types.INVALID_REQUEST, f"{_BEGIN}.")
        types.InitializeRequestParams.model_validate(message.params, by_name=False)
    except ValidationError as failure:
        wrong = failure.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, wrong["loc"]))[:_MOST_PLACE]
        said = f"{place}: {wrong['msg']}" if place else wrong["msg"]
        return _error(400, types.INVALID_PARAMS, f"{_BEGIN}; {said}.")
    return None


def _decline_version(requested: str) -> Response:
    data = types.UnsupportedProtocolVersionErrorData(supported=list(HANDSHAKE_PROTOCOL_VERSIONS), requested=requested)
    sentence = "Environments keep state, so only revisions of the protocol with sessions are served."
    return _error(400, types.UNSUPPORTED_PROTOCOL_VERSION, sentence, data.model_dump(mode="json"))


def _error(status: int, code: int, sentence: str, data: Any = None, headers: dict[str, str] | None = None) -> Response:
    message = types.JSONRPCError(jsonrpc="2.0", id=None, error=types.ErrorData(code=code, message=sentence, data=data))
    body = message.model_dump_json(by_alias=True, exclude_unset=True)
    return Response(body, status, headers, media_type="application/json")

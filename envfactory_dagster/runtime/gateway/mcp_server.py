"""An environment as an MCP server: its tools, its rules as instructions, its results as MCP results.

Belongs here: what our artifacts look like in MCP. Does not: transports and sessions (`mcp_http`, `mcp_stdio`).
"""

from dataclasses import dataclass
from typing import Any

import mcp_types as types
import orjson
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.calls import CallResult
from envfactory_dagster.contracts.domain import Theme
from envfactory_dagster.contracts.tools import Principal
from envfactory_dagster.runtime.gateway.service import Service
from envfactory_dagster.runtime.gateway.slots import Slot

OUTCOME_KEY = "envfactory/outcome"
"""In a failed result's `_meta`: whose fault it was."""


@dataclass(slots=True)
class McpClient:
    """One MCP client, and the session it talks to."""

    slot: Slot
    initialized: bool = False


def mcp_server(service: Service, bundle: Bundle, principal: Principal) -> Server[McpClient]:
    """The server of one principal of an environment; it serves any number of callers."""

    async def list_tools(
        context: ServerRequestContext[McpClient], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        listed = service.tools(context.lifespan_context.slot, principal)
        return types.ListToolsResult(tools=[types.Tool.model_validate(tool, by_name=False) for tool in listed])

    async def call_tool(
        context: ServerRequestContext[McpClient], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        slot = context.lifespan_context.slot
        return tool_result(await service.call(slot, params.name, params.arguments or {}, principal))

    server: Server[McpClient] = Server(
        bundle.key,
        version=bundle.version[:16],
        title=bundle.theme.name,
        description=bundle.theme.description,
        instructions=instructions(bundle.theme),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.append(_note_handshake)
    return server


def instructions(theme: Theme) -> str:
    """What the agent should know before it begins: the domain and its rules."""
    rules = "\n".join(f"- {rule.text}" for rule in theme.rules)
    return f"{theme.name}. {theme.description}\n\nRules:\n{rules}"


def tool_result(result: CallResult) -> types.CallToolResult:
    if not result.ok:
        return types.CallToolResult(
            content=[types.TextContent(text=result.error or "")], is_error=True, _meta={OUTCOME_KEY: result.outcome}
        )
    content: list[types.ContentBlock] = [types.TextContent(text=orjson.dumps(result.value).decode())]
    if result.note is not None:
        content.append(types.TextContent(text=result.note))
    return types.CallToolResult(content=content, structured_content=result.value)


async def _note_handshake(ctx: ServerRequestContext[McpClient, Any], call_next: CallNext) -> HandlerResult:
    result = await call_next(ctx)
    if ctx.method == "initialize":
        ctx.lifespan_context.initialized = True
    return result

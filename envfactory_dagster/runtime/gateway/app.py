"""The gateway as an ASGI application: REST, its documentation, and where MCP is mounted.

Belongs here: the routes. Does not: what requests mean (`service`), how failures become status codes (`problems`), MCP
(`mcp_http`), or who is let in (`security`).
"""

from importlib.metadata import version
from typing import Annotated

from fastapi import APIRouter, FastAPI, Query, Response
from fastapi.responses import PlainTextResponse
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.tools import Principal
from envfactory_dagster.runtime.gateway import models
from envfactory_dagster.runtime.gateway.mcp_http import McpEndpoint
from envfactory_dagster.runtime.gateway.problems import COMMON_PROBLEMS, JsonRoute, answer_problems
from envfactory_dagster.runtime.gateway.security import Guard
from envfactory_dagster.runtime.gateway.service import Service
from envfactory_dagster.runtime.gateway.slots import Slot

_DESCRIPTION = """\
Executable environments for agents that use tools. Open a session to get a copy of an environment of your own, call its
tools, close it. What one session does no other can see.

A request that cannot be served is an HTTP error with a sentence in `error`. **A tool call that fails is a result**,
status 200: its `outcome` says whose fault the failure was.

Every environment is also an MCP server (streamable HTTP) at `/mcp/KEY`; every MCP client gets a session of its own.
`?state=NAME` chooses the initial state, `?task=ID` the task that is worked on, `?principal=user` offers the user's
tools instead of the assistant's, and
`?session=ID` joins a session that is already open.

There is no request that resets a session or judges it: those who act in an environment may do neither.
"""


def create_app(service: Service, mcp: McpEndpoint) -> FastAPI:
    """The application over a service that is running."""
    app = FastAPI(
        title="envfactory gateway", version=version("envfactory_dagster"), description=_DESCRIPTION, redoc_url=None
    )
    answer_problems(app)
    app.router.routes.append(Route("/mcp/{key}", endpoint=mcp, include_in_schema=False))
    app.include_router(_operation(service))
    app.include_router(_environments(service))
    app.include_router(_sessions(service))
    settings = service.settings
    if settings.site is not None:
        app.mount("/site", StaticFiles(directory=settings.site, html=True))
    app.add_middleware(
        Guard, token=settings.token, allowed_hosts=settings.allowed_hosts, body_seconds=settings.body_seconds
    )
    return app


def _operation(service: Service) -> APIRouter:
    router = APIRouter(tags=["operation"])

    @router.get("/health", summary="Is the gateway up?")
    async def health() -> models.Health:
        """Answered without a token."""
        return models.Health(
            status="ok",
            environments=len(service.bundles),
            sessions_open=len(service.slots),
            sessions_capacity=service.slots.capacity,
        )

    @router.get("/metrics", summary="Figures for Prometheus", response_class=PlainTextResponse)
    async def metrics() -> PlainTextResponse:
        """Sessions, capacity, calls by environment and outcome, their latencies, workers and their deaths."""
        return PlainTextResponse(service.render_metrics(), media_type="text/plain; version=0.0.4")

    return router


def _environments(service: Service) -> APIRouter:
    router = APIRouter(prefix="/environments", tags=["environments"], responses=COMMON_PROBLEMS)

    @router.get("", summary="List the environments")
    async def list_environments() -> list[models.EnvironmentSummary]:
        return [models.EnvironmentSummary(**_summary(bundle)) for bundle in service.bundles.values()]

    @router.get("/{key}", summary="Describe an environment")
    async def describe_environment(key: str) -> models.EnvironmentDetails:
        """What it is about, the rules of its domain, and the states a session can start from."""
        bundle = service.bundle(key)
        theme = bundle.theme
        return models.EnvironmentDetails(
            **_summary(bundle), rules=theme.rules, states=sorted(bundle.shared_states), entities=theme.entities
        )

    @router.get("/{key}/tools", summary="List the tools of an environment")
    async def list_tools(
        key: str, principal: Annotated[Principal, Query(description="Whose tools.")] = "assistant"
    ) -> list[models.Tool]:
        """The same in every session, as MCP lists them."""
        return [models.Tool(**tool.mcp()) for tool in service.bundle(key).tools_of(principal)]

    return router


def _sessions(service: Service) -> APIRouter:
    router = APIRouter(prefix="/sessions", tags=["sessions"], responses=COMMON_PROBLEMS, route_class=JsonRoute)

    def info(slot: Slot) -> models.SessionInfo:
        return models.SessionInfo(
            id=slot.id,
            environment=slot.environment,
            state=slot.session.state,
            task=None if slot.at_hand is None else slot.at_hand.task.id,
            report=_report_of(slot),
            opened_by=slot.opened_by,
            opened_at=slot.opened_at,
            idle_seconds=service.slots.idle_for(slot),
        )

    @router.post("", status_code=201, summary="Open a session")
    async def open_session(wanted: models.NewSession, response: Response) -> models.SessionInfo:
        """A copy of the environment of your own. It is closed when it has heard no request for a while."""
        slot = await service.open(wanted.environment, wanted.state, task=wanted.task, opened_by="rest")
        response.headers["Location"] = f"/sessions/{slot.id}"
        return info(slot)

    @router.get("", summary="Count the open sessions")
    async def count_sessions(
        environment: Annotated[str | None, Query(description="Only those of this environment.")] = None,
    ) -> models.SessionCount:
        """Those that MCP clients hold are among them. Nothing more is told: what a session was opened for, and what was
        answered there, is for those who have its id."""
        if environment is not None:
            service.bundle(environment)
        return models.SessionCount(open=sum(environment in (None, slot.environment) for slot in service.slots))

    @router.get("/{session_id}", summary="Describe a session")
    async def describe_session(session_id: str) -> models.SessionInfo:
        """For those who have its id: its task, and the report once it is handed in."""
        return info(service.slots.get(session_id))

    @router.get("/{session_id}/tools", summary="List the tools of a session")
    async def list_session_tools(
        session_id: str, principal: Annotated[Principal, Query(description="Whose tools.")] = "assistant"
    ) -> list[models.Tool]:
        """Those of its environment. A session that was opened for a task has `finish` besides, and lacks what the task
        withholds."""
        return [models.Tool(**tool) for tool in service.tools(service.slots.get(session_id), principal)]

    @router.delete("/{session_id}", status_code=204, summary="Close a session")
    async def close_session(session_id: str) -> None:
        """Its database is gone with it."""
        await service.slots.close(service.slots.get(session_id))

    @router.post("/{session_id}/calls", summary="Call a tool")
    async def call_tool(session_id: str, call: models.CallBody) -> models.ToolResult:
        """Calls of one session are made in the order they arrive. A failure of the call is a result: see `outcome`."""
        slot = service.slots.get(session_id)
        result = await service.call(slot, call.tool, call.arguments, call.principal)
        return models.ToolResult(outcome=result.outcome, value=result.value, error=result.error, note=result.note)

    return router


def _report_of(slot: Slot) -> models.ReportOfSession | None:
    if slot.at_hand is None or slot.at_hand.report is None:
        return None
    return models.ReportOfSession(**slot.at_hand.report.model_dump(mode="json"))


def _summary(bundle: Bundle) -> dict[str, str]:
    return {
        "key": bundle.key,
        "name": bundle.theme.name,
        "description": bundle.theme.description,
        "version": bundle.version,
        "mcp": f"/mcp/{bundle.key}",
    }

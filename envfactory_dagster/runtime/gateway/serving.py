"""Running the gateway as a process: the socket, signals, an end that leaves nothing behind.

Belongs here: uvicorn and its settings. Does not: choosing what is served (`commands`), or answering (`app`).
"""

import asyncio
import functools
import resource
import signal
import socket
from collections.abc import Callable, Sequence
from typing import Any

import uvicorn
import uvloop
from sse_starlette.sse import AppStatus

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.runtime.gateway.app import create_app
from envfactory_dagster.runtime.gateway.connections import Connection, IdleConnections
from envfactory_dagster.runtime.gateway.mcp_http import McpEndpoint
from envfactory_dagster.runtime.gateway.service import Service
from envfactory_dagster.runtime.gateway.settings import GatewaySettings
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings

UVICORN_SETTINGS: dict[str, Any] = {
    "log_level": "warning",
    "access_log": False,
    "server_header": False,
    "proxy_headers": False,
    "ws": "none",
    "timeout_keep_alive": 75,  # longer than an agent thinks between two calls
    "timeout_graceful_shutdown": 10,  # for requests under way once the process was told to end
}


class GatewayServer(uvicorn.Server):
    """A service on a socket, until SIGINT or SIGTERM."""

    def __init__(self, service: Service, on_ready: Callable[[], None]) -> None:
        self._endpoint = McpEndpoint(service)
        self._on_ready = on_ready
        settings = service.settings
        waiting = IdleConnections(min(settings.max_connections, _most_open_files() // 2), settings.head_seconds)
        of_ours: dict[str, Any] = {"http": functools.partial(Connection, waiting)}
        app = create_app(service, self._endpoint)
        super().__init__(uvicorn.Config(app, lifespan="off", **UVICORN_SETTINGS, **of_ours))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Finish what is under way; a stream that a client only listens to is not."""
        self._endpoint.stop_listening()
        await super().shutdown(sockets)
        await self._endpoint.close()


def serve_http(
    bundles: Sequence[Bundle],
    listening: socket.socket,
    settings: GatewaySettings,
    runtime_settings: RuntimeSettings,
    on_ready: Callable[[], None],
) -> None:
    """Serve until SIGINT or SIGTERM; then finish what is under way, and end every process."""

    async def serve() -> None:
        async with Runtime(runtime_settings) as runtime, Service(runtime, bundles, settings) as service:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, _end_quietly)
            # Streams are ended in `GatewayServer.shutdown`. Left alone, this library cuts them off in the middle of a
            # chunk if it happens to notice the signal first.
            AppStatus.enable_automatic_graceful_drain = False
            await GatewayServer(service, on_ready).serve([listening])

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve())


def listen(host: str, port: int) -> socket.socket:
    """A socket bound to an address; it begins to listen when it is served."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as error:
        raise UsageError(f"Cannot listen on port {port} of {host}: {error.strerror}.") from error
    return listening


def _most_open_files() -> int:
    """Every connection is one, and workers need theirs."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def _end_quietly(signal_number: int, frame: object) -> None:
    """uvicorn raises the signal that ended it once more when it is done; by then nothing is left to do."""

"""Connections of the gateway: a deadline for the head of a request, and a limit on how many there are.

Belongs here: what a client may hold before it has asked for anything. Does not: what it asks for (`security` looks at
the head and waits for the body).

At the limit, one that has no request under way is closed: the oldest that never asked for anything, or else the one
that was served longest ago. So clients that only hold connections push out each other, and not one that comes to ask.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD_BYTES = 65_536

_TOO_LATE = b"408 Request Timeout"
_TOO_LARGE = b"431 Request Header Fields Too Large"


class IdleConnections:
    """The connections of one server on which no request is under way, in the order in which that began."""

    def __init__(self, most_connections: int, head_seconds: float) -> None:
        self.most_connections = most_connections
        self.head_seconds = head_seconds
        self._connections: dict[Connection, None] = {}

    def add(self, connection: "Connection") -> None:
        self._connections[connection] = None

    def discard(self, connection: "Connection") -> None:
        self._connections.pop(connection, None)

    def __contains__(self, connection: "Connection") -> bool:
        return connection in self._connections

    def first_to_go(self) -> "Connection":
        """There is one: whoever has just connected waits as well."""
        never_asked = (connection for connection in self._connections if connection.cycle is None)
        return next(never_asked, None) or next(iter(self._connections))


class Connection(HttpToolsProtocol):
    """uvicorn's, with the deadline and the limit."""

    def __init__(self, waiting: IdleConnections, **of_uvicorn: Any) -> None:
        super().__init__(**of_uvicorn)
        self._waiting = waiting
        self._head_bytes = 0
        self._in_body = False
        """Whether what arrives belongs to a request already, though that may have been refused without its body."""
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._waiting.add(self)
        self._begin_head()
        if len(self.connections) > self._waiting.most_connections:
            self._waiting.first_to_go().let_go()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self in self._waiting and self._deadline is None:
            self._begin_head()
        super().data_received(data)
        if self in self._waiting and not self._in_body:
            self._head_bytes += len(data)
            if self._head_bytes > MOST_HEAD_BYTES:
                self._refuse(_TOO_LARGE)

    def on_headers_complete(self) -> None:
        self._forget()
        self._in_body = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_body = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self._waiting.add(self)

    def let_go(self) -> None:
        """Close the connection, for one that has more to say."""
        self._forget()
        # Now and not when the loop comes to it, or many could still be counted that are gone.
        self.connections.discard(self)
        self.transport.close()

    def _begin_head(self) -> None:
        self._head_bytes = 0
        self._deadline = self.loop.call_later(self._waiting.head_seconds, self._refuse, _TOO_LATE)

    def _forget(self) -> None:
        self._waiting.discard(self)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, status: bytes) -> None:
        self._forget()
        if not self.transport.is_closing():
            self.transport.write(b"HTTP/1.1 " + status + b"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            self.transport.close()

"""Who may talk to the gateway at all: checks on every request before anything else looks at it.

Belongs here: DNS rebinding, the token, how large a body may be and how long it may take. Does not: what a request asks
for.

A page in somebody's browser must not reach a server on their machine. Such a page comes under a name of its own, so a
request is answered only when it calls us by an address, by `localhost` or by a name we were given, and when its
Origin, if it has one, is one of those or ourselves.
"""

import asyncio
import functools
import hmac
import ipaddress
from urllib.parse import urlsplit

import orjson
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY_BYTES = 2 * 1_048_576
"""A little more than the largest arguments a tool may be given."""
_OPEN_PATHS = frozenset({"/health"})

_Refusal = tuple[int, str, list[tuple[bytes, bytes]]]


class Guard:
    """Middleware that refuses before the application is asked."""

    def __init__(self, app: ASGIApp, token: str | None, allowed_hosts: frozenset[str], body_seconds: float) -> None:
        self._app = app
        self._token = None if token is None else token.encode()
        self._allowed_hosts = frozenset(name.lower() for name in allowed_hosts)
        self._body_seconds = body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        if refusal is None and scope["type"] == "http":
            try:
                # The application opens a session for a request, so it is asked only once the whole body is there.
                async with asyncio.timeout(self._body_seconds):
                    received = await _whole_body(receive)
            except TimeoutError:
                message = f"The body did not arrive within {self._body_seconds:g} seconds."
                refusal = 408, message, [(b"connection", b"close")]
            else:
                receive = first(received, receive)
        if refusal is None:
            await self._app(scope, receive, send)
            return
        status, message, headers = refusal
        body = orjson.dumps({"error": message})
        head = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *headers]
        await send({"type": "http.response.start", "status": status, "headers": head})
        await send({"type": "http.response.body", "body": body})

    def _refusal(self, scope: Scope) -> _Refusal | None:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        name = _name_in(f"//{host}")
        if name is None or not (_is_address_or_local(name) or name in self._allowed_hosts):
            return 421, f"This server does not answer to the host {host[:100]!r}; start it with --allow-host.", []
        origin = headers.get(b"origin", b"").decode("latin-1")
        if origin and not self._is_friendly(origin, host):
            return 403, f"Requests from pages of {origin[:100]!r} are not answered.", []
        if self._token is not None and scope["path"] not in _OPEN_PATHS:
            scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
            if scheme.lower() != b"bearer" or not hmac.compare_digest(given.strip(), self._token):
                message = "This server wants its token, as `Authorization: Bearer TOKEN`."
                return 401, message, [(b"www-authenticate", b"Bearer")]
        if b"transfer-encoding" in headers:
            return 411, "Say how long the body is: send a Content-Length.", []
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > MOST_BODY_BYTES:
            return 413, f"The body may have at most {MOST_BODY_BYTES} bytes.", []
        return None

    def _is_friendly(self, origin: str, host: str) -> bool:
        name = _name_in(origin)
        return name is not None and (_is_local(name) or name in self._allowed_hosts or urlsplit(origin).netloc == host)


async def _whole_body(receive: Receive) -> list[Message]:
    """Everything up to the end of the body, or until the client has gone."""
    received = [await receive()]
    while received[-1]["type"] == "http.request" and received[-1].get("more_body", False):
        received.append(await receive())
    return received


def first(received: list[Message], then: Receive) -> Receive:
    """What was received already, and after it whatever else comes."""
    waiting = iter(received)

    async def receive() -> Message:
        message = next(waiting, None)
        return await then() if message is None else message

    return receive


@functools.lru_cache(maxsize=256)
def _name_in(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _is_address_or_local(name: str) -> bool:
    return _is_local(name) or _is_address(name)


def _is_local(name: str) -> bool:
    return name in ("localhost", "127.0.0.1", "::1")


@functools.lru_cache(maxsize=256)
def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True

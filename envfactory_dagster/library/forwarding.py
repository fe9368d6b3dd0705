"""Passing requests on to another endpoint, so that a world of the library can be continued by a language model.

Belongs here: one request, as it came, and its response, as it comes. Does not: which requests (`app`).
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from fastapi import Request

_NOT_PASSED_ON = ("host", "content-length", "connection", "accept-encoding", "transfer-encoding", "content-encoding")


class Forwarding:
    """An app that is another endpoint. `url` is where that API begins, as ENVFACTORY_LLM_BASE_URL names it."""

    title = "forwarding"

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self.version = self._url

    async def __call__(
        self,
        scope: MutableMapping[str, Any],
        receive: Callable[[], Awaitable[MutableMapping[str, Any]]],
        send: Callable[[MutableMapping[str, Any]], Awaitable[None]],
    ) -> None:
        import httpx2

        request = Request(scope, receive)
        body = await request.body()
        url = self._url + scope["path"].removeprefix("/v1")
        async with httpx2.AsyncClient(timeout=None) as client:
            async with client.stream(
                scope["method"], url, content=body, headers=_passed_on(request.headers.items())
            ) as response:
                headers = [(k.encode(), v.encode()) for k, v in _passed_on(response.headers.items()).items()]
                await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
                async for piece in response.aiter_bytes():
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                await send({"type": "http.response.body", "body": b"", "more_body": False})


def _passed_on(headers: Any) -> dict[str, str]:
    return {name: value for name, value in headers if name.lower() not in _NOT_PASSED_ON}

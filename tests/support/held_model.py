"""A model that stops in the middle: it answers so many questions, and keeps whoever asks on waiting until it is let go.

Belongs here: holding back, so that a test can end a process in the middle of its work. Does not: answers (`model`).
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from envfactory_dagster.language.wire import AsgiApp


class HeldModel:
    """An app in front of another one. Requests come in the loop of its server; the test is in another thread."""

    def __init__(self, model: AsgiApp, answers: int) -> None:
        self._model = model
        self._left = answers
        self._let_go = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.holds = threading.Event()
        """Set as soon as somebody waits."""

    async def __call__(
        self,
        scope: MutableMapping[str, Any],
        receive: Callable[[], Awaitable[MutableMapping[str, Any]]],
        send: Callable[[MutableMapping[str, Any]], Awaitable[None]],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        if self._left == 0 and not self._let_go.is_set():
            self.holds.set()
            await self._let_go.wait()
        self._left = max(self._left - 1, 0)
        await self._model(scope, receive, send)

    def let_go(self) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._let_go.set)

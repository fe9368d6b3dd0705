"""One request over the wire, through the openai client, and what it means when it goes wrong.

Nothing here raises for what an endpoint does: a failure comes back as a `Fault`, so that no exception keeps the
request, with the key in its headers, alive in a traceback.
Belongs here: sending once, for how long an answer is waited for, and telling whose fault a failure is. Does not: trying
again (`exchange`), or putting a stream together (`streams`).
"""

import asyncio
import base64
import codecs
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import ValidationError

from envfactory_dagster.language.redaction import Secrets
from envfactory_dagster.language.retry import retry_after_s
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.language.streams import Garbled, Incoming

if TYPE_CHECKING:
    import httpx2


logger = logging.getLogger(__name__)

AsgiApp = Callable[
    [
        MutableMapping[str, Any],
        Callable[[], Awaitable[MutableMapping[str, Any]]],
        Callable[[MutableMapping[str, Any]], Awaitable[None]],
    ],
    Awaitable[None],
]

IN_PROCESS_URL = "http://in-process/v1"
EXCERPT_CHARS = 500
WEB_PAGE_WITHIN = 1_024
"""Bytes of a body in which a web page says that it is one."""
TRANSIENT = (408, 409, 425, 429)
FAILED_AT_WORK = (500, 504, 524)
"""Statuses of an endpoint that failed while it worked on a request; with the other ones it did not begin."""
TOOK_TOO_LONG = (504, 524)
"""Statuses of a gateway that did not wait any longer."""
LINGER_S = 1.0
"""How long the end of a response is waited for after its last word, so that the connection can be used again."""
NO_OTHER_ANSWER = "no_other_answer"
"""The code of the error with which an endpoint that only knows certain answers says that it has no other."""
TOO_LONG = ("context_length_exceeded", "maximum context length", "context window", "prompt is too long")


@dataclass(frozen=True, slots=True)
class Fault:
    """A request that brought no answer.

    `usage`: the settings are wrong; `answer`: this question cannot be answered; `service`: the endpoint failed.
    """

    whose: Literal["usage", "answer", "service"]
    message: str
    status: int | None = None
    transient: bool = False
    retry_after_s: float | None = None
    said: str = ""
    may_be_billed: bool = False
    """Whether the endpoint had the request and may have worked on it before it failed."""
    slow: bool = False
    """Whether it failed because it took too long."""
    final: bool = False
    """Whether the endpoint says that it has no other answer to this question, however it is asked."""


class Endpoint:
    """An OpenAI-compatible endpoint: at a URL, or an ASGI app in this process."""

    def __init__(self, settings: LanguageSettings, app: AsgiApp | None) -> None:
        import openai

        self._url = settings.base_url or IN_PROCESS_URL
        self._timeout_s = settings.limits.timeout_s
        self._idle_s = settings.limits.idle_s
        self._most_tokens = settings.limits.max_output_tokens
        key = settings.api_key.get_secret_value() if settings.api_key else None
        login = settings.login.get_secret_value() if settings.login else None
        self._secrets = Secrets(key, login)
        http = _http_client(settings.limits.concurrency, app)
        basic = {"Authorization": "Basic " + base64.b64encode(login.encode()).decode()} if login else None
        # The client insists on a key; servers that need none ignore it. Retries are ours, so that each is seen.
        self._client = openai.AsyncOpenAI(
            base_url=self._url,
            api_key=key or "none",
            timeout=max(self._timeout_s, self._idle_s),
            max_retries=0,
            default_headers=basic,
            http_client=http,
        )
        self.name = self._url if app is None else f"in-process:{_name_and_version(app)}"
        self.streams = app is None
        """Whether answers can come in pieces: from an app in this process they come whole."""

    async def close(self) -> None:
        await self._client.close()

    async def send(self, path: str, body: bytes, model: str) -> bytes | Fault:
        """The body of the answer, with secrets blotted out, or what went wrong."""
        import httpx2
        import openai

        incoming = Incoming(self._most_tokens)
        try:
            await self._receive(path, body, incoming)
            answer = self._secrets.blot_answer(incoming.body())
        except (TimeoutError, openai.APITimeoutError, httpx2.TimeoutException):
            return self._too_slow(incoming)
        except openai.APIStatusError as error:
            return self._refused(error.response.status_code, error.response.content, error.response.headers, model)
        except openai.APIConnectionError as error:
            what = f"broke the connection or could not be reached ({_root(error)})"
            return self._unreachable(what, may_be_billed=not isinstance(error.__cause__, httpx2.ConnectError))
        except httpx2.HTTPError as error:
            return self._unreachable(f"broke the connection in the middle of its answer ({_root(error)})")
        except Garbled as error:
            return self._unreachable(
                f"sent something in its answer that is no part of one: {self._excerpt(error.data)}"
            )
        if incoming.error is not None:
            fault = self._refused(incoming.status, incoming.error, {}, model, " in its stream")
            return replace(fault, may_be_billed=fault.may_be_billed or incoming.begun)
        if incoming.cut:
            return self._unreachable("ended in the middle of its answer")
        return Fault("usage", self._web_page(answer)) if _is_web_page(answer) else answer

    async def _receive(self, path: str, body: bytes, incoming: Incoming) -> None:
        """The response, to its end. What happens after the last word of an answer is no matter: it is there."""
        import httpx2
        import openai

        now = asyncio.get_running_loop().time
        try:
            # The client's own timeout is per read, so it never ends a body that drips, nor one in this process.
            async with asyncio.timeout(self._timeout_s) as limit:
                response = cast(
                    httpx2.Response,
                    await self._client.post(
                        path, cast_to=httpx2.Response, content=body, stream=True, stream_cls=openai.AsyncStream[Any]
                    ),
                )
                try:
                    async for piece in response.aiter_bytes():
                        if incoming.feed(piece):
                            limit.reschedule(now() + (LINGER_S if incoming.done else self._idle_s))
                finally:
                    await response.aclose()
            incoming.end()
        except (TimeoutError, httpx2.HTTPError, Garbled):
            if not incoming.complete:
                raise

    def malformed(self, body: bytes, problem: ValueError) -> Fault:
        """Empty, cut off, or not what this path answers. Gateways do this when they are overloaded, so it may pass."""
        if not body.strip():
            return Fault("service", f"{self._url} answered with an empty body.", transient=True)
        message = f"{self._url} answered something else than asked ({_first_line(problem)}): {self._excerpt(body)}"
        return Fault("service", message, transient=True)

    def _too_slow(self, incoming: Incoming) -> Fault:
        what = f"did not answer within {self._timeout_s:g} seconds (ENVFACTORY_LLM_TIMEOUT_S)"
        if incoming.begun:
            what = f"wrote nothing for {self._idle_s:g} seconds in the middle of its answer (ENVFACTORY_LLM_IDLE_S)"
        return replace(self._unreachable(what), slow=True)

    def _refused(self, status: int, body: bytes, headers: Mapping[str, str], model: str, where: str = "") -> Fault:
        said = self._secrets.blot(body.decode("utf-8", errors="replace"))
        head, excerpt = f"{self._url} answered {status}{where}", self._excerpt(body)
        if status in (401, 403):
            # Such a body may hold the key in a form that nobody foresaw, so it is not quoted.
            return Fault("usage", f"{head}: it refuses the key. Set ENVFACTORY_LLM_API_KEY.", status)
        if "insufficient_quota" in said:
            return Fault("usage", f"{head}: the account has no quota left: {excerpt}", status)
        if status in TRANSIENT or status >= 500:
            wait, billed, slow = retry_after_s(headers, time.time()), status in FAILED_AT_WORK, status in TOOK_TOO_LONG
            return Fault("service", f"{head}: {excerpt}", status, True, wait, may_be_billed=billed, slow=slow)
        if _is_web_page(body):
            return Fault("usage", f"{head}. {self._web_page(body)}", status)
        if status == 404:
            wrong = f"it has no model {model!r}, or ENVFACTORY_LLM_BASE_URL is not the address its API begins at"
            return Fault("usage", f"{head}: {wrong} (often …/v1). It said: {excerpt}", status)
        if (sentence := _no_other_answer(said)) is not None:
            return Fault("answer", sentence, status, final=True)
        if any(sign in said for sign in TOO_LONG):
            return Fault("answer", f"The question is longer than the model can read: {excerpt}", status)
        if "content_filter" in said:
            return Fault("answer", f"The endpoint's filter refused the question: {excerpt}", status)
        return Fault("usage", f"{head} to a request for {model!r}: {excerpt}", status, said=said)

    def _unreachable(self, what: str, *, may_be_billed: bool = True) -> Fault:
        message = self._secrets.blot(f"{self._url} {what}.")
        return Fault("service", message, transient=True, may_be_billed=may_be_billed)

    def _web_page(self, body: bytes) -> str:
        return (
            f"{self._url} answered with a web page instead of JSON. Set ENVFACTORY_LLM_BASE_URL to the address its "
            f"API begins at (often …/v1). The page begins: {self._excerpt(body)}"
        )

    def _excerpt(self, body: bytes) -> str:
        # Blotted before it is cut: half a key is still a secret.
        text = " ".join(self._secrets.blot(body.decode("utf-8", errors="replace")).split())
        return text if len(text) <= EXCERPT_CHARS else text[:EXCERPT_CHARS] + "…"


def _http_client(concurrency: int, app: AsgiApp | None) -> "httpx2.AsyncClient":
    import httpx2
    import openai

    if app is None:
        limits = httpx2.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
        return openai.DefaultAsyncHttpxClient(limits=limits)
    transport = httpx2.ASGITransport(app=_logged(app), raise_app_exceptions=False)
    return openai.DefaultAsyncHttpxClient(transport=transport)


def _logged(app: AsgiApp) -> AsgiApp:
    """An app that fails answers 500, as it would behind a server, and the traceback is not lost."""

    async def logging_app(scope: Any, receive: Any, send: Any) -> None:
        try:
            await app(scope, receive, send)
        except Exception:
            logger.exception("The in-process model endpoint failed.")
            raise

    return logging_app


def _name_and_version(app: AsgiApp) -> str:
    return f"{getattr(app, 'title', type(app).__name__)}/{getattr(app, 'version', '')}"


def _no_other_answer(said: str) -> str | None:
    """What an endpoint says that has no other answer; None for any other error."""
    if NO_OTHER_ANSWER not in said:
        return None
    try:
        error = json.loads(said)["error"]
        return str(error["message"]) if error["code"] == NO_OTHER_ANSWER else None
    except (ValueError, KeyError, TypeError):
        return None


def _root(error: BaseException) -> str:
    while error.__cause__ is not None:
        error = error.__cause__
    return f"{type(error).__name__}: {error}"


def _is_web_page(body: bytes) -> bool:
    """Comments, a declaration of XML or a mark of the byte order may come before the page itself."""
    beginning = body[:WEB_PAGE_WITHIN].removeprefix(codecs.BOM_UTF8).lstrip().lower()
    return beginning.startswith(b"<") and any(sign in beginning for sign in (b"<html", b"<!doctype html"))


def _first_line(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        problem = error.errors(include_input=False, include_url=False)[0]
        return ": ".join(filter(None, [".".join(map(str, problem["loc"])), problem["msg"]]))
    return str(error)

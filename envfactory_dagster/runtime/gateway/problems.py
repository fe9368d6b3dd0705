"""Requests that cannot be served: strict reading of bodies, and one form for every refusal.

Belongs here: which failure is which status code, always with one sentence in `error`. Does not: failures of tool calls;
they are results (`models.ToolResult`).
"""

from collections.abc import Callable, Coroutine
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from envfactory_dagster.contracts.errors import EnvFactoryError, InfrastructureFault, UsageError
from envfactory_dagster.runtime.gateway.models import ErrorBody
from envfactory_dagster.runtime.gateway.service import NoSuchEnvironment, NoSuchTask
from envfactory_dagster.runtime.gateway.slots import NoSuchSession

_RETRY_AFTER_SECONDS = "5"
_MOST_TOLD = 20
"""Errors of one body that are told; a body can hold a hundred thousand unknown fields."""
_MOST_PLACE = 200

_WHY = {
    400: "The body is not JSON, or the request asks for something impossible.",
    401: "The token is missing or wrong.",
    403: "The request comes from a page of another site.",
    404: "There is no such environment, task or session.",
    408: "The body did not arrive in time.",
    411: "The body comes without a Content-Length.",
    413: "The body is too large.",
    415: "The body is not said to be JSON.",
    421: "The server does not answer to this host name.",
    422: "The request does not follow its schema.",
    503: "All sessions are in use, or the machine failed; try again after Retry-After seconds.",
}
COMMON_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorBody, "description": why} for status, why in _WHY.items()
}


class JsonRoute(APIRoute):
    """Bodies are JSON to the letter: no NaN, no lone surrogates, no bottomless nesting."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def strictly(request: Request) -> Response:
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            strict = _StrictRequest(request.scope, request.receive)
            if self.body_field is not None and kind != "application/json" and await strict.body():
                raise HTTPException(415, "The body must be JSON, with Content-Type: application/json.")
            return await handle(strict)

        return strictly


class _StrictRequest(Request):
    async def json(self) -> Any:
        return orjson.loads(await self.body())


def answer_problems(app: FastAPI) -> None:
    """Give every failure of a request its status and its sentence."""
    app.add_exception_handler(EnvFactoryError, _answer_ours)
    app.add_exception_handler(RequestValidationError, _answer_invalid)
    app.add_exception_handler(HTTPException, _answer_http)


def _problem(status: int, sentence: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": sentence}, status, headers)


def status_of(failure: EnvFactoryError) -> int:
    if isinstance(failure, NoSuchEnvironment | NoSuchTask | NoSuchSession):
        return 404
    if isinstance(failure, InfrastructureFault):
        return 503
    return 400 if isinstance(failure, UsageError) else 500


def retry_headers(failure: EnvFactoryError) -> dict[str, str]:
    return {"Retry-After": _RETRY_AFTER_SECONDS} if isinstance(failure, InfrastructureFault) else {}


async def _answer_ours(request: Request, failure: Exception) -> Response:
    assert isinstance(failure, EnvFactoryError)
    return _problem(status_of(failure), str(failure), retry_headers(failure))


async def _answer_invalid(request: Request, failure: Exception) -> Response:
    assert isinstance(failure, RequestValidationError)
    errors = failure.errors()
    if errors and errors[0]["type"] == "json_invalid":
        return _problem(400, f"The body is not JSON: {errors[0]['ctx']['error']}.")
    told = [f"{'.'.join(map(str, error['loc']))[:_MOST_PLACE]}: {error['msg']}" for error in errors[:_MOST_TOLD]]
    if len(errors) > _MOST_TOLD:
        told.append(f"and {len(errors) - _MOST_TOLD} more")
    return _problem(422, "; ".join(told))


async def _answer_http(request: Request, failure: Exception) -> Response:
    assert isinstance(failure, HTTPException)
    return _problem(failure.status_code, failure.detail, dict(failure.headers or {}))

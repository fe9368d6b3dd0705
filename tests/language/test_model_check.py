"""What `envfactory model check` finds out about an endpoint."""

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi import Response
from language_kit import settings_for
from played_endpoint import PlayedEndpoint, embeds, fails, says, served

from envfactory_dagster.language.ledger import read_ledger
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.model_check import ModelFindings, check_models

SPIDER = '{"animal": "spider", "legs": 8}'
CALL = {"id": "c", "type": "function", "function": {"name": "find_book", "arguments": '{"number": 7}'}}


def good(body: dict[str, Any], *, tokens_out: int = 12, **message: Any) -> Response:
    if "input" in body:
        return embeds(body)
    tokens = (40, tokens_out)
    if "tools" in body:
        return says(None, finish="tool_calls", tool_calls=[CALL], tokens=tokens, **message)(body)
    return says(SPIDER, tokens=tokens, **message)(body)


def refusing(what: str, said: str) -> Any:
    return lambda body: fails(400, said)(body) if what in body else good(body)


def short_of(limit: int) -> Any:
    said = f"max_tokens is too large: this model supports at most {limit} completion tokens"
    return lambda body: fails(400, said)(body) if body.get("max_tokens", 0) > limit else good(body)


async def found(endpoint: PlayedEndpoint, home: Path, **changes: Any) -> list[ModelFindings]:
    return await check_models(settings_for(**changes), home, endpoint.app())


async def test_each_distinct_model_is_asked_once_for_all_its_roles(tmp_path: Path) -> None:
    endpoint = PlayedEndpoint(always=good)
    models = dict.fromkeys(Role, "big") | {Role.JUDGE: "wise", Role.EMBEDDER: "built-in"}
    for _ in range(2):
        big, wise, embedder = await found(endpoint, tmp_path, models=models)
    assert (big.model, big.roles) == ("big", ("author", "solver", "user"))
    assert (wise.model, wise.roles, embedder.roles) == ("wise", ("judge",), ("embedder",))
    assert all(one.usable for one in (big, wise, embedder))
    assert (big.structure, big.tools, big.reasoning, big.longest_output) == ("json_schema", True, "none seen", 32_768)
    assert endpoint.calls == 8, "two questions a model, and no answer of the first time is used again"
    assert set(read_ledger(tmp_path)["asset"]) == {"model_check"}


@pytest.mark.parametrize(
    ("scene", "finding"),
    [
        (refusing("response_format", "no response_format here"), {"structure": "prompt", "usable": True}),
        (refusing("tools", "tools are not supported"), {"tools": False, "tools_refused": True, "usable": False}),
        (lambda body: says(SPIDER)(body), {"tools": False, "tools_refused": False, "usable": True}),
        (lambda body: says("I have no hands.")(body), {"tools": False, "usable": False, "structure": "json_schema"}),
        (lambda body: good(body, tokens_out=300), {"reasoning": "hidden"}),
        (lambda body: good(body, reasoning_content="Spiders, hm."), {"reasoning": "shown"}),
        (short_of(8_192), {"longest_output": 8_192, "shortened": True, "usable": False}),
        (fails(401, "no"), {"usable": False, "structure": ""}),
        (fails(404, "no such model"), {"usable": False, "longest_output": 0}),
    ],
)
async def test_what_an_endpoint_cannot_do_is_found(tmp_path: Path, scene: Any, finding: dict[str, Any]) -> None:
    one = (await found(PlayedEndpoint(always=scene), tmp_path))[0]
    assert {name: getattr(one, name) for name in finding} == finding, json.dumps(str(one))


async def test_only_a_solver_needs_an_endpoint_that_takes_tools(tmp_path: Path) -> None:
    models = dict.fromkeys(Role, "author") | {Role.SOLVER: "solver", Role.EMBEDDER: "built-in"}
    endpoint = PlayedEndpoint(always=refusing("tools", "tools are not supported"))
    author, solver, _ = await found(endpoint, tmp_path, models=models)
    assert (author.usable, solver.usable) == (True, False)
    assert "tools are not supported" in solver.tools_problem


async def test_the_embedder_is_tried_where_it_is_the_endpoints(tmp_path: Path) -> None:
    endpoint = PlayedEndpoint(always=refusing("input", "no embeddings here"))
    *_, embedder = await found(endpoint, tmp_path)
    assert (embedder.roles, embedder.usable) == (("embedder",), False)
    assert "no embeddings here" in embedder.problem


@pytest.mark.parametrize(("scene", "streams"), [(good, True), (refusing("stream", "stream is not supported"), False)])
async def test_whether_an_endpoint_takes_a_request_to_stream(tmp_path: Path, scene: Any, streams: bool) -> None:
    with served(PlayedEndpoint(always=scene).app()) as url:
        one = (await check_models(settings_for(url), tmp_path))[0]
    assert (one.usable, one.streams) == (True, streams)

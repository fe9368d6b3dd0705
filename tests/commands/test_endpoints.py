"""`envfactory build` with endpoints that fail: what is wrong is named, nothing is lost, and the key is told nowhere."""

import json
import sys
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import httpx2
import pytest
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse

from envfactory_dagster.language.ledger import read_ledger
from envfactory_dagster.language.messages import Role
from envfactory_dagster.language.settings import variable
from envfactory_dagster.library.collection import Library
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.sensors.failures import failed_runs
from tests.commands.terminal import Said, Terminal, said
from tests.language.played_endpoint import PlayedEndpoint, Scene, cut_off, fails, says, sends_raw, served
from tests.library.library_kit import SMALL
from tests.support.model import library_model, model_variables
from tests.support.proposer import proposer

pytestmark = pytest.mark.long

KEY = "sk-test-4f9d2a7c81e65b30"
PAGE = "<!DOCTYPE html><html><body>Welcome to the admin console</body></html>"
IMPATIENT = """
import dagster
from envfactory_dagster.assets import retrying
retrying.RETRIES = dagster.RetryPolicy(max_retries=1, delay=0)
from envfactory_dagster.cli import main
main()
"""
"""`envfactory`, but a step is tried again only once, and at once."""


def with_models_at(url: str) -> dict[str, str]:
    return model_variables(url) | {"ENVFACTORY_LLM_API_KEY": KEY, "ENVFACTORY_LLM_ATTEMPTS": "2"}


def build(terminal: Terminal, url: str, *keys: str) -> Said:
    return said(terminal.start(sys.executable, "-c", IMPATIENT, "build", *keys, **with_models_at(url)))


@pytest.mark.parametrize(
    ("fault", "status", "told", "requests"),
    [
        (fails(401, f"Incorrect API key provided: {KEY}"), 2, "it refuses the key. Set ENVFACTORY_LLM_API_KEY.", 1),
        (sends_raw(PAGE, kind="text/html"), 2, "web page instead of JSON. Set ENVFACTORY_LLM_BASE_URL", 1),
        (sends_raw(""), 1, "answered with an empty body. Attempts: 2 of 2", 4),
        (sends_raw('{"choices": [{"mess'), 1, "answered something else than asked", 4),
        (cut_off, 1, "broke the connection", 4),
    ],
    ids=["401", "web page", "empty body", "cut off JSON", "broken connection"],
)
def test_a_failing_endpoint_is_named_with_what_to_change(
    fresh: Terminal, fault: Scene, status: int, told: str, requests: int
) -> None:
    endpoint, (key, other) = PlayedEndpoint(always=fault), fresh.store().partitions("proposal")
    with served(endpoint.app()) as url:
        done = build(fresh, url, key)
    assert done.status == status
    assert told in done.err and url in done.err
    assert endpoint.calls == requests, "what waiting cannot mend is not tried again, anything else is"
    assert ("Trying again" in done.err) == (requests > 1)
    assert "Traceback" not in done.err and KEY not in done.out + done.err
    assert endpoint.headers[0]["authorization"] == f"Bearer {KEY}"
    assert fresh.store().partitions("proposal") == [key, other]
    assert fresh.store().head("theme", key) is None, "nothing was decided about it"


def test_a_question_that_always_fails_is_listed_and_its_neighbour_is_finished(fresh: Terminal) -> None:
    bad, good = fresh.store().partitions("proposal")
    record = fresh.store().latest("proposal", bad)
    assert record is not None and record.artifact is not None
    name = record.artifact["proposal"]["name"]

    def about_one(body: dict[str, Any]) -> Response | Awaitable[Response]:
        asked = json.dumps(body, ensure_ascii=False)
        return (fails(500, "cannot say") if name in asked else says("not what was asked"))(body)

    with served(PlayedEndpoint(always=about_one).app()) as url:
        done = build(fresh, url)
    assert done.status == 1, "nothing was accepted"
    assert f"all others are made: theme of {bad} ({url} answered 500" in done.err
    assert good not in done.err.partition("all others are made")[2]
    assert f"… {bad}: unfinished" in done.out
    assert f"- {good}: theme was not accepted" in done.out
    assert fresh.store().head("theme", bad) is None
    release = fresh.store().head("release", good)
    assert release is not None and release.status == "skipped", "the run went on to its last asset"


def test_nobody_listening_and_no_model_chosen_is_told_before_anything_is_asked(fresh: Terminal) -> None:
    done = fresh.factory("build", ENVFACTORY_LLM_BASE_URL="http://127.0.0.1:9/v1")
    assert done.status == 2
    assert "No model is set for the roles author, judge, solver, user: set ENVFACTORY_MODEL to a model" in done.err


def test_a_role_that_is_asked_late_and_has_no_model_is_told_of_before_anything_is_paid(fresh: Terminal) -> None:
    endpoint = PlayedEndpoint(always=says("{}"))
    with served(endpoint.app()) as url:
        others = {variable(role): "some-model" for role in Role if role is not Role.JUDGE}
        done = fresh.factory("build", ENVFACTORY_LLM_BASE_URL=url, **others)
    assert (done.status, endpoint.calls) == (2, 0)
    assert "No model is set for the role judge: set ENVFACTORY_MODEL" in done.err


def test_one_variable_is_enough_to_expand_with_an_endpoint_that_makes_no_embeddings(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "home")
    with served(proposer()) as url:
        done = terminal.factory("expand", "--count", "1", ENVFACTORY_LLM_BASE_URL=url, ENVFACTORY_MODEL="proposer")
    assert done.status == 0, done.err


@pytest.fixture
def repeating() -> Iterator[str]:
    """The library behind a proxy that puts the key it was sent into every answer, and does not stream."""
    app, transport = FastAPI(), httpx2.ASGITransport(app=library_model(size="small"))

    @app.post("/{path:path}")
    async def forward(path: str, request: Request) -> JSONResponse:
        async with httpx2.AsyncClient(transport=transport, base_url="http://library") as library:
            answer = await library.post(f"/{path}", json=await request.json() | {"stream": False})
        return JSONResponse(answer.json() | {"seen": request.headers["authorization"]}, answer.status_code)

    with served(app) as url:
        yield url


def write_down_failures(terminal: Terminal, cursor: str | None) -> str | None:
    """One tick of the sensor, and its new cursor."""
    with dg.DagsterInstance.get() as instance:
        resources: dict[str, Any] = {"store": StoreResource(home=str(terminal.home))}
        context = dg.build_sensor_context(instance, cursor, sensor_name=failed_runs.name, resources=resources)
        return failed_runs.evaluate_tick(context).cursor


def test_a_key_is_nowhere_but_in_the_header_and_another_endpoint_goes_on(
    tmp_path: Path, repeating: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal(tmp_path / "home")
    category = Library().world(SMALL).card.proposal.proposal.category
    expanded = terminal.factory("expand", "--count", "1", "--category", category, **with_models_at(repeating))
    assert expanded.status == 0, expanded.err
    (key,) = terminal.store().partitions("proposal")

    monkeypatch.setenv("DAGSTER_HOME", str(terminal.home / "dagster"))
    before = write_down_failures(terminal, None)
    refusing = PlayedEndpoint(always=fails(401, f"wrong key {KEY}"))
    refusing.stage.append(fails(500, f"who is {KEY}?"))
    with served(refusing.app()) as url:
        failed = build(terminal, url, key)
    assert (failed.status, refusing.calls) == (2, 2)
    write_down_failures(terminal, before)
    (report,) = (terminal.home / "failures").iterdir()
    assert "it refuses the key" in report.read_text()

    built = build(terminal, repeating, key)
    assert built.status == 0, built.err
    assert f"+ {key}: " in built.out

    written = {path: path.read_bytes() for path in terminal.home.rglob("*") if path.is_file()}
    for part in ("bundles", "dagster/storage", "dagster/history", "failures", "language/ledger", "records", "pool"):
        assert any(path.is_relative_to(terminal.home / part) for path in written), f"{part} was looked through"
    assert b"[secret]" in written[terminal.home / "language" / "book.sqlite"], "answers that told the key are kept"
    told = [done.out + done.err for done in (expanded, failed, built)]
    ledger = str(read_ledger(terminal.home).to_dicts())
    for piece in (KEY, KEY[:16]):
        assert piece not in ledger and not any(piece in text for text in told)
        assert [path for path, found in written.items() if piece.encode() in found] == []

"""From a proposal to a bundle, with a model that answers as the author of the alpine huts would have."""

import asyncio
import json
import math
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from fastapi import FastAPI, Request, Response
from starlette.middleware.base import RequestResponseEndpoint

from envfactory_dagster.authoring.server_code import BATCH
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.pool import PooledProposal
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.runtime.runtime import Runtime
from tests.authoring.line_kit import Line, line
from tests.support.alpine_author import alpine_author, functions, huts
from tests.support.inline_runtime import Database

SOLVED = ("dodge_the_storm", "last_morning", "call_it_off", "accounts_of_2026")


class Finished:
    """One run of the whole line."""

    def __init__(self, line: Line, records: dict[str, StageRecord], asked: int, folder: Path) -> None:
        self.line = line
        self.records = records
        self.asked = asked
        self.folder = folder
        self.bundle = line.bundle("alpine-huts")
        self.built: dict[str, object] = records["environment"].artifact or {}


@pytest_asyncio.fixture(scope="module")
async def finished(
    runtime: Runtime, settings: AuthoringSettings, proposal: PooledProposal, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Finished]:
    folder, app = tmp_path_factory.mktemp("line"), first_tools_last(alpine_author())
    async with line(app, runtime, folder, settings) as running:
        records = await running.run(proposal)
        asked = len(app.state.asked)
        assert app.state.held, "the first batch of tools was recognized"
        await running.run(proposal)
        assert len(app.state.asked) == asked, "what was made is not asked for again"
        yield Finished(running, records, asked, folder)


def first_tools_last(app: FastAPI) -> FastAPI:
    """The first batch of tools is answered after all others, as a model may well do."""
    others_answered, batches = asyncio.Event(), math.ceil(len(huts().tools) / BATCH)
    answered = 0

    @app.middleware("http")
    async def hold(request: Request, call_next: RequestResponseEndpoint) -> Response:
        nonlocal answered
        asks_for_tools = b"server_code" in (body := await request.body())
        is_first = asks_for_tools and f'wanted\\":[\\"{huts().tools[0].name}\\"'.encode() in body.replace(b" ", b"")
        if is_first:
            app.state.held = True
            await asyncio.wait_for(others_answered.wait(), 30)
        response = await call_next(request)
        answered += asks_for_tools and not is_first
        if answered == batches - 1:
            others_answered.set()
        return response

    return app


def test_the_order_of_answers_leaves_no_trace(finished: Finished) -> None:
    tools = [tool.name for tool in finished.bundle.tools]
    assert list(finished.bundle.tool_tests) == tools
    assert [call["tool"] for call in finished.records["server_code"].metadata["calls"]] == tools


def test_the_tools_carry_the_tests_of_their_author(finished: Finished) -> None:
    hand = functions()
    assert finished.bundle.tool_tests.keys() == {tool.name for tool in finished.bundle.tools}
    assert all(test.good_call == hand[name].good_call for name, test in finished.bundle.tool_tests.items())


def rows(bundle: Bundle, state: str) -> dict[str, object]:
    return dict(Database(bundle.states[state].image).tables())


def test_every_gate_accepts_the_huts_at_once(finished: Finished) -> None:
    assert {name: record.reason for name, record in finished.records.items() if record.status != "ok"} == {}
    asked_each = {name: [attempt.number for attempt in record.attempts] for name, record in finished.records.items()}
    assert all(set(numbers) <= {1} for numbers in asked_each.values())
    assert len(asked_each["seed_rows"]) == 4, "a question for each state, and their reviews"
    assert len(asked_each["server_code"]) == 4, "46 tools in batches of at most twelve"


def test_the_bundle_is_the_environment_that_was_written_by_hand(finished: Finished) -> None:
    made, hand = finished.bundle, huts()
    assert (made.theme.rules, made.tasks, made.tools) == (hand.theme.rules, hand.tasks, hand.tools)
    for state in hand.states:
        assert rows(made, state) == rows(hand, state)
        assert made.states[state].clock == hand.states[state].clock


async def test_the_reference_solutions_come_to_the_same_end(finished: Finished, runtime: Runtime) -> None:
    for task in (task for task in huts().tasks if task.id in SOLVED):
        ends = []
        for bundle in (finished.bundle, huts()):
            async with await runtime.open(bundle, state=task.state) as session:
                result = await runtime.run_program(session, huts().solutions[task.id])
                ends.append((result.answer, result.error, await session.state_hash()))
        assert ends[0] == ends[1] and ends[0][1] is None


async def test_its_own_server_gives_what_the_sandbox_gives(finished: Finished, runtime: Runtime) -> None:
    server = str(finished.folder / str(finished.built["path"]) / "server.py")
    for tool, arguments in (("search_huts", {"region": "Rauhkofel"}), ("get_hut", {"hut_id": 99})):
        command = (sys.executable, "-I", "-S", server, "call", tool, json.dumps(arguments))
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        said = json.loads((await process.communicate())[0])
        async with await runtime.open(finished.bundle) as session:
            result = await session.call(tool, arguments)
        assert (said["outcome"], said["value"], said["error"]) == (result.outcome, result.value, result.error)


def test_the_bundle_says_where_it_came_from(finished: Finished) -> None:
    provenance = finished.bundle.provenance
    assert provenance.attempts == {
        **dict.fromkeys(("theme", "task_set", "database_schema"), 1),
        "seed_rows": 4,  # of each state, and their review
        "tool_spec": 2,  # and their review
        "server_code": 4,
    }
    assert provenance.tokens == {"in": 100 * finished.asked, "out": 50 * finished.asked}
    assert provenance.parents == {name: finished.records[name].version for name in provenance.attempts}


def test_a_person_sees_tables_code_and_counts(finished: Finished) -> None:
    shown = {name: record.metadata for name, record in finished.records.items()}
    assert shown["database_schema"]["table_count"] == 31
    assert shown["database_schema"]["tables"][0]["table"] == "people"
    assert shown["database_schema"]["schema.sql"].startswith("CREATE TABLE people")
    assert shown["seed_rows"]["rows"] == {"initial": 440, "winter": 369}
    assert {"tool", "by", "parameters"} <= shown["tool_spec"]["tools"][0].keys()
    assert "def search_huts(" in shown["server_code"]["tools.py"]
    assert "huts.phone" not in shown["server_code"]["columns_never_read"]
    assert shown["environment"]["tools"] == 46


def test_the_artifact_says_where_the_bundle_lies(finished: Finished) -> None:
    folder = finished.folder / str(finished.built["path"])
    assert Bundle.read(folder).version == finished.built["version"] == finished.bundle.version


async def test_no_process_is_left_behind(
    runtime: Runtime, settings: AuthoringSettings, proposal: PooledProposal, tmp_path: Path
) -> None:
    before = set(runtime.pids)
    async with line(alpine_author(), runtime, tmp_path, settings) as running:
        await running.run(proposal)
    assert set(runtime.pids) <= before

"""The gateway as people start it: a process of its own, and the end of it."""

import asyncio
import json
import os
import signal
import subprocess
from pathlib import Path

import httpx2
import psutil
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from tests.gateway.conftest import ACCEPT, HANDSHAKE, eventually, initialize
from tests.gateway.process import ENVFACTORY, started
from tests.support.tiny import INTEGER, schema, tiny, tool


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny().write(tmp_path_factory.mktemp("bundles") / "tiny-shop")


def family(process: subprocess.Popen[bytes] | asyncio.subprocess.Process) -> list[psutil.Process]:
    return psutil.Process(process.pid).children(recursive=True)


async def all_gone(processes: list[psutil.Process]) -> None:
    await eventually(lambda: not any(map(lives, processes)))


def lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False  # it ended between the two questions


def wait(process: subprocess.Popen[bytes]) -> int:
    return process.wait(timeout=30)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_cleanly_with_clients_connected(folder: Path, number: signal.Signals) -> None:
    with started(folder) as (process, ready):
        async with httpx2.AsyncClient(base_url=ready["url"], timeout=30) as rest:
            await rest.post("/sessions", json={"environment": "tiny-shop"})
            headers = ACCEPT | {"mcp-session-id": await initialize(rest)}
            async with rest.stream("GET", "/mcp/tiny-shop", headers=headers) as listening:
                children = family(process)
                assert len(children) >= 2, "the process that forks workers, and a worker"
                os.killpg(process.pid, number)
                assert [line async for line in listening.aiter_lines()] == [], "the stream ends without a word"
        assert await asyncio.to_thread(wait, process) == 0
        await all_gone(children)
        assert process.stderr is not None
        assert process.stderr.read() == b""


async def test_a_call_under_way_is_finished_first(tmp_path: Path) -> None:
    source = "def slow(env) -> dict:\n    return {'n': sum(range(30_000_000)) * 0}\n"
    slow = tool("slow", result=schema({"n": INTEGER}))
    folder = tiny(source=source, definitions=[slow]).write(tmp_path / "tiny-shop")
    with started(folder) as (process, ready):
        async with httpx2.AsyncClient(base_url=ready["url"], timeout=30) as rest:
            session = (await rest.post("/sessions", json={"environment": "tiny-shop"})).json()["id"]
            call = asyncio.create_task(rest.post(f"/sessions/{session}/calls", json={"tool": "slow"}))
            await eventually(lambda: busy(family(process)))
            process.terminate()
            assert (await call).json()["outcome"] == "ok"
            assert await asyncio.to_thread(wait, process) == 0


def busy(processes: list[psutil.Process]) -> bool:
    return any(lives(process) and process.status() == psutil.STATUS_RUNNING for process in processes)


async def test_even_when_it_is_killed_nothing_stays(folder: Path) -> None:
    with started(folder) as (process, ready):
        async with httpx2.AsyncClient(base_url=ready["url"]) as rest:
            await rest.post("/sessions", json={"environment": "tiny-shop"})
        children = family(process)
        assert children, "the session has a worker"
        process.kill()
        await all_gone(children)


async def test_a_token_from_the_environment_or_a_file_is_asked_for_and_never_told(folder: Path, tmp_path: Path) -> None:
    token_file = tmp_path / "token"
    token_file.write_text("from-a-file\n")
    for arguments, environment, token in (
        ([folder], {"ENVFACTORY_TOKEN": "from-outside"}, "from-outside"),
        ([folder, "--token-file", token_file], {}, "from-a-file"),
    ):
        with started(*arguments, **environment) as (process, ready):
            open_to = {c.laddr.ip for c in psutil.Process(process.pid).net_connections() if c.status == "LISTEN"}
            assert open_to == {"127.0.0.1"}, "it listens to this machine alone"
            async with httpx2.AsyncClient(base_url=ready["url"]) as rest:
                assert (await rest.get("/environments")).status_code == 401
                authorized = await rest.get("/environments", headers={"authorization": f"Bearer {token}"})
                assert authorized.status_code == 200
            process.terminate()
            said, complained = await asyncio.to_thread(process.communicate)
            assert token.encode() not in said + complained


async def test_over_stdio_a_client_has_one_session(folder: Path) -> None:
    server = StdioServerParameters(command=ENVFACTORY[0], args=[*ENVFACTORY[1:], "serve", str(folder), "--stdio"])
    async with Client(stdio_client(server)) as client:
        assert "Nothing is sold" in (client.instructions or "")
        assert len((await client.list_tools()).tools) == 4
        assert not (await client.call_tool("place_order", {"item_id": 1, "quantity": 2})).is_error
        item = await client.call_tool("get_item", {"item_id": 1})
        assert item.structured_content["stock"] == 9_998
        assert (await client.call_tool("get_item", {"item_id": 999})).is_error


def test_over_stdio_what_is_no_message_is_answered_and_the_end_of_input_is_the_end(folder: Path) -> None:
    lines = ["no JSON", "x" * 3_000_000, json.dumps(HANDSHAKE)]
    command = [*ENVFACTORY, "serve", str(folder), "--stdio", "--state", "spring", "--principal", "user"]
    done = subprocess.run(command, input="\n".join([*lines, ""]).encode(), capture_output=True, timeout=30)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr.decode()
    assert [answer["id"] for answer in answers][-1] == 1
    assert {answer["error"]["code"] for answer in answers[:-1]} == {-32700}
    assert len(answers) >= 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_over_stdio_a_signal_leaves_nothing_behind(folder: Path, number: signal.Signals) -> None:
    process = await asyncio.create_subprocess_exec(
        *ENVFACTORY, "serve", str(folder), "--stdio", stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    await eventually(lambda: len(family(process)) >= 2)
    children = family(process)
    process.send_signal(number)
    await asyncio.wait_for(process.wait(), 30)
    await all_gone(children)
    assert [child for child in children if lives(child)] == []


def test_over_stdio_a_client_that_vanishes_ends_it_quietly(folder: Path) -> None:
    command = [*ENVFACTORY, "serve", str(folder), "--stdio"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(json.dumps(HANDSHAKE).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.stdout.close()
        listing = {"jsonrpc": "2.0", "method": "tools/list"}
        process.stdin.write(b"".join(json.dumps({**listing, "id": n}).encode() + b"\n" for n in range(100)))
        process.stdin.close()
        assert process.wait(30) == 0
        assert process.stderr.read() == b""

"""Every command and program in `docs/guides/serving.md` works."""

import json
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters, stdio_client

from tests.gateway.process import started

MANUAL = (Path(__file__).parents[2] / "docs" / "guides" / "serving.md").read_text()
PORT = "8000"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", MANUAL, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def port() -> Iterator[str]:
    """The manual's first command is running, on a port that is free."""
    command = blocks("sh")[0].split()
    assert command[:2] == ["envfactory", "serve"]
    assert command[-2:] == ["--port", PORT]
    with started(*command[2:-2]) as (_, ready):
        yield ready["url"].rsplit(":", 1)[1]


def run(command: list[str]) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(command, env=os.environ | {"PATH": path}, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_requests_of_the_manual_are_answered(port: str) -> None:
    said = run(["bash", "-euo", "pipefail", "-c", blocks("sh")[1].replace(PORT, port).replace("curl ", "curl -f ")])
    assert '"outcome":"ok"' in said
    assert '"outcome":"agent"' in said
    assert "envfactory_calls_total" in said


def test_the_program_of_the_manual_runs(port: str) -> None:
    (lines,) = blocks("python")
    program = f"import asyncio, mcp\nasync def main():\n{textwrap.indent(lines, '    ')}\nasyncio.run(main())"
    assert "is_error=False" in run([sys.executable, "-c", program.replace(PORT, port)])


async def test_the_configuration_of_the_manual_starts_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    (configuration,) = blocks("json")
    server = json.loads(configuration)["mcpServers"]["alpine-huts"]
    command = str(Path(sys.executable).parent / server["command"])
    async with Client(stdio_client(StdioServerParameters(command=command, args=server["args"]))) as client:
        assert client.server_info.name == "alpine-huts"


def test_the_calls_of_the_manual_work() -> None:
    for line in blocks("sh")[2].splitlines():
        assert run(["bash", "-c", line])


def test_every_option_of_the_manual_is_one() -> None:
    known = run(["envfactory", "serve", "--help"]) + run(["envfactory", "call", "--help"])
    for option in set(re.findall(r"`[^`\n]*?(--[a-z-]+)", MANUAL)):
        assert option in known, option

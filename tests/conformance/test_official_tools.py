"""Our MCP servers under the protocol's official tools: its conformance suite and its inspector.

They need Node 22; `package.json` beside this file pins it and them, and npm brings them once into `node_modules`. Only
where npm is absent are these tests skipped, and never in continuous integration (where CI is set).
"""

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.process import ENVFACTORY, started
from tests.support.tiny import STRING, schema, tiny, tool

HERE = Path(__file__).parent
PROGRAMS = HERE / "node_modules" / ".bin"

pytestmark = pytest.mark.xdist_group("conformance")  # one process installs, the others do not wait for it

SCENARIOS = [
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-error",
    "json-schema-2020-12",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
]
"""Those of a server with tools alone. The others are about prompts, resources, logging, sampling, elicitation and
media, which environments do not offer."""

ADDRESS = schema(street=STRING, city=STRING)
FIXTURES = [
    tool("test_simple_text", result=schema({"text": STRING})),
    tool("test_error_handling"),
    tool(
        "json_schema_2020_12_tool",
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$defs": {"address": ADDRESS},
            **schema(name=STRING, address={"$ref": "#/$defs/address"}),
        },
    ),
]
SOURCE = """
def test_simple_text(env) -> dict:
    return {"text": "This is a simple text response for testing."}


def test_error_handling(env) -> dict:
    raise env.Error("This tool intentionally returns an error for testing")


def json_schema_2020_12_tool(env, *, name=None, address=None) -> dict:
    return {}
"""


@pytest.fixture(scope="module")
def programs() -> Path:
    """Where the official tools are; installed when they are not there yet, or not as pinned."""
    npm = shutil.which("npm")
    if npm is None:
        if os.environ.get("CI"):
            pytest.fail("npm is needed: the official tools of MCP are part of continuous integration")
        pytest.skip("npm is not installed; it brings the official tools of MCP")
    installed = HERE / "node_modules" / ".installed"
    with (HERE / "package-lock.json").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # processes that test in parallel install once, one after the other
        pinned = lock.read()
        if not installed.exists() or installed.read_text() != pinned:
            command = [npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"]
            done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=600)
            assert done.returncode == 0, f"npm could not install the official tools: {done.stderr}"
            installed.write_text(pinned)
    return PROGRAMS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny shop, with the tools that the conformance suite asks for."""
    bundle = tiny(source=SOURCE, definitions=FIXTURES)
    return bundle.write(tmp_path_factory.mktemp("bundles") / "tiny-shop")


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    with started(folder) as (_, ready):
        yield ready["mcp"]["tiny-shop"]


def run(programs: Path, name: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    command = [str(programs / name), *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_conformance_suite_finds_nothing_wrong(programs: Path, url: str, scenario: str, tmp_path: Path) -> None:
    done = run(programs, "conformance", "server", "--url", url, "--scenario", scenario, "--verbose", cwd=tmp_path)
    checks = json.loads(done.stdout[done.stdout.index("[\n") : done.stdout.rindex("]") + 1])
    assert done.returncode == 0, done.stdout
    assert "SUCCESS" in {check["status"] for check in checks}
    assert {check["status"] for check in checks} <= {"SUCCESS", "INFO"}, done.stdout


@pytest.fixture(params=["http", "stdio"])
def inspect(request: pytest.FixtureRequest, programs: Path, folder: Path, tmp_path: Path) -> Callable[..., Any]:
    """Ask the inspector's command line, over HTTP and over stdio, and get what it prints."""
    if request.param == "http":
        target = [request.getfixturevalue("url"), "--transport", "http"]
    else:
        target = [*ENVFACTORY, "serve", str(folder), "--stdio"]

    def ask(method: str, *arguments: str) -> Any:
        done = run(programs, "mcp-inspector", "--cli", *target, "--method", method, *arguments, cwd=tmp_path)
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    return ask


def test_the_inspector_lists_the_tools(inspect: Callable[..., Any]) -> None:
    tools = {tool["name"]: tool for tool in inspect("tools/list")["tools"]}
    assert tools["get_item"]["inputSchema"]["required"] == ["item_id"]
    assert tools["get_item"]["annotations"]["readOnlyHint"] is True


def test_the_inspector_calls_a_tool(inspect: Callable[..., Any]) -> None:
    answer = inspect("tools/call", "--tool-name", "get_item", "--tool-arg", "item_id=3")
    assert answer["structuredContent"] == {"id": 3, "name": "Item 3", "price": 13, "stock": 10_000}
    assert answer["isError"] is False


def test_the_inspector_sees_a_refusal(inspect: Callable[..., Any]) -> None:
    answer = inspect("tools/call", "--tool-name", "get_item", "--tool-arg", "item_id=999")
    assert answer["isError"] is True
    assert answer["content"] == [{"type": "text", "text": "there is no item 999"}]

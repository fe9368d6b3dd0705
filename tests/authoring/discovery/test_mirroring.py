"""Asking a service for its tools: documents at an address, servers that are started, and servers that misbehave."""

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from envfactory_dagster.authoring.discovery import ThemePool, add_document, read_service
from envfactory_dagster.authoring.discovery.settings import DiscoverySettings
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.pool import PooledProposal, RejectedProposal
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.store.records import RecordStore
from tests.language.played_endpoint import served

SERVER = """
import json, os, sys
TOOL = {"name": "listPens", "description": "Pens.", "inputSchema": {"type": "object", "properties": {}}}
NAME = {"name": "kennel", "version": "1"}
INFO = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": NAME}
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    elif asked["method"] == "initialize":
        said = {"result": INFO | {"instructions": "A kennel."}}
    elif asked["method"] == "tools/list":
        said = {"result": LISTED}
    else:
        said = {"error": {"code": -32601, "message": "no such method"}}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **said}), flush=True)
"""
NOT_OURS = "any(key.startswith('ENVFACTORY_') for key in os.environ)"


def command(listed: str) -> str:
    """A server that gives this Python expression when it is asked for its tools."""
    return "stdio:" + shlex.join([sys.executable, "-c", SERVER.replace("LISTED", listed)])


async def test_a_server_that_is_started_tells_its_tools_and_is_told_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVFACTORY_LLM_API_KEY", "sk-ours")
    document = await read_service(command(f"{{'tools': [] if {NOT_OURS} else [TOOL]}}"))
    assert [tool.name for tool in document.tools] == ["listPens"]
    assert (document.title, document.description, document.mirror) == ("kennel", "A kennel.", True)
    assert document.reference == f"stdio:{Path(sys.executable).name}", "its arguments may be secret"


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ("sys.exit(3)", "no MCP server that lists its tools: MCPError: Connection closed"),
        ("{'tools': 'many'}", "no MCP server that lists its tools: ValidationError"),
        ("{'tools': []}", "it has no list of tools"),
        ("{'tools': [TOOL], 'nextCursor': 'again'}", "lists its tools without end"),
        ("{'tools': [TOOL | {'name': f't{n}'} for n in range(5000)]}", "5,000 tools; an agent can be given 128"),
        ("{'tools': [TOOL | {'name': 'list pens'}]}", "no tool that could be mirrored. list pens: 'list pens' cannot"),
    ],
    ids=["it dies", "it lies", "it has none", "it goes in a circle", "too many", "none that can be called"],
)
async def test_a_server_that_misbehaves_is_told_of_in_a_sentence(listed: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        await read_service(command(listed))


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("stdio:", "needs a command that starts the server"),
        ("stdio:no-such-program --key sk-secret", "stdio:no-such-program is no MCP server .* FileNotFoundError"),
        ("http://user:sk-secret@127.0.0.1:9/spec?key=sk-secret", "http://127.0.0.1:9/spec cannot be reached"),
        ("/no/such/file.json", "cannot be opened: No such file"),
    ],
)
async def test_what_is_not_there_is_named_without_its_secrets(target: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as refused:
        await read_service(target)
    assert "sk-secret" not in str(refused.value)


async def test_a_server_that_says_nothing_is_not_waited_for() -> None:
    with pytest.raises(UsageError, match="does not answer within 0 seconds"):
        await read_service("stdio:" + shlex.join([sys.executable, "-c", "import sys; sys.stdin.read()"]), seconds=0.2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1, 2]", "is neither an OpenAPI document"),
        ('{"tools": [', "is not valid JSON"),
        ("a: [", "is not valid YAML"),
        ('[{"tools": [{}]}, {"tools": [{}]}]', "holds 2 servers; give a file with one of them"),
        ('{"paths": {}}', "has no paths"),
    ],
)
async def test_a_file_that_is_no_service_is_told_of(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "spec").write_text(text)
    with pytest.raises(UsageError, match=said):
        await read_service(str(tmp_path / "spec"))


async def test_a_document_is_fetched_from_its_address() -> None:
    app = FastAPI(title="Ferry")

    @app.get("/trips", operation_id="listTrips")
    def trips(day: str, places: int = 1) -> dict[str, Any]:
        return {}

    with served(app) as url:
        document = await read_service(url.removesuffix("/v1") + "/openapi.json")
    (tool,) = document.tools
    assert (document.title, tool.name, tool.inputSchema["required"]) == ("Ferry", "listTrips", ["day"])


async def test_a_mirror_is_taken_without_a_score_and_only_once(gateway: Gateway, pool: ThemePool) -> None:
    document = await read_service(command("{'tools': [TOOL]}"))
    taken = await add_document(gateway, pool, document, DiscoverySettings())
    assert isinstance(taken, PooledProposal)
    assert taken.document == document
    record = RecordStore(pool.home).latest("source_document", taken.key)
    assert record is not None and record.artifact is not None and record.artifact["mirror"]
    again = await add_document(gateway, pool, document, DiscoverySettings())
    assert isinstance(again, RejectedProposal) and again.detail == f"There is a world of it already, {taken.key}."
    other = document.model_copy(update={"tools": [document.tools[0].model_copy(update={"name": "listDogs"})]})
    beside = await add_document(gateway, pool, other, DiscoverySettings())
    assert isinstance(beside, PooledProposal) and beside.key != taken.key

"""What the gateway adds to a Model Context Protocol call: ours beside a bare `mcp` server that reads the same rows.

    python benchmarks/mcp_overhead.py [--json]

Both are processes of their own, under uvicorn with the same settings, called by the same client from this process in
turns. The bare server's tool is one SELECT on a SQLite file, in its own process, with nothing validated; ours is that
SELECT in a sandboxed worker, with arguments and result validated, in a session of the client's own.
"""

import argparse
import asyncio
import json
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

TOOL, ARGUMENTS = "list_membership_plans", {"age": 38}
SELECT = """
    SELECT id AS plan_id, name, min_age, max_age, price_cents, rescue_cover FROM membership_plans
    WHERE :age IS NULL OR (min_age <= :age AND coalesce(max_age, :age) >= :age)
    ORDER BY min_age, price_cents
"""


def measure(rounds: int = 25, calls: int = 30) -> dict[str, float]:
    """Milliseconds a call, and their ratio: medians over the rounds' medians."""
    from envfactory_dagster import examples

    bundle = examples.load("alpine_huts")
    with tempfile.TemporaryDirectory() as temporary:
        folder = str(bundle.write(Path(temporary) / bundle.key))
        command = "from envfactory_dagster.cli import main; main()"
        ours = _start([sys.executable, "-c", command, "serve", folder, "--port", "0", "--json"])
        bare = _start([sys.executable, __file__, "--bare", folder])
        try:
            urls = {"ours": _first_line(ours)["mcp"][bundle.key], "bare": _first_line(bare)["url"]}
            seconds = asyncio.run(_call_in_turns(urls, rounds, calls))
        finally:
            for process in (ours, bare):
                process.terminate()
                process.wait()
    return {
        "mcp_overhead_ratio": round(statistics.median(o / b for o, b in zip(*seconds.values(), strict=True)), 3),
        "mcp_call_ms": round(statistics.median(seconds["ours"]) * 1e3, 3),
        "mcp_bare_call_ms": round(statistics.median(seconds["bare"]) * 1e3, 3),
    }


async def _call_in_turns(urls: dict[str, str], rounds: int, calls: int) -> dict[str, list[float]]:
    from mcp import Client

    medians: dict[str, list[float]] = {"ours": [], "bare": []}
    async with Client(urls["ours"], mode="legacy") as ours, Client(urls["bare"], mode="legacy") as bare:
        answers = [await client.call_tool(TOOL, ARGUMENTS) for client in (ours, bare)]
        if answers[0].structured_content != answers[1].structured_content:
            raise RuntimeError(f"the servers do not answer alike: {answers}")
        for _ in range(rounds):
            for name, client in (("ours", ours), ("bare", bare)):
                taken = []
                for _ in range(calls):
                    started = time.perf_counter()
                    await client.call_tool(TOOL, ARGUMENTS)
                    taken.append(time.perf_counter() - started)
                medians[name].append(statistics.median(taken))
    return medians


def _start(command: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def _first_line(process: subprocess.Popen[bytes]) -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def _serve_bare(folder: str) -> None:
    """The least an `mcp` server can be, under the uvicorn settings of ours."""
    import mcp_types as types
    import uvicorn
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

    from envfactory_dagster.runtime.gateway.serving import UVICORN_SETTINGS, listen

    connection = sqlite3.connect(f"{folder}/initial.sqlite")
    connection.row_factory = sqlite3.Row
    definitions = json.loads(Path(f"{folder}/tools.json").read_text())
    tools = [types.Tool.model_validate(tool, by_name=False) for tool in definitions]

    async def list_tools(
        context: ServerRequestContext, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(context: ServerRequestContext, params: types.CallToolRequestParams) -> types.CallToolResult:
        rows = connection.execute(SELECT, params.arguments or {})
        answer = {"plans": [{**row, "rescue_cover": bool(row["rescue_cover"])} for row in map(dict, rows)]}
        return types.CallToolResult(content=[types.TextContent(text=json.dumps(answer))], structured_content=answer)

    server = Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)
    listening = listen("127.0.0.1", 0)
    print(json.dumps({"url": f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"}), flush=True)
    config = uvicorn.Config(server.streamable_http_app(json_response=True), loop="uvloop", **UVICORN_SETTINGS)
    uvicorn.Server(config).run([listening])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--bare", metavar="FOLDER", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.bare is not None:
        _serve_bare(arguments.bare)
        return
    figures = measure()
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:24} {value:8.3f}")


if __name__ == "__main__":
    main()

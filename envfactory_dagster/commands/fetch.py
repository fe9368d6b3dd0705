"""`envfactory fetch`: documents of the web or of an MCP server into a folder, for `envfactory expand --data`.

Belongs here: what is asked for, and showing what came. Does not: fetching (`sources.fetching`).
"""

from pathlib import Path
from typing import Annotated

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.errors import UsageError

NOTHING_FETCHED = 1


def fetch(
    into: Annotated[Path, typer.Option(metavar="FOLDER", help="Where to write them.")],
    address: Annotated[list[str] | None, typer.Argument(help="Pages and files of the web.", show_default=False)] = None,
    mcp: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="An MCP server whose resources to read, or stdio:COMMAND; may be repeated."),
    ] = None,
    linked: Annotated[
        int, typer.Option(help="How many further pages to take that those lead to, on the same hosts.", min=0)
    ] = 0,
    private: Annotated[bool, typer.Option("--private", help="Hosts of your own network may be asked.")] = False,
    as_json: AsJson = False,
) -> None:
    """Fetch documents that a world can be mined from. Only the hosts that you name are asked, and nothing twice."""
    import asyncio

    from envfactory_dagster.sources import fetching

    if not address and not mcp:
        raise UsageError("Name what to fetch: addresses of pages or files, or an MCP server (--mcp stdio:COMMAND).")
    found = asyncio.run(fetching.fetch(address or [], into, servers=mcp or [], linked=linked, private=private))
    if as_json:
        files = [one.model_dump() for one in found.files.values()]
        left_out = [one.model_dump() for one in found.left_out]
        say(orjson.dumps({"files": files, "left_out": left_out}).decode())
    else:
        for one in found.files.values():
            say(f"    {into / one.file}  {one.bytes:,} bytes")
        for out in found.left_out:
            say(f"    not {out.document}: it {out.reason}")
        if found.files:
            say(f"To mine a world from them: envfactory expand --data {into}")
    if not found.files:
        raise typer.Exit(NOTHING_FETCHED)

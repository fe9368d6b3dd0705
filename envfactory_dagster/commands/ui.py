"""`envfactory ui`: Dagster's web UI and daemons on the home's instance."""

import os
import sys
from typing import Annotated

import orjson
import typer

from envfactory_dagster.commands.options import LOOPBACK, AsJson
from envfactory_dagster.commands.terminal import say


def ui(
    port: Annotated[int, typer.Option(help="Port.", min=1, max=65535)] = 3000,
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    as_json: AsJson = False,
) -> None:
    """Show the asset graph, runs and backfills in the browser, and run the sensors and the schedule."""
    from envfactory_dagster.resources.instance import become_ui, prepare
    from envfactory_dagster.store.home import Home

    folder = prepare(Home.resolve())
    url = f"http://{host}:{port}"
    if host not in LOOPBACK:
        say(
            f"Whoever can reach {url} can start runs and spend the budget: Dagster's page asks nobody for a password. "
            "In a container, publish the port at 127.0.0.1 only; elsewhere, put a proxy that asks for one before it.",
            file=sys.stderr,
            flush=True,
        )
    if as_json:
        said = orjson.dumps({"url": url, "dagster_home": str(folder), "pid": os.getpid()}).decode()
    else:
        said = f"{url} (instance: {folder}). Ctrl-C ends it."
    become_ui(folder, host, port, announce=lambda: say(said, flush=True))

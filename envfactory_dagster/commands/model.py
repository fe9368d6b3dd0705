"""`envfactory model …`: the model that is built in."""

import os
from typing import Annotated

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.terminal import say

app = typer.Typer(help="The model that is built in.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """A group although it has one command: `envfactory model serve`."""


@app.command()
def serve(
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.", min=0, max=65535)] = 8001,
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    as_json: AsJson = False,
) -> None:
    """Serve the embedded model to any client of the OpenAI API. It needs no key."""
    import uvicorn

    from envfactory_dagster.language.embedded.app import MODEL, create_app
    from envfactory_dagster.runtime.gateway.serving import listen

    listening = listen(host, port)
    listening.listen()  # who is told the address may ask at once
    url = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}/v1"
    if as_json:
        say(orjson.dumps({"url": url, "model": MODEL, "pid": os.getpid()}).decode(), flush=True)
    else:
        say(f"The model {MODEL!r} answers at {url}. Ctrl-C ends it.", flush=True)
    uvicorn.Server(uvicorn.Config(create_app(), log_level="warning", lifespan="off")).run(sockets=[listening])

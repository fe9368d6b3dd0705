"""`envfactory model …`: what your models can do and cost, and the one that is built in.

Belongs here: arguments and printing. Does not: the questions (`language.model_check`) and the figures
(`commands.estimates`).
"""

import asyncio
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.terminal import say

if TYPE_CHECKING:
    from envfactory_dagster.commands.estimates import Estimate
    from envfactory_dagster.language.model_check import ModelFindings

app = typer.Typer(help="What your models can do and cost, and the model that is built in.", no_args_is_help=True)


@app.command()
def check(
    environments: Annotated[int, typer.Option(min=1, help="Say what so many environments will cost.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Ask every model that is set a few tiny questions, and say what environments will cost. Ends with 1 where a model
    cannot be used."""
    from envfactory_dagster.commands.estimates import estimate, whole_line
    from envfactory_dagster.language.messages import Role
    from envfactory_dagster.language.model_check import check_models
    from envfactory_dagster.language.settings import LanguageSettings
    from envfactory_dagster.resources.authoring import configured_size
    from envfactory_dagster.store.home import Home

    settings, size = LanguageSettings.from_environment(), configured_size()
    settings.require(*Role)
    expected = estimate(settings, size, whole_line(size, environments))
    found = asyncio.run(check_models(settings, Home.resolve().root)) if expected is not None else []
    if as_json:
        said = {
            "models": [asdict(one) | {"usable": one.usable} for one in found],
            "environments": environments,
            "size": size,
            "estimate": expected.as_json() if expected is not None else None,
        }
        say(orjson.dumps(said).decode())
    elif expected is None:
        say("No endpoint is set: the library, the built-in model and the reference policy answer, at no cost.")
    else:
        for one in found:
            _print_findings(one)
        _print_estimate(expected, size, environments)
    if not all(one.usable for one in found):
        raise typer.Exit(1)


def _print_findings(one: "ModelFindings") -> None:
    say(f"{'+' if one.usable else '-'} {one.model} ({', '.join(one.roles)})")
    if one.problem:
        say(f"    cannot be used: {one.problem}")
    elif one.structure:
        say(f"    structured answers: asked for by {one.structure}; {one.structure_problem or 'of the right shape'}")
        say(f"    tools: {one.tools_problem or 'called as told'}")
        if one.tools_refused and "solver" in one.roles:
            say("    A solver calls tools. Set ENVFACTORY_SOLVER_MODEL to a model whose endpoint takes them.")
        say(f"    streaming: {'accepted' if one.streams else 'refused; one time limit holds for a whole answer'}")
        say(f"    reasoning: {_REASONING[one.reasoning]}")
        say(f"    longest output: {one.longest_output:,} tokens are accepted as the limit of an answer")
        if one.shortened:
            say(f"    Set ENVFACTORY_LLM_MAX_OUTPUT_TOKENS={one.longest_output}: longer limits are refused.")
    elif "embedder" in one.roles:
        say("    makes embeddings")


_REASONING = {
    "none seen": "none seen",
    "shown": "shown beside the answer; it is billed as output and not in the estimate",
    "hidden": "hidden; it is billed as output and not in the estimate",
}


def _print_estimate(expected: "Estimate", size: str, environments: int) -> None:
    from rich.table import Table

    from envfactory_dagster.commands.console import Console
    from envfactory_dagster.language.prices import dollars

    table = Table(box=None, pad_edge=False)
    for column in ("stage", "model", "calls", "tokens in", "tokens out", "cost"):
        table.add_column(column, overflow="fold")
    for one in expected.stages:
        cost = "price unknown" if one.cost_usd is None else dollars(one.cost_usd)
        table.add_row(one.stage, one.model, f"{one.calls:,}", f"{one.tokens_in:,}", f"{one.tokens_out:,}", cost)
    Console().print(table, markup=False)
    noun = "environment" if environments == 1 else "environments"
    say(f"{environments} {noun} of size {size}, as measured: {expected}")


@app.command()
def serve(
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.", min=0, max=65535)] = 8001,
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    as_json: AsJson = False,
) -> None:
    """Serve what answers without a key to any client of the OpenAI API. The model `library` answers about its worlds
    and nothing else; `built-in` also tests tools, judges and embeds."""
    import uvicorn

    from envfactory_dagster.language.built_in.app import create_app
    from envfactory_dagster.language.settings import BUILT_IN_MODEL
    from envfactory_dagster.library.app import MODEL, LibraryApp
    from envfactory_dagster.library.collection import Library
    from envfactory_dagster.runtime.gateway.serving import listen

    listening = listen(host, port)
    listening.listen()  # who is told the address may ask at once
    url = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}/v1"
    if as_json:
        say(orjson.dumps({"url": url, "models": [MODEL, BUILT_IN_MODEL], "pid": os.getpid()}).decode(), flush=True)
    else:
        say(f"The models {MODEL!r} and {BUILT_IN_MODEL!r} answer at {url}. Ctrl-C ends it.", flush=True)
    served = LibraryApp(Library(), create_app())
    uvicorn.Server(uvicorn.Config(served, log_level="warning", lifespan="off")).run(sockets=[listening])

"""`python -m envfactory_dagster.library`: recording worlds, looking through them, serving them.

Belongs here: arguments and printing. Does not: any work (`recording`, `collection`, `app`).
"""

from pathlib import Path
from typing import Annotated

import typer

from envfactory_dagster.contracts.errors import EnvFactoryError
from envfactory_dagster.library.collection import SHIPPED, Library

app = typer.Typer(help="Worlds that a language model wrote, as folders.", no_args_is_help=True)

Into = Annotated[Path, typer.Option("--library", help="The folder of worlds; by default that of the package.")]


@app.command()
def record(
    keys: Annotated[list[str], typer.Argument(help="Environments of the home, whatever stage they have got to.")],
    home: Annotated[str | None, typer.Option(help="Where they were made; by default ENVFACTORY_HOME.")] = None,
    library: Into = SHIPPED,
) -> None:
    """Make folders of environments that a model made, or bring them up to date."""
    from envfactory_dagster.library.recording import record_world
    from envfactory_dagster.store.home import Home

    for key in keys:
        recorded = record_world(Home.resolve(home), key, library)
        world = recorded.world
        state = "recorded" if recorded.changed else "unchanged"
        print(f"{state}: {library / key}, {len(world.parts)} parts, up to {world.until}")
        for left_out in recorded.left_out:
            print(f"    not {left_out}")


@app.command("take-out")
def take_out(
    key: Annotated[str, typer.Argument(help="A world of the library.")],
    parts: Annotated[list[str], typer.Argument(help="QUESTION/PART, as its provenance.json calls them.")],
    why: Annotated[str, typer.Option(help="What is wrong with them; it is kept in provenance.json.")],
    library: Into = SHIPPED,
) -> None:
    """Take tasks, programs, families, wordings or conversations out of a world that a reader calls wrong."""
    from envfactory_dagster.library.folders import read_world, write_world
    from envfactory_dagster.library.taking_out import without

    world = without(read_world(library / key), parts, why)
    write_world(world, library / key)
    print(f"{key}: {len(world.parts)} parts are left")


@app.command()
def check(library: Into = SHIPPED) -> None:
    """Read every world, and say what is in it or what is wrong with it."""
    worlds, failed = Library(library), False
    for key in worlds.cards:
        try:
            world = worlds.world(key)
            print(f"{key}: {world.title}, {world.card.size}, {len(world.parts)} parts, up to {world.until}")
        except EnvFactoryError as error:
            failed = True
            print(f"{key}: {error}")
    if failed:
        raise typer.Exit(1)


@app.command()
def serve(
    port: Annotated[int, typer.Option(help="Port to listen at.", min=1, max=65535)] = 8002,
    continuing: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="An endpoint (…/v1) that is asked whatever the worlds have no answer to, so as to go on.",
        ),
    ] = None,
    library: Into = SHIPPED,
) -> None:
    """Serve the worlds to any client of the OpenAI API."""
    import uvicorn

    from envfactory_dagster.library.app import LibraryApp
    from envfactory_dagster.library.forwarding import Forwarding

    others = Forwarding(continuing) if continuing else None
    served = LibraryApp(Library(library), others)
    print(f"The worlds of {library} answer at http://127.0.0.1:{port}/v1. Ctrl-C ends it.", flush=True)
    uvicorn.run(served, host="127.0.0.1", port=port, log_level="warning", lifespan="off")


if __name__ == "__main__":
    try:
        app(standalone_mode=True)
    except EnvFactoryError as error:
        raise SystemExit(str(error)) from None

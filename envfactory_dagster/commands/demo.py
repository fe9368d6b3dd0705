"""`envfactory demo`: a first look. Worlds are discovered and built, one of them is shown, and the way on is told.

Belongs here: what a newcomer is shown, in which order. Does not: a way of its own to make anything (it runs the same
jobs), and showing a world (`showing`).
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.terminal import say

if TYPE_CHECKING:
    import dagster as dg

    from envfactory_dagster.commands.standing import Standing
    from envfactory_dagster.contracts.domain import Size


def demo(
    count: Annotated[int, typer.Option(help="How many environments to make.", min=1)] = 3,
    as_json: AsJson = False,
) -> None:
    """Make environments, show one of them and what to do next. Without a key they come from the built-in library."""
    from envfactory_dagster.commands.build import build_keys
    from envfactory_dagster.commands.runs import home_instance

    with home_instance() as instance:
        keys = _keys(instance, count, hidden=as_json)
        found = build_keys(instance, keys, hidden=as_json)
    accepted = [one for one in found if one.status == "accepted"]
    if as_json:
        next_steps = _next(accepted[0].key) if accepted else {}
        say(orjson.dumps({"environments": [one.as_json() for one in found], "next": next_steps}).decode())
    else:
        _print(found, accepted)
    if len(accepted) < count:
        raise typer.Exit(1)


def _keys(instance: "dg.DagsterInstance", count: int, *, hidden: bool) -> list[str]:
    """The first environments of this home. What is missing is discovered; of the library the lightest are taken."""
    from envfactory_dagster.commands.expand import expand_pool
    from envfactory_dagster.partitions import environment_keys
    from envfactory_dagster.resources.authoring import configured_size, library_is_the_author

    missing = count - len(environment_keys(instance))
    if missing > 0:
        titles = _lightest(missing, configured_size()) if library_is_the_author() else []
        expand_pool(instance, missing - len(titles), [], titles, hidden=hidden)
    return environment_keys(instance)[:count]


def _lightest(count: int, size: "Size") -> list[str]:
    """Worlds of the library that this home does not have."""
    from envfactory_dagster.authoring.discovery import ThemePool
    from envfactory_dagster.library.collection import Library
    from envfactory_dagster.store.home import Home

    pool = ThemePool(Home.resolve())
    pool.refresh()
    return [title for title in Library().lightest(size) if pool.key_named(title) is None][:count]


def _next(key: str) -> dict[str, str]:
    """Commands that work as they stand, and pages to read, by what they are good for."""
    program = _program()
    return {
        "see how it was made": f"{program} show {key}",
        "serve it over REST and MCP": f"{program} serve {key}",
        "look at all of it, every episode turn by turn": f"{program} view",
        "watch it being made in the browser": f"{program} ui",
        "make worlds with a model of your own, and let it play": "docs/guides/models.md",
        "export them to Harbor, Inspect, TRL and others": "docs/guides/exchange.md",
        "train a policy on them": "docs/guides/training.md",
    }


def _program() -> str:
    """This program as a person at this prompt would type it."""
    path = Path(sys.argv[0])
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_absolute() and path.is_relative_to(here) else str(path)


def _print(found: "list[Standing]", accepted: "list[Standing]") -> None:
    from envfactory_dagster.commands.showing import choose, show
    from envfactory_dagster.commands.standing import print_standings
    from envfactory_dagster.loading import load_bundle

    print_standings(found)
    if not accepted:
        say("Nothing was accepted; `envfactory show KEY` tells why.")
        return
    say()
    for one in accepted:
        say(f"{one.key} lies in {one.folder}")
    chosen = choose([load_bundle(one.key) for one in accepted])
    if chosen is not None:
        show(*chosen)
    say("\nWhat to do next:")
    for purpose, command in _next(chosen[0].key if chosen is not None else accepted[0].key).items():
        say(f"  {purpose}: {command}")

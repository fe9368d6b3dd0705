"""`envfactory demo`: a first look. Themes are discovered, environments built, one tool called, and the way on is shown.

Belongs here: what a newcomer is shown. Does not: a way of its own to make anything: it runs the same jobs.
"""

import shlex
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


def demo(
    count: Annotated[int, typer.Option(help="How many environments there shall be.", min=1)] = 3,
    as_json: AsJson = False,
) -> None:
    """Make environments with the built-in model, which needs no key, and show what to do with them."""
    from envfactory_dagster.commands.build import build_keys
    from envfactory_dagster.commands.runs import home_instance

    with home_instance() as instance:
        keys = _keys(instance, count, hidden=as_json)
        found = build_keys(instance, keys, hidden=as_json)
    accepted = [one for one in found if one.status == "accepted"]
    if as_json:
        say(orjson.dumps({"environments": [one.as_json() for one in found], "next": _next(accepted)}).decode())
    else:
        _print(found, accepted)
    if len(accepted) < count:
        raise typer.Exit(1)


def _keys(instance: "dg.DagsterInstance", count: int, *, hidden: bool) -> list[str]:
    """The first environments of this home; what is missing is discovered."""
    from envfactory_dagster.commands.expand import expand_pool
    from envfactory_dagster.partitions import environment_keys

    missing = count - len(environment_keys(instance))
    if missing > 0:
        expand_pool(instance, missing, [], [], hidden=hidden)
    return environment_keys(instance)[:count]


def _next(accepted: "list[Standing]") -> dict[str, str]:
    """Commands that work as they stand, by what they are good for."""
    if not accepted:
        return {}
    program, first = _program(), accepted[0]
    tool, arguments = _a_call(first)
    call = shlex.join([program, "call", first.key, tool, *arguments])
    return {
        "call one of its tools": call,
        "serve it to agents, over REST and MCP": f"{program} serve {first.key}",
        "see how it was made": f"{program} show {first.key}",
        "watch the factory in the browser": f"{program} ui",
        "make more": f"{program} expand --count 5 && {program} build",
    }


def _program() -> str:
    """This program as a person at this prompt would type it."""
    path = Path(sys.argv[0])
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_absolute() and path.is_relative_to(here) else str(path)


def _a_call(standing: "Standing") -> tuple[str, list[str]]:
    """A call that worked when the code was judged: of a tool that changes nothing, and needs nothing done before it."""
    from envfactory_dagster.commands.bundles import find_bundle

    bundle = find_bundle(standing.key)
    tools = [tool for tool in bundle.tools_of("assistant") if not bundle.tool_tests[tool.name].before]
    tool = min(tools, key=lambda tool: not tool.annotations.readOnlyHint)
    good_call = bundle.tool_tests[tool.name].good_call
    return tool.name, [f"{name}={orjson.dumps(value).decode()}" for name, value in good_call.items()]


def _print(found: "list[Standing]", accepted: "list[Standing]") -> None:
    from envfactory_dagster.commands.standing import print_standings

    print_standings(found)
    if not accepted:
        say("Nothing was accepted; `envfactory show KEY` tells why.")
        return
    say()
    for one in accepted:
        say(f"{one.key} lies in {one.folder}")
    say("\nWhat to do next:")
    for purpose, command in _next(accepted).items():
        say(f"  {purpose}:\n    {command}")
    say("  use a model of your own: docs/models.md")

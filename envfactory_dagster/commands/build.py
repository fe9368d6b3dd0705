"""`envfactory build`: environments out of themes, by the job `build_environments`.

Belongs here: which environments are meant, one run for each range of them, what came of it. Does not: the line
(`assets.environment`).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.errors import PartitionsFailed, UsageError

if TYPE_CHECKING:
    import dagster as dg

    from envfactory_dagster.commands.standing import Standing

NOTHING_ACCEPTED = 1


def build(
    keys: Annotated[list[str] | None, typer.Argument(metavar="KEY…", help="Which; by default the unfinished.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All there are: what is up to date costs nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Build environments. What a gate rejects is reported and kept; the status is 1 only if nothing was accepted."""
    from envfactory_dagster.commands.runs import home_instance
    from envfactory_dagster.commands.standing import print_standings

    with home_instance() as instance:
        found = build_keys(instance, _wanted(instance, keys or [], everything), hidden=as_json)
    if as_json:
        say(orjson.dumps({"environments": [one.as_json() for one in found]}).decode())
    elif found:
        print_standings(found)
    else:
        say("There is nothing to build. `envfactory expand --count 3` proposes environments.")
    if found and all(one.status != "accepted" for one in found):
        raise typer.Exit(NOTHING_ACCEPTED)


def build_keys(instance: "dg.DagsterInstance", wanted: Sequence[str], *, hidden: bool) -> "list[Standing]":
    from envfactory_dagster.commands.progress import bars
    from envfactory_dagster.commands.runs import run_job
    from envfactory_dagster.commands.standing import LINE, standings
    from envfactory_dagster.partitions import environment_keys, range_tags, ranges
    from envfactory_dagster.store.home import Home

    known = environment_keys(instance)
    with bars(dict.fromkeys(LINE, len(wanted)), hidden=hidden) as watcher:
        for keys in ranges(known, frozenset(wanted)):
            try:
                run_job(instance, "build_environments", watcher, tags=range_tags(keys))
            except PartitionsFailed as failed:
                typer.echo(str(failed), err=True)
    return standings(Home.resolve(), wanted)


def _wanted(instance: "dg.DagsterInstance", keys: Sequence[str], everything: bool) -> list[str]:
    from envfactory_dagster.commands.standing import standings
    from envfactory_dagster.partitions import environment_keys
    from envfactory_dagster.store.home import Home

    known = environment_keys(instance)
    if unknown := [key for key in keys if key not in known]:
        raise UsageError(f"There is no environment {unknown[0]!r}; `envfactory list` shows what there is.")
    if keys and everything:
        raise UsageError("Name environments or give --all, not both.")
    if keys:
        return list(dict.fromkeys(keys))
    if everything:
        return list(known)
    return [one.key for one in standings(Home.resolve(), known) if one.status == "unfinished"]

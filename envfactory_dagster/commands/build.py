"""`envfactory build`: environments out of themes, by the job `build_environments`.

Belongs here: which environments are meant, what they will cost, one run for each range of them, what came of it. Does
not: the line (`assets.environment`).
"""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.errors import PartitionsFailed, UsageError

if TYPE_CHECKING:
    import dagster as dg

    from envfactory_dagster.commands.estimates import Estimate
    from envfactory_dagster.commands.standing import Standing
    from envfactory_dagster.store.records import RecordStore

NOTHING_ACCEPTED = 1
ASK_ABOVE_USD = 5.0
ASK_ABOVE_TOKENS = 2_000_000
"""Where the price is not known."""


def build(
    keys: Annotated[list[str] | None, typer.Argument(metavar="KEY…", help="Which; by default the unfinished.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All there are: what is up to date costs nothing.")] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Ask for what was rejected of KEY… once more, with a fresh seed.")
    ] = False,
    rejected: Annotated[bool, typer.Option("--rejected", help="With --again: all that were rejected.")] = False,
    as_json: AsJson = False,
) -> None:
    """Build environments. What a gate rejects is reported and kept; the status is 1 only if nothing was accepted."""
    from envfactory_dagster.commands.runs import home_instance
    from envfactory_dagster.commands.standing import print_standings

    if everything and again:
        raise UsageError("Give --all or --again, not both.")
    if rejected and not again:
        raise UsageError("--rejected goes with --again.")
    with home_instance() as instance:
        wanted = _rejected(instance, keys or [], rejected) if again else _wanted(instance, keys or [], everything)
        found = build_keys(instance, wanted, hidden=as_json, again=again)
    if as_json:
        say(orjson.dumps({"environments": [one.as_json() for one in found]}).decode())
    elif found:
        print_standings(found)
        if any(one.status == "rejected" for one in found):
            say("`envfactory build --again KEY` asks for what was rejected once more, with a fresh seed.")
    elif again:
        say("Nothing was rejected.")
    else:
        say(
            "Nothing is unfinished. `envfactory expand --count 3` proposes environments, and `envfactory build --again "
            "--rejected` asks once more for what was rejected."
        )
    if found and all(one.status != "accepted" for one in found):
        raise typer.Exit(NOTHING_ACCEPTED)


def build_keys(
    instance: "dg.DagsterInstance", wanted: Sequence[str], *, hidden: bool, again: bool = False
) -> "list[Standing]":
    """`hidden`: no bars, and nobody is asked anything."""
    from envfactory_dagster.commands.progress import bars
    from envfactory_dagster.commands.runs import run_job
    from envfactory_dagster.commands.standing import standings
    from envfactory_dagster.contracts.stages import LINE
    from envfactory_dagster.partitions import environment_keys, range_tags, ranges
    from envfactory_dagster.store.home import Home

    if not wanted:
        return []
    known = environment_keys(instance)
    config = {stage: {"redo": again, "keep": True} for stage in LINE}
    expected = _estimate(wanted, again)
    _announce(expected, len(wanted), may_ask=not hidden)
    with bars(dict.fromkeys(LINE, len(wanted)), hidden=hidden, expected=expected) as watcher:
        for keys in ranges(known, frozenset(wanted)):
            try:
                run_job(instance, "build_environments", watcher, tags=range_tags(keys), config=config)
            except PartitionsFailed as failed:
                say(failed, file=sys.stderr)
    if expected is not None and expected.calls:
        say(watcher.spent, file=sys.stderr)
    return standings(Home.resolve(), wanted)


def _estimate(wanted: Sequence[str], again: bool) -> "Estimate | None":
    """Of what is not made yet. What is made counts as up to date, and a rejection is repeated for nothing."""
    from envfactory_dagster.commands.estimates import estimate
    from envfactory_dagster.contracts.stages import LINE, MINED_DATA
    from envfactory_dagster.language.settings import LanguageSettings
    from envfactory_dagster.resources.authoring import AuthoringResource, configured_size
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.store.records import RecordStore

    settings, records = LanguageSettings.from_environment(), RecordStore(Home.resolve())
    settings.require(*AuthoringResource().roles())
    missing = dict.fromkeys(LINE, 0)
    for key in wanted:
        heads = {stage: records.head(stage, key) for stage in missing}
        if not again and any(head is not None and head.status == "rejected" for head in heads.values()):
            continue
        for stage, head in heads.items():
            missing[stage] += (head is None or head.status != "ok") and (stage != MINED_DATA or _is_mined(records, key))
    return estimate(settings, configured_size(), missing)


def _is_mined(records: "RecordStore", key: str) -> bool:
    proposed = records.latest("proposal", key)
    document = (proposed.artifact or {}).get("document") if proposed is not None else None
    return document is not None and document["kind"] == "data"


def _announce(expected: "Estimate | None", environments: int, *, may_ask: bool) -> None:
    """Say what it will cost. Whoever sits at a terminal is asked whether to go on where that is much."""
    if expected is None or not expected.calls:
        return
    noun = "environment" if environments == 1 else "environments"
    say(f"{environments} {noun} to build: {expected}.", file=sys.stderr)
    cost = expected.cost_usd
    is_much = expected.tokens > ASK_ABOVE_TOKENS if cost is None else cost > ASK_ABOVE_USD
    at_a_terminal = sys.stdin.isatty() and sys.stderr.isatty()
    if is_much and may_ask and at_a_terminal and not typer.confirm("Build?", err=True):
        say("Nothing was built.", file=sys.stderr)
        raise typer.Exit(0)


def _rejected(instance: "dg.DagsterInstance", keys: Sequence[str], all_rejected: bool) -> list[str]:
    from envfactory_dagster.commands.standing import standings
    from envfactory_dagster.store.home import Home

    if bool(keys) == all_rejected:
        raise UsageError("Name environments to be asked for again, or give --rejected for all that were rejected.")
    known = _known(instance, keys)
    found = standings(Home.resolve(), keys or known)
    for one in found:
        if keys and one.status != "rejected":
            raise UsageError(f"{one.key} is {one.status}, not rejected; `envfactory build {one.key}` builds it.")
    return list(dict.fromkeys(one.key for one in found if one.status == "rejected"))


def _known(instance: "dg.DagsterInstance", keys: Sequence[str]) -> list[str]:
    """All environments; those that are named must be among them."""
    from envfactory_dagster.partitions import environment_keys

    known = environment_keys(instance)
    if unknown := [key for key in keys if key not in known]:
        raise UsageError(f"There is no environment {unknown[0]!r}; `envfactory list` shows what there is.")
    return known


def _wanted(instance: "dg.DagsterInstance", keys: Sequence[str], everything: bool) -> list[str]:
    from envfactory_dagster.commands.standing import standings
    from envfactory_dagster.store.home import Home

    known = _known(instance, keys)
    if keys and everything:
        raise UsageError("Name environments or give --all, not both.")
    if keys:
        return list(dict.fromkeys(keys))
    if everything:
        return list(known)
    return [one.key for one in standings(Home.resolve(), known) if one.status == "unfinished"]

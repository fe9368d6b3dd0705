"""`envfactory import`: environments that others published, as bundles of ours.

Belongs here: reading the command, saying what came of it. Does not: forms and building (`exchange.importing`).
"""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import orjson
import typer

from envfactory_dagster.commands.options import AllowUnsandboxed, AsJson
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError

if TYPE_CHECKING:
    from envfactory_dagster.contracts.bundle import Bundle
    from envfactory_dagster.runtime.runtime import Runtime
    from envfactory_dagster.store.bundles import BundleStore

_SHOWN = 10


@dataclass
class _Outcome:
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def import_environments(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="What was published, on this machine.")],
    form: Annotated[
        str, typer.Option("--from", metavar="FORM", help="Whose form it is in: see docs/guides/exchange.md.")
    ],
    allow_unsandboxed: AllowUnsandboxed = False,
    as_json: AsJson = False,
) -> None:
    """Make bundles of environments that others published. Their code runs in the sandbox like that of any bundle."""
    from envfactory_dagster.exchange.importing.forms import BUNDLE, NOT_READ, READERS

    if form in NOT_READ:
        raise UsageError(f"Environments of the form {form!r} cannot be imported: {NOT_READ[form]}.")
    if form != BUNDLE and form not in READERS:
        raise UsageError(f"There is no form {form!r}. There are: {', '.join(sorted([BUNDLE, *READERS]))}.")
    outcome = asyncio.run(_import(path, form, allow_unsandboxed))
    if as_json:
        say(orjson.dumps({"imported": outcome.kept, "refused": outcome.refused}).decode())
    else:
        _print(outcome)
    if not outcome.kept:
        raise typer.Exit(1)


async def _import(path: Path, form: str, allow_unsandboxed: bool) -> _Outcome:
    from envfactory_dagster.exchange.importing.forms import BUNDLE
    from envfactory_dagster.exchange.importing.keeping import keep, read_bundle
    from envfactory_dagster.runtime.runtime import Runtime
    from envfactory_dagster.runtime.settings import RuntimeSettings
    from envfactory_dagster.store.bundles import BundleStore
    from envfactory_dagster.store.home import Home

    store = BundleStore(Home.resolve())
    async with Runtime(RuntimeSettings(allow_unsandboxed=allow_unsandboxed)) as runtime:
        if form != BUNDLE:
            return await _import_published(runtime, store, path, form)
        bundle = await read_bundle(runtime, path.expanduser())
        return _Outcome({bundle.key: _about(bundle, keep(store, bundle))})


async def _import_published(runtime: "Runtime", store: "BundleStore", path: Path, form: str) -> _Outcome:
    """One environment that does not start keeps none of the others from it."""
    from envfactory_dagster.exchange.importing.building import build
    from envfactory_dagster.exchange.importing.forms import READERS
    from envfactory_dagster.exchange.importing.keeping import keep

    outcome = _Outcome()
    for key, read in READERS[form](path.expanduser()).items():
        try:
            made = await build(runtime, read())
            folder = keep(store, made.bundle)
        except (EnvironmentFault, UsageError) as problem:
            outcome.refused[key] = str(problem)
            continue
        outcome.kept[key] = _about(made.bundle, folder) | {
            "calls": made.calls,
            "unclean": made.unclean,
            "left_out": made.left_out,
        }
    return outcome


def _about(bundle: "Bundle", folder: str) -> dict[str, Any]:
    counts = {"tools": len(bundle.tools), "tasks": len(bundle.tasks), "states": len(bundle.states)}
    return {"folder": folder, "version": bundle.version, **counts}


def _print(outcome: _Outcome) -> None:
    for key, one in outcome.kept.items():
        say(f"+ {key}: {one['tools']} tools, {one['tasks']} tasks, {one['states']} states in {one['folder']}")
        if one.get("calls"):
            failed = len(one["unclean"])
            say(f"    {one['calls']} calls of published solutions were made; one failed in {failed} of the tasks")
        _list("failed in", one.get("unclean", {}))
        _list("left out", one.get("left_out", {}))
    for key, why in outcome.refused.items():
        say(f"- {key}: {why}")


def _list(what: str, found: dict[str, str]) -> None:
    for name, why in list(found.items())[:_SHOWN]:
        say(f"    {what} {name}: {why[:200]}")
    if len(found) > _SHOWN:
        say(f"    … and {len(found) - _SHOWN} more; --json shows all")

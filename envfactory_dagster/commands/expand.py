"""`envfactory expand`: more themes for the pool, by the job `discover_themes`.

Belongs here: what is asked of the job, and showing what was taken and what was not. Does not: discovery
(`authoring.discovery`).
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import orjson
import typer

from envfactory_dagster.commands.options import AsJson
from envfactory_dagster.commands.terminal import say
from envfactory_dagster.contracts.domain import StateStorage
from envfactory_dagster.contracts.errors import UsageError

if TYPE_CHECKING:
    import dagster as dg

    from envfactory_dagster.contracts.pool import PooledProposal, RejectedProposal

NOTHING_ACCEPTED = 1
_SHOWN = 10
_DETAIL_CHARS = 500


def expand(
    count: Annotated[int, typer.Option(help="How many themes to take into the pool.", min=0, show_default=False)] = 0,
    category: Annotated[list[str] | None, typer.Option(help="Only of this category; may be repeated.")] = None,
    theme: Annotated[list[str] | None, typer.Option(help="A world in your own words; may be repeated.")] = None,
    storage: Annotated[
        StateStorage, typer.Option(help="What the state of these worlds is: a database, or files that tools edit.")
    ] = "sqlite",
    mirror: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE|URL",
            help="A service to stand in for, tool by tool: an OpenAPI document, an MCP server's list of tools, the "
            "address of either, or stdio:COMMAND that starts a server; may be repeated.",
        ),
    ] = None,
    data: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FOLDER",
            help="Documents to mine a world from: tables, pages and texts; may be repeated.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Propose worlds, keep the suitable and distinct ones: each becomes an environment that `build` can build."""
    from envfactory_dagster.commands.runs import home_instance
    from envfactory_dagster.resources.authoring import LIBRARY_EXHAUSTED, library_is_the_author

    if not count and not theme and not mirror and not data:
        raise UsageError(
            "Say how many themes are wanted (--count 5), describe one (--theme 'a bicycle repair shop'), or name a "
            "service to mirror (--mirror openapi.json) or documents to mine (--data FOLDER)."
        )
    if storage != "sqlite":
        _check_storage(storage, theme or [])
    mirrors, folders = _services(mirror or []), _documents(data or [], hidden=as_json)
    with home_instance() as instance:
        accepted, rejected = expand_pool(
            instance, count, category or [], theme or [], mirrors, folders, storage, hidden=as_json
        )
    if as_json:
        said = {
            "accepted": [one.model_dump(mode="json") for one in accepted],
            "rejected": [one.model_dump(mode="json") for one in rejected],
        }
        say(orjson.dumps(said).decode())
    else:
        _print(accepted, rejected)
        if sum(one.source.kind != "user" for one in accepted) < count and library_is_the_author():
            say(LIBRARY_EXHAUSTED)
    if not accepted:
        raise typer.Exit(NOTHING_ACCEPTED)


def _check_storage(storage: StateStorage, themes: list[str]) -> None:
    from envfactory_dagster.language.settings import LanguageSettings

    if not themes:
        raise UsageError(f"--storage {storage} is for worlds in your own words: describe one with --theme.")
    if LanguageSettings.from_environment().base_url is None:
        raise UsageError(
            "A world of files needs a language model: set ENVFACTORY_LLM_BASE_URL, its key and its models."
        )


def _services(targets: list[str]) -> list[str]:
    """The documents of all services, before anything is asked of a model: what is wrong with one stops them all."""
    import asyncio

    from envfactory_dagster.authoring.discovery import read_service
    from envfactory_dagster.language.settings import LanguageSettings

    if targets and LanguageSettings.from_environment().base_url is None:
        raise UsageError("A mirror needs a language model: set ENVFACTORY_LLM_BASE_URL, its key and its models.")
    return [asyncio.run(read_service(target)).model_dump_json() for target in targets]


def _documents(folders: list[Path], *, hidden: bool) -> list[str]:
    """The documents of all folders, copied into the home: worlds are mined from the copy."""
    from envfactory_dagster.authoring.discovery import read_data
    from envfactory_dagster.language.settings import LanguageSettings
    from envfactory_dagster.store.home import Home

    if folders and LanguageSettings.from_environment().base_url is None:
        raise UsageError("Mining needs a language model: set ENVFACTORY_LLM_BASE_URL, its key and its models.")
    found = []
    for folder in folders:
        document, left_out = read_data(folder, Home.resolve().snapshots)
        found.append(document.model_dump_json())
        for one in [] if hidden else left_out:
            say(f"    not {one.document}: it {one.reason}")
    return found


def expand_pool(
    instance: "dg.DagsterInstance",
    count: int,
    categories: list[str],
    themes: list[str],
    mirrors: Sequence[str] = (),
    data: Sequence[str] = (),
    storage: StateStorage = "sqlite",
    *,
    hidden: bool,
) -> "tuple[list[PooledProposal], list[RejectedProposal]]":
    """Run the job; give what it took into the pool and what it did not."""
    from envfactory_dagster.authoring.discovery import ThemePool
    from envfactory_dagster.commands.progress import bars
    from envfactory_dagster.commands.runs import run_job
    from envfactory_dagster.store.home import Home

    pool = ThemePool(Home.resolve())
    pool.refresh()
    taken, rejected = len(pool.taken), len(pool.rejected)
    wanted = {"count": count, "categories": categories, "themes": themes, "storage": storage}
    config = wanted | {"mirrors": list(mirrors), "data": list(data)}
    with bars({"theme_pool": 1}, hidden=hidden) as watcher:
        run_job(instance, "discover_themes", watcher, config={"theme_pool": config})
    pool.refresh()
    return pool.taken[taken:], pool.rejected[rejected:]


def _print_mirror(one: "PooledProposal") -> None:
    """What of the service will be there, what will not, and where calls are checked less strictly."""
    document = one.document
    if document is None or not document.mirror:
        return
    every = len(document.tools) + len(document.unusable)
    say(f"    mirrors {len(document.tools)} of {every} tools of {document.title or document.reference}")
    for left_out in document.unusable:
        say(f"    not {left_out.name[:80]} ({left_out.reason.replace('_', ' ')}): {left_out.detail[:200]}")
    for tool in document.tools:
        if tool.loosened:
            say(f"    {tool.name} is not checked for: {', '.join(tool.loosened)[:200]}")


def _print(accepted: "list[PooledProposal]", rejected: "list[RejectedProposal]") -> None:
    for one in accepted:
        say(f"+ {one.key}: {one.proposal.name} ({one.proposal.category})")
        _print_mirror(one)
    for reason, number in Counter(refused.reason for refused in rejected).most_common():
        say(f"- {number} not taken: {reason.replace('_', ' ')}")
    for refused in rejected[:_SHOWN]:
        say(f"    {refused.name[:80]}: {refused.detail[:_DETAIL_CHARS]}")
    if len(rejected) > _SHOWN:
        say(f"    … and {len(rejected) - _SHOWN} more; --json shows all")
    if accepted:
        say(f"`envfactory build` builds {'it' if len(accepted) == 1 else 'them'}.")

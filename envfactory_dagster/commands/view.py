"""`envfactory view`: environments and episodes as a web site in one folder, to be looked at.

Belongs here: what is shown, and where the folder goes. Does not: the site (`viewing`).
"""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import orjson
import typer

from envfactory_dagster.commands.options import AllowUnsandboxed, AsJson
from envfactory_dagster.commands.terminal import how_many, say
from envfactory_dagster.contracts.bundle import MANIFEST
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.loading import load_bundle

if TYPE_CHECKING:
    from envfactory_dagster.rollouts.store import TrajectoryStore
    from envfactory_dagster.store.home import Home
    from envfactory_dagster.viewing.gathering import SiteWorld, Unfinished
    from envfactory_dagster.viewing.site import Written


def view(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[KEY|RUN]…",
            help="A bundle's folder, a key under ENVFACTORY_HOME or the name of an example; or the folder of an "
            "evaluation or a calibration, whose episodes are shown. By default everything under ENVFACTORY_HOME.",
        ),
    ] = None,
    to: Annotated[
        Literal["site", "inspect", "traces"],
        typer.Option(
            help="`site`: pages of ours; `inspect`: episodes as logs for `inspect view`; `traces`: as sessions for the "
            "trace viewer of the Hugging Face Hub."
        ),
    ] = "site",
    out: Annotated[Path | None, typer.Option(help="The folder; by default `site` below the home.")] = None,
    allow_unsandboxed: AllowUnsandboxed = False,
    as_json: AsJson = False,
) -> None:
    """Write a web site of environments and of every episode played in them: one folder, opened without a server."""
    from envfactory_dagster.store.home import Home

    home = Home.resolve()
    if to != "site" and out is None:
        raise UsageError(f"Say with --out where the {to} are to be written; `site` below the home is for pages.")
    folder = (out.expanduser() if out else home.site).absolute()
    left_out: dict[str, str] = {}
    worlds, missing = _chosen(home, what or [], left_out)
    if to == "site":
        site = asyncio.run(_write_site(worlds, missing, folder, allow_unsandboxed))
        counts = {"environments": site.environments, "episodes": site.episodes, "pages": site.pages}
        told = f"{how_many(site.environments, 'environment')}, {how_many(site.episodes, 'episode')}"
        told = f"{told}: {site.bytes / 1e6:.1f} MB in {folder}\nOpen {(folder / 'index.html').as_uri()}"
        said = {"folder": str(folder), **counts, "bytes": site.bytes}
    else:
        from envfactory_dagster.viewing.transcripts import write_transcripts

        files, episodes = write_transcripts(worlds, to, folder, date.today())
        told = f"{how_many(episodes, 'episode')} in {how_many(files, 'file')} in {folder}"
        said = {"folder": str(folder), "files": files, "episodes": episodes}
    if as_json:
        say(orjson.dumps({**said, "left_out": left_out}).decode())
        return
    for key, reason in left_out.items():
        say(f"left out: {key}: {reason}")
    say(told)


async def _write_site(
    worlds: "Iterator[SiteWorld]", missing: "Sequence[Unfinished]", folder: Path, allow_unsandboxed: bool
) -> "Written":
    from envfactory_dagster.runtime.runtime import Runtime
    from envfactory_dagster.runtime.settings import RuntimeSettings
    from envfactory_dagster.viewing.site import write_site

    async with Runtime(RuntimeSettings(allow_unsandboxed=allow_unsandboxed)) as runtime:
        return await write_site(worlds, missing, folder, runtime, date.today())


def _chosen(
    home: "Home", what: Sequence[str], left_out: dict[str, str]
) -> "tuple[Iterator[SiteWorld], Sequence[Unfinished]]":
    from envfactory_dagster.rollouts.store import TrajectoryStore
    from envfactory_dagster.store.bundles import BundleStore
    from envfactory_dagster.viewing.gathering import keys_played, stores_below, unfinished

    built = BundleStore(home).keys()
    runs = [Path(one).expanduser() for one in what if _is_run(one, built)]
    if len(runs) > 1:
        raise UsageError("One evaluation at a time can be shown; give a folder that holds both.")
    stores = stores_below(runs[0]) if runs else {"": TrajectoryStore(home)}
    keys = [one for one in what if not _is_run(one, built)]
    if not keys:
        keys = keys_played(stores) if runs else built
    if not keys:
        raise UsageError(f"There are no environments under {home.root} yet. `envfactory demo` makes some.")
    missing = list(unfinished(home, built)) if not what else []
    return _worlds(home, keys, stores, built, left_out), missing


def _is_run(name: str, built: Sequence[str]) -> bool:
    folder = Path(name).expanduser()
    is_bundle = (folder / MANIFEST).is_file() or (folder / "LATEST").is_file()
    return name not in built and folder.is_dir() and not is_bundle


def _worlds(
    home: "Home",
    keys: Sequence[str],
    stores: "dict[str, TrajectoryStore]",
    built: Sequence[str],
    left_out: dict[str, str],
) -> "Iterator[SiteWorld]":
    """One after the other, so that not all of them are in memory. What is damaged is left out with its reason."""
    from envfactory_dagster.viewing.gathering import SiteWorld, episodes_in, world_of

    for key in keys:
        try:
            if key in built:
                yield world_of(home, key, stores)
            else:
                bundle = load_bundle(key)
                yield SiteWorld(bundle, episodes=episodes_in(bundle, stores))
        except EnvironmentFault as fault:
            left_out[key] = str(fault)

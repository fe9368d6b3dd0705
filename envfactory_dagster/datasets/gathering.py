"""What there is to make rows of: released environments in their splits, without what occurs twice or elsewhere.

Belongs here: reading releases, keeping the ledger of splits, leaving tasks out. Does not: how splits and likeness are
decided (`splits`, `duplicates`), and rows (`rows`).
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import orjson
from pydantic import ValidationError

from envfactory_dagster.contracts.base import found_in
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.dataset import LeftOut, Split, SplitLedger
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.datasets import duplicates, splits
from envfactory_dagster.datasets.bodies import bodies
from envfactory_dagster.datasets.rows import Source
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.files import open_files
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.playing import chosen

_FOLDER, _LEDGER = "splits", "splits/ledger.json"
_ORDER: tuple[Split, ...] = ("sft", "rl", "arena", "held_out", "held_out_modules")
"""Of two tasks that are the same, the one whose split comes first is kept: what is held out must be new."""


@dataclass(frozen=True, slots=True)
class GatherSettings:
    seed: int = 0
    """Of the splits. It is decided once for a home, when the first environments are shared out."""
    shares: splits.Shares = field(default_factory=splits.Shares)
    likeness: duplicates.LikenessThresholds = field(default_factory=duplicates.LikenessThresholds)
    benchmarks: Path | None = None
    """A folder of texts that no task may be like."""


@dataclass(frozen=True, slots=True)
class Gathered:
    sources: list[Source]
    """Split by split, and by key."""
    bodies: dict[str, dict[str, str]]
    """Environment → tool → fingerprint."""
    left_out: list[LeftOut]

    def of(self, *wanted: Split) -> list[Source]:
        return [source for source in self.sources if source.split in wanted]


@dataclass(frozen=True, slots=True)
class SplitReleases:
    """Everything that is released, and the split that it is in."""

    released: dict[str, tuple[Bundle, dict[str, MadeTask]]]
    bodies: dict[str, dict[str, str]]
    """Environment → tool → fingerprint."""
    plan: splits.SplitPlan
    left_out: list[LeftOut]
    """What cannot be read."""


async def placed(home: Home, settings: GatherSettings) -> SplitReleases:
    released, left_out = await asyncio.to_thread(_released, home)
    known = {key: bodies(bundle) for key, (bundle, _) in released.items()}
    workspaces = {
        key: [server.key for server in bundle.servers.values()]
        for key, (bundle, _) in released.items()
        if bundle.servers
    }
    ledger = await shared_out(home, known, settings, workspaces)
    return SplitReleases(released, known, splits.plan(known, ledger, workspaces), left_out)


async def placed_as_before(home: Home) -> SplitReleases:
    """Place new environments with the seed of the ledger and the default shares."""
    data = open_files(home.datasets).read(_LEDGER)
    seed = 0 if data is None else _read_ledger(data).seed
    return await placed(home, GatherSettings(seed=seed))


def split_of(home: Home, key: str) -> Split | None:
    """Where an environment was placed; None where it was not."""
    data = open_files(home.datasets).read(_LEDGER)
    placed = [] if data is None else _read_ledger(data).placed
    return next((one.split for one in placed if one.environment == key), None)


async def gather(home: Home, gateway: Gateway, caller: Caller, settings: GatherSettings) -> Gathered:
    everything = await placed(home, settings)
    released, plan, left_out = everything.released, everything.plan, everything.left_out
    sources = []
    for key in sorted(released, key=lambda one: (_ORDER.index(plan.split_of[one]), one)):
        if key in plan.barred:
            detail = ", ".join(plan.barred[key])
            left_out.append(LeftOut(what=key, reason="it has tools that are held out by now", detail=detail))
            continue
        bundle, tasks = released[key]
        sources.append(Source(bundle, tasks, plan.split_of[key], plan.withheld.get(key, [])))
    twins = await _twins(gateway, caller, sources, settings)
    left_out += twins
    return Gathered([_without(source, twins) for source in sources], everything.bodies, left_out)


async def shared_out(
    home: Home, known: Mapping[str, splits.Bodies], settings: GatherSettings, workspaces: splits.Workspaces
) -> SplitLedger:
    """The ledger of this home with all these environments in it."""
    files = open_files(home.datasets)
    async with files.locked(_FOLDER):
        before = _ledger(files.read(_LEDGER), settings.seed)
        after = splits.place(known, before, settings.shares, workspaces)
        if after != before:
            files.replace(_LEDGER, orjson.dumps(after.model_dump(mode="json"), option=orjson.OPT_INDENT_2))
    return after


def _ledger(data: bytes | None, seed: int) -> SplitLedger:
    if data is None:
        return SplitLedger(seed=seed)
    ledger = _read_ledger(data)
    if ledger.seed != seed:
        raise UsageError(
            f"The environments of this home were shared out with seed {ledger.seed}, not {seed}. Use that seed, or "
            f"remove datasets/{_LEDGER} to share them out anew: what was held out may be trained on then."
        )
    return ledger


def _read_ledger(data: bytes) -> SplitLedger:
    try:
        with found_in(f"datasets/{_LEDGER}"):
            return SplitLedger.model_validate_json(data)
    except ValidationError as error:
        raise UsageError(f"datasets/{_LEDGER} cannot be read: {error}. It says what was held out so far.") from error


def _released(home: Home) -> tuple[dict[str, tuple[Bundle, dict[str, MadeTask]]], list[LeftOut]]:
    bundles, found, left_out = BundleStore(home), {}, []
    for key, release in chosen(RecordStore(home), ()):
        try:
            found[key] = bundles.load(key, release.version), {made.task.id: made for made in release.tasks}
        except EnvironmentFault as fault:
            left_out.append(LeftOut(what=key, reason="its bundle cannot be read", detail=str(fault)))
    return found, left_out


async def _twins(
    gateway: Gateway, caller: Caller, sources: Sequence[Source], settings: GatherSettings
) -> list[LeftOut]:
    """Tasks that say what an earlier one says, with all that is made of them, and those that are like a benchmark."""
    tasks = {f"{source.bundle.key}/{made.task.id}": made for source in sources for made in source.tasks.values()}
    root_of = {name: root for source in sources for name, root in _roots(source).items()}
    asked = {name: duplicates.asked(made) for name, made in tasks.items()}
    firsts = {name: asked[name] for name in asked if root_of[name] == name}
    repeated = await duplicates.repeated(gateway, caller, firsts, settings.likeness.among_tasks)
    left_out = [
        LeftOut(what=name, reason="the same as another task", detail=f"{twin.name}, {twin.how}")
        for name in asked
        if (twin := repeated.get(root_of[name])) is not None
    ]
    if settings.benchmarks is None:
        return left_out
    public = await asyncio.to_thread(duplicates.read_benchmarks, settings.benchmarks)
    found = await duplicates.resembling(gateway, caller, asked, public, settings.likeness.to_benchmarks)
    found |= duplicates.overlapping(asked, public)
    told = [
        LeftOut(what=name, reason="as in a public benchmark", detail=f"{twin.name}, {twin.how}")
        for name, twin in sorted(found.items())
    ]
    return [*told, *(one for one in left_out if one.what not in found)]


def _roots(source: Source) -> dict[str, str]:
    key = source.bundle.key
    return {f"{key}/{name}": f"{key}/{root}" for name, root in duplicates.roots(source.tasks).items()}


def _without(source: Source, left_out: Iterable[LeftOut]) -> Source:
    gone = {one.what for one in left_out}
    tasks = {name: made for name, made in source.tasks.items() if f"{source.bundle.key}/{name}" not in gone}
    return replace(source, tasks=tasks)

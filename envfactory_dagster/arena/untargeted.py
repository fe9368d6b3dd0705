"""Fresh tasks of a round's environments, drawn without its diagnosis: what a control practises.

Belongs here: which environments and draws. Does not: the gates of a draw (`tasks.families`), and keeping them
(`practice`).
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from random import Random

from envfactory_dagster.arena.freshness import TakenTexts
from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.contracts.base import content_hash
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.datasets.duplicates import asked
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.tasks.families.sampling import fresh_tasks

_SURPLUS = 2
"""This many times the tasks that are wanted are drawn, since some of them may not be new."""


async def untargeted_tasks(
    runtime: Runtime,
    bundles: BundleStore,
    this: ArenaRound,
    version_of: Mapping[str, str],
    taken: TakenTexts,
    count: int,
    environments: int,
) -> list[tuple[Bundle, MadeTask]]:
    """So many, of as many environments as the targeted ones are of, or of more where these do not give enough. Which
    environments is by chance."""
    identity = content_hash(["untargeted", this.key])
    order = Random(identity).sample(sorted(version_of), len(version_of))
    found: list[tuple[Bundle, MadeTask]] = []
    for key in order:
        if len(found) >= count:
            break
        bundle = await asyncio.to_thread(bundles.load, key, version_of[key])
        if not bundle.families:
            continue
        wanted = min(-(-count // environments), count - len(found))
        try:
            fresh = await fresh_tasks(runtime, bundle, _SURPLUS * wanted, int(identity[:12], 16) % 1_000_000)
        finally:
            runtime.retire(bundle)
        known = await taken.not_new({one.task.id: asked(one) for one in fresh.tasks})
        new = [one for one in fresh.tasks if one.task.id not in known][:wanted]
        taken.asked(asked(one) for one in new)
        found += [(replace(bundle, states=dict(fresh.bundle.states)), one) for one in new]
    return found

"""A home with copies of the tiny shop, in which rounds of co-evolution take seconds: three in the arena, one that is
trained on, one that is held out."""

import asyncio
from pathlib import Path

from envfactory_dagster.contracts.trajectory import Protocol
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.tasks.families.sampling import fresh_tasks
from tests.arena.conftest import EXAMINED, SHOP, Ground


def build(folder: Path, protocol: Protocol = "native") -> Path:
    asyncio.run(_built(folder, protocol))
    return folder


async def _built(folder: Path, protocol: Protocol) -> None:
    home = Home.resolve(folder)
    async with Gateway(LanguageSettings(), home.root) as gateway, Runtime() as runtime:
        fresh = await fresh_tasks(runtime, SHOP, 8, seed=77)
        released = [one.model_copy(update={"source": "graph"}) for one in fresh.tasks]
        ground = Ground(home, gateway, runtime, released[:2])
        for key in EXAMINED:
            ground.release(key)
        ground.dataset(released[2:], protocol)

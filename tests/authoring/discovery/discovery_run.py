"""One expansion in a process of its own: `python -m tests.authoring.discovery.discovery_run HOME WANTED ORDER`.

Prints a line for every round that was committed.
"""

import asyncio
import sys

from envfactory_dagster.authoring.discovery import DiscoverySettings, ThemePool, expand_pool
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.store.home import Home
from tests.support.proposer import proposer, proposer_settings


async def main(folder: str, wanted: int, order: str) -> None:
    home = Home.resolve(folder)
    pool = ThemePool(home)
    async with Gateway(proposer_settings(), home.local, app=proposer()) as gateway:
        await expand_pool(
            gateway,
            pool,
            wanted,
            DiscoverySettings(),
            order=order,
            on_round=lambda made: print("round", len(made.taken), flush=True),
        )


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))

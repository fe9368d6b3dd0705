"""The shop, built once."""

import asyncio

import pytest

from envfactory_dagster.runtime.runtime import Runtime
from tests.trainer.shop import Shop, build


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    async def made() -> Shop:
        async with Runtime() as runtime:
            return await build(runtime, tmp_path_factory.mktemp("shop"))

    return asyncio.run(made())

"""The shop, built once, and a policy that has not learned it."""

import asyncio
from pathlib import Path

import pytest

from envfactory_dagster.runtime.runtime import Runtime
from tests.trainer.shop import Shop, build
from tests.trainer.test_training import RECIPE
from trainer.corpus import conversations
from trainer.examples import read_rows
from trainer.policies import LoadedPolicy, begin
from trainer.recipe import Recipe


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    async def made() -> Shop:
        async with Runtime() as runtime:
            return await build(runtime, tmp_path_factory.mktemp("shop"))

    return asyncio.run(made())


@pytest.fixture(scope="module")
def untaught(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> LoadedPolicy:
    return begin(Recipe.model_validate(RECIPE), conversations(read_rows(shop.sft)))


@pytest.fixture
def policy(untaught: LoadedPolicy, tmp_path: Path) -> Path:
    """A policy that knows nothing, in a folder of its own, to be spoiled."""
    untaught.save(tmp_path / "policy")
    return tmp_path / "policy"

"""The shop, built once, and a policy that has not learned it."""

import asyncio
from pathlib import Path

import pytest

from envfactory_dagster.runtime.runtime import Runtime
from tests.trainer.shop import Shop, build, save_policy
from tests.trainer.training import recipe, trainer
from trainer.policies import LoadedPolicy, load
from trainer.recipe import Policy


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    async def made() -> Shop:
        async with Runtime() as runtime:
            return await build(runtime, tmp_path_factory.mktemp("shop"))

    return asyncio.run(made())


@pytest.fixture(scope="module")
def untaught(tmp_path_factory: pytest.TempPathFactory) -> LoadedPolicy:
    return load(Policy(base=str(save_policy(tmp_path_factory.mktemp("untaught")))))


@pytest.fixture
def policy(untaught: LoadedPolicy, tmp_path: Path) -> Path:
    """A policy that knows nothing, in a folder of its own, to be spoiled."""
    untaught.save(tmp_path / "policy")
    return tmp_path / "policy"


@pytest.fixture(scope="session")
def taught(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of a policy that has learned the examples by heart, more or less."""
    out = tmp_path_factory.mktemp("taught")
    ended = trainer("sft", "--recipe", recipe(out), "--data", shop.sft, "--out", out)
    assert ended.status == 0, ended.complained
    return out

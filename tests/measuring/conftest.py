"""A home in which the shop's tasks are held out."""

from pathlib import Path

import pytest
import pytest_asyncio

from envfactory_dagster.runtime.runtime import Runtime
from tests.commands.terminal import Terminal
from tests.measuring.shop_kit import with_dataset
from tests.trainer.shop import Shop, build


@pytest_asyncio.fixture(scope="package")
async def shop(runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> Shop:
    return await build(runtime, tmp_path_factory.mktemp("shop"))


@pytest.fixture
def terminal(shop: Shop, tmp_path: Path) -> Terminal:
    """A copy of the home for one test."""
    return Terminal(with_dataset(shop, tmp_path / "home"), {"ENVFACTORY_LLM_ATTEMPTS": "1"})

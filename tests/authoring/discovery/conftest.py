"""A home of its own for every test, and the scripted proposer to ask."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from envfactory_dagster.authoring.discovery import ThemePool
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.store.home import Home
from tests.support.proposer import proposer, proposer_settings


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.resolve(tmp_path / "home")


@pytest.fixture
def pool(home: Home) -> ThemePool:
    return ThemePool(home)


@pytest_asyncio.fixture
async def gateway(home: Home) -> AsyncIterator[Gateway]:
    async with Gateway(proposer_settings(), home.local, app=proposer()) as gateway:
        yield gateway

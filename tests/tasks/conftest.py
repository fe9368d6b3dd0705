"""The alpine huts, some of their tasks solved, what becomes of these in conversations, and where words are proved."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from envfactory_dagster import examples
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.runtime.runtime import Runtime
from tests.tasks.conversation_kit import PARENTS, Author, Talks, gateway_to, maker, parents_of
from tests.tasks.huts_kit import Golds, golds_of
from tests.tasks.proof_kit import Desk


@pytest.fixture(scope="session")
def huts() -> Bundle:
    return examples.load("alpine_huts")


@pytest_asyncio.fixture(scope="session")
async def parents(runtime: Runtime, huts: Bundle) -> list[MadeTask]:
    """The tasks for which there are conversations written by hand."""
    return await parents_of(runtime, huts, *PARENTS)


@pytest_asyncio.fixture(scope="session")
async def question(runtime: Runtime, huts: Bundle) -> MadeTask:
    """A task in which something is to be found out and nothing to be done."""
    [found] = await parents_of(runtime, huts, "best_hut_in_reach")
    return found


@pytest_asyncio.fixture(scope="session")
async def talks(
    runtime: Runtime, huts: Bundle, parents: list[MadeTask], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Talks]:
    """Everything that becomes of `parents`."""
    author = Author()
    async with gateway_to(author, tmp_path_factory.mktemp("talks")) as gateway:
        shop = maker(gateway, runtime, huts, missing_parameter=1, missing_function=2, no_tool=1)
        await shop.work(parents)
        yield Talks(shop, author)


@pytest_asyncio.fixture(scope="session")
async def golds(runtime: Runtime, huts: Bundle) -> Golds:
    """An action, a question, and a request to be refused."""
    return await golds_of(runtime, huts)


@pytest.fixture
def desk(runtime: Runtime, tmp_path: Path, huts: Bundle, golds: Golds) -> Desk:
    return Desk(runtime, tmp_path, huts, golds)

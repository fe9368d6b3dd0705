"""Fixtures that every room's tests share."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from hypothesis import settings

from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings
from tests.support.object_store import ObjectStore, served_objects

settings.register_profile("no deadline", deadline=None)  # a busy machine is no failure
settings.load_profile("no deadline")


@pytest_asyncio.fixture(scope="session")
async def runtime() -> AsyncIterator[Runtime]:
    """One running supervisor for all tests that do not need settings of their own."""
    async with Runtime(RuntimeSettings(call_seconds=2.0, program_seconds=5.0)) as runtime:
        yield runtime


@pytest.fixture(scope="session")
def object_store() -> Iterator[ObjectStore]:
    """A running S3 server, which this process and those that it starts know by their environment."""
    with served_objects() as store, pytest.MonkeyPatch.context() as patch:
        for name, value in store.variables.items():
            patch.setenv(name, value)
        yield store


@pytest.fixture
def bucket(object_store: ObjectStore) -> str:
    """The URL of an empty bucket."""
    return object_store.new_bucket()

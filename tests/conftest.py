"""Fixtures that every room's tests share."""

from collections.abc import AsyncIterator

import pytest_asyncio

from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings


@pytest_asyncio.fixture(scope="session")
async def runtime() -> AsyncIterator[Runtime]:
    """One running supervisor for all tests that do not need settings of their own."""
    async with Runtime(RuntimeSettings(call_seconds=2.0, program_seconds=5.0)) as runtime:
        yield runtime

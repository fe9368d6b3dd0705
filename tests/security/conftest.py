"""A runtime that soon loses patience with its workers."""

from collections.abc import AsyncIterator

import pytest_asyncio

from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def strict() -> AsyncIterator[Runtime]:
    """Short deadlines and little memory."""
    little = RuntimeSettings(call_seconds=1.0, program_seconds=2.0, worker_memory_bytes=64 << 20)
    async with Runtime(little) as runtime:
        yield runtime

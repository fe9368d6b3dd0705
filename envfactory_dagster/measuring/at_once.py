"""Many tries at once, each handed out as soon as it is made.

Belongs here: which tries are due, and when to stop beginning new ones. Does not: making one (`bfcl`, `tau2`).
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence

from envfactory_dagster.contracts.benchmarks import Try
from envfactory_dagster.measuring.measurement import Measuring
from envfactory_dagster.rollouts.endings import End

AT_ONCE = 16
PATIENCE = 8
"""After so many tries in a row that were spoiled no other is begun."""


async def tries(
    measuring: Measuring, tasks: Iterable[str], known: Sequence[Try], make: Callable[[str, int], Awaitable[Try | End]]
) -> AsyncGenerator[Try, None]:
    """Those that are not known yet. `make` is given a task and a seed; an end stands for a try that was spoiled."""
    made = {(one.task, one.seed) for one in known}
    wanted = [(task, seed) for task in tasks for seed in range(measuring.setup.tries)]
    left, spoiled = iter([one for one in wanted if one not in made]), 0
    at_work: set[asyncio.Future[Try | End]] = set()
    try:
        while True:
            while len(at_work) < AT_ONCE and spoiled < PATIENCE and (one := next(left, None)) is not None:
                at_work.add(asyncio.ensure_future(make(*one)))
            if not at_work:
                return
            done, at_work = await asyncio.wait(at_work, return_when=asyncio.FIRST_COMPLETED)
            for ended in done:
                found = ended.result()
                if isinstance(found, Try):
                    spoiled = 0
                    yield found
                else:
                    spoiled += 1
                    measuring.trouble.append(found.detail)
    finally:
        for ended in at_work:
            ended.cancel()
        await asyncio.gather(*at_work, return_exceptions=True)

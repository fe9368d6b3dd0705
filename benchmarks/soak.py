"""Hours in minutes: calls, resets, forks, kills and disconnects until something grows, hangs or is left behind.

First 100,000 calls on one session; then, for as long as asked, a random mix over many sessions. Memory and descriptors
are compared after the first tenth, when every code path has been taken, and at the end.
"""

import asyncio
import contextlib
import gc
import os
import random
import signal
import time
from pathlib import Path

from benchmarks.memory import open_descriptors, pss_mb
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.runtime.settings import RuntimeSettings

CALLS_ON_ONE_SESSION = 100_000
SESSIONS = 64
CALL = ("get_hut", {"hut_id": 1})
WRITE = ("update_contact", {"phone": "+43 660 1234567"})


async def measure(bundle: Bundle, *, minutes: float) -> dict[str, float]:
    async with Runtime(RuntimeSettings(sessions_per_worker=16)) as runtime:
        session = await runtime.open(bundle)
        await _calls(session, CALLS_ON_ONE_SESSION // 10)
        early = _taken(runtime)
        await _calls(session, CALLS_ON_ONE_SESSION * 9 // 10)
        long_session = _growth(early, _taken(runtime))
        await session.close()
        mixed, operations, hung = await _mixed(runtime, bundle, minutes)
        pids = runtime.pids
    orphans = sum(Path(f"/proc/{pid}").exists() for pid in pids)
    return {
        "long_session_growth_percent": long_session,
        "soak_growth_percent": max(long_session, mixed),
        "soak_minutes": minutes,
        "soak_operations": float(operations),
        "soak_hung": float(hung),
        "soak_orphans": float(orphans),
    }


async def _calls(session: Session, count: int) -> None:
    for n in range(count):
        result = await session.call(*(CALL if n % 5 < 3 else WRITE))
        assert result.ok, result


async def _mixed(runtime: Runtime, bundle: Bundle, minutes: float) -> tuple[float, int, int]:
    chance = random.Random(7)
    sessions = [await runtime.open(bundle) for _ in range(SESSIONS)]
    operations = hung = 0
    started, early = time.monotonic(), None
    while (passed := time.monotonic() - started) < minutes * 60:
        if early is None and passed > minutes * 6:
            early = _taken(runtime)
        place = chance.randrange(SESSIONS)
        try:
            await asyncio.wait_for(_operate(runtime, bundle, sessions, place, chance), 30)
        except TimeoutError:
            hung += 1
        operations += 1
    growth = _growth(early, _taken(runtime)) if early else 0.0
    for session in sessions:
        await session.close()
    return growth, operations, hung


async def _operate(
    runtime: Runtime, bundle: Bundle, sessions: list[Session], place: int, chance: random.Random
) -> None:
    session, kind = sessions[place], chance.random()
    if kind < 0.90:
        await session.call(*(CALL if chance.random() < 0.6 else WRITE))
    elif kind < 0.94:
        await session.reset()
    elif kind < 0.97:
        sessions[place] = await runtime.fork(session)
        await session.close()
    elif kind < 0.98:
        # A caller that disconnects: the call is abandoned, the session closed, another opened.
        call = asyncio.ensure_future(session.call(*WRITE))
        await asyncio.sleep(0)
        call.cancel()
        await session.close()
        sessions[place] = await runtime.open(bundle)
    elif kind < 0.9805:
        with contextlib.suppress(ProcessLookupError):
            os.kill(chance.choice(runtime.pids[1:]), signal.SIGKILL)


def _taken(runtime: Runtime) -> tuple[float, int]:
    gc.collect()
    pids = [os.getpid(), *runtime.pids]
    return pss_mb(pids), open_descriptors(pids)


def _growth(before: tuple[float, int], after: tuple[float, int]) -> float:
    return max((late - early) / early * 100 for early, late in zip(before, after, strict=True))

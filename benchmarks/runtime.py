"""Figures of the runtime: how many sessions, how fast, in how much memory, and our peers' way beside it.

    python -m benchmarks.runtime [--json] [--quick] [--soak-minutes 10]

Every figure is the median of `REPEATS` measurements in one run on this machine; compare ratios, not absolutes. Memory
is the proportional set size of every process that takes part, the supervisor included, and needs root to be read.

`calls_per_s_one_at_a_time`: one call in flight in the whole runtime, round-robin over all sessions.
`calls_per_s_sync`: every session waits for its answer before it calls again, as rollouts do.
`calls_per_s_batched`: one call of each session, in one message to each worker.
"""

import argparse
import asyncio
import dataclasses
import json
import os
import signal
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import uvloop

from benchmarks import mcp_overhead, peers, soak
from benchmarks.memory import pss_mb
from envfactory_dagster import examples
from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.session import Session
from envfactory_dagster.runtime.settings import RuntimeSettings

REPEATS = 5
ENVIRONMENTS = 64
FIRST_CALL: tuple[str, dict[str, Json]] = ("list_payment_methods", {})
READS: list[tuple[str, dict[str, Json]]] = [
    ("get_hut", {"hut_id": 1}),
    ("list_payment_methods", {}),
    ("list_meals", {"hut_id": 2}),
]
WRITES: list[tuple[str, dict[str, Json]]] = [
    ("update_contact", {"phone": "+43 660 1234567"}),
    ("send_message", {"hut_id": 1, "subject": "Late arrival", "body": "We shall be there at eight in the evening."}),
]
MIX = [READS[0], WRITES[0], READS[1], WRITES[1], READS[2]]
"""60 % reads, 40 % writes."""


def environments(count: int) -> list[Bundle]:
    """Full-size environments that share nothing: same world, each with a key and a tool module of its own."""
    bundle = examples.load("alpine_huts")
    return [
        dataclasses.replace(
            bundle,
            theme=bundle.theme.model_copy(update={"key": f"alpine-{n}"}),
            tools_source=f"{bundle.tools_source}\n# environment {n}\n",
        )
        for n in range(count)
    ]


async def ready(bundles: list[Bundle], sessions: int) -> tuple[float, float, int]:
    """Seconds from the first open to the last session having answered a call, with a warm zygote; memory; processes."""
    async with Runtime(RuntimeSettings()) as runtime:

        async def open_and_call(bundle: Bundle) -> Session:
            session = await runtime.open(bundle)
            result = await session.call(*FIRST_CALL)
            assert result.ok, result
            return session

        started = time.perf_counter()
        opened = await asyncio.gather(*(open_and_call(bundles[n % len(bundles)]) for n in range(sessions)))
        seconds = time.perf_counter() - started
        assert len({session.name for session in opened}) == sessions
        return seconds, pss_mb([os.getpid(), *runtime.pids]), len(runtime.pids)


async def throughput(bundles: list[Bundle], sessions: int, calls: int) -> dict[str, float]:
    """Calls a second over many sessions: one in flight, one in flight in each session, and in batches."""
    async with Runtime(RuntimeSettings()) as runtime:
        opened = [await runtime.open(bundles[n % len(bundles)]) for n in range(sessions)]
        for step in MIX:
            await runtime.call_batch([(session, *step) for session in opened])
        latencies = []
        started = time.perf_counter()
        for n in range(calls):
            before = time.perf_counter()
            result = await opened[n % sessions].call(*MIX[n % len(MIX)])
            latencies.append(time.perf_counter() - before)
            assert result.ok, result
        alone = calls / (time.perf_counter() - started)

        async def episode(session: Session, first: int) -> None:
            for n in range(first, first + calls // sessions):
                await session.call(*MIX[n % len(MIX)])

        started = time.perf_counter()
        await asyncio.gather(*(episode(session, n) for n, session in enumerate(opened)))
        synchronous = sessions * (calls // sessions) / (time.perf_counter() - started)
        started = time.perf_counter()
        for n in range(calls // sessions):
            results = await runtime.call_batch([(s, *MIX[(n + i) % len(MIX)]) for i, s in enumerate(opened)])
            assert all(result.ok for result in results)
        batched = sessions * (calls // sessions) / (time.perf_counter() - started)
        return {
            "calls_per_s_one_at_a_time": alone,
            "calls_per_s_sync": synchronous,
            "calls_per_s_batched": batched,
            "call_p99_ms": statistics.quantiles(latencies, n=100)[98] * 1e3,
        }


async def session_operations(bundle: Bundle) -> dict[str, float]:
    """Microseconds of what a trainer does between calls, each awaited to the end."""
    async with Runtime(RuntimeSettings()) as runtime:
        session = await runtime.open(bundle)
        for step in WRITES:
            await session.call(*step)

        async def fork() -> None:
            await runtime.fork(session)

        return {
            "fork_us": await _microseconds(fork, 200),
            "changeset_us": await _microseconds(session.changes, 500),
            "reset_us": await _microseconds(session.reset, 500),
            "state_hash_us": await _microseconds(session.state_hash, 50),
        }


async def respawn(bundle: Bundle) -> dict[str, float]:
    """Milliseconds from the death of a session's worker to its next answer: without a history, and with two writing
    calls that have to be made again."""
    async with Runtime(RuntimeSettings()) as runtime:
        session = await runtime.open(bundle)
        await session.call(*FIRST_CALL)
        figures = {"respawn_ms": await _killed_and_answering(runtime, session)}
        for step in WRITES:
            await session.call(*step)
        return figures | {"respawn_with_history_ms": await _killed_and_answering(runtime, session)}


async def _killed_and_answering(runtime: Runtime, session: Session) -> float:
    before, worker = await session.state_hash(), runtime.pids[-1]
    os.kill(worker, signal.SIGKILL)
    started = time.perf_counter()
    result = await session.call(*FIRST_CALL)
    seconds = time.perf_counter() - started
    assert result.ok and worker not in runtime.pids and await session.state_hash() == before
    return seconds * 1e3


async def _microseconds(action: Callable[[], Awaitable[Any]], times: int) -> float:
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        await action()
        taken.append(time.perf_counter() - started)
    return statistics.median(taken) * 1e6


def _medians(rows: list[dict[str, float]]) -> dict[str, float]:
    return {key: statistics.median(row[key] for row in rows) for key in rows[0]}


async def measure(*, repeats: int, soak_minutes: float) -> dict[str, Any]:
    bundles = environments(ENVIRONMENTS)
    figures: dict[str, Any] = {"repeats": repeats, "environments": ENVIRONMENTS, "cores": os.cpu_count()}
    for sessions in (1024, 10240):
        rows = []
        for n in range(repeats):
            _say(f"{sessions} sessions, {n + 1} of {repeats}")
            seconds, memory, processes = await ready(bundles, sessions)
            rows.append({"ready_s": seconds, "pss_mb": memory, "processes": float(processes)})
        figures |= {f"sessions_{sessions}_{key}": value for key, value in _medians(rows).items()}
    _say("throughput")
    figures |= _medians([await throughput(bundles, 1024, 20_480) for _ in range(repeats)])
    figures |= _medians([await session_operations(bundles[0]) for _ in range(repeats)])
    figures |= _medians([await respawn(bundles[0]) for _ in range(repeats)])
    _say("the peers' way")
    peer = await peers.measure(bundles[0], processes=16)
    figures |= {f"peer_{key}": value for key, value in peer.items()}
    figures["peer_ready_ratio"] = 1024 * peer["ready_s_each"] / figures["sessions_1024_ready_s"]
    figures["peer_memory_ratio"] = 1024 * peer["pss_mb_each"] / figures["sessions_1024_pss_mb"]
    _say("MCP over HTTP")
    figures |= await asyncio.to_thread(mcp_overhead.measure)
    if soak_minutes:
        _say(f"soak of {soak_minutes:g} minutes")
        figures |= await soak.measure(bundles[0], minutes=soak_minutes)
    return figures


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    parser.add_argument("--quick", action="store_true", help="one measurement of everything, no soak")
    parser.add_argument("--soak-minutes", type=float, default=10.0)
    options = parser.parse_args()
    repeats, minutes = (1, 0.0) if options.quick else (REPEATS, options.soak_minutes)
    figures = uvloop.run(measure(repeats=repeats, soak_minutes=minutes))
    rounded = {key: round(value, 3) if isinstance(value, float) else value for key, value in figures.items()}
    print(json.dumps(rounded, indent=2) if options.json else "\n".join(f"{k:28} {v}" for k, v in rounded.items()))


if __name__ == "__main__":
    main()

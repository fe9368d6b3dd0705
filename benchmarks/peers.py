"""Our peers' way beside ours: start their kind of server for a few rollouts, and extrapolate.

Start-up and memory of N such processes grow with N, so the figures are for each process, of sixteen started at once on
the machine that the other side was measured on. `ready` is the first answered request over HTTP.
"""

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx2

from benchmarks.memory import pss_mb
from envfactory_dagster.contracts.bundle import Bundle

_GIVE_UP_AFTER_SECONDS = 180


async def measure(bundle: Bundle, *, processes: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        bundle.write(Path(folder) / bundle.key)
        table = bundle.schema_sql.split("CREATE TABLE ")[1].split()[0]
        started = time.perf_counter()
        servers = [_start(Path(folder) / bundle.key) for _ in range(processes)]
        try:
            await asyncio.gather(*(_answered(port, table) for _, port in servers))
            seconds = time.perf_counter() - started
            memory = pss_mb([server.pid for server, _ in servers])
        finally:
            for server, _ in servers:
                server.kill()
                server.wait()
    return {
        "processes_started": float(processes),
        "ready_s_each": seconds / processes,
        "pss_mb_each": memory / processes,
        "extrapolated_1024_ready_s": 1024 * seconds / processes,
        "extrapolated_1024_pss_mb": 1024 * memory / processes,
    }


def _start(folder: Path) -> tuple["subprocess.Popen[bytes]", int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "benchmarks.peer_server", str(folder), str(port)]
    return subprocess.Popen(command, env=os.environ | {"PYTHONPATH": os.getcwd()}), port


async def _answered(port: int, table: str) -> None:
    deadline = time.perf_counter() + _GIVE_UP_AFTER_SECONDS
    async with httpx2.AsyncClient() as client:
        while time.perf_counter() < deadline:
            try:
                (await client.get(f"http://127.0.0.1:{port}/{table}/first", timeout=30)).raise_for_status()
            except httpx2.ConnectError:
                await asyncio.sleep(0.05)
            else:
                return
    raise TimeoutError(f"the server on port {port} did not answer")

"""How much memory processes really take: proportional set size, so that shared pages count once."""

import os
from collections.abc import Iterable
from pathlib import Path


def pss_mb(pids: Iterable[int]) -> float:
    """Of all these processes together, in MB. The kernel shows confined processes to root only."""
    return sum(_pss_kb(pid) for pid in pids) / 1000


def open_descriptors(pids: Iterable[int]) -> int:
    return sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in pids)


def _pss_kb(pid: int) -> int:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    raise LookupError(f"process {pid} has no Pss")

"""Figures of a run whose work is spread over the nodes of a Ray cluster.

    python -m benchmarks.spread [--json] [--environments 8] [--rounds 2]

Nodes are processes on this machine, each tied to one core with its workers and their sandboxes; the process that starts
the run, and Ray's own at the head, may use any. Small worlds of the library are built, stages `theme` to `environment`,
each way in a fresh home: over two such nodes, over one, and without Ray on the same two cores. The ways take turns.
`two_to_one`: how many times as fast two nodes are as one; `two_to_local`: the same beside the local run. Seconds are by
the clock, so the machine has to be quiet for them to mean something; `load` is its load at the end.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.library_home import propose
from benchmarks.line import _know
from benchmarks.turns import without_an_instance

CORES = (0, 1)
WAYS = ("two_nodes", "one_node", "local")


@contextmanager
def cluster(cores: tuple[int, ...]) -> Iterator[str]:
    """A head that does no work, and a node on each of the cores."""
    from ray.cluster_utils import Cluster

    nodes = Cluster()
    _started(lambda: nodes.add_node(num_cpus=0, include_dashboard=False))
    allowed = os.sched_getaffinity(0)
    try:
        for core in cores:
            os.sched_setaffinity(0, {core})
            _started(lambda: nodes.add_node(num_cpus=1))
            os.sched_setaffinity(0, allowed)
        yield nodes.address
    finally:
        os.sched_setaffinity(0, allowed)
        nodes.shutdown()


def _started(start: Callable[[], Any]) -> None:
    """Ray gives up on a node that takes more than 30 seconds."""
    for attempt in range(5):
        try:
            start()
            return
        except Exception:  # it is of no other type
            if attempt == 4:
                raise


def built(folder: Path, environments: int, address: str, cores: tuple[int, ...]) -> float:
    """Seconds of a run in a process of its own."""
    keys = propose(folder, environments, "small")
    _know(folder)
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.line_run", "dagster", str(folder), *keys]
    variables = {**without_an_instance(), "ENVFACTORY_SIZE": "small", "ENVFACTORY_RAY": address}
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(cores))
    try:
        done = subprocess.run(command, env=variables, stdout=subprocess.PIPE, text=True, check=True)
    finally:
        os.sched_setaffinity(0, allowed)
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return float(said["seconds"])


def measured(folder: Path, environments: int, rounds: int) -> dict[str, Any]:
    seconds: dict[str, list[float]] = {way: [] for way in WAYS}
    for number in range(rounds):
        for way in WAYS:
            home = folder / f"{way}-{number}"
            if way == "local":
                seconds[way].append(built(home, environments, "", CORES))
                continue
            with cluster(CORES[: 2 if way == "two_nodes" else 1]) as address:
                seconds[way].append(built(home, environments, address, CORES))
    middle = {way: statistics.median(taken) for way, taken in seconds.items()}
    return {
        "environments": environments,
        "seconds": {way: [round(one, 1) for one in taken] for way, taken in seconds.items()},
        "two_to_one": round(middle["one_node"] / middle["two_nodes"], 2),
        "two_to_local": round(middle["local"] / middle["two_nodes"], 2),
        "load": [round(one, 1) for one in os.getloadavg()],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--environments", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measured(Path(folder), given.environments, given.rounds)
    print(json.dumps(figures) if given.json else "\n".join(f"{name}: {value}" for name, value in figures.items()))


if __name__ == "__main__":
    main()

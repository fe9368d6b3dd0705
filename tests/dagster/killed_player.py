"""A process that plays what is released in a home, and is killed when it has stored a few episodes."""

import os
import signal
import sys

import dagster as dg

from envfactory_dagster.assets.experience import trajectories
from envfactory_dagster.resources.authoring import AuthoringResource
from envfactory_dagster.resources.cluster import ClusterResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.rollouts import store

write = store.TrajectoryStore._write


def write_and_die(kept: store.TrajectoryStore, folder: str) -> None:
    """On a slow machine more than a batch may wait by now."""
    kept._unwritten[folder] = kept._unwritten[folder][: store.BATCH]
    write(kept, folder)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    store.BATCH = 2
    store.TrajectoryStore._write = write_and_die  # type: ignore[method-assign]
    dg.materialize(
        [trajectories],
        resources={
            "store": StoreResource(home=sys.argv[1]),
            "authoring": AuthoringResource(),
            "cluster": ClusterResource(),
        },
        run_config={"ops": {"trajectories": {"config": {"candidates": 2}}}},
    )

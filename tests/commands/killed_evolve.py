"""`envfactory …`, which is killed when it has stored a few episodes of a second round."""

import os
import signal

from envfactory_dagster.cli import main
from envfactory_dagster.rollouts import store

write = store.TrajectoryStore._write


def write_and_die(kept: store.TrajectoryStore, folder: str) -> None:
    write(kept, folder)
    if "-r01" in str(kept.home.root):
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    store.BATCH = 2
    store.TrajectoryStore._write = write_and_die  # type: ignore[method-assign]
    main()

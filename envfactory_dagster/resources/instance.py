"""The Dagster instance of a home: its folder, its configuration file, and one `dagster dev` at a time.

Belongs here: preparing DAGSTER_HOME, starting the UI on it. Does not: what is loaded into it (`definitions`), and how
its event log is stored (`resources.event_log`).
"""

import fcntl
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.store.files import explained
from envfactory_dagster.store.home import Home

_CONFIGURATION = "dagster.yaml"
_CLAIM = "ui.lock"


def prepare(home: Home) -> Path:
    """Make DAGSTER_HOME ready, and known to this process and those it starts. A configuration that is there stays."""
    folder = home.dagster
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        configuration = folder / _CONFIGURATION
        if not configuration.exists():
            configuration.write_bytes(Path(__file__).with_name(_CONFIGURATION).read_bytes())
    os.environ["DAGSTER_HOME"] = str(folder)
    return folder


def claim(folder: Path) -> int:
    """Be the only UI on this instance, for as long as the returned file descriptor is open.

    Two of them would share one home without a word: every schedule and sensor would fire twice.
    """
    with explained(folder):
        claimed = os.open(folder / _CLAIM, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(claimed, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(claimed, 20, 0).decode().strip()
        os.close(claimed)
        raise UsageError(
            f"another `dagster dev` (process {holder}) is at work on {folder}: stop it first, or set ENVFACTORY_HOME "
            "to another folder"
        ) from None
    os.ftruncate(claimed, 0)
    os.pwrite(claimed, str(os.getpid()).encode(), 0)
    return claimed


def become_ui(folder: Path, host: str, port: int, announce: Callable[[], None]) -> NoReturn:
    """Become `dagster dev`. The claim passes to it with this process, and to none of the processes it starts."""
    claimed = claim(folder)
    announce()
    os.set_inheritable(claimed, True)
    # A script's background jobs ignore SIGINT, and Dagster does with SIGTERM what is done with SIGINT.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    arguments = ["-m", "envfactory_dagster.definitions", "--host", host, "--port", str(port)]
    os.execv(sys.executable, [sys.executable, "-m", "dagster", "dev", *arguments])

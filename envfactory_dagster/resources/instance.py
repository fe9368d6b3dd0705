"""The Dagster instance of a home: its folder, its configuration file, one `dagster dev` at a time, and killed runs.

Belongs here: preparing DAGSTER_HOME, starting the UI on it, ending the runs of commands that were killed. Does not:
what is loaded into it (`definitions`), and how its event log is stored (`resources.event_log`).
"""

import fcntl
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.store.files import explained
from envfactory_dagster.store.home import Home

if TYPE_CHECKING:
    import dagster as dg

_CONFIGURATION = "dagster.yaml"
_CLAIM = "ui.lock"
log = logging.getLogger(__name__)


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


@contextmanager
def running(instance: "dg.DagsterInstance", run_id: str) -> Iterator[None]:
    """This process is at work on the run. As soon as the process is gone, `end_killed_runs` marks the run as failed."""
    file = _running(instance) / run_id
    with explained(file):
        file.parent.mkdir(exist_ok=True)
        held = _held(file)
    try:
        yield
        file.unlink(missing_ok=True)
    finally:
        os.close(held)


def end_killed_runs(instance: "dg.DagsterInstance") -> None:
    """Marks the runs of commands whose process is gone as failed, and frees their places in pools. Dagster's daemon
    would do so after a day; until then eight killed commands are in the way of every other."""
    for file in _running(instance).glob("*"):
        try:
            held = os.open(file, os.O_RDWR)
        except OSError:
            continue  # its run has just ended
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            run = instance.get_run_by_id(file.name)
            if run is not None:
                if not run.is_finished:
                    instance.report_run_failed(run, "The process of the command that ran it is gone.")
                instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)
            file.unlink(missing_ok=True)
        except BlockingIOError:
            pass  # its process lives
        except Exception:  # no other command ends because of it
            log.exception("run %s, whose process is gone, could not be marked as failed", file.name)
        finally:
            os.close(held)


def _running(instance: "dg.DagsterInstance") -> Path:
    """A folder with one file for each run of a command. The command's process holds a lock on it while it lives."""
    return Path(instance.root_directory) / "running"


def _held(file: Path) -> int:
    """A lock on a file that is there: another command may remove it between its opening and its locking."""
    while True:
        held = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
        fcntl.flock(held, fcntl.LOCK_EX)
        if os.fstat(held).st_nlink:
            return held
        os.close(held)


def become_ui(folder: Path, host: str, port: int, announce: Callable[[], None]) -> NoReturn:
    """Become `dagster dev`. The claim passes to it with this process, and to none of the processes it starts."""
    claimed = claim(folder)
    announce()
    os.set_inheritable(claimed, True)
    # A script's background jobs ignore SIGINT, and Dagster does with SIGTERM what is done with SIGINT.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    arguments = ["-m", "envfactory_dagster.definitions", "--host", host, "--port", str(port)]
    os.execv(sys.executable, [sys.executable, "-m", "dagster", "dev", *arguments])

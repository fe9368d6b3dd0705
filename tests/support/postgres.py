"""A Postgres server of one's own in a temporary folder, reached through its socket."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.needed import missing

_PATIENCE_S = 60.0


def _program(name: str) -> str:
    """Debian keeps the server's programs out of PATH."""
    packaged = sorted(str(path) for path in Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = shutil.which(name) or (packaged[-1] if packaged else None)
    if found is None:
        missing("postgres", f"there is no {name} on this machine: install Debian's `postgresql`")
    return found


@contextmanager
def postgres_server() -> Iterator[str]:
    """Its URL. The server refuses to be root, so that root hands it to somebody who is nobody."""
    initdb, postgres = _program("initdb"), _program("postgres")
    user = "nobody" if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="postgres") as name:
        if user:
            shutil.chown(name, user)
        data = f"{name}/data"
        made = [initdb, "--auth=trust", "--username=dagster", "--no-sync", "--encoding=UTF8", "--locale=C", data]
        subprocess.run(made, check=True, capture_output=True, user=user, cwd=name)
        serve = [postgres, "-D", data, "-k", name, "-c", "listen_addresses=", "-c", "fsync=off"]
        with (Path(name) / "log").open("wb") as log:
            server = subprocess.Popen(serve, stdout=log, stderr=log, user=user, cwd=name)
        try:
            deadline = time.monotonic() + _PATIENCE_S
            while not _answers(data):
                assert server.poll() is None and time.monotonic() < deadline, (Path(name) / "log").read_text()
                time.sleep(0.05)
            yield f"postgresql://dagster@/postgres?host={name}"
        finally:
            server.send_signal(signal.SIGINT)  # SIGTERM waits until every client has gone
            server.wait()


def _answers(data: str) -> bool:
    """The last line of this file is its state."""
    status = Path(data) / "postmaster.pid"
    return status.exists() and status.read_text().rstrip().endswith("ready")

"""`envfactory serve` as a process of its own, as people start it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

ENVFACTORY = [sys.executable, "-c", "from envfactory_dagster.cli import main; main()"]


@contextmanager
def started(*arguments: object, **environment: str) -> Iterator[tuple[subprocess.Popen[bytes], dict[str, Any]]]:
    """A running `envfactory serve`, and what it said when it was ready."""
    command = [*ENVFACTORY, "serve", *map(str, arguments), "--port", "0", "--json"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | environment,
        start_new_session=True,  # so that a signal to its group, as Ctrl-C sends it, does not reach us
    )
    try:
        assert process.stdout is not None and process.stderr is not None
        line = process.stdout.readline()
        assert line, process.stderr.read().decode()
        yield process, json.loads(line)
    finally:
        process.kill()
        process.communicate()

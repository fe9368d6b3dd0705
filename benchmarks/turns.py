"""Two ways to do the same, run in turns: a machine whose speed drifts by more than they differ is slow for both.

Belongs here: stopping and going on with processes, and how long each was running. Does not: what they do.

Only the process itself is stopped. Its sandboxes finish the request they are at, and wait for the next.
"""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

TURN_S = 0.5
"""Short against the deadlines of tools and programs, which go on meanwhile."""

Stretch = tuple[float, float]


def in_turns(commands: Sequence[Sequence[str]], turn_s: float = TURN_S) -> list[float]:
    """How long each was running between the `from` and `to` that it prints in the end, both of `time.monotonic`."""
    with ExitStack() as opened:
        processes = [opened.enter_context(_stopped(command)) for command in commands]
        ran: list[list[Stretch]] = [[] for _ in processes]
        while any(process.poll() is None for process in processes):
            for process, stretches in zip(processes, ran, strict=True):
                if process.poll() is None:
                    stretches.append(_turn(process, turn_s))
                if process.returncode:
                    raise SystemExit(f"`{process.args!r}` ended with {process.returncode}.")
        return [_seconds(process, stretches) for process, stretches in zip(processes, ran, strict=True)]


def without_an_instance() -> dict[str, str]:
    """The environment for a child whose folder has an instance of its own, not the one opened here."""
    return {name: value for name, value in os.environ.items() if name != "DAGSTER_HOME"}


@contextmanager
def _stopped(command: Sequence[str]) -> Iterator["subprocess.Popen[str]"]:
    """A process that waits for its turn, and is gone in the end."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=without_an_instance()) as process:
        process.send_signal(signal.SIGSTOP)
        try:
            yield process
        finally:
            process.kill()


def _turn(process: "subprocess.Popen[str]", seconds: float) -> Stretch:
    began = time.monotonic()
    process.send_signal(signal.SIGCONT)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGSTOP)
    return began, time.monotonic()


def _seconds(process: "subprocess.Popen[str]", stretches: Sequence[Stretch]) -> float:
    assert process.stdout is not None
    said: dict[str, float] = json.loads(process.stdout.read().splitlines()[-1])
    return sum(max(0.0, min(end, said["to"]) - max(begin, said["from"])) for begin, end in stretches)

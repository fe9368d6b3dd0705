"""Two ways run in turns by a benchmark: never both at once, each timed for as long as it was running."""

import os
import sys
import time
from itertools import groupby
from pathlib import Path

import pytest

from benchmarks.turns import in_turns

_WORKS = """
import json, sys, time
began = time.monotonic()
with open(sys.argv[1], "a", buffering=1) as told:
    for _ in range(200_000):
        told.write(sys.argv[2] + "\\n")
print(json.dumps({"from": began, "to": time.monotonic()}))
"""


def test_processes_take_turns_and_each_has_its_own_time(tmp_path: Path) -> None:
    told = tmp_path / "told"
    began = time.monotonic()
    times = in_turns([[sys.executable, "-c", _WORKS, str(told), name] for name in "ab"], turn_s=0.02)
    assert min(times) > 0
    assert sum(times) <= time.monotonic() - began
    blocks = [name for name, _ in groupby(told.read_text().split())]
    assert len(blocks) > 2, "each went on after the other"
    assert len(blocks) < 2_000, "and not while the other did"


def test_when_one_fails_the_others_are_ended(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    waits = f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    fails = f"import os, time\nwhile not os.path.exists({str(pid)!r}): time.sleep(0.001)\nraise SystemExit(3)"
    with pytest.raises(SystemExit, match="ended with 3"):
        in_turns([[sys.executable, "-c", waits], [sys.executable, "-c", fails]], turn_s=0.02)
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)

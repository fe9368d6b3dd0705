"""Two ways run in turns by a benchmark: each is timed for as long as it was running, and no longer."""

import sys
import time

import pytest

from benchmarks.turns import in_turns

_WORKS = """
import json, time
began = time.monotonic()
sum(range(10_000_000))
print(json.dumps({"from": began, "to": time.monotonic()}))
"""


def test_processes_take_turns_and_each_has_its_own_time() -> None:
    began = time.monotonic()
    times = in_turns([[sys.executable, "-c", _WORKS]] * 3)
    assert len(times) == 3
    assert min(times) > 0
    assert sum(times) <= time.monotonic() - began, "never two at once"


def test_one_that_fails_is_told_and_none_is_left() -> None:
    with pytest.raises(SystemExit, match="ended with 3"):
        in_turns([[sys.executable, "-c", "raise SystemExit(3)"], [sys.executable, "-c", _WORKS]])

"""Collecting garbage otherwise while environments are made, and as before again afterwards."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from envfactory_dagster.assets.garbage import collected, seldom_collected


def test_it_is_collected_as_before_once_the_work_is_done_or_has_failed() -> None:
    before = gc.get_threshold()
    with seldom_collected():
        assert gc.get_threshold()[0] > before[0]
        assert gc.isenabled()
    with pytest.raises(OSError, match="the disk is full"):
        _fail()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_what_was_made_is_collected_long_before_the_end() -> None:
    seen = list[weakref.ref[_Loop]]()

    def made() -> Iterator[list[int]]:
        for number in range(10):
            loop = _Loop()
            seen.append(weakref.ref(loop))
            del loop
            yield [number] * 16

    with seldom_collected():
        batches = collected(made())
        for _ in range(5):
            assert len(next(batches)) == 16
        assert [one() is None for one in seen[:4]] == [True] * 4
        assert len(list(batches)) == 5


def test_nothing_that_a_step_has_left_is_hidden_from_the_next() -> None:
    for _ in range(2):
        with seldom_collected():
            loop = _Loop()
            left = weakref.ref(loop)
            del loop
        assert left() is None


class _Loop:
    """What only a look for garbage frees."""

    def __init__(self) -> None:
        self.self = self


def _fail() -> None:
    with seldom_collected():
        raise OSError("the disk is full")

"""Collecting garbage less often while environments are made, and as before again afterwards."""

import gc

import pytest

from envfactory_dagster.assets.garbage import seldom_collected


def test_it_is_collected_as_before_once_the_work_is_done_or_has_failed() -> None:
    before = gc.get_threshold()
    with seldom_collected():
        assert gc.get_threshold()[0] > before[0]
        assert gc.isenabled()
    with pytest.raises(OSError, match="the disk is full"):
        _fail()
    assert gc.get_threshold() == before


def _fail() -> None:
    with seldom_collected():
        raise OSError("the disk is full")

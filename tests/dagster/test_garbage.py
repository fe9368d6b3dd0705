"""Collecting garbage otherwise while environments are made, and as before again afterwards."""

import gc
import weakref
from collections.abc import Iterator

import dagster as dg
import pytest

from envfactory_dagster.assets.garbage import collected, seldom_collected
from tests.dagster.site_kit import Site


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


def test_what_dagster_was_told_is_in_its_log_and_is_not_kept_by_the_step(site: Site) -> None:
    keys = site.receive(logged_1="one", logged_2="one two")
    result = site.execute(keys)
    kept = [one.step_materialization_data.materialization for one in result.get_asset_materialization_events()]
    assert len(kept) == 3 * len(keys)
    assert all(not one.metadata for one in kept)
    wanted = dg.AssetRecordsFilter(dg.AssetKey("counted"), asset_partitions=keys)
    stored = [record.asset_materialization for record in site.instance.fetch_materializations(wanted, limit=9).records]
    assert [one is not None and bool(one.metadata) for one in stored] == [True] * len(keys)


class _Loop:
    """What only a look for garbage frees."""

    def __init__(self) -> None:
        self.self = self


def _fail() -> None:
    with seldom_collected():
        raise OSError("the disk is full")

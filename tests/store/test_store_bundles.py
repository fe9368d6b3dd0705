"""Bundles are kept by version, never changed, and found by key."""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest

from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from tests.support.tiny import tiny


@pytest.fixture
def bundles(home: Home) -> BundleStore:
    return BundleStore(home)


def test_a_bundle_comes_back_as_it_was(bundles: BundleStore) -> None:
    bundle = tiny()
    folder = bundles.keep(bundle)
    assert (folder / "manifest.json").exists()
    assert bundles.load(bundle.key).version == bundle.version
    assert bundles.keys() == [bundle.key]


def test_every_version_stays_and_the_last_one_kept_is_meant(bundles: BundleStore) -> None:
    first = tiny()
    second = replace(first, seed_sql="-- another world\n")
    for bundle in (first, second):
        bundles.keep(bundle)
    assert bundles.load(first.key).seed_sql == second.seed_sql
    assert bundles.load(first.key, first.version).seed_sql == first.seed_sql
    assert len(bundles.versions(first.key)) == 2
    bundles.keep(first)
    assert first.version.startswith(bundles.latest(first.key) or "none")
    assert len(bundles.versions(first.key)) == 2


def test_what_is_not_there_is_named(bundles: BundleStore) -> None:
    with pytest.raises(UsageError, match="there is no bundle of 'nowhere'"):
        bundles.load("nowhere")
    bundles.keep(tiny())
    with pytest.raises(UsageError, match="there is no version 0123456789abcdef of"):
        bundles.load(tiny().key, "0123456789abcdef" * 4)
    with pytest.raises(UsageError, match="is no key of an environment"):
        bundles.load("../elsewhere")


def test_a_bundle_that_somebody_changed_is_refused_and_made_good_by_keeping_it_again(tmp_path: Path) -> None:
    bundles, bundle = BundleStore(Home.resolve(tmp_path)), tiny()
    folder = bundles.keep(bundle)
    (folder / "tools.py").write_text("def backdoor(env): ...")
    with pytest.raises(EnvironmentFault, match=r"tools\.py does not match"):
        bundles.load(bundle.key)
    bundles.keep(bundle)
    assert bundles.load(bundle.key).version == bundle.version


def _keep(location: str) -> str:
    return str(BundleStore(Home.resolve(location)).keep(tiny()))


def test_processes_that_keep_the_same_bundle_at_once_all_succeed(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as pool:
        folders = set(pool.map(_keep, [str(tmp_path)] * 8))
    (folder,) = folders
    assert BundleStore(Home.resolve(tmp_path)).load(tiny().key).version == tiny().version
    assert [entry.name for entry in Path(folder).parent.iterdir() if entry.name.startswith(".")] == []

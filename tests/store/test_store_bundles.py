"""Bundles are kept by version, never changed, and found by key."""

import hashlib
import json
import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest

from envfactory_dagster.contracts.errors import EnvironmentFault, StorageFault, UsageError
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.objects import Objects
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


def test_an_object_whose_key_leads_out_of_the_folder_is_never_written_here(
    bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    bundles = BundleStore(Home.resolve(bucket))
    folder = bundles.keep(tiny())
    objects = Objects(folder)
    objects.put("sub/..evil.py", b"print('out')")
    assert bundles.load(tiny().key).version == tiny().version
    assert list(tmp_path.iterdir()) == []
    manifest = json.loads((folder / "manifest.json").read_bytes())
    manifest["files"]["../..evil.py"] = hashlib.sha256(b"print('out')").hexdigest()
    objects.put("manifest.json", json.dumps(manifest).encode())
    with pytest.raises(EnvironmentFault, match=r"'\.\./\.\.evil\.py' is not the name of a file that a bundle has"):
        bundles.load(tiny().key)
    assert list(tmp_path.iterdir()) == []


def test_a_large_object_is_refused_before_it_is_fetched(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bundles = BundleStore(Home.resolve(bucket))
    bundles.keep(tiny())
    monkeypatch.setattr("envfactory_dagster.contracts.bundle.MOST_BYTES", 1000)
    with pytest.raises(EnvironmentFault, match=r"initial\.sqlite is too large"):
        bundles.load(tiny().key)


def test_what_is_missing_in_an_object_store_is_named(bucket: str) -> None:
    bundles = BundleStore(Home.resolve(bucket))
    Objects(bundles.keep(tiny())).delete(["tools.py"])
    with pytest.raises(EnvironmentFault, match=r"tools\.py cannot be read: No such file"):
        bundles.load(tiny().key)


def test_a_pipe_in_the_place_of_a_file_is_told_and_not_waited_for(tmp_path: Path) -> None:
    store = BundleStore(Home.resolve(tmp_path))
    store.keep(tiny())
    latest = tmp_path / "bundles" / tiny().key / "LATEST"
    latest.unlink()
    os.mkfifo(latest)
    with pytest.raises(StorageFault, match="LATEST is a pipe or a device"):
        store.load(tiny().key)


@pytest.mark.parametrize("part", ["", "/VERSION"])
def test_nothing_is_written_through_a_link_in_the_store(tmp_path: Path, part: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = tmp_path / "home/bundles" / (tiny().key + part.replace("VERSION", tiny().version[:16]))
    link.parent.mkdir(parents=True)
    link.symlink_to(elsewhere)
    with pytest.raises(EnvironmentFault, match="is a link, and nothing is written through links"):
        BundleStore(Home.resolve(tmp_path / "home")).keep(tiny())
    assert list(elsewhere.iterdir()) == []


def _keep(location: str) -> str:
    return str(BundleStore(Home.resolve(location)).keep(tiny()))


def test_processes_that_keep_the_same_bundle_at_once_all_succeed(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("forkserver")) as pool:
        folders = set(pool.map(_keep, [str(tmp_path)] * 8))
    (folder,) = folders
    assert BundleStore(Home.resolve(tmp_path)).load(tiny().key).version == tiny().version
    assert [entry.name for entry in Path(folder).parent.iterdir() if entry.name.startswith(".")] == []

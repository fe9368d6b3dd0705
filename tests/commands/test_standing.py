"""How far environments have come is found quickly, and found again when something changes."""

import tarfile
from pathlib import Path

import pytest

from envfactory_dagster.commands.standing import standings
from envfactory_dagster.contracts.stages import LINE
from envfactory_dagster.jobs import LINE as ASSETS
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.objects import Objects
from envfactory_dagster.store.records import RecordStore
from tests.support.object_store import upload

ARCHIVE = Path(__file__).parents[1] / "compatibility" / "home_format_1.tar.xz"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tmp_path, filter="data")
    return Home.resolve(tmp_path / "home")


def test_the_stages_are_those_of_the_assets() -> None:
    assert {asset.key.to_user_string() for asset in ASSETS} == set(LINE)
    assert (LINE[0], LINE[-1]) == ("theme", "release")


def test_large_records_are_read_once_and_again_only_where_one_is_new(home: Home) -> None:
    records = RecordStore(home)
    keys = records.partitions("proposal")
    first = standings(home, keys)
    assert [one.status for one in first] == ["accepted"] * len(keys)
    for key in keys:
        (Path(str(home.records)) / "release" / key).joinpath(f"{head(records, key)}.json").unlink()
    assert standings(home, keys) == first, "nothing but what marks the latest record is looked at"

    theme = records.latest("theme", keys[0])
    assert theme is not None
    records.keep(theme.model_copy(update={"inputs": "other", "status": "rejected", "reason": "too dull"}))
    changed = standings(home, keys)
    assert (changed[0].status, changed[0].reason) == ("rejected", "too dull")
    assert changed[1:] == first[1:]


def test_in_an_object_store_the_second_time_reads_no_records(home: Home, bucket: str) -> None:
    remote = Home.resolve(f"{bucket}/home")
    upload(home.local, remote)
    records = RecordStore(remote)
    keys = records.partitions("proposal")
    first = standings(remote, keys)
    assert [one.status for one in first] == ["accepted"] * len(keys)
    Objects(remote.root).delete([f"records/release/{key}/{head(records, key)}.json" for key in keys])
    assert standings(remote, keys) == first

    theme = records.latest("theme", keys[0])
    assert theme is not None
    records.keep(theme.model_copy(update={"inputs": "other", "status": "rejected", "reason": "too dull"}))
    changed = standings(remote, keys)
    assert (changed[0].status, changed[0].reason) == ("rejected", "too dull")
    assert changed[1:] == first[1:]


def test_what_the_inspection_dropped_is_not_counted(home: Home) -> None:
    records = RecordStore(home)
    key, *_ = keys = records.partitions("proposal")
    before = standings(home, keys)
    environment, inspection = records.latest("environment", key), records.latest("inspection", key)
    assert environment is not None and environment.artifact is not None
    assert inspection is not None and inspection.artifact is not None
    left = environment.artifact | {"tools": before[0].counts["tools"] - 2, "tasks": before[0].counts["tasks"] - 1}
    artifact = inspection.artifact | {"amended": {"environment": left}}
    amended = inspection.model_copy(update={"inputs": "other", "artifact": artifact})
    records.keep(amended)
    after = standings(home, keys)
    assert after[0].counts == before[0].counts | {"tools": left["tools"], "tasks": left["tasks"]}
    assert after[1:] == before[1:]

    records.keep(amended.model_copy(update={"inputs": "another", "parents": {"environment": "an older one"}}))
    assert standings(home, keys)[0].counts == before[0].counts, "an inspection of another environment says nothing"


def test_a_home_that_was_moved_is_looked_at_anew(home: Home, tmp_path: Path) -> None:
    keys = RecordStore(home).partitions("proposal")
    standings(home, keys)
    Path(str(home.root)).rename(tmp_path / "elsewhere")
    moved = standings(Home.resolve(tmp_path / "elsewhere"), keys)
    assert [one.folder.startswith(f"{tmp_path}/elsewhere/") for one in moved] == [True] * len(keys)


def head(records: RecordStore, key: str) -> str:
    found = records.head("release", key)
    assert found is not None
    return found.inputs

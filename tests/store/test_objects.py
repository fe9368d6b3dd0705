"""A home in an object store: conditions, leases and copies, with real processes that are killed."""

import asyncio
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.contracts.errors import StorageFault
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.store import leases
from envfactory_dagster.store.copies import fetched, keep
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.leases import leased
from envfactory_dagster.store.objects import Objects
from envfactory_dagster.store.records import RecordStore
from tests.store.test_store_processes import Runs, line


@pytest.fixture
def objects(bucket: str) -> Objects:
    return Objects(Home.resolve(f"{bucket}/home").root)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "BEAT_S", 0.1)
    monkeypatch.setattr(leases, "LAPSES_AFTER_S", 1.0)


# -- conditions --------------------------------------------------------------------------------------------------------


def test_of_two_that_write_at_once_one_comes_too_late(objects: Objects) -> None:
    first = objects.put_if("a/b", b"one", None)
    assert first is not None
    assert objects.put_if("a/b", b"two", None) is None
    second = objects.put_if("a/b", b"two", first)
    assert second is not None
    assert objects.put_if("a/b", b"three", first) is None
    found = objects.get("a/b")
    assert found is not None
    assert (found.data, found.version) == (b"two", second)
    assert objects.put_if("nowhere", b"one", second) is None


def test_a_write_whose_answer_was_lost_finds_itself(objects: Objects) -> None:
    """Below us a request without an answer is sent again, and then its condition no longer holds."""
    first = objects.put_if("a", b"one", None)
    assert objects.put_if("a", b"one", None) == first


def test_names_are_those_of_one_folder(objects: Objects) -> None:
    for name in ("folder/a", "folder/b/c", "folder/b/d", "folder-not/e", ".hidden"):
        objects.put(name, b"")
    assert objects.names("folder") == ["a", "b"]
    assert objects.names("") == [".hidden", "folder", "folder-not"]
    assert objects.names("nowhere") == []
    assert objects.all_below("folder") == ["a", "b/c", "b/d"]


@pytest.mark.parametrize("number", [1, 40], ids=["few", "many"])
def test_heads_and_their_marks_are_found_for_many_at_once(bucket: str, number: int) -> None:
    records = RecordStore(Home.resolve(f"{bucket}/home"))
    keys = [f"key-{one}" for one in range(number)]
    kept = [StageRecord(stage="theme", partition=key, status="ok", inputs="1", version="1") for key in keys]
    for record in kept:
        records.keep(record)
    heads = records.heads("theme", [*keys, "unknown"])
    assert {key: head.inputs for key, head in heads.items()} == dict.fromkeys(keys, "1")
    before = records.marks(["theme", "release"], [*keys, "unknown"])
    assert before["unknown"] == ["", ""]
    assert all(theme and not release for theme, release in (before[key] for key in keys))
    records.keep(kept[0].model_copy(update={"inputs": "2"}))
    after = records.marks(["theme", "release"], [*keys, "unknown"])
    assert [key for key in before if before[key] != after[key]] == [keys[0]]


def test_a_bucket_that_is_not_there_is_named(object_store: object) -> None:
    with pytest.raises(StorageFault, match=r"s3://nowhere-at-all/home/records cannot be read or written"):
        Objects(Home.resolve("s3://nowhere-at-all/home").records).put("a", b"")


# -- leases ------------------------------------------------------------------------------------------------------------


async def test_one_after_another(objects: Objects) -> None:
    inside = most = 0

    async def enter() -> None:
        nonlocal inside, most
        async with leased(objects, "lock"):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1

    await asyncio.gather(*(enter() for _ in range(8)))
    assert most == 1


@pytest.mark.usefixtures("impatient")
async def test_who_lives_keeps_its_lease_however_long_it_takes(objects: Objects) -> None:
    async with leased(objects, "lock"):
        waiting = asyncio.ensure_future(leased(objects, "lock").__aenter__())
        done, _ = await asyncio.wait([waiting], timeout=3.0)  # three times as long as a dead one is given
        assert not done
        waiting.cancel()


@pytest.mark.usefixtures("impatient")
async def test_who_was_stopped_for_too_long_takes_nothing_from_who_came_after(
    objects: Objects, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as stopped:
        stopped.setattr(leases._Lease, "_keep", lambda self: None)
        late = leased(objects, "lock")
        await late.__aenter__()
    async with leased(objects, "lock"):
        held = objects.get("lock")
        await late.__aexit__(None, None, None)
        found = objects.get("lock")
        assert held is not None and found is not None
        assert b"owner" in found.data, "it is not free"


async def test_who_is_cancelled_while_it_takes_a_lease_gives_it_back(
    objects: Objects, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_if, taking, go_on = Objects.put_if, threading.Event(), threading.Event()

    def slow(self: Objects, name: str, data: bytes, before: Any) -> Any:
        taking.set()
        assert go_on.wait(30)
        return put_if(self, name, data, before)

    monkeypatch.setattr(Objects, "put_if", slow)
    task = asyncio.ensure_future(leased(objects, "lock").__aenter__())
    await asyncio.to_thread(taking.wait, 30)
    task.cancel()
    asyncio.get_running_loop().call_later(0.1, go_on.set)
    with pytest.raises(asyncio.CancelledError):
        await task
    found = objects.get("lock")
    assert found is not None and found.data == b"free"


def test_a_lease_that_nobody_wants_any_more_is_not_taken(objects: Objects) -> None:
    """The thread of a task that was cancelled may begin only then."""
    lease = leases._Lease(objects, "lock")
    lease.give_back()
    assert not lease.take()
    assert objects.get("lock") is None


# -- processes ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def runs(bucket: str, tmp_path: Path) -> Runs:
    runs = Runs(tmp_path)
    runs.home = f"{bucket}/home"
    return runs


def test_a_run_that_finds_another_at_work_waits_and_takes_its_result(runs: Runs) -> None:
    keys = [f"k{n}" for n in range(10)]
    both = [runs.start(*keys), runs.start(*keys)]
    told = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert told[0] == told[1], "both tell of the same artifacts"
    assert sorted(runs.worked_on()) == sorted(keys), "and each was made once"


def test_kill_in_the_middle_then_the_same_again(runs: Runs) -> None:
    first = runs.start("a", "b", "c", "d", stop_at="c")
    assert line(first).startswith("a ")
    assert line(first).startswith("b ")
    while runs.worked_on() != ["a", "b", "c"]:
        assert first.poll() is None
    waiting = runs.start("c", "d")
    first.send_signal(signal.SIGKILL)
    first.communicate()
    said, errors = waiting.communicate()
    assert said.startswith(f"c {waiting.pid}"), errors
    assert runs.worked_on() == ["a", "b", "c", "c", "d"], "only what was not finished is done again"
    assert [record.partition for record in runs.records()] == ["a", "b", "c", "d"]
    assert RecordStore(Home.resolve(runs.home)).partitions("diary") == ["a", "b", "c", "d"]


# -- copies ------------------------------------------------------------------------------------------------------------


def test_a_folder_comes_to_another_machine_as_it_was_left(
    bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home.resolve(bucket)

    def files(folder: Path) -> dict[str, bytes]:
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def work_on(machine: str) -> Path:
        (tmp_path / machine).mkdir(exist_ok=True)
        monkeypatch.chdir(tmp_path / machine)
        return fetched(home, "policies/p/run")

    here = work_on("one")
    assert files(here) == {}
    (here / "checkpoints").mkdir(parents=True)
    (here / "checkpoints" / "10").write_bytes(b"x" * 6_000_000)
    (here / "running.json").write_bytes(b"{}")
    keep(home, "policies/p/run")
    there = work_on("two")
    assert there != here and files(there) == files(here)
    (there / "checkpoints" / "10").unlink()
    (there / "checkpoints" / "20").write_bytes(b"y")
    keep(home, "policies/p/run")
    assert files(work_on("three")) == files(there)
    assert set(files(work_on("one"))) == {"checkpoints/10", "checkpoints/20", "running.json"}, "what is here stays"


def test_two_that_fetch_one_file_at_once_both_get_it(
    objects: Objects, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects.put("a", b"whole")
    replace, target = Path.replace, tmp_path / "a"

    def late(self: Path, to: Path) -> Path:
        monkeypatch.setattr(Path, "replace", replace)
        objects.download("a", target)
        return replace(self, to)

    monkeypatch.setattr(Path, "replace", late)
    objects.download("a", target)
    assert target.read_bytes() == b"whole"
    assert list(tmp_path.iterdir()) == [target]


def test_what_was_fetched_by_half_is_not_kept(bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home.resolve(bucket)
    monkeypatch.chdir(tmp_path)
    place = fetched(home, "policies/p")
    place.mkdir(parents=True)
    Objects(home.root).put("policies/p/a", b"")

    def die(self: Path, to: Path) -> Path:
        raise KeyboardInterrupt

    with monkeypatch.context() as killed:
        killed.setattr(Path, "replace", die)
        with pytest.raises(KeyboardInterrupt):
            fetched(home, "policies/p")
    assert [path.suffix for path in place.iterdir()] == [".unfinished"]
    fetched(home, "policies/p")
    keep(home, "policies/p")
    assert Objects(home.root).all_below("policies/p") == ["a"]


def test_a_home_that_is_a_folder_is_its_own_copy(tmp_path: Path) -> None:
    home = Home.resolve(tmp_path)
    assert fetched(home, "policies/p") == tmp_path / "policies" / "p"
    keep(home, "policies/p")
    assert list(tmp_path.iterdir()) == []

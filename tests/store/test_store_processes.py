"""Several processes, sudden ends, full disks and forbidden folders: nothing is torn, nothing is done twice."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore

ROOT = Path(__file__).parents[2]


class Runs:
    """Starts `one_run` on one home and keeps the diary of the work that was really done."""

    def __init__(self, folder: Path) -> None:
        self.home: str | Path = folder / "home"
        self.diary = folder / "diary"

    def start(self, *partitions: str, stop_at: str = "-", size: int = 1, before: str = "") -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "tests.store.one_run"]
        arguments = [str(self.home), str(self.diary), stop_at, str(size), *partitions]
        shell = ["sh", "-c", f'{before} exec "$@"', "run", *command, *arguments]
        pipe = subprocess.PIPE
        return subprocess.Popen(shell, stdout=pipe, stderr=pipe, text=True, cwd=ROOT)

    def worked_on(self) -> list[str]:
        return [line.split()[0] for line in self.diary.read_text().splitlines()]

    def records(self) -> list[StageRecord]:
        return list(RecordStore(Home.resolve(self.home)).records("diary"))

    def leftovers(self) -> list[Path]:
        return [path for path in Path(self.home).rglob("*") if ".unfinished" in path.name]


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


def line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def test_a_run_that_finds_another_at_work_waits_and_takes_its_result(runs: Runs) -> None:
    keys = [f"k{n}" for n in range(20)]
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
    waiting = runs.start("c", stop_at="-")  # the lock of the killed run must not outlive it
    first.send_signal(signal.SIGKILL)
    first.communicate()
    assert waiting.communicate()[0].startswith(f"c {waiting.pid}")
    again = runs.start("a", "b", "c", "d")
    again.communicate()
    assert again.returncode == 0
    assert runs.worked_on() == ["a", "b", "c", "c", "d"], "only what was not finished is done again"
    assert [record.partition for record in runs.records()] == ["a", "b", "c", "d"]


def test_a_file_that_cannot_be_written_to_its_end_leaves_nothing_behind(runs: Runs) -> None:
    runs.start("a").communicate()
    big = runs.start("b", size=5_000_000, before="ulimit -f 1000;")
    _, said = big.communicate()
    assert big.returncode == 1
    assert said.strip().startswith("StorageFault: ") and "there is no room left to write under" in said
    assert runs.leftovers() == []
    assert [record.partition for record in runs.records()] == ["a"]


def can_mount() -> bool:
    return subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not shutil.which("unshare") or not can_mount(), reason="needs a mount namespace")
def test_a_full_disk_is_told_in_a_sentence_and_tears_nothing(runs: Runs) -> None:
    Path(runs.home).mkdir()
    script = (
        f"mount -t tmpfs -o size=256k tmpfs {runs.home} && {sys.executable} -m tests.store.one_run {runs.home} "
        f"{runs.diary} - 60000 a b c d e f; find {runs.home} -name '*.json' -size 0 -o -name '*.unfinished'"
    )
    ended = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    made = [told.split()[0] for told in ended.stdout.splitlines()]
    assert made and made == ["a", "b", "c", "d", "e"][: len(made)]
    assert "what was finished is kept. Free some space and run again" in ended.stderr


@pytest.fixture
def as_nobody() -> Iterator[Path]:
    """A folder that everybody may read and nobody may write; root, who may everything, is someone else meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o555)
        if os.geteuid() == 0:
            os.seteuid(65534)
        yield Path(folder)
        os.seteuid(os.getuid())


RECORD = StageRecord(stage="diary", partition="a", status="ok", inputs="i", version="v")


def test_a_home_that_may_not_be_written_is_named(as_nobody: Path) -> None:
    with pytest.raises(UsageError, match=f"{as_nobody}.* cannot be used .*set ENVFACTORY_HOME to a folder"):
        RecordStore(Home.resolve(as_nobody)).keep(RECORD)


def test_a_home_below_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"cannot be used .*set ENVFACTORY_HOME to a folder"):
        RecordStore(Home.resolve(tmp_path / "file" / "home")).keep(RECORD)


def test_a_file_that_a_power_cut_emptied_counts_as_not_made(tmp_path: Path) -> None:
    store = RecordStore(Home.resolve(tmp_path))
    store.keep(RECORD)
    for file in tmp_path.rglob("*.json"):
        file.write_bytes(b"")
    assert store.latest("diary", "a") is None
    assert store.keep(RECORD) == store.latest("diary", "a")


def test_a_record_that_another_version_kept_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    store = RecordStore(Home.resolve(tmp_path))
    store.keep(RECORD)
    (file,) = tmp_path.rglob(f"{RECORD.inputs}.json")
    file.write_text(file.read_text().replace('"format":1', '"format":2'))
    for read_or_kept in (lambda: store.latest("diary", "a"), lambda: store.keep(RECORD)):
        with pytest.raises(UsageError, match=r"diary of a: .* format 2; this one reads format 1\. Use the version"):
            read_or_kept()
    assert '"format":2' in file.read_text()

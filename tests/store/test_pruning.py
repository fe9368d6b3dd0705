"""Only what nothing refers to goes, and only when somebody says so."""

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.stages import StageInput, StageOutcome
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.store.pruning import remove, unneeded
from envfactory_dagster.store.records import RecordStore
from tests.commands.terminal import Terminal
from tests.support.tiny import tiny

OLD, BUILT, PLAYED, IN_A_DATASET, LATEST = (replace(tiny(), seed_sql=f"-- world {n}\n") for n in range(5))


@dataclass
class Again:
    """A stage that is rejected at first and then builds a world."""

    name: str = "environment"
    upstream: tuple[str, ...] = ()
    code_version: str = "1"
    settings: str = ""
    made: int = 0

    def settings_hash(self) -> str:
        return self.settings

    async def make(self, stage_input: StageInput) -> StageOutcome:
        self.made += 1
        return StageOutcome(None, reason="no") if self.made == 1 else StageOutcome({"version": BUILT.version})


def record(inputs: str, artifact: dict[str, Any]) -> StageRecord:
    return StageRecord(
        stage="environment", partition=tiny().key, status="ok", inputs=inputs, version="1", artifact=artifact
    )


@pytest.fixture
def used(tmp_path: Path) -> Home:
    """A home in which five versions of a world were made; all of it long ago."""
    home = Home.resolve(tmp_path / "home")
    bundles, records = BundleStore(home), RecordStore(home)
    for bundle in (OLD, BUILT, PLAYED, IN_A_DATASET, LATEST):
        bundles.keep(bundle)
    records.keep(record("first", {"version": OLD.version}))
    records.keep(record("second", {"version": BUILT.version}))
    root = Path(str(home.root))
    (root / "trajectories" / OLD.key / PLAYED.version[:16]).mkdir(parents=True)
    dataset = root / "datasets" / "sft" / "v1"
    dataset.mkdir(parents=True)
    (dataset / "report.json").write_text(f'{{"environments": {{"tiny-shop": "{IN_A_DATASET.version}"}}}}')
    (root / "records" / "environment" / OLD.key / ".head.json.1.ab.unfinished").write_text("{")
    for path in root.rglob("*"):
        os.utime(path, (0, time.time() - 40 * 86_400))
    return home


def named(home: Home, days: float = 30) -> set[tuple[str, str]]:
    return {(one.kind, one.path.name) for one in unneeded(home, days)}


def test_what_is_named_played_in_a_dataset_or_the_latest_stays(used: Home) -> None:
    found = {("bundle", OLD.version[:16]), ("record", "first.json"), ("unfinished", ".head.json.1.ab.unfinished")}
    assert named(used) == found
    assert named(used, days=50) == set()
    remove(unneeded(used, 30))
    assert named(used, days=0) == set()
    assert OLD.version[:16] not in BundleStore(used).versions(OLD.key)
    for bundle in (BUILT, PLAYED, IN_A_DATASET, LATEST):
        assert BundleStore(used).load(bundle.key, bundle.version) == bundle
    latest = RecordStore(used).latest("environment", OLD.key)
    assert latest is not None and latest.inputs == "second"


def test_every_version_of_the_taxonomy_stays(used: Home) -> None:
    before, records = named(used), RecordStore(used)
    for inputs in ("first", "second"):
        records.keep(record(inputs, {}).model_copy(update={"stage": "taxonomy", "partition": "all"}))
    for path in Path(str(used.root)).rglob("*"):
        os.utime(path, (0, time.time() - 40 * 86_400))
    assert named(used) == before


def test_what_a_round_of_the_arena_was_drawn_with_stays(used: Home) -> None:
    draw = {"environments": [{"key": OLD.key, "version": OLD.version}]}
    drawn = StageRecord(stage="arena_draw", partition="x-r00", status="ok", inputs="1", version="1", artifact=draw)
    assert ("bundle", OLD.version[:16]) in named(used)
    RecordStore(used).keep(drawn)
    assert ("bundle", OLD.version[:16]) not in named(used)


async def test_what_was_made_again_after_it_was_rejected_stays(tmp_path: Path) -> None:
    home = Home.resolve(tmp_path / "home")
    bundles, records = BundleStore(home), RecordStore(home)
    for bundle in (OLD, BUILT, LATEST):
        bundles.keep(bundle)
    stage = Again()
    made = [await run_stage(records, stage, OLD.key, redo=redo) for redo in (False, True)]
    assert [one.status for one in made] == ["rejected", "ok"]
    await run_stage(records, Again(settings="other"), OLD.key)
    for path in Path(str(home.root)).rglob("*"):
        os.utime(path, (0, time.time() - 40 * 86_400))
    assert named(home) == {("bundle", OLD.version[:16])}
    remove(unneeded(home, 30))
    assert await run_stage(records, stage, OLD.key) == made[1]
    assert stage.made == 2


def test_what_lies_in_an_object_store_is_left_to_it() -> None:
    with pytest.raises(UsageError, match="nothing is pruned"):
        unneeded(Home.resolve("s3://bucket/home"), 30)


def test_the_command_removes_nothing_unless_it_is_told_to(used: Home) -> None:
    here = Terminal(Path(str(used.root)))
    told = here.factory("prune")
    assert "1 older versions of environments" in told.out and "`envfactory prune --yes`" in told.out
    assert len(named(used)) == 3
    done = here.factory("prune", "--yes", "--json").json()
    assert done["removed"] is True and done["kinds"]["record"]["count"] == 1
    assert named(used) == set() and "Nothing to remove" in here.factory("prune").out

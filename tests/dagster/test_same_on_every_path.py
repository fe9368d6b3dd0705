"""However a range is launched, Dagster shows the same of it: one outcome for every partition."""

import json
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from tests.dagster.site_kit import ASSETS, Site, range_tags

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]


def letters_of(site: Site, path: str) -> list[str]:
    """Five letters, one of which nobody can read."""
    return site.receive(
        **{
            f"{path}_1": "dear all",
            f"{path}_2": "hello there my friend",
            f"{path}_3": "quite unreadable",
            f"{path}_4": "yours truly",
            f"{path}_5": "bye",
        }
    )


def by_tagged_job(site: Site, keys: list[str]) -> None:
    """`dagster job execute --tags …` in a process of its own."""
    command = [sys.executable, "-m", "dagster", "job", "execute", "-m", "tests.dagster.tiny_line", "-j", "build"]
    subprocess.run([*command, "--tags", json.dumps(range_tags(keys))], check=True, capture_output=True, cwd=ROOT)


def by_backfill(site: Site, keys: list[str]) -> None:
    backfill = site.backfill(keys)

    def status() -> str:
        found = site.instance.get_backfill(backfill)
        return found.status.value if found else "lost"

    site.until(lambda: status() not in ("REQUESTED", "COMPLETING"))
    assert status() == "COMPLETED_SUCCESS"


def by_sensor(site: Site, keys: list[str]) -> None:
    site.until(lambda: len(site.events("summary", keys)) == len(keys))
    (run,) = site.instance.get_runs(dg.RunsFilter(tags=range_tags(keys)))
    assert site.finish(run.run_id) == dg.DagsterRunStatus.SUCCESS


def by_button(site: Site, keys: list[str]) -> None:
    assert site.finish(site.launch(range_tags(keys))) == dg.DagsterRunStatus.SUCCESS


PATHS = {"tagged": by_tagged_job, "backfilled": by_backfill, "sensed": by_sensor, "clicked": by_button}


@pytest.mark.parametrize("path", PATHS)
def test_every_partition_has_its_own_outcome(site: Site, path: str) -> None:
    keys = letters_of(site, path)
    PATHS[path](site, keys)
    for asset in ASSETS:
        looks = site.looks(asset, keys)
        assert {key: shown.materializations for key, shown in looks.items()} == dict.fromkeys(keys, 1)
        assert len({shown.data_version for shown in looks.values()}) == 5 - (asset == "counted")
        assert {shown.stale for shown in looks.values()} == {"FRESH"}
        failed = [key for key, shown in looks.items() if shown.check == "failedPartitions"]
        assert failed == ([] if asset == "opened" else [keys[2]])
        assert [looks[key].check for key in keys if key not in failed] == ["succeededPartitions"] * (5 - len(failed))
    counted, summary = (site.store().latest(stage, keys[2]) for stage in ("counted", "summary"))
    assert counted and summary
    assert (counted.status, counted.reason) == ("rejected", "it is unreadable")
    assert (summary.status, summary.reason) == ("skipped", "skipped, because counted is rejected")


def test_what_dagster_was_told_is_in_its_log_and_is_not_kept_by_the_step(site: Site) -> None:
    keys = site.receive(logged_1="one", logged_2="one two")
    result = site.execute(keys)
    kept = [one.step_materialization_data.materialization for one in result.get_asset_materialization_events()]
    assert len(kept) == 3 * len(keys)
    assert all(not one.metadata for one in kept)
    wanted = dg.AssetRecordsFilter(dg.AssetKey("counted"), asset_partitions=keys)
    stored = [record.asset_materialization for record in site.instance.fetch_materializations(wanted, limit=9).records]
    assert [one is not None and bool(one.metadata) for one in stored] == [True] * len(keys)

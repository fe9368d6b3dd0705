"""The same site as several machines have it: Dagster's storage in a real Postgres server, as `deploy/dagster.yaml` has
it, and the home in an object store."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
import yaml
from dagster._check import CheckError
from dagster._core.test_utils import create_test_daemon_workspace_context
from dagster._core.workspace.load_target import ModuleTarget
from dagster_postgres import PostgresEventLogStorage

from envfactory_dagster.partitions import environments
from envfactory_dagster.resources.postgres import PostgresEventLog, PostgresStorage
from tests.dagster.site_kit import Site, set_up
from tests.dagster.test_broken_world import test_kill_in_the_middle_of_a_range_then_the_same_command
from tests.dagster.test_same_on_every_path import test_every_partition_has_its_own_outcome
from tests.support.object_store import ObjectStore
from tests.support.postgres import postgres_server

pytestmark = pytest.mark.long

__all__ = ["test_every_partition_has_its_own_outcome", "test_kill_in_the_middle_of_a_range_then_the_same_command"]
"""Collected here once more, they are given the site below."""

ROOT = Path(__file__).parents[2]
CONFIGURATION = ROOT / "deploy" / "dagster.yaml"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, object_store: ObjectStore) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("postgres-site")
    with pytest.MonkeyPatch.context() as patch, postgres_server() as url:
        shutil.copy(CONFIGURATION, folder / "dagster.yaml")
        of_several_machines = {
            "DAGSTER_HOME": str(folder),
            "DAGSTER_POSTGRES_URL": url,
            "ENVFACTORY_HOME": f"{object_store.new_bucket()}/home",
        }
        for name, value in (set_up(folder) | of_several_machines).items():
            patch.setenv(name, value)
        target = ModuleTarget("tests.dagster.tiny_line", None, str(ROOT), "tiny")
        with dg.DagsterInstance.get() as instance, create_test_daemon_workspace_context(target, instance) as workspace:
            yield Site(instance, workspace, Path(os.environ["TINY_WORLD"]), "tiny")


def test_the_url_in_dagster_s_documentation_works_and_its_own_class_does_not_take_it(site: Site) -> None:
    url = os.environ["DAGSTER_POSTGRES_URL"]
    assert url.startswith("postgresql://")
    with pytest.raises(ModuleNotFoundError, match="psycopg"):
        PostgresEventLogStorage(url)
    parts = {"username": "dagster", "hostname": "", "db_name": "postgres", "params": {"host": url.split("host=")[1]}}
    for config in ({"postgres_url": url}, {"postgres_db": {**parts, "port": 5432, "scheme": "postgresql"}}):
        storage = PostgresStorage.from_config_value(None, config)
        assert list(storage.event_log_storage.all_asset_keys()) == list(site.instance.all_asset_keys())


def test_the_state_of_checks_is_told_where_dagster_s_own_storage_fails(site: Site) -> None:
    """Dagster 1.13.27 does not say where dynamic partitions are found. Once it does, we need not."""
    site.execute(site.receive(state_1="one"))
    check = dg.AssetCheckKey(dg.AssetKey("summary"), "accepted")
    log = site.instance.event_log_storage
    assert isinstance(log, PostgresEventLog)
    assert log.get_asset_check_state([(check, environments)])[check].subsets
    with pytest.raises(CheckError, match="partition_loading_context"):
        PostgresEventLogStorage.get_asset_check_state(log, [(check, environments)])


def test_nothing_but_the_storage_differs_from_the_configuration_of_a_single_home() -> None:
    of_one = yaml.safe_load((ROOT / "envfactory_dagster/resources/dagster.yaml").read_text())
    of_many = yaml.safe_load(CONFIGURATION.read_text())
    assert of_one.pop("storage") != of_many.pop("storage")
    assert of_one == of_many


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    shutil.copy(CONFIGURATION, tmp_path / "dagster.yaml")
    program = "import sys; sys.modules['dagster_postgres'] = None; import dagster; dagster.DagsterInstance.get()"
    variables = {"DAGSTER_HOME": str(tmp_path), "DAGSTER_POSTGRES_URL": "postgresql://nobody@nowhere/nothing"}
    refused = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    assert refused.returncode == 1
    assert refused.stderr.splitlines()[-1].endswith(
        "Postgres needs the extra `postgres`: pip install -c constraints.txt -e '.[postgres]'"
    )

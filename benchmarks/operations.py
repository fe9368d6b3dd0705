"""Figures of running every night: failures in a range, listing, many partitions, and Dagster's pages.

    python -m benchmarks.operations [--json] [--home HOME] [--parts range,killed,list,many]
        [--environments 1000] [--cheap 10000] [--line 1000]

`range_finished`: of 200 partitions in one run of Dagster, those that have a record although the endpoint always answers
500 to three of them; the stage asks nobody, so this measures the step and the memo. `kill_9_lost`, `paid_twice`,
`in_flight`: a process that is killed while it asks (`benchmarks.killed`). `list_first_s`, `list_s`: listing
environments that were never listed, and again; `list_process_s` is the second as a process; `catalog_s` counts them in
the catalogue, `catalog_again_s` again. The environments are those of HOME (by default of the archive in
tests/compatibility), linked under other names as often as it takes.

`cheap`: one asset of so many partitions. `line_ours`, `line_bare`: the assets of the line, each saying what it said in
HOME and making nothing, and a bare project with as many (`benchmarks.page_projects`). `ms`: of processor time for each
partition-asset. `event_kb`: what Dagster's event log holds of it as text; `index_kb`, `on_disk_kb`: in the one file of
SQLite that tells of all runs, and in all of them. `pages_ms`: milliseconds of each page, asked in turns
(`benchmarks.many_partitions`); one is many times as slow as the others, so there is no figure for all of them.
`sensor_tick_s`: the sensor, which finds that nothing is to be done.

All seconds are of processor time, which other work on the machine stretches less. `load`: of the machine, at the end.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

import dagster as dg

from benchmarks.killed import measured as killed_while_asking
from benchmarks.many_partitions import PROJECTS, measured, pages, sensor_tick
from benchmarks.page_projects import RECORDED
from envfactory_dagster.assets.stage import stage_asset
from envfactory_dagster.catalogue.opening import open_catalogue
from envfactory_dagster.commands.standing import standings
from envfactory_dagster.contracts.errors import InfrastructureFault
from envfactory_dagster.contracts.stages import Stage, StageInput, StageOutcome
from envfactory_dagster.partitions import ENVIRONMENTS, range_tags
from envfactory_dagster.resources.cluster import ClusterResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore

ARCHIVE = Path(__file__).parent.parent / "tests" / "compatibility" / "home_format_1.tar.xz"
KEYS = [f"environment-{number}" for number in range(200)]
FAILING = {KEYS[17], KEYS[18], KEYS[140]}


class Asked:
    """A stage that asks an endpoint which cannot answer three of its questions."""

    name: ClassVar[str] = "asked"
    upstream: ClassVar[tuple[str, ...]] = ()
    code_version: ClassVar[str] = "1"

    def settings_hash(self) -> str:
        return ""

    async def make(self, stage_input: StageInput) -> StageOutcome:
        if stage_input.partition in FAILING:
            raise InfrastructureFault("the endpoint answered 500")
        return StageOutcome({"answer": stage_input.partition})


@asynccontextmanager
async def _open(resources: Any) -> AsyncIterator[Stage]:
    yield Asked()


def range_with_failures(folder: Path) -> dict[str, Any]:
    store = StoreResource(home=str(folder / "home"))
    retries = dg.RetryPolicy(max_retries=2, delay=0)
    asked = stage_asset(Asked, _open, description="An answer.", gate="There is one.", group="line", retries=retries)
    defs = dg.Definitions(
        [asked], resources={"store": store, "cluster": ClusterResource()}, executor=dg.in_process_executor
    )
    with dg.DagsterInstance.local_temp(str(folder)) as instance:
        instance.add_dynamic_partitions(ENVIRONMENTS, KEYS)
        done = defs.resolve_implicit_global_asset_job_def().execute_in_process(
            instance=instance, tags=range_tags((KEYS[0], KEYS[-1])), raise_on_error=False
        )
    finished = [key for key in KEYS if store.records().latest("asked", key) is not None]
    return {"range_asked": len(KEYS), "range_finished": len(finished), "range_run_failed": not done.success}


def killed(home: str) -> dict[str, Any]:
    figures = killed_while_asking(home)
    return {name: figures[name] for name in ("kill_9_lost", "paid_twice", "in_flight")}


def listing(home: Path, folder: Path, environments: int) -> dict[str, Any]:
    keys = _linked(home, folder, environments)
    root = Home.resolve(folder)
    first, again = (_seconds(lambda: standings(root, keys)) for _ in range(2))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", "from envfactory_dagster.cli import main; main()", "list", "--json"]
    listed = subprocess.run(command, env=os.environ | {"ENVFACTORY_HOME": str(folder)}, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.process_time()
    with open_catalogue(root) as catalogue:
        count = "SELECT count(*) FROM environments"
        catalogue.ask(count)
        catalog, catalog_again = time.process_time() - began, _seconds(lambda: catalogue.ask(count))
    return {
        "environments": len(json.loads(listed.stdout)["environments"]),
        "list_first_s": first,
        "list_s": again,
        "list_process_s": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 3),
        "catalog_s": round(catalog, 3),
        "catalog_again_s": catalog_again,
    }


def many(home: Path, folder: Path, cheap: int, line: int) -> dict[str, Any]:
    os.environ[RECORDED] = str(home)
    figures: dict[str, Any] = {f"line_{project}": measured(project, folder / "line", line) for project in PROJECTS}
    figures |= {"line_partitions": line, "pages_ms": pages(folder / "line", line, "verifiers")}
    figures |= {"cheap_partitions": cheap, "cheap": measured("ours", folder / "cheap", cheap, "theme")}
    return figures | {"sensor_tick_s": sensor_tick("ours", folder / "cheap")}


def _linked(home: Path, folder: Path, environments: int) -> list[str]:
    """Keys of `environments` copies, whose files are links to those of the environments already there."""
    known = RecordStore(Home.resolve(home)).partitions("release")
    keys = [f"copy-{number}" for number in range(environments)]
    for number, key in enumerate(keys):
        source = known[number % len(known)]
        for stage in (home / "records").iterdir():
            (folder / "records" / stage.name / key).mkdir(parents=True)
            for file in (stage / source).glob("*.json"):
                os.link(file, folder / "records" / stage.name / key / file.name)
        (folder / "bundles" / key).mkdir(parents=True)
        for version in (home / "bundles" / source).iterdir():
            if version.is_dir():
                (folder / "bundles" / key / version.name).mkdir()
            else:
                os.link(version, folder / "bundles" / key / version.name)
    return keys


def _seconds(work: Any) -> float:
    started = time.process_time()
    work()
    return round(time.process_time() - started, 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--home", type=Path, help="a home with released environments")
    parser.add_argument("--parts", default="range,killed,list,many", help="which to measure")
    parser.add_argument("--environments", type=int, default=1_000, help="how many are listed")
    parser.add_argument("--cheap", type=int, default=10_000, help="partitions of a single asset")
    parser.add_argument("--line", type=int, default=1_000, help="partitions of all assets of the line")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, home = Path(name), arguments.home
        if home is None:
            with tarfile.open(ARCHIVE) as archive:
                archive.extractall(folder / "archive", filter="data")
            home = folder / "archive" / "home"
        parts = {
            "range": lambda: range_with_failures(folder),
            "killed": lambda: killed(str(folder / "killed")),
            "list": lambda: listing(home, folder / "listed", arguments.environments),
            "many": lambda: many(home, folder / "many", arguments.cheap, arguments.line),
        }
        figures: dict[str, Any] = {}
        for part in arguments.parts.split(","):
            figures |= parts[part]()
    figures["load"] = [round(one, 1) for one in os.getloadavg()]
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            sys.stdout.write(f"{name:20} {value}\n")


if __name__ == "__main__":
    main()

"""`envfactory show`: what is in an environment, and why tasks of it were given up."""

from collections.abc import Callable
from pathlib import Path

import pytest

from envfactory_dagster import examples
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.records import RecordStore
from tests.commands.terminal import Said
from tests.support.tiny import tiny

Type = Callable[..., Said]

HUTS = examples.load("alpine_huts")


def test_tools_and_tasks_are_told(type_here: Type, tmp_path: Path) -> None:
    told = type_here(tmp_path, "show", "alpine_huts", "--tools", "--tasks").out
    for tool in HUTS.tools:
        assert f"{tool.name}(" in told and tool.description in told
    for task in HUTS.tasks:
        assert f"{task.id}: {task.kind}, in state {task.state}" in told and task.text in told
    said = type_here(tmp_path, "show", "alpine_huts", "--tasks", "--json").json()
    assert [task["id"] for task in said["tasks"]] == [task.id for task in HUTS.tasks]
    assert "tools" not in said


@pytest.mark.parametrize("contents", ["--tools", "--tasks"])
def test_a_stage_and_the_contents_exclude_each_other(type_here: Type, tmp_path: Path, contents: str) -> None:
    refused = type_here(tmp_path, "show", "alpine_huts", contents, "--stage", "theme")
    assert refused.status == 2
    assert "--stage shows one stage; it excludes --tools and --tasks" in refused.err


def test_the_folder_of_all_versions_of_an_environment_is_its_latest_one(type_here: Type, tmp_path: Path) -> None:
    bundle = tiny()
    BundleStore(Home.resolve(tmp_path / "home")).keep(bundle)
    told = type_here(tmp_path, "show", str(tmp_path / "home" / "bundles" / bundle.key), "--tools")
    assert told.status == 0, told.err
    assert f"{bundle.tools[0].name}(" in told.out


def test_tasks_that_were_given_up_for_one_reason_are_told_together(type_here: Type, tmp_path: Path) -> None:
    dropped = [{"task": name, "reason": "nobody says so"} for name in ("one", "two")]
    record = StageRecord(
        stage="graph_tasks",
        partition="shop",
        status="ok",
        inputs="in",
        version="out",
        artifact={"tasks": []},
        metadata={"dropped": dropped},
    )
    RecordStore(Home.resolve(tmp_path)).keep(record)
    assert "one, two: nobody says so" in type_here(tmp_path, "show", "shop", "--stage", "graph_tasks").out


def described(stage: str, **metadata: object) -> StageRecord:
    return StageRecord(
        stage=stage, partition="shop", status="ok", inputs="in", version="out", artifact={}, metadata=metadata
    )


def test_what_a_description_names_and_the_world_lacks_is_told(type_here: Type, tmp_path: Path) -> None:
    """As the latest stage has it: the tool that lent bows was given up after it was specified."""
    cellos = {"words": "cellos", "is_in": "instruments", "left_out": ""}
    bows = {"words": "bows are lent", "is_in": "lend_bow", "left_out": ""}
    store = RecordStore(Home.resolve(tmp_path))
    store.keep(described("tool_spec", named=[cellos, bows], named_left_out=0))
    told = type_here(tmp_path, "show", "shop").out
    assert "Things that the description names: 2; left out of the world: none" in told
    gone = bows | {"is_in": "", "left_out": "given up"}
    store.keep(described("environment", named=[cellos, gone], named_left_out=1))
    told = type_here(tmp_path, "show", "shop").out
    assert "names: 2; left out of the world: 1\n    “bows are lent”: given up" in told
    assert type_here(tmp_path, "show", "shop", "--json").json()["named"] == [cellos, gone]


def test_that_nobody_could_say_what_a_description_names_is_told(type_here: Type, tmp_path: Path) -> None:
    RecordStore(Home.resolve(tmp_path)).keep(described("tool_spec", named_untold="the judge was silent"))
    told = type_here(tmp_path, "show", "shop").out
    assert "Whether all that the description names is there is not known: the judge was silent" in told
    assert type_here(tmp_path, "show", "shop", "--json").json()["named_untold"] == "the judge was silent"

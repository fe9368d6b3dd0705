"""`envfactory workspace`: those of the library, and what is said where one cannot be made."""

from collections.abc import Callable
from pathlib import Path

from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from tests.commands.terminal import Said
from tests.support.tiny import tiny
from tests.support.workspaces import BAKER, BREWER, workspace
from tests.tasks.workspace_kit import across

Type = Callable[..., Said]


def test_those_of_the_library_are_listed(type_here: Type, tmp_path: Path) -> None:
    told = type_here(tmp_path, "workspace").out
    assert "hollin-bank-and-little-quay: The woodland burial ground" in told
    assert "nursery: little-quay-forest-edge-day-nursery, in state second" in told
    found = type_here(tmp_path, "workspace", "--json").json()["workspaces"]
    assert all(len(one["servers"]) >= 2 for one in found)


def test_an_environment_that_is_not_built_is_named(type_here: Type, tmp_path: Path) -> None:
    refused = type_here(tmp_path, "workspace", "hollin-bank-and-little-quay")
    assert refused.status == 2
    assert "There is no environment 'hollin-bank-woodland-burial-ground'" in refused.err


def own_workspace(folder: Path) -> Path:
    family = across()
    (folder / "families").mkdir(parents=True)
    (folder / "workspace.json").write_text(workspace().model_dump_json())
    (folder / "families/as_many.json").write_text(family.model_dump_json(exclude={"source"}))
    (folder / "families/as_many.py").write_text(family.source)
    return folder


def test_one_of_ones_own_is_released_and_its_tasks_are_there(type_here: Type, tmp_path: Path) -> None:
    store = BundleStore(Home.resolve(tmp_path / "home"))
    for shop in (BAKER, BREWER):
        store.keep(shop)
    folder = own_workspace(tmp_path / "own")
    said = type_here(tmp_path / "home", "workspace", str(folder), "--instances", "8", "--json").json()
    assert said["status"] == "ok" and said["families"][0]["accepted"] == 8
    shown = type_here(tmp_path / "home", "show", "baker-and-brewer", "--tasks", "--json").json()
    assert len(shown["tasks"]) == said["tasks"]
    graph = type_here(tmp_path / "home", "show", "baker-and-brewer", "--stage", "tool_graph", "--json").json()
    assert graph["status"] == "ok" and graph["metadata"]["tools"] == 10
    refused = type_here(tmp_path / "home", "inspect", "baker-and-brewer")
    assert refused.status == 2 and "is a workspace" in refused.err and "inspect brewer, baker" in refused.err
    audited = type_here(tmp_path / "home", "audit", "baker-and-brewer", "--json").json()
    assert {one["task"] for one in audited["tasks"]} == {one["id"] for one in shown["tasks"]}
    assert not [finding for one in audited["tasks"] for finding in one["findings"]]


def test_an_environment_of_that_key_is_left_alone(type_here: Type, tmp_path: Path) -> None:
    store = BundleStore(Home.resolve(tmp_path / "home"))
    for shop in (BAKER, BREWER, tiny("baker-and-brewer")):
        store.keep(shop)
    refused = type_here(tmp_path / "home", "workspace", str(own_workspace(tmp_path / "own")))
    assert refused.status == 2 and "another environment 'baker-and-brewer'" in refused.err

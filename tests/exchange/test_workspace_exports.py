"""A workspace in other projects' forms: played and judged with nothing of ours."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import pytest_asyncio
import yaml

from envfactory_dagster.contracts.dataset import Placement, SplitLedger
from envfactory_dagster.exchange.exporting import export
from envfactory_dagster.exchange.forms import FORMS
from envfactory_dagster.exchange.origins import known_of
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from tests.exchange.test_exporting import ended, reward, world_of
from tests.exchange.wheels import installed
from tests.tasks.workspace_kit import Site, released_site


@pytest_asyncio.fixture(scope="module")
async def site(runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> Site:
    return await released_site(runtime, Home.resolve(tmp_path_factory.mktemp("workspace")))


def episode_module(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("workspace_episode", folder / "episode.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("form", FORMS)
def test_every_form_carries_it(site: Site, episodes: ModuleType, tmp_path: Path, form: str) -> None:
    exported = export(site.bundle, FORMS[form], tmp_path / form)
    assert exported.tasks == len(site.bundle.tasks) and exported.left_out == {}
    bundles = [path.parent for path in exported.folder.rglob("judge.py")]
    assert bundles
    for task, solution in list(site.bundle.solutions.items())[:2]:
        assert episodes.solve(bundles[0], task, solution)["score"] == 1.0
        assert episodes.replay(bundles[0], task, [])["score"] == 0.0


def test_what_is_done_at_the_other_server_costs_everything(site: Site, tmp_path: Path) -> None:
    export(site.bundle, FORMS["trl"], tmp_path / "out")
    episodes, made = episode_module(tmp_path / "out"), site.release.tasks[0]
    calls = [{"name": call.tool, "arguments": call.arguments} for call in made.solution.calls]
    finish = {"name": "finish", "arguments": made.solution.report.model_dump(mode="json")}
    stray = {"name": "bread_place_order", "arguments": {"item_id": 1}}
    ends = [*calls, finish], [*calls, stray, finish]
    judged = [episodes.replay(tmp_path / "out/bundle", made.task.id, end) for end in ends]
    assert [one["score"] for one in judged] == [1.0, 0.0]
    assert judged[1]["reasons"] == ["guard broken: orders once and leaves the baker alone"]


def test_openenvs_package_plays_when_it_is_installed(site: Site, tmp_path: Path) -> None:
    package = installed(export(site.bundle, FORMS["openenv"], tmp_path / "openenv").folder, tmp_path)
    done = subprocess.run([sys.executable, str(package / "validation" / "oracle.py")], capture_output=True, check=True)
    played = json.loads(done.stdout)
    assert len(played) == len(site.bundle.tasks) and {one["score"] for one in played.values()} == {1.0}


def test_the_hubs_card_says_how_the_verifiers_were_tried(site: Site, tmp_path: Path) -> None:
    known = known_of(site.home, site.bundle)
    export(site.bundle, FORMS["hub"], tmp_path / "hub", known)
    trials = [trial for made in site.release.tasks for trial in made.verifier.gate.trials]
    wrong = [trial for trial in trials if trial.expected == "reject"]
    text = (tmp_path / "hub" / "README.md").read_text()
    assert f"Every verifier was tried before the release, on {len(trials)} ends in all." in text
    assert f" | {len(wrong)} | {len(wrong)} refused |" in text
    right = len(trials) - len(wrong)
    assert f" | {right} | {right} accepted |" in text
    assert (tmp_path / "hub" / "data" / "train.jsonl").exists() and "Train nothing on it" not in text


def test_what_is_held_out_is_no_split_to_train_on(site: Site, tmp_path: Path) -> None:
    placed = SplitLedger(seed=0, placed=[Placement(environment=site.bundle.key, split="held_out")])
    ledger = site.home.datasets / "splits" / "ledger.json"
    ledger.parent.mkdir(parents=True, exist_ok=True)
    ledger.write_text(placed.model_dump_json())
    try:
        known = known_of(site.home, site.bundle)
    finally:
        ledger.unlink()
    export(site.bundle, FORMS["hub"], tmp_path / "hub", known)
    text = (tmp_path / "hub" / "README.md").read_text()
    assert [path.name for path in (tmp_path / "hub" / "data").iterdir()] == ["test.jsonl"]
    assert yaml.safe_load(text.split("---")[1])["configs"][0]["data_files"] == [
        {"split": "test", "path": "data/test.jsonl"}
    ]
    assert 'split="test"' in text and "Train nothing on it." in text


@pytest.mark.parametrize("play", [True, False], ids=["gold", "noop"])
def test_harbors_oracle_gets_everything_and_an_idle_agent_nothing(site: Site, tmp_path: Path, play: bool) -> None:
    export(site.bundle, FORMS["harbor"], tmp_path / "harbor")
    tasks = [path for path in (tmp_path / "harbor").iterdir() if path.is_dir()]
    assert len(tasks) == len(site.bundle.tasks)
    for task in tasks:
        (episode := tmp_path / f"{task.name}-episode").mkdir()
        with world_of(task, episode) as (url, process):
            if play:
                solve = ["sh", str(task / "solution" / "solve.sh")]
                subprocess.run(solve, env=os.environ | {"WORLD": url}, check=True)
            ended(process, episode)
        assert reward(task, episode, tmp_path / f"{task.name}-logs") == float(play)

"""The asset `trajectories`: plays what is released, keeps it for good, and shows how it went."""

import asyncio
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import pytest_asyncio

from envfactory_dagster import examples
from envfactory_dagster.assets.experience import trajectories
from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.definitions import defs
from envfactory_dagster.resources.authoring import AuthoringResource
from envfactory_dagster.resources.cluster import ClusterResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.store.objects import Objects
from envfactory_dagster.tasks.release import ReleaseStage
from envfactory_dagster.truth.replay import replay
from tests.support.object_store import upload
from tests.tasks.huts_kit import FEW, Standing, golds_of

ROOT = Path(__file__).parents[2]


class Site:
    """A home with one release, and whoever plays it."""

    def __init__(self, home: Path, bundle: Bundle, instance: dg.DagsterInstance) -> None:
        self.home, self.bundle, self._instance = home, bundle, instance

    def play(self, **config: Any) -> dg.ExecuteInProcessResult:
        return dg.materialize(
            [trajectories],
            instance=self._instance,
            resources={
                "store": StoreResource(home=str(self.home)),
                "authoring": AuthoringResource(),
                "cluster": ClusterResource(),
            },
            run_config={"ops": {"trajectories": {"config": config}}},
        )


@pytest_asyncio.fixture(scope="module")
async def bundle(runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Bundle]:
    folder, huts = tmp_path_factory.mktemp("released"), examples.load("alpine_huts")
    standing = Standing(Home.resolve(folder), replace(huts, solutions={}), await golds_of(runtime, huts))
    await run_stage(standing.records, ReleaseStage(runtime, AuthoringSettings(), standing.bundles), huts.key)
    return folder, standing.bundles.load(huts.key)


@pytest.fixture
def fresh(bundle: tuple[Path, Bundle], tmp_path: Path) -> Iterator[Site]:
    """The same release, of which nothing was played."""
    home = tmp_path / "home"
    shutil.copytree(bundle[0], home, ignore=shutil.ignore_patterns("trajectories"))
    with dg.DagsterInstance.ephemeral() as instance:
        yield Site(home, bundle[1], instance)


@pytest.fixture
def site(bundle: tuple[Path, Bundle]) -> Iterator[Site]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield Site(*bundle, instance)


def told(result: dg.ExecuteInProcessResult) -> dict[str, Any]:
    (event,) = result.get_asset_materialization_events()
    return {name: value.value for name, value in event.materialization.metadata.items()}


def rows(shown: dict[str, Any], table: str) -> list[dict[str, Any]]:
    return [dict(row.data) for row in shown[table].records]


def test_what_is_released_is_played_once_and_counted(site: Site) -> None:
    first = told(site.play(candidates=2))
    assert (first["new"], first["rollouts"]) == (2 * len(FEW), 2 * len(FEW))
    assert rows(first, "outcomes") == [{"outcome": "completed", "rollouts": first["rollouts"]}]
    assert first["page"].endswith("/site/episodes.html")
    assert rows(first, "by_model") == [{"model": "reference", "rollouts": first["rollouts"], "passed": 1.0}]
    assert {row["kind"]: row["rollouts"] for row in rows(first, "by_kind")} == {
        "action": 2,
        "information": 2,
        "refusal": 2,
    }
    again = told(site.play(candidates=2))
    assert (again["new"], again["rollouts"]) == (0, 2 * len(FEW))
    more = told(site.play(candidates=3, most_tasks=1))
    assert (more["new"], more["rollouts"]) == (1, 3)


def test_datasets_are_built_of_a_home_in_an_object_store(
    bundle: tuple[Path, Bundle], bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole job, which once did not come to its end there."""
    remote = Home.resolve(f"{bucket}/home")
    unplayed = tmp_path / "unplayed"
    shutil.copytree(bundle[0], unplayed, ignore=shutil.ignore_patterns("trajectories", "datasets"))
    upload(unplayed, remote)
    monkeypatch.setenv("ENVFACTORY_HOME", str(remote.root))
    monkeypatch.chdir(tmp_path)
    job = defs.resolve_job_def("build_datasets")
    with dg.DagsterInstance.local_temp(str(tmp_path)) as instance:
        instance.add_dynamic_partitions("environments", [bundle[1].key])
        result = job.execute_in_process(
            instance=instance, run_config={"ops": {"trajectories": {"config": {"candidates": 1}}}}
        )
    made = {event.asset_key.to_user_string() for event in result.get_asset_materialization_events() if event.asset_key}
    assert made == {"trajectories", "sft_dataset", "rl_dataset"}
    assert len(list(TrajectoryStore(remote).read(bundle[1]))) == len(FEW)
    found = Objects(remote.root).all_below("datasets")
    for dataset in ("sft", "rl"):
        assert any(dataset in name and name.endswith(".parquet") for name in found), found


def test_tools_are_shown_as_the_configuration_says(fresh: Site) -> None:
    assert told(fresh.play(candidates=1, protocol="compact", most_tools=12))["new"] == len(FEW)
    tools = {tool.name for tool in fresh.bundle.tools_of("assistant")}
    for rollout in TrajectoryStore(Home.resolve(fresh.home)).read(fresh.bundle):
        one = rollout.trajectory
        assert (one.protocol, one.outcome, len(tools) - len(one.withheld)) == ("compact", "completed", 12)


async def test_what_was_played_replays(site: Site, runtime: Runtime) -> None:
    await asyncio.to_thread(site.play, candidates=1)
    for rollout in TrajectoryStore(Home.resolve(site.home)).read(site.bundle):
        assert (await replay(runtime, site.bundle, rollout.trajectory)).reproduced


def test_who_is_killed_in_the_middle_loses_nothing_that_was_stored(fresh: Site) -> None:
    command = [sys.executable, "-m", "tests.dagster.killed_player", str(fresh.home)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    kept = TrajectoryStore(Home.resolve(fresh.home)).read(fresh.bundle)
    assert 0 < len(kept) < 2 * len(FEW)
    again = told(fresh.play(candidates=2))
    assert (again["new"], again["rollouts"]) == (2 * len(FEW) - len(kept), 2 * len(FEW))
    assert [one for one in kept if one not in TrajectoryStore(Home.resolve(fresh.home)).read(fresh.bundle)] == []


async def test_two_runs_at_once_play_nothing_twice(fresh: Site) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        other = Site(fresh.home, fresh.bundle, instance)
        runs = await asyncio.gather(*(asyncio.to_thread(site.play, candidates=2) for site in (fresh, other)))
    assert sorted(told(run)["new"] for run in runs) == [0, 2 * len(FEW)]


def test_a_damaged_bundle_is_named_and_stops_nobody(fresh: Site) -> None:
    for image in fresh.home.glob("bundles/*/*/initial.sqlite"):
        image.write_bytes(image.read_bytes()[:1000])
    shown = told(fresh.play(candidates=1))
    assert shown["rollouts"] == 0
    assert [row["environment"] for row in rows(shown, "unplayable")] == [fresh.bundle.key]


def test_its_data_version_changes_with_what_there_is(site: Site) -> None:
    def version(**config: Any) -> str:
        (event,) = site.play(most_tasks=1, **config).asset_materializations_for_node("trajectories")
        return (event.tags or {})["dagster/data_version"]

    assert version(candidates=1) == version(candidates=1) != version(candidates=2)


def test_a_conversation_is_played_with_a_simulated_user(site: Site) -> None:
    shown = told(site.play(candidates=1, setting="conversation"))
    assert [row["setting"] for row in rows(shown, "by_setting")] == ["conversation"]
    assert {row["remark"]: row["rollouts"] for row in rows(shown, "remarks")} == {"user_scripted": len(FEW)}


def test_what_is_not_released_cannot_be_played(site: Site) -> None:
    with pytest.raises(UsageError, match=r"Not released: nowhere\. Released are: alpine-huts\."):
        site.play(environments=["nowhere"])


@pytest.mark.parametrize("reward", [{"strategy": "code_augmented"}, {"weights": {"rubric": 1.0}}])
def test_a_judge_is_asked_where_the_reward_needs_one(fresh: Site, reward: dict[str, Any]) -> None:
    told(fresh.play(candidates=1, reward=reward))
    kept = TrajectoryStore(Home.resolve(fresh.home)).read(fresh.bundle)
    assert len(kept) == len(FEW)
    paid = [one.trajectory.reward.components for one in kept if one.trajectory.reward is not None]
    component = "rubric" if "weights" in reward else "outcome"
    assert len(paid) == len(FEW), "the built-in judge gives a verdict on each"
    assert any(component in components for components in paid)


def test_without_a_model_for_the_judge_nothing_is_played(fresh: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    for role in ("AUTHOR", "SOLVER", "USER"):
        monkeypatch.setenv(f"ENVFACTORY_{role}_MODEL", "some-model")
    with pytest.raises(UsageError, match="ENVFACTORY_JUDGE_MODEL"):
        fresh.play(candidates=1, reward={"strategy": "judge_only"})
    assert TrajectoryStore(Home.resolve(fresh.home)).read(fresh.bundle) == []

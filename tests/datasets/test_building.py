"""From a home with a release and its trajectories to two datasets with cards, by hand and as assets."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import dagster as dg
import orjson
import pytest
import pytest_asyncio

from envfactory_dagster.assets.datasets import RlDatasetConfig, rl_dataset, sft_dataset
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.synthesis import MadeTask, Release
from envfactory_dagster.datasets.building import Built, build_rl, build_sft
from envfactory_dagster.datasets.gathering import Gathered, GatherSettings, gather
from envfactory_dagster.datasets.rows import RlSettings, SftSettings
from envfactory_dagster.datasets.splits import Shares
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.resources.authoring import AuthoringResource
from envfactory_dagster.resources.cluster import ClusterResource
from envfactory_dagster.resources.store import StoreResource
from envfactory_dagster.rollouts.assignments import Assignment
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.truth.rewards import RewardSettings
from tests.datasets.conftest import TALK
from tests.rollouts.scripted import ByTask, calls, followed
from tests.tasks.huts_kit import Standing

ALL_SFT, ALL_RL = Shares(1.0, 0.0, 0.0, 0.0, 0.0), Shares(0.0, 1.0, 0.0, 0.0, 0.0)


class Ground:
    """A home in which the huts are released and two of their tasks were played."""

    def __init__(self, home: Home, release: Release) -> None:
        self.home, self.release = home, release

    async def gathered(self, **settings: Any) -> Gathered:
        async with Gateway(LanguageSettings(), self.home.local) as gateway:
            return await gather(
                self.home, gateway, Caller("sft_dataset", "", Role.EMBEDDER), GatherSettings(**settings)
            )

    def folder(self, built: Built) -> Path:
        return self.home.local / "datasets" / built.name / built.version


@pytest_asyncio.fixture
async def ground(
    runtime: Runtime,
    sealed: Bundle,
    made: dict[str, MadeTask],
    assigned: dict[str, Assignment],
    tmp_path: Path,
) -> Ground:
    home = Home.resolve(tmp_path)
    release = Release(version=sealed.version, tasks=list(made.values()))
    Standing(home, sealed, {}).keep("release", release)
    BundleStore(home).keep(sealed)
    tasks = ("call_it_off", "best_hut_in_reach")
    golds = {task: made[task].solution for task in tasks}
    lines = {made[task].task.text: followed(golds[task].calls, golds[task].report) for task in tasks}
    lines[made["call_it_off"].task.text].insert(0, calls(("list_lost_claims", {})))
    engine = Engine(runtime, ByTask(lines), RolloutSettings(candidates=2), TrajectoryStore(home))
    assert [one.trajectory.outcome async for one in engine.roll([assigned[task] for task in tasks])] == [
        "completed"
    ] * 4
    return Ground(home, release)


async def test_the_best_episode_of_each_task_becomes_rows(ground: Ground):
    built = await build_sft(ground.home, await ground.gathered(shares=ALL_SFT), SftSettings(), None)
    assert (built.checks.rows, built.checks.broken, built.leaks) == (2, [], [])
    folder = ground.folder(built)
    [file] = (folder / "rows").glob("*.jsonl")
    assert {orjson.loads(line)["trace"]["task"] for line in file.read_bytes().splitlines()} == {
        "call_it_off",
        "best_hut_in_reach",
    }
    assert (folder / "README.md").read_text() == built.card
    assert (ground.home.local / "datasets" / "sft" / "LATEST").read_text() == built.version
    assert {one.what: one.reason for one in built.left_out} == {
        f"alpine-huts/{task}": "nobody has played it with verified success" for task in ("nephew_alone", TALK)
    }


async def test_an_episode_without_a_reward_is_left_out_and_counted(ground: Ground, sealed: Bundle):
    store = TrajectoryStore(ground.home)
    kept = [one for one in store.read(sealed) if one.trajectory.task == "call_it_off"]
    none: dict[str, Any] = {"detail": "no verdict: garbage", "remarks": ["no_verdict"]}
    store.add([replace(one, trajectory=one.trajectory.model_copy(update={"reward": None}), **none) for one in kept])
    store.flush()
    built = await build_sft(ground.home, await ground.gathered(shares=ALL_SFT), SftSettings(), None)
    assert built.checks.rows == 1
    found = [one for one in built.left_out if one.reason == "it has no reward"]
    assert [one.detail for one in found] == ["no verdict: garbage"] * 2
    assert all("/call_it_off/" in one.what for one in found)


async def test_what_an_episode_did_not_need_is_left_out_first(runtime: Runtime, ground: Ground):
    gathered = await ground.gathered(shares=ALL_SFT)
    whole = await build_sft(ground.home, gathered, SftSettings(), None)
    shorter = await build_sft(ground.home, gathered, SftSettings(), runtime)
    assert whole.summary.called["list_lost_claims"] == 1 and shorter.summary.called["list_lost_claims"] == 0
    assert whole.version != shorter.version
    lines = (ground.folder(shorter) / "rows" / "alpine-huts.jsonl").read_bytes().splitlines()
    assert {row["trace"]["task"]: row["shortened"] for row in map(orjson.loads, lines)} == {
        "call_it_off": True,
        "best_hut_in_reach": False,
    }


@pytest.mark.parametrize("reward", [{"strategy": "code_augmented"}, {"weights": {"rubric": 1.0}}])
def test_rows_whose_reward_nobody_could_pay_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reward: dict[str, Any]
):
    monkeypatch.setenv("ENVFACTORY_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("ENVFACTORY_SOLVER_MODEL", "some-model")
    given = {"store": StoreResource(home=str(tmp_path)), "authoring": AuthoringResource(), "cluster": ClusterResource()}
    config = dg.RunConfig({"rl_dataset": RlDatasetConfig(reward=reward)})
    with pytest.raises(UsageError, match="ENVFACTORY_JUDGE_MODEL"):
        dg.materialize([rl_dataset], resources=given, run_config=config)
    assert not (tmp_path / "datasets").exists()


def test_how_tools_are_shown_is_configured():
    rows = RlDatasetConfig(protocols=["compact"], most_tools=5).rows()
    assert (rows.protocols, rows.most_tools) == (("compact",), 5)
    for wrong in (["tiny"], []):
        with pytest.raises(UsageError, match=r"Protocols can be `native`, `compact`, `meta_tools`, not (tiny|none)"):
            RlDatasetConfig(protocols=wrong).rows()


async def test_a_reward_that_a_judge_decides_is_told_by_the_rows(runtime: Runtime, ground: Ground):
    reward = RewardSettings(strategy="code_augmented")
    built = await build_rl(ground.home, await ground.gathered(shares=ALL_RL), RlSettings(reward=reward), runtime)
    lines = (ground.folder(built) / "rows" / "alpine-huts.jsonl").read_bytes().splitlines()
    strategies = {row["turn"] is None: row["reward"]["strategy"] for row in map(orjson.loads, lines)}
    assert strategies == {True: "code_augmented", False: "code_only"}, "no judge is asked of a single turn"


async def test_every_task_that_is_not_for_sft_is_for_rl(runtime: Runtime, ground: Ground):
    gathered = await ground.gathered(shares=ALL_RL)
    built = await build_rl(ground.home, gathered, RlSettings(), runtime)
    assert {line["task"].split("/")[1] for line in built.summary.lines} == {one.task.id for one in ground.release.tasks}
    assert {line["form"] for line in built.summary.lines} == {"single", "conversation", "turn"}
    nothing = await build_sft(ground.home, gathered, SftSettings(), None)
    assert nothing.checks.rows == 0 and "Nothing." in nothing.card


async def test_equal_input_makes_the_same_version(runtime: Runtime, ground: Ground):
    gathered = await ground.gathered(shares=ALL_RL)
    first = await build_rl(ground.home, gathered, RlSettings(), runtime)
    files = {path: path.read_bytes() for path in ground.folder(first).rglob("*") if path.is_file()}
    again = await build_rl(ground.home, await ground.gathered(shares=ALL_RL), RlSettings(), runtime)
    assert again.version == first.version
    assert {path: path.read_bytes() for path in ground.folder(again).rglob("*") if path.is_file()} == files
    assert (await build_rl(ground.home, gathered, RlSettings(turns=False), runtime)).version != first.version


async def test_a_card_says_what_was_left_out_and_why(runtime: Runtime, ground: Ground, tmp_path: Path):
    public = tmp_path / "public"
    public.mkdir()
    (public / "bench.txt").write_text(ground.release.tasks[0].task.text)
    built = await build_rl(ground.home, await ground.gathered(shares=ALL_RL, benchmarks=public), RlSettings(), runtime)
    first = ground.release.tasks[0].task.id
    assert f"alpine-huts/{first} (bench.txt line 1, a run of equal words)" in built.card
    gone = {one.what for one in built.left_out if one.reason == "as in a public benchmark"}
    assert gone == {f"alpine-huts/{first}", f"alpine-huts/{TALK}"}
    assert gone.isdisjoint(line["task"] for line in built.summary.lines)


async def test_a_task_that_says_what_another_says_is_left_out_with_all_that_is_made_of_it(ground: Ground):
    again = ground.release.tasks[0]
    twin = again.model_copy(update={"task": again.task.model_copy(update={"id": "zz_twin"})}).model_dump(mode="json")
    twin["solution"]["task"] = twin["verifier"]["verifier"]["task"] = twin["verifier"]["gate"]["task"] = "zz_twin"
    tasks = [*ground.release.tasks, MadeTask.model_validate(twin)]
    Standing(ground.home, BundleStore(ground.home).load("alpine-huts"), {}).keep(
        "release", ground.release.model_copy(update={"tasks": tasks})
    )
    gathered = await ground.gathered()
    assert [one.what for one in gathered.left_out] == ["alpine-huts/zz_twin"]


async def test_another_seed_does_not_quietly_share_out_anew(ground: Ground):
    await ground.gathered(seed=1)
    with pytest.raises(UsageError, match="seed 1, not 2"):
        await ground.gathered(seed=2)


async def test_a_ledger_of_splits_of_another_format_is_refused_with_its_file(ground: Ground):
    await ground.gathered()
    file = ground.home.local / "datasets/splits/ledger.json"
    file.write_text(file.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(UsageError, match=r"datasets/splits/ledger\.json: SplitLedger .* format 2"):
        await ground.gathered()


async def test_a_damaged_bundle_is_left_out_and_named(ground: Ground):
    folder = BundleStore(ground.home).folder("alpine-huts", ground.release.version)
    (folder / "tools.py").write_text("")
    [left_out] = (await ground.gathered()).left_out
    assert (left_out.what, left_out.reason) == ("alpine-huts", "its bundle cannot be read")


def test_the_assets_build_both_and_check_them(ground: Ground):
    resources = {
        "store": StoreResource(home=str(ground.home.local)),
        "authoring": AuthoringResource(),
        "cluster": ClusterResource(),
    }
    shares = {"sft": 1.0, "rl": 0.0, "arena": 0.0, "held_out": 0.0, "held_out_modules": 0.0}
    config = {"ops": {"sft_dataset": {"config": shares}}}
    config["ops"]["rl_dataset"] = config["ops"]["sft_dataset"]
    with dg.DagsterInstance.ephemeral() as instance:
        result = dg.materialize([sft_dataset, rl_dataset], resources=resources, run_config=config, instance=instance)
    checks = {
        (one.asset_key.to_user_string(), one.check_name): one.passed for one in result.get_asset_check_evaluations()
    }
    assert set(checks.values()) == {True} and len(checks) == 4
    [made] = result.asset_materializations_for_node("sft_dataset")
    assert made.metadata["rows"].value == 2
    assert str(made.metadata["card"].value).startswith("# Dataset `sft`")

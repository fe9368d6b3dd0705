"""Tasks across the servers of a workspace: drawn, gated, released, played and made into rows like any others."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from pydantic import SecretStr

from envfactory_dagster import verify
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.synthesis import Release
from envfactory_dagster.datasets.building import build_rl, build_sft
from envfactory_dagster.datasets.gathering import GatherSettings, gather
from envfactory_dagster.datasets.rows import RlSettings, SftSettings
from envfactory_dagster.datasets.splits import Shares
from envfactory_dagster.exchange.playing import play
from envfactory_dagster.language.gateway import Gateway
from envfactory_dagster.language.messages import Caller, Role
from envfactory_dagster.language.settings import LanguageSettings
from envfactory_dagster.library import joint_worlds
from envfactory_dagster.library.collection import Library
from envfactory_dagster.rollouts.engine import Engine
from envfactory_dagster.rollouts.reference import ReferencePolicy
from envfactory_dagster.rollouts.settings import RolloutSettings
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.home import Home
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.families.acceptance import problems_of_module
from envfactory_dagster.tasks.families.sampling import fresh_tasks
from envfactory_dagster.tasks.proof_of_words import WordsProver
from envfactory_dagster.tasks.released import released
from envfactory_dagster.truth.replay import replay
from envfactory_dagster.truth.rewards import RewardSettings
from tests.exchange.test_playing import calling
from tests.language.played_endpoint import PlayedEndpoint, says, served
from tests.support.workspaces import workspace
from tests.tasks.workspace_kit import AS_MANY, Site, across, released_site, stage


@pytest_asyncio.fixture(scope="module")
async def site(runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> Site:
    return await released_site(runtime, Home.resolve(tmp_path_factory.mktemp("workspace")))


async def test_a_family_across_servers_stands_the_gate_and_its_tasks_are_released(site: Site) -> None:
    assert site.record.metadata["families"] == [{"family": "as_many_as_loaves", "tried": 10, "accepted": 10}]
    assert 2 <= len(site.bundle.tasks) <= 3 and site.bundle.storage == "workspace"
    for made in site.release.tasks:
        gate = made.verifier.gate
        assert gate.passed and gate.kill_rate == 1.0 and gate.acceptance_rate == 1.0
        assert {call.tool.partition("_")[0] for call in made.solution.calls} == {"bread", "beer"}
        assert made.words is not None and made.words.verdict == "not_played"


async def test_the_rows_of_a_task_are_in_its_server_and_in_what_is_judged(runtime: Runtime, site: Site) -> None:
    async with await runtime.open(site.bundle, state=site.bundle.tasks[0].state) as session:
        refused = await session.call("beer_cancel_order", {"order_id": 8})
        assert refused.outcome == "agent"
        assert (await session.call("beer_cancel_order", {"order_id": 7})).ok
        assert [change.key for change in await session.changes()] == [(7,)]


async def test_it_is_done_once_and_costs_nothing_the_second_time(runtime: Runtime, site: Site) -> None:
    before = runtime.open_sessions, len(BundleStore(site.home).versions(site.bundle.key))
    again = await run_stage(
        RecordStore(site.home), stage(runtime, site.home, workspace(), across()), "baker-and-brewer"
    )
    assert again.version == site.record.version and again.inputs == site.record.inputs
    assert (runtime.open_sessions, len(BundleStore(site.home).versions(site.bundle.key))) == before


def _gold(site: Site, place: int = 0) -> tuple[str, list[tuple[str, dict[str, Any]]], dict[str, Any]]:
    made = site.release.tasks[place]
    calls = [(call.tool, call.arguments) for call in made.solution.calls]
    return made.task.id, calls, made.solution.report.model_dump(mode="json")


async def test_all_databases_must_be_right(runtime: Runtime, site: Site) -> None:
    task, calls, report = _gold(site)
    assert (await verify(site.bundle, task, calls, report, runtime=runtime)).score == 1.0
    assert (await verify(site.bundle, task, calls[:-1], report, runtime=runtime)).score < 1.0
    elsewhere = [*calls, ("bread_place_order", {"item_id": 1, "quantity": 1})]
    verdict = await verify(site.bundle, task, elsewhere, report, runtime=runtime)
    assert verdict.score == 0.0 and verdict.reasons == ["guard broken: orders once and leaves the baker alone"]


async def test_an_endpoint_plays_it(runtime: Runtime, site: Site) -> None:
    task, calls, report = _gold(site)
    answers = [{"name": tool, "arguments": arguments} for tool, arguments in calls]
    endpoint = PlayedEndpoint(calling([*answers, {"name": "finish", "arguments": report}]))
    with served(endpoint.app()) as url:
        played = await play(url, "policy", site.bundle, task, runtime=runtime)
    assert played.reward == 1.0, played.signals
    assert "Names that begin with `beer_` are of: Tiny shop." in str(played.messages[0]["content"])


async def test_fresh_tasks_are_drawn_from_its_families(runtime: Runtime, site: Site) -> None:
    fresh = await fresh_tasks(runtime, site.bundle, 4, seed=5)
    assert len(fresh.tasks) == 4 and not fresh.dropped
    assert not {made.task.id for made in fresh.tasks} & {made.task.id for made in site.release.tasks}
    read = Bundle.read(fresh.bundle.write(site.home.root / "fresh"))
    task = fresh.tasks[0]
    calls = [(call.tool, call.arguments) for call in task.solution.calls]
    report = task.solution.report.model_dump(mode="json")
    assert (await verify(read, task.task.id, calls, report, runtime=runtime)).score == 1.0


async def test_an_engine_plays_it_and_the_episode_can_be_replayed(runtime: Runtime, site: Site, tmp_path: Path) -> None:
    work = released(site.bundle, site.release, RewardSettings())
    store = TrajectoryStore(Home.resolve(tmp_path))
    engine = Engine(runtime, ReferencePolicy.of_name("reference"), RolloutSettings(candidates=2), store)
    played = [rollout async for rollout in engine.roll(work)]
    assert len(played) == 2 * len(site.release.tasks)
    assert {one.trajectory.outcome for one in played} == {"completed"}
    for one in played[:2]:
        assert (await replay(runtime, site.bundle, one.trajectory)).outcome == "reproduced"


async def test_rows_for_training_are_made_of_it(runtime: Runtime, site: Site) -> None:
    work = released(site.bundle, site.release, RewardSettings())
    engine = Engine(runtime, ReferencePolicy.of_name("reference"), RolloutSettings(), TrajectoryStore(site.home))
    assert [one.trajectory.outcome async for one in engine.roll(work)] == ["completed"] * len(work)
    shares = {"sft": Shares(1.0, 0.0, 0.0, 0.0, 0.0), "rl": Shares(0.0, 1.0, 0.0, 0.0, 0.0)}
    for split, shared in shares.items():
        (site.home.local / "datasets/splits/ledger.json").unlink(missing_ok=True)
        async with Gateway(LanguageSettings(), site.home.local) as gateway:
            gathered = await gather(site.home, gateway, Caller(split, "", Role.EMBEDDER), GatherSettings(shares=shared))
        if split == "sft":
            built = await build_sft(site.home, gathered, SftSettings(), runtime)
        else:
            built = await build_rl(site.home, gathered, RlSettings(), runtime)
        assert (built.checks.broken, built.leaks, built.left_out) == ([], [], [])
        assert built.checks.rows == len(site.release.tasks)


@pytest.mark.parametrize("knows", [True, False], ids=["knows_what_to_do", "only_talks"])
async def test_words_are_proved_where_somebody_is_there_to_play_them(
    runtime: Runtime, site: Site, tmp_path: Path, knows: bool
) -> None:
    gold = {
        made.task.text: [
            *({"name": call.tool, "arguments": call.arguments} for call in made.solution.calls),
            {"name": "finish", "arguments": made.solution.report.model_dump(mode="json")},
        ]
        for made in site.release.tasks
    }

    def scene(body: dict[str, Any]) -> Any:
        return (calling(gold[body["messages"][1]["content"]]) if knows else says("I have no idea."))(body)

    home = Home.resolve(tmp_path)
    with served(PlayedEndpoint(scene).app()) as url:
        models = LanguageSettings(base_url=url, api_key=SecretStr("none"), models={Role.SOLVER: "s", Role.USER: "u"})
        async with Gateway(models, home.root) as gateway:
            prover = WordsProver(gateway, runtime, TrajectoryStore(home), "s", "u")
            release = replace(stage(runtime, home, workspace(), across()), prover=prover, instances=8)
            record = await run_stage(RecordStore(home), release, workspace().key)
    if knows:
        words = [made.words for made in Release.model_validate(record.artifact).tasks]
        assert [one.verdict for one in words if one is not None and one.verdict != "not_played"] == ["accepted"]
    else:
        assert (record.status, record.reason) == ("rejected", "no task is left whose words are proved")


async def test_a_workspace_whose_families_all_fail_is_rejected_with_the_reason(
    runtime: Runtime, tmp_path: Path
) -> None:
    home = Home.resolve(tmp_path)
    broken = across().model_copy(update={"source": AS_MANY.replace("quantity=loaves", "quantity=loaves + 1")})
    record = await run_stage(RecordStore(home), stage(runtime, home, workspace(), broken), workspace().key)
    assert record.status == "rejected"
    assert "did not stand the gate" in record.reason and "This must score 1" in record.reason
    assert BundleStore(home).keys() == []


# -- the workspaces of the library -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", joint_worlds.names())
def test_what_is_shipped_is_over_worlds_of_the_library(name: str) -> None:
    joint = joint_worlds.read(name)
    cards = Library().cards
    assert joint.workspace.key == name and joint.workspace.assumed
    assert {server.environment for server in joint.workspace.servers} <= set(cards)
    assert len(joint.families) >= 5
    prefixes = {f"{server.prefix}_" for server in joint.workspace.servers}
    for one in joint.families:
        assert problems_of_module(one) == []
        solving = one.source[one.source.index("def solve") : one.source.index("def goal_")]
        assert all(f"tools.{prefix}" in solving for prefix in prefixes), f"{one.name} does not need both"


def test_a_workspace_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no workspace 'moon'.*hollin-bank-and-little-quay"):
        joint_worlds.read("moon")
    (tmp_path / "workspace.json").write_text('{"key": "x"}')
    with pytest.raises(UsageError, match="cannot be read"):
        joint_worlds.read(str(tmp_path))

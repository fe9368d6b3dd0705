"""The tasks practised after a round: as many for each arm, of known origin, none of them used for evaluation."""

from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from envfactory_dagster.arena.base_tasks import BaseTasks
from envfactory_dagster.arena.practice import STAGE
from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.contracts.arena import ArenaTasks
from envfactory_dagster.contracts.diagnosis import Diagnosis, Guideline, WeakEnvironment
from envfactory_dagster.contracts.errors import UsageError
from envfactory_dagster.contracts.evolution import Arm, RoundPractice
from envfactory_dagster.contracts.records import StageRecord
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.datasets.assigned import load_tasks, read_tasks
from envfactory_dagster.tasks.families.sampling import fresh_tasks
from envfactory_dagster.truth.rewards import RewardSettings
from tests.arena.conftest import EXAMINED, HELD_OUT, SHOP, TRAINED, Ground
from tests.arena.test_target_tasks import WEAK

pytestmark = pytest.mark.long

ARMS: tuple[Arm, ...] = ("targeted", "untargeted", "base")


@pytest_asyncio.fixture(scope="session")
async def base(runtime: object, made: list[MadeTask]) -> list[MadeTask]:
    """Enough of them to replay."""
    fresh = await fresh_tasks(runtime, SHOP, 16, seed=5)  # type: ignore[arg-type]
    return fresh.tasks


async def practised(ground: Ground, key: str, replay: float = 0.5) -> RoundPractice:
    await ground.played_by(WEAK, key)
    await ground.run(ground.targets(), key)
    return RoundPractice.model_validate((await ground.run(ground.practice(replay), key)).artifact)


async def test_two_rounds_have_data_for_three_arms(ground: Ground, base: list[MadeTask]):
    version = ground.dataset(base)
    first = await practised(ground, "x-r00")
    counts = {one.arm: len(one.tasks) for one in first.arms}
    assert counts["targeted"] == counts["untargeted"] and not first.short.get("untargeted")
    targets = [one for one in first.of("targeted").tasks if one.origin == "target"]
    replayed = [one for one in first.of("targeted").tasks if one.origin == "replayed"]
    assert len(replayed) == len(targets) > 0
    assert {one.since for one in replayed} == {f"rl_dataset {version}"} and {o.environment for o in replayed} == {
        TRAINED
    }
    diagnosis = Diagnosis.model_validate(ground.records.latest("diagnosis", "x-r00").artifact)  # type: ignore[union-attr]
    assert {one.because for one in targets} == {one.missing_capability for one in diagnosis.guidelines}
    untargeted = [one for one in first.of("untargeted").tasks if one.origin != "untargeted"]
    assert untargeted == replayed, "what is replayed is the same in both"

    second = await practised(ground, "x-r01")
    again = [one for one in second.of("targeted").tasks if one.origin == "replayed"]
    assert {one.since for one in again} == {"x-r00", f"rl_dataset {version}"}
    known = {(one.environment, one.task) for one in targets}
    assert {(one.environment, one.task) for one in again if one.since == "x-r00"} <= known
    _can_be_trained_on(ground, second, "x", 1)


def _can_be_trained_on(ground: Ground, made: RoundPractice, experiment: str, number: int) -> None:
    played = ArenaTasks.model_validate(ground.records.latest("arena_tasks", f"{experiment}-r{number:02d}").artifact)  # type: ignore[union-attr]
    examined = {task.text for one in played.environments for task in one.tasks}
    for arm in ARMS:
        practice = made.of(arm)
        home = ArenaRound(experiment, number).practice(ground.home, arm, practice.dataset)
        folder = Path(str(home.datasets)) / "rl" / practice.dataset / "rows"
        assigned = load_tasks(read_tasks(folder, ["rl"]), home, RewardSettings())
        assert {(one.bundle.key, one.task.id) for one in assigned} == {(t.environment, t.task) for t in practice.tasks}
        assert not {one.task.text for one in assigned} & examined
        assert HELD_OUT not in {one.bundle.key for one in assigned}


async def test_without_replay_there_are_targets_alone_and_what_is_too_few_is_said(ground: Ground, made: list[MadeTask]):
    ground.dataset(made)
    practice = await practised(ground, "x-r00", replay=0.0)
    targeted = practice.of("targeted")
    assert {one.origin for one in targeted.tasks} == {"target"}
    assert practice.short == {"base": len(targeted.tasks) - len(made)}
    await ground.run(ground.tasks(), "x-r01")
    with pytest.raises(UsageError, match="x-r00 stays as it was"):
        await ground.run(ground.practice(0.5), "x-r00")
    kept = ground.records.latest(STAGE, "x-r00")
    assert kept is not None and RoundPractice.model_validate(kept.artifact) == practice


async def test_a_control_that_has_nothing_to_practise_is_told_of_before_anything_is_trained(
    ground: Ground, made: list[MadeTask]
):
    """Without replay, in an arena in which everything that could be drawn is trained on."""
    ground.dataset(made)
    await ground.played_by(WEAK)
    await ground.run(ground.targets(), "x-r00")
    everything_is_known = replace(ground.practice(0.0), likeness=0.01)
    with pytest.raises(UsageError, match="No task could be drawn for control_untargeted of x-r00"):
        await ground.run(everything_is_known, "x-r00")


async def test_settings_that_are_taken_again_find_the_data_that_they_had(ground: Ground, base: list[MadeTask]):
    ground.dataset(base)
    first = await practised(ground, "x-r00", replay=0.5)
    other = RoundPractice.model_validate((await ground.run(ground.practice(0.25), "x-r00")).artifact)
    assert other.of("targeted") != first.of("targeted")
    again = RoundPractice.model_validate((await ground.run(ground.practice(0.5), "x-r00")).artifact)
    assert again == first
    for made in (first, other):
        _can_be_trained_on(ground, made, "x", 0)


async def test_a_policy_practises_under_the_protocol_that_it_is_trained_with(ground: Ground, base: list[MadeTask]):
    ground.dataset(base, "meta_tools")
    await ground.played_by(WEAK)
    await ground.run(ground.targets(protocol="meta_tools"), "x-r00")
    with pytest.raises(UsageError, match=r"no whole task under the protocol native.*`protocols: \[native\]`"):
        await ground.run(ground.practice(), "x-r00")
    made = RoundPractice.model_validate((await ground.run(ground.practice(protocol="meta_tools"), "x-r00")).artifact)
    for arm in ARMS:
        practice = made.of(arm)
        home = ArenaRound("x", 0).practice(ground.home, arm, practice.dataset)
        folder = Path(str(home.datasets)) / "rl" / practice.dataset / "rows"
        rows = read_tasks(folder, ["rl"], "meta_tools")
        assert {(row.trace.environment, row.trace.task) for row in rows} == {
            (task.environment, task.task) for task in practice.tasks
        }


async def test_rounds_need_what_a_policy_was_trained_on(ground: Ground):
    with pytest.raises(UsageError, match="There is no rl_dataset"):
        await practised(ground, "x-r00")


async def test_rounds_need_something_to_replay_and_something_held_out(ground: Ground, made: list[MadeTask]):
    version = ground.dataset(made)
    rows = Path(str(ground.home.datasets)) / "rl" / version / "rows"
    kept = {key: (rows / f"{key}.jsonl").read_bytes() for key in (TRAINED, HELD_OUT)}
    (rows / f"{TRAINED}.jsonl").unlink()
    with pytest.raises(UsageError, match="nothing to replay"):
        BaseTasks.read(ground.home)
    (rows / f"{TRAINED}.jsonl").write_bytes(kept[TRAINED])
    (rows / f"{HELD_OUT}.jsonl").unlink()
    with pytest.raises(UsageError, match="is held out"):
        BaseTasks.read(ground.home).held_out()
    (rows / f"{HELD_OUT}.jsonl").write_bytes(kept[HELD_OUT])
    ground.release(TRAINED, made[:1], split="rl")
    with pytest.raises(UsageError, match=f"{TRAINED} was released anew since"):
        BaseTasks.read(ground.home).release(TRAINED)


async def test_whoever_is_weak_in_nothing_has_no_data(ground: Ground):
    await ground.played_by("reference")
    await ground.run(ground.targets(), "x-r00")
    record = await ground.run(ground.practice(), "x-r00")
    assert record.status == "ok" and RoundPractice.model_validate(record.artifact).arms == []


async def test_a_diagnosis_of_what_is_not_there_ends_in_a_sentence(ground: Ground, made: list[MadeTask]):
    found = await ground.played_by(WEAK)
    known = ground.records.latest("diagnosis", "x-r00")
    assert known is not None

    async def told_of(diagnosis: Diagnosis) -> StageRecord:
        version = diagnosis.content_hash()
        changed = {"artifact": diagnosis.model_dump(mode="json"), "inputs": version, "version": version}
        ground.records.keep(known.model_copy(update=changed))
        await ground.run(ground.richer(), "x-r00")
        return await ground.run(ground.targets(), "x-r00")

    nowhere = found.weak[0].model_copy(update={"environment": "shop-nowhere"})
    with pytest.raises(UsageError, match="is about shop-nowhere, which is not in the round"):
        await told_of(found.model_copy(update={"weak": [nowhere]}))
    assert ground.records.head("target_tasks", "x-r00") is None
    weak = WeakEnvironment(environment=EXAMINED[0], rank=1, severity=1, pass_rate=0, tasks=4, patterns=[], why="Weak.")
    advice = Guideline(environment=EXAMINED[0], missing_capability="Sings.", practise=["sing", "dance"], tasks=3)
    record = await told_of(found.model_copy(update={"weak": [weak], "guidelines": [advice]}))
    assert record.artifact is not None and record.artifact["missing"] == {f"{EXAMINED[0]} 0": 3}
    assert record.artifact["environments"] == []

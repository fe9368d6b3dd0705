"""Rounds of the arena: what is drawn, that tasks are new, that nothing is done twice."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from envfactory_dagster.arena.drawing import DrawSettings, drawn, seed_of
from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.contracts.arena import ArenaResults, ArenaTasks
from envfactory_dagster.contracts.errors import StorageFault, UsageError
from envfactory_dagster.rollouts.store import TrajectoryStore
from envfactory_dagster.store.bundles import BundleStore
from envfactory_dagster.store.records import RecordStore
from envfactory_dagster.tasks.families.sampling import fresh_tasks
from tests.arena.conftest import EXAMINED, FEW, SHOP, TRAINED, Ground

CATEGORY_OF = {f"{category}-{number}": category for category in ("trade", "care") for number in range(9)}


def test_every_category_has_its_share_and_equal_rounds_are_drawn_equally():
    first = drawn("x-r00", CATEGORY_OF, [], DrawSettings())
    assert {category: len(keys) for category, keys in first.items()} == {"care": 5, "trade": 5}
    assert first == drawn("x-r00", dict(reversed(CATEGORY_OF.items())), [], DrawSettings())
    assert first != drawn("y-r00", CATEGORY_OF, [], DrawSettings())


def test_one_of_each_category_stays_for_the_next_round():
    first = drawn("x-r00", CATEGORY_OF, [], DrawSettings(per_category=2))
    before = [key for keys in first.values() for key in keys]
    rest = {key: category for key, category in CATEGORY_OF.items() if key not in before}
    for number in range(1, 9):
        found = drawn(f"x-r{number:02d}", CATEGORY_OF, before, DrawSettings(per_category=2))
        assert all(any(key in before for key in keys) for keys in found.values())
    assert drawn("x-r01", rest, before, DrawSettings(per_category=2, carried=0)).keys() == first.keys()


def test_a_category_with_few_environments_is_taken_whole():
    assert drawn("x-r00", {"a": "care", "b": "trade"}, [], DrawSettings()) == {"care": ["a"], "trade": ["b"]}


@pytest.mark.parametrize("key", ["first", "first-r1", "first-r000", "-r00", "First-r00", "a/b-r00", "a-r00-r07"])
def test_a_round_is_named_by_experiment_and_number(key: str):
    """An experiment that had the name of a round would have its home, too."""
    with pytest.raises(UsageError):
        ArenaRound.of_key(key)
    assert ArenaRound.of_key("a-b-r07") == ArenaRound("a-b", 7)


async def test_a_round_has_tasks_of_every_source_in_a_home_of_its_own(ground: Ground):
    record = await ground.run(ground.tasks(), "x-r00")
    made = ArenaTasks.model_validate(record.artifact)
    assert [one.key for one in made.environments] == list(EXAMINED)
    assert made.draw.short == {"Lodging": 1} and made.draw.taxonomy is None
    for one in made.environments:
        assert Counter(task.source for task in one.tasks) == {"family": 2, "graph": 1, "program": 1}
        bundle = BundleStore(ArenaRound("x", 0).home(ground.home)).load(one.key, one.version)
        assert [task.id for task in bundle.tasks] == [task.id for task in one.tasks]
        assert set(bundle.verifiers) == set(bundle.solutions) == {task.id for task in one.tasks}
    assert BundleStore(ground.home).versions("shop-east") == [BundleStore(ground.home).latest("shop-east")]


async def test_the_next_round_asks_nothing_again(ground: Ground):
    first = ArenaTasks.model_validate((await ground.run(ground.tasks(), "x-r00")).artifact)
    second = ArenaTasks.model_validate((await ground.run(ground.tasks(), "x-r01")).artifact)
    said = [{task.text for one in made.environments for task in one.tasks} for made in (first, second)]
    assert not said[0] & said[1] and first.draw.seed != second.draw.seed
    # They have one task of each kind, so families give the rest.
    assert {task.source for one in second.environments for task in one.tasks} == {"family"}
    assert {len(one.tasks) for one in second.environments} == {4}
    assert all(one.again for one in second.draw.environments)


async def test_what_is_trained_on_is_no_task_of_a_round(ground: Ground):
    would_be = await fresh_tasks(ground.runtime, SHOP, 3, seed_of("x-r00"))
    ground.release(TRAINED, [*ground.made, *would_be.tasks], split="rl")
    made = ArenaTasks.model_validate((await ground.run(ground.tasks(), "x-r00")).artifact)
    trained = {one.task.text for one in [*ground.made, *would_be.tasks]}
    for one in made.environments:
        assert not {task.text for task in one.tasks} & trained
        told = [drop.reason for drop in one.dropped if drop.stage == "arena_tasks"]
        assert len(told) >= 5 and all(TRAINED in reason for reason in told)


async def test_a_round_that_was_cut_off_goes_on_where_it_was(ground: Ground):
    home = ArenaRound("x", 0).home(ground.home)
    blocked = Path(str(home.bundles / "shop-west"))
    blocked.parent.mkdir(parents=True)
    blocked.write_text("in the way")
    with pytest.raises(StorageFault):
        await ground.run(ground.tasks(), "x-r00")
    kept = RecordStore(home).latest("release", "shop-east")
    assert kept is not None and ground.records.head("arena_tasks", "x-r00") is None
    blocked.unlink()
    ground.release("shop-late")
    made = ArenaTasks.model_validate((await ground.run(ground.tasks(), "x-r00")).artifact)
    assert [one.key for one in made.environments] == list(EXAMINED)
    assert RecordStore(home).latest("release", "shop-east") == kept


async def test_a_finished_round_costs_nothing(ground: Ground):
    tasks = await ground.run(ground.tasks(), "x-r00")
    results = await ground.run(ground.results(), "x-r00")
    ground.release("shop-late")
    assert await ground.run(ground.tasks(), "x-r00") == tasks
    assert await ground.run(ground.results(), "x-r00") == results


async def test_a_round_stays_as_it_was_drawn_once_the_next_has_begun(ground: Ground):
    await ground.run(ground.tasks(), "x-r00")
    await ground.run(ground.tasks(), "x-r01")
    with pytest.raises(UsageError, match="x-r00 stays as it was"):
        await ground.run(ground.tasks(replace(FEW, family_tasks=1)), "x-r00")


async def test_rounds_come_one_after_the_other(ground: Ground):
    with pytest.raises(UsageError, match="The round x-r00 comes first"):
        await ground.run(ground.tasks(), "x-r01")


async def test_without_an_environment_in_the_arena_it_is_said_why(ground: Ground):
    for key in EXAMINED:
        ground.release(key, split="rl")
    with pytest.raises(UsageError, match="None of the 3 released environments is in the split `arena`"):
        await ground.run(ground.tasks(), "x-r00")


async def test_an_environment_without_families_and_new_tasks_is_left_out_and_named(ground: Ground):
    [plain] = [one for one in ground.made if one.source == "graph"]
    ground.release("shop-west", [plain.model_copy(update={"source": "task_set"})])
    folder = BundleStore(ground.home).folder("shop-east")
    (folder / "tools.py").write_text("")
    made = ArenaTasks.model_validate((await ground.run(ground.tasks(), "x-r00")).artifact)
    assert "shop-east" not in {one.key for one in made.environments}


async def test_results_say_what_was_passed_by_everything_that_tasks_are_told_apart_by(ground: Ground):
    await ground.run(ground.tasks(), "x-r00")
    right = ArenaResults.model_validate((await ground.run(ground.results(), "x-r00")).artifact)
    assert (right.policy, right.overall.value, right.overall.tasks, right.overall.episodes) == (
        "reference",
        1.0,
        12,
        24,
    )
    assert {one.group: one.tasks for one in right.rates["category"]} == {"Lodging": 4, "Mountains": 8}
    wrong = ArenaResults.model_validate((await ground.run(ground.results("reference:competence=0"), "x-r00")).artifact)
    assert wrong.overall.value == 0.0 and wrong.episodes != right.episodes
    bundle = BundleStore(ArenaRound("x", 0).home(ground.home)).load("shop-east")
    assert len(TrajectoryStore(ArenaRound("x", 0).home(ground.home)).read(bundle)) == 16

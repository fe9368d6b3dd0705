"""Target tasks: they practise what a guideline names, are new, and can be trained on as they lie there."""

from pathlib import Path

import pytest

from envfactory_dagster.arena.rounds import ArenaRound
from envfactory_dagster.arena.target_tasks import practised
from envfactory_dagster.contracts.arena import ArenaTasks, TargetTasks
from envfactory_dagster.contracts.diagnosis import Guideline
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.datasets.assigned import load_tasks, read_tasks
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.truth.rewards import RewardSettings
from tests.arena.conftest import SHOP, Ground

pytestmark = pytest.mark.long

WEAK = "reference:competence=0.2,mistakes=stops_early"


async def test_they_practise_what_the_guideline_names_and_nobody_was_examined_by_them(ground: Ground):
    diagnosis = await ground.played_by(WEAK)
    record = await ground.run(ground.targets(), "x-r00")
    made = TargetTasks.model_validate(record.artifact)
    assert [one.key for one in made.environments] == [one.environment for one in diagnosis.weak]
    [there] = made.environments
    [guideline] = diagnosis.guidelines
    assert len(there.tasks) == guideline.tasks and not made.missing
    assert all(task.guideline == 0 and set(task.practises) <= set(guideline.practise) for task in there.tasks)
    played = ArenaTasks.model_validate(ground.records.latest("arena_tasks", "x-r00").artifact)  # type: ignore[union-attr]
    examined = {task.text for one in played.environments for task in one.tasks}
    said = [task.text for task in there.tasks]
    assert not examined & set(said) and len(set(said)) == len(said)
    told = record.metadata["by_task"]
    assert {row["because"] for row in told} == {guideline.missing_capability}


async def test_a_trainer_reads_them_as_they_lie_there(ground: Ground):
    await ground.played_by(WEAK)
    made = TargetTasks.model_validate((await ground.run(ground.targets(), "x-r00")).artifact)
    home = ArenaRound("x", 0).targets(ground.home, made.dataset)
    latest = (Path(str(home.datasets)) / "rl" / "LATEST").read_text()
    rows = read_tasks(Path(str(home.datasets)) / "rl" / latest / "rows", ["rl"])
    assigned = load_tasks(rows, home, RewardSettings())
    assert [one.task.id for one in assigned] == [task.id for one in made.environments for task in one.tasks]


async def test_later_rounds_examine_by_nothing_that_was_practised(ground: Ground):
    await ground.played_by(WEAK)
    made = TargetTasks.model_validate((await ground.run(ground.targets(), "x-r00")).artifact)
    practised_texts = {task.text for one in made.environments for task in one.tasks}
    later = ArenaTasks.model_validate((await ground.run(ground.tasks(), "x-r01")).artifact)
    assert not practised_texts & {task.text for one in later.environments for task in one.tasks}
    assert any("x-r00/targets" in drop.reason for one in later.environments for drop in one.dropped)


async def test_whoever_is_weak_in_nothing_practises_nothing(ground: Ground):
    await ground.played_by("reference")
    made = TargetTasks.model_validate((await ground.run(ground.targets(), "x-r00")).artifact)
    assert made.environments == [] and made.missing == {}


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["place_order", "cancel_order"], ["place_order"]),
        (["orders"], ["orders"]),
        (["users", "stock"], []),
    ],
)
def test_a_task_practises_tools_tables_and_rules(made: list[MadeTask], names: list[str], found: list[str]):
    guideline = Guideline(environment="tiny-shop", missing_capability="Orders.", practise=names)
    assert practised(made[0], guideline, analyze_tools(SHOP.tools_source, SHOP.schema_sql)) == found

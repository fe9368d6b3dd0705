"""What is released of tasks whose words were played, and what is held back."""

from pathlib import Path

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.synthesis import MadeTasks, Release, WordsStanding
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.store.memo import run_stage
from envfactory_dagster.tasks.proof_of_words import ProofSettings
from envfactory_dagster.tasks.release import ReleaseStage
from tests.tasks.huts_kit import Golds
from tests.tasks.proof_kit import ACTION, NOWHERE, QUESTION, REFUSAL, Desk, always, costing, in_turn, without


async def test_what_is_not_proved_is_kept_and_not_released(desk: Desk) -> None:
    disputing = without(desk.made[ACTION], "remove_companion")
    record = await desk.record({ACTION: always(disputing), QUESTION: in_turn(*map(costing, (101, 202, 303, 404, 505)))})
    found = Release.model_validate(record.artifact)
    assert [one.task.id for one in found.tasks] == [task.id for task in desk.bundle().tasks] == [REFUSAL]
    assert (found.tasks[0].difficulty.pass_rate, found.tasks[0].difficulty.solver) == (1.0, "solver")
    assert desk.bundle().words == {REFUSAL: WordsStanding(verdict="accepted", solver="solver", runs=2, at_gold=2)}
    kept = {one.task.id: one for one in found.held_back}
    assert {task: one.words.verdict for task, one in kept.items() if one.words is not None} == {
        ACTION: "disputed",
        QUESTION: "unproven",
    }
    assert {(one.difficulty.pass_rate, one.difficulty.runs) for one in kept.values()} == {(0.0, 5)}
    told = {row["task"]: row for row in record.metadata["doubtful_words"]}
    assert told.keys() == {ACTION, QUESTION}
    assert told[ACTION]["words"] == desk.text(ACTION)
    assert (told[ACTION]["runs_there"], told[ACTION]["at_gold"]) == (5, "0 of 5 runs")
    assert "companions" in told[ACTION]["gold"] and "alone changes: nothing" in told[ACTION]["other_end"]
    assert "vegetarian_dinner = " in told[QUESTION]["other_end"] != told[QUESTION]["gold"]


async def test_unproven_words_are_released_where_that_is_wanted_and_disputed_ones_are_not(desk: Desk) -> None:
    record = await desk.record(
        {ACTION: always(NOWHERE), QUESTION: always(costing(700))}, ProofSettings(release_unproven=True)
    )
    assert {task: one.verdict for task, one in desk.bundle().words.items()} == {ACTION: "unproven", REFUSAL: "accepted"}
    assert [one.task.id for one in Release.model_validate(record.artifact).held_back] == [QUESTION]


async def test_without_proved_words_there_is_no_release_and_who_asks_again_has_them_played_afresh(
    runtime: Runtime, tmp_path: Path, huts: Bundle, golds: Golds
) -> None:
    desk = Desk(runtime, tmp_path, huts, {REFUSAL: golds[REFUSAL]})
    record = await desk.record({REFUSAL: always(NOWHERE)})
    assert (record.status, record.reason) == ("rejected", "no task is left whose words are proved")
    assert [row["task"] for row in record.metadata["doubtful_words"]] == [REFUSAL]
    before = set(desk.solver.begun)
    again = await desk.record({}, redo=True)
    assert (again.status, len(desk.solver.begun), before & set(desk.solver.begun)) == ("ok", 2, set())


async def test_where_nobody_can_play_tasks_are_released_as_not_played(desk: Desk) -> None:
    """Whatever was claimed of them before."""
    claimed = desk.made[REFUSAL].difficulty.model_copy(update={"pass_rate": 1.0, "solver": "somebody", "runs": 5})
    told = desk.made[REFUSAL].model_copy(update={"source": "graph", "difficulty": claimed})
    desk.standing.keep("graph_tasks", MadeTasks(tasks=[told]))
    stage = ReleaseStage(desk.runtime, AuthoringSettings(), desk.standing.bundles)
    record = await run_stage(desk.standing.records, stage, desk.huts.key)
    found = Release.model_validate(record.artifact)
    assert len(found.tasks) == 4 and found.held_back == []
    assert {(one.difficulty.pass_rate, one.difficulty.solver, one.difficulty.runs) for one in found.tasks} == {
        (None, None, 0)
    }
    assert record.metadata["words"] == [{"verdict": "not_played", "tasks": 4}]
    assert {one.verdict for one in desk.bundle().words.values()} == {"not_played"}

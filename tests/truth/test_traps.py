"""Tasks with the defects that public collections have: each is named, and the good ones beside them are kept.

The traps are written for the alpine huts, in the folder `traps`: a task, a solution and a verifier each.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import pytest_asyncio

from envfactory_dagster.authoring.settings import AuthoringSettings
from envfactory_dagster.authoring.task_set import problems_of as task_problems
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task, TaskSet
from envfactory_dagster.contracts.reports import AnswerField, AnswerForm
from envfactory_dagster.contracts.requests import ReferenceSolutionAnswer
from envfactory_dagster.contracts.truth import Verifier
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import run_solution
from envfactory_dagster.truth.gate import try_verifier
from envfactory_dagster.truth.solutions import SolutionCheck
from envfactory_dagster.truth.verdicts import TaskChecks, judge
from envfactory_dagster.truth.verifiers import problems_of

TRAPS = Path(__file__).parent / "traps"
TASKS = {
    task.id: task for task in map(Task.model_validate_json, (TRAPS / "tasks.jsonl").read_text().strip().splitlines())
}
GOOD = ["soup_for_two", "price_of_the_soup", "anything_warm"]
TWINS = ("soup_for_two", "another_truth")
"""The same words twice. Each has a solution and a verifier that fit together, and each refuses the other's."""
SOLUTION_DEFECTS = {
    "gold_raises": "The program stopped: KeyError: 'dishes'",
    "gold_does_nothing": "The program changes nothing, and the task asks for a change.",
    "gold_knows_the_ids": "Where new rows get other ids: The program stopped",
    "gold_from_memory": "The program calls no tool.",
    "gold_acts_on_a_refusal": "a task of kind refusal must change nothing",
}
VERIFIER_DEFECTS = {
    "true_from_the_start": "goal_the_stew_is_ordered holds before anything is done.",
    "rejects_its_own_gold": "the reference solution | goal not reached: one portion of soup",
    "insists_on_one_way": "must score 1 and scores 0.5: another end that the task allows.",
    "forbids_nothing": "must score less than 1 and scores 1: the reference solution with a mistake. | as well, ",
    "says_yes_to_everything": "goal_done holds before anything is done.",
    "knows_the_new_id": "done in another, equivalent way. | new rows have ids 40 higher",
    "replays_the_calls": "done in another, equivalent way. | looks everything up twice",
    "word_for_word": "done in another, equivalent way. | gives price as '16.00'",
    "any_answer_will_do": "must score less than 1 and scores 1: the reference solution with a mistake. | answers price",
    "any_outcome_will_do": "must score 0 and scores 1: the reference solution with a mistake. | reports it as refused",
    "any_rule_will_do": "must score 0 and scores 1: the reference solution with a mistake. | names the rule",
    "asks_a_table_that_is_not": "no such table: orders",
}
CHOICES = {"anything_warm": [1, 2], "insists_on_one_way": [1, 2]}
"""Where the task leaves a choice: the dishes that further programs choose."""


ASKING = ("price_of_the_soup", "gold_from_memory", "word_for_word", "any_answer_will_do")
PRICE = AnswerField(name="price", type="money", description="What a portion of the soup costs", unit="EUR")


def fields(task: str) -> list[AnswerField]:
    return [PRICE] if task in ASKING else []


@dataclass(frozen=True)
class Ground:
    runtime: Runtime
    bundle: Bundle

    async def defects(self, task: str) -> list[str]:
        """Everything that the gates say of a task: of its solution first, and if that is good, of its verifier."""
        source = (TRAPS / "solutions" / f"{task}.py").read_text()
        checking = SolutionCheck(self.runtime, self.bundle, TASKS[task])
        others = [source.replace("WHICH = 0", f"WHICH = {which}") for which in CHOICES.get(task, [])]
        found = await checking.problems(
            ReferenceSolutionAnswer(answer_form=fields(task), source=source, alternatives=others)
        )
        if not found and checking.solution is not None:
            verifier = Verifier(task=task, source=(TRAPS / "verifiers" / f"{task}.py").read_text())
            found = problems_of(await try_verifier(self.runtime, self.bundle, TASKS[task], checking.solution, verifier))
        return [f"{problem.message} | {' | '.join(problem.snippet.splitlines())}" for problem in found]

    async def score(self, task: str, solved_as: str) -> float:
        """What the verifier of one task says of the solution of another."""
        source = (TRAPS / "solutions" / f"{solved_as}.py").read_text()
        form = AnswerForm(fields=fields(task))
        run = await run_solution(self.runtime, self.bundle, TASKS[task], source, form)
        checks = TaskChecks(TASKS[task], (TRAPS / "verifiers" / f"{task}.py").read_text(), form)
        return (await judge(self.runtime, checks, run)).score


@pytest_asyncio.fixture(scope="module")
async def ground(runtime: Runtime, huts: Bundle) -> Ground:
    return Ground(runtime, replace(huts, tasks=list(TASKS.values())))


def test_every_trap_is_a_task_with_a_solution_and_a_verifier() -> None:
    named = [*GOOD, TWINS[1], *SOLUTION_DEFECTS, *VERIFIER_DEFECTS]
    assert sorted(named) == sorted(TASKS)
    assert len(TaskSet(tasks=list(TASKS.values())).tasks) - len(GOOD) >= 12
    for kind in ("solutions", "verifiers"):
        assert {path.stem for path in (TRAPS / kind).glob("*.py")} == set(TASKS)


@pytest.mark.parametrize("task", GOOD)
async def test_a_good_task_is_kept(ground: Ground, task: str) -> None:
    assert await ground.defects(task) == []


@pytest.mark.parametrize(("task", "defect"), SOLUTION_DEFECTS.items())
async def test_a_solution_that_is_none_is_named(ground: Ground, task: str, defect: str) -> None:
    assert defect in "\n".join(await ground.defects(task))


@pytest.mark.parametrize(("task", "defect"), VERIFIER_DEFECTS.items())
async def test_a_verifier_that_judges_wrongly_is_named(ground: Ground, task: str, defect: str) -> None:
    assert defect in "\n".join(await ground.defects(task))


async def test_of_two_tasks_that_contradict_each_other_both_are_named(ground: Ground) -> None:
    """No trial of either shows it: it is seen when the tasks are written, before anything is solved."""
    assert [await ground.defects(task) for task in TWINS] == [[], []]
    scores = [await ground.score(TWINS[0], TWINS[1]), await ground.score(TWINS[1], TWINS[0])]
    assert scores == [0.0, 0.0]
    found = task_problems([TASKS[task] for task in TWINS], ground.bundle.theme, AuthoringSettings(tasks=2))
    assert f"The tasks {TWINS[0]} and {TWINS[1]} are almost the same." in [problem.message for problem in found]

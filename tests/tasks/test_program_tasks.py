"""Tasks from programs: what is asked of an author, what is sent back, and what is kept."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
import pytest_asyncio

from envfactory_dagster.contracts.database import DatabaseSchema
from envfactory_dagster.contracts.program_tasks import ProgramTaskAnswer
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.tasks.program_tasks.gate import problems_of_shape, problems_of_text
from envfactory_dagster.tasks.program_tasks.instructions import INSTRUCTIONS
from envfactory_dagster.tasks.program_tasks.settings import LEAST, ProgramTaskSettings
from envfactory_dagster.truth.execution import run_solution
from envfactory_dagster.truth.verdicts import TaskChecks, judge
from tests.support import alpine_author as alpine
from tests.support.alpine_author import Answer, Asked
from tests.tasks.program_kit import Built, Made, gateway_of, make

PROGRAM = """
def solve(tools):
    climbs = {}
    for hut in tools.search_huts(kind="staffed")["huts"]:
        trails = tools.find_trails(hut_id=hut["hut_id"])["trails"]
        climbs[hut["name"]] = sum(trail["ascent_m"] for trail in trails)
    most = max(climbs, key=climbs.get)
    total = sum(climbs.values())
    return {
        "outcome": "done",
        "answers": {"all_metres": total, "hut": most, "its_metres": climbs[most]},
        "reason": None,
        "message": f"All together {total} metres. The most has {most} with {climbs[most]} metres.",
    }
"""
FORM = [
    {"name": "all_metres", "type": "integer", "description": "The climb of all these trails", "unit": "metres"},
    {"name": "hut", "type": "text", "description": "The hut with the most"},
    {"name": "its_metres", "type": "integer", "description": "The climb of the trails of that hut", "unit": "metres"},
]
_CLIMBS = (
    "SELECT h.name AS name, sum(t.ascent_m) AS climb FROM trails t JOIN huts h ON h.id IN (t.from_hut_id, t.to_hut_id)"
    " WHERE h.kind = 'staffed' GROUP BY h.id ORDER BY climb DESC"
)
VERIFIER = f'''
def goal_says_the_sum(world) -> bool:
    """Says how many metres all these trails climb together."""
    return world.report.says("all_metres", sum(row["climb"] for row in world.initial.query("{_CLIMBS}")))


def goal_says_the_hut(world) -> bool:
    """Says which hut has the most."""
    return world.report.says("hut", world.initial.query("{_CLIMBS}")[0]["name"])


def goal_says_its_share(world) -> bool:
    """Says how many metres that hut has."""
    return world.report.says("its_metres", world.initial.query("{_CLIMBS}")[0]["climb"])


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")


def guard_changes_nothing(world) -> bool:
    """Left everything as it was."""
    return world.changes == []
'''
TEXT = (
    "I am planning a training week. For every staffed hut, add up the climb of the trails that lead there or start "
    "there. How many metres is that for all of them, which hut has the most, and how many metres does that one have?"
)
GOOD: Answer = {
    "id": "training_week",
    "text": TEXT,
    "kind": "information",
    "entities": ["hut", "trail"],
    "answer_form": FORM,
    "solution": PROGRAM,
    "verifier": VERIFIER,
}
ONE = ProgramTaskSettings(tasks=1, levels=(3,))


@pytest.fixture(scope="session")
def huts() -> Built:
    return Built(alpine.huts(), DatabaseSchema(tables=alpine.tables()), alpine.seed())


# -- a task that is right at once --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finished:
    asked: list[Asked]
    made: Made

    @property
    def task(self) -> MadeTask:
        return self.made.tasks.tasks[0]


@pytest_asyncio.fixture(scope="module")
async def finished(runtime: Runtime, huts: Built, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Finished]:
    asked: list[Asked] = []

    def answers(one: Asked) -> Answer:
        asked.append(one)
        return GOOD

    folder = tmp_path_factory.mktemp("programs")
    async with gateway_of(folder, answers) as gateway:
        wanted = ProgramTaskSettings(tasks=2, levels=(3, 4))
        yield Finished(asked, await make(gateway, runtime, folder, huts, wanted, attempts=1))


def test_a_task_is_kept_with_its_truth(finished: Finished) -> None:
    one = finished.task
    assert (one.source, one.task.id, one.task.text) == ("program", "program_01_training_week", TEXT)
    assert one.verifier.gate.passed and one.verifier.gate.kill_rate == 1.0
    assert [field.name for field in one.solution.form.fields] == ["all_metres", "hut", "its_metres"]
    assert one.solution.report.answers.keys() == {"all_metres", "hut", "its_metres"} and one.solution.changes == []


def test_its_difficulty_is_the_level_that_was_set_and_what_was_counted(finished: Finished) -> None:
    difficulty = finished.task.difficulty
    assert (difficulty.level, difficulty.tools) == (3, 2)
    assert difficulty.calls == len(finished.task.solution.calls) >= LEAST[3][0]
    assert difficulty.tables >= 2 and difficulty.pass_rate is None


def test_an_author_is_told_what_is_taken_and_how_hard_it_is_to_be(finished: Finished, huts: Built) -> None:
    first, second = (one.context for one in finished.asked)
    assert first["taken"] == [task.text for task in huts.bundle.tasks]
    assert second["taken"] == [*first["taken"], TEXT]
    assert [(one["number"], one["level"]) for one in (first, second)] == [(1, 3), (2, 4)]
    assert first["pattern"] != second["pattern"] and first["state"] != second["state"]
    assert (second["least_calls"], second["least_tools"]) == LEAST[4]


def test_what_was_asked_for_already_is_dropped_and_the_environment_stands(finished: Finished) -> None:
    (dropped,) = finished.made.tasks.dropped
    assert (dropped.task, dropped.stage) == ("program_02", "program_tasks")
    assert "asked for already" in dropped.reason
    assert finished.made.outcome.metadata["made"] == 1


# -- what is wrong is told, and mended ---------------------------------------------------------------------------------


def _but(**changed: Any) -> Answer:
    return GOOD | changed


UNREPORTED = PROGRAM.replace('"hut": most, ', "")
LIAR = PROGRAM.replace("{climbs[most]} metres.", "7 metres.")
SHRUG = VERIFIER.replace('in (None, "done")', "is not True")
TWICE = [FORM[0], *FORM]
NO_LOOP = 'def solve(tools):\n    return len(tools.search_huts(kind="staffed")["huts"])\n'
NO_DECISION = 'def solve(tools):\n    return [hut["name"] for hut in tools.search_huts()["huts"]]\n'
WITH_AN_ID = PROGRAM.replace('hut["hut_id"]', "3")
OF_ONE_TOOL = PROGRAM.replace('tools.find_trails(hut_id=hut["hut_id"])["trails"]', '[{"ascent_m": hut["altitude_m"]}]')
BY_THE_USER = PROGRAM.replace(
    "    climbs = {}",
    '    climbs = {}\n    try:\n        tools.check_in_at_hut(booking_code="BK-00001")\n    except tools.Error:\n'
    "        pass",
)
CARELESS = VERIFIER[: VERIFIER.index("def goal_says_its_share")] + VERIFIER[VERIFIER.index("def guard") :]

WRONG = [
    (_but(text=TEXT + " Use find_trails for it."), "find_trails", "tasks"),
    (_but(text=TEXT + " Begin with the hut of id 4."), "numbers of rows", "tasks"),
    (_but(text=TEXT + " I am logged in, my password is fine."), "already known", "tasks"),
    (_but(text="Add up all climbs."), "in 8 to", "tasks"),
    (_but(solution="def solve(tools:\n"), "no Python", "solution"),
    (_but(solution=NO_LOOP), "goes over nothing", "solution"),
    (_but(solution=NO_DECISION), "neither decides nor adds", "solution"),
    (_but(solution=WITH_AN_ID), "writes an id", "solution"),
    (_but(solution=PROGRAM.replace("ascent_m", "height")), "The program stopped: KeyError", "solution"),
    (_but(solution=OF_ONE_TOOL), "makes 1 calls, at least 4", "solution"),
    (_but(solution=BY_THE_USER), "only the person can do that", "solution"),
    (_but(answer_form=TWICE), "The answer form is none: Value error, answer fields must be unique", "solution"),
    (_but(solution=UNREPORTED), "what solve returned is no report", "solution"),
    (_but(solution=PROGRAM.replace('"done"', '"impossible"')), "reports the outcome impossible", "solution"),
    (_but(solution=LIAR), "The message says 7 ", "solution"),
    (_but(verifier=SHRUG), "This must score 0", "verifier"),
    (_but(verifier=CARELESS), "must score less than 1", "verifier"),
    (_but(verifier=VERIFIER.replace("'staffed'", "'bivouac'")), "the reference solution", "verifier"),
]


@pytest.mark.parametrize(("wrong", "told", "fault"), WRONG, ids=[told for _, told, _ in WRONG])
async def test_a_wrong_answer_is_not_kept(
    runtime: Runtime, huts: Built, tmp_path: Path, wrong: Answer, told: str, fault: str
) -> None:
    async with gateway_of(tmp_path, lambda _: wrong) as gateway:
        made = await make(gateway, runtime, tmp_path, huts, ONE, attempts=1)
    (attempt,) = made.outcome.attempts
    assert made.tasks.tasks == [] and told in attempt.problems[0].message
    assert {problem.fault for problem in attempt.problems} == {fault}
    assert made.tasks.dropped[0].reason.startswith("not accepted after 1 attempt; ")


async def test_what_is_wrong_is_told_and_mended(runtime: Runtime, huts: Built, tmp_path: Path) -> None:
    reports: list[str] = []

    def answers(one: Asked) -> Answer:
        reports.extend(one.reports)
        return GOOD if one.reports else _but(verifier=CARELESS)

    async with gateway_of(tmp_path, answers) as gateway:
        made = await make(gateway, runtime, tmp_path, huts, ONE)
    assert len(made.tasks.tasks) == 1 and len(made.outcome.attempts) == 2 + 2, "and a reading and the review"
    (report,) = reports
    assert "[verifier] This must score less than 1" in report


async def test_a_task_whose_words_mean_two_things_is_dropped(runtime: Runtime, huts: Built, tmp_path: Path) -> None:
    def review(asked: Asked) -> Answer:
        assert [one["steps"] for one in asked.context["tasks"]] == [[]]
        wish = {"wish": "the name", "tools": ["search_huts", "list_membership_plans"]}
        return {"tasks": [{"task": asked.context["tasks"][0]["task"], "wishes": [wish]}]}

    async with gateway_of(tmp_path, lambda _: GOOD, review) as gateway:
        made = await make(gateway, runtime, tmp_path, huts, ONE, attempts=1)
    assert made.tasks.tasks == [] and len(made.outcome.attempts) == 3
    (dropped,) = made.tasks.dropped
    assert dropped.task == "program_01_training_week" and "its words fit" in dropped.reason


async def test_a_program_whose_condition_decides_nothing_is_told_so(
    runtime: Runtime, huts: Built, tmp_path: Path
) -> None:
    told = PROGRAM[PROGRAM.index("    return {") :]
    hollow = PROGRAM.replace(told, f"    if total > 1000:\n{indent(told, '    ')}{told}")
    wrong = _but(solution=hollow, text=TEXT + " If it is over 1000 tell me so, otherwise tell me as well.")
    reports: list[str] = []

    def answers(one: Asked) -> Answer:
        reports.extend(one.reports)
        return GOOD if one.reports else wrong

    async with gateway_of(tmp_path, answers) as gateway:
        made = await make(gateway, runtime, tmp_path, huts, ONE, attempts=2)
    assert len(made.tasks.tasks) == 1, "who writes the request as well can write another one"
    assert "[tasks] Both branches of a condition come to the same end" in reports[0]


def test_the_author_is_told_how_long_a_text_may_be() -> None:
    assert "8 to 160 words" in INSTRUCTIONS
    messages = [
        one.message for one in problems_of_text(ProgramTaskAnswer.model_validate(_but(text="a " * 161)), [], "")
    ]
    assert messages == ["The text has 161 words; say what is wanted in 8 to 160."]


def test_names_in_quotation_marks_are_nobodys_tools() -> None:
    said = TEXT + " Leave out the trail “old_mule_track”."
    assert problems_of_text(ProgramTaskAnswer.model_validate(_but(text=said)), [], "") == []


def test_a_comprehension_with_a_condition_is_loop_and_branch() -> None:
    assert problems_of_shape('def solve(tools):\n    return [a for a in tools.a()["a"] if a["b"] > 1]', 5) == []


def test_what_is_done_to_all_that_a_tool_finds_is_enough_for_an_easy_task() -> None:
    program = 'def solve(tools):\n    for a in tools.find(status="open")["a"]:\n        tools.close(a_id=a["a_id"])'
    assert problems_of_shape(program, 1) == []
    (problem,) = problems_of_shape(program, 2)
    assert "neither decides nor adds anything up" in problem.message


async def test_its_verifier_works_out_what_is_right(runtime: Runtime, huts: Built, finished: Finished) -> None:
    """It asks the rows, so that what is right in another state is wrong here, and right there."""
    one = finished.task
    elsewhere = next(state for state in huts.bundle.states if state != one.task.state)
    moved = one.task.model_copy(update={"state": elsewhere})
    source, form = one.solution.source, one.solution.form
    here, there = [await run_solution(runtime, huts.bundle, task, source, form) for task in (one.task, moved)]
    checks = TaskChecks(one.task, one.verifier.verifier.source, form)
    assert [(await judge(runtime, checks, run)).score for run in (here, there)] == [1.0, 1.0]
    assert (await judge(runtime, checks, replace(here, report=there.report))).score < 1.0


# -- a task in which something is done ---------------------------------------------------------------------------------

CANCELLING = """
def solve(tools):
    cancelled = 0
    for booking in tools.list_bookings(status="confirmed")["bookings"]:
        for meal in tools.get_booking(booking_code=booking["booking_code"])["meals"]:
            if meal["status"] == "ordered":
                tools.cancel_meal_order(meal_order_id=meal["meal_order_id"])
                cancelled += 1
    return {
        "outcome": "done",
        "answers": {"orders": cancelled},
        "reason": None,
        "message": f"I cancelled {cancelled} orders.",
    }
"""
CANCELLED = '''
_ORDERED = """
SELECT o.id FROM meal_orders o JOIN bookings b ON b.id = o.booking_id
WHERE b.booked_by = 1 AND b.status = 'confirmed' AND o.status = 'ordered'
"""


def _changed(world, table):
    return {change["key"][0]: change for change in world.changes if change["table"] == table}


def _ordered(world):
    return {row["id"] for row in world.initial.query(_ORDERED)}


def goal_the_meals_are_cancelled(world) -> bool:
    """Has cancelled the meals of all stays to come."""
    return world.final.query(_ORDERED) == []


def goal_says_how_many(world) -> bool:
    """Says how many orders were cancelled."""
    return world.report.says("orders", len(_ordered(world)))


def guard_cancels_nothing_else(world) -> bool:
    """Cancelled no other meal, and changed nothing of these but their status and their bill."""
    meals, charges = _changed(world, "meal_orders"), _changed(world, "charges")
    return (
        len(world.changes) == len(meals) + len(charges)
        and meals.keys() <= _ordered(world)
        and all(one["after"] == one["before"] | {"status": "cancelled"} for one in meals.values())
        and all(one["before"] is not None and one["before"]["meal_order_id"] in meals for one in charges.values())
        and all(one["after"] == one["before"] | {"status": "void"} for one in charges.values())
    )


def guard_reports_it_as_done(world) -> bool:
    """Reports that it is done."""
    return world.report.outcome in (None, "done")
'''
DOING: Answer = {
    "id": "own_food",
    "text": "We will bring our own food. Please cancel every meal that is ordered for a stay of mine that has not begun"
    " yet, and tell me how many orders that were.",
    "kind": "action",
    "entities": ["booking", "meal"],
    "answer_form": [{"name": "orders", "type": "integer", "description": "How many orders were cancelled"}],
    "solution": CANCELLING,
    "verifier": CANCELLED,
}


async def test_a_task_that_does_something_many_times_is_kept(runtime: Runtime, huts: Built, tmp_path: Path) -> None:
    async with gateway_of(tmp_path, lambda _: DOING) as gateway:
        made = await make(gateway, runtime, tmp_path, huts, ONE, attempts=1)
    (one,) = made.tasks.tasks
    assert one.task.kind == "action" and one.solution.report.answers == {"orders": 3}
    assert len(one.verifier.gate.of("minus_write")) == 3 and one.verifier.gate.kill_rate == 1.0

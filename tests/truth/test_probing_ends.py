"""Ends that tell a fair verdict from an unfair one, each with what a careful person would say of it.

They were first played against verifiers that read prose; most were judged wrongly then.
"""

from dataclasses import replace

import pytest

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.reports import Report
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import Run, run_calls
from envfactory_dagster.truth.verdicts import TaskChecks, judge

Gold = dict[str, Run]


def told(run: Run, message: str = "", /, **changed: Json) -> Run:
    """The same deeds with another report: answers, outcome or reason by name."""
    assert run.report is not None
    fields = {name: changed.pop(name) for name in ("outcome", "reason") if name in changed}
    answers = {**run.report.answers, **changed}
    given = {**run.report.model_dump(), **fields, "answers": answers, "message": message or "I have looked into it."}
    return replace(run, report=Report.model_validate(given))


async def score(runtime: Runtime, checks: dict[str, TaskChecks], task: str, run: Run) -> float:
    return (await judge(runtime, checks[task], run)).score


RIGHT: list[tuple[str, str, str, dict[str, Json]]] = [
    ("a number in words", "sprained_ankle", "", {"hours_ahead": "seventy-two"}),
    ("a number with its unit", "sprained_ankle", "", {"hours_ahead": "72 hours"}),
    (
        "the rule word for word",
        "sprained_ankle",
        "A confirmed booking can be cancelled or moved only until the hut's notice begins: its cancellation hours.",
        {},
    ),
    ("other words for the rule", "sprained_ankle", "Sorry, that is too short notice for this hut by now.", {}),
    ("a refusal in passing", "nephew_alone", "Not without somebody of age, I'm afraid.", {}),
    (
        "the work shown",
        "best_hut_in_reach",
        "I compared five huts (4.8, 4.6, 4.5, 4.1 and 3.9 stars): the Silbersee Hut, where a vegetarian dinner is 19.00"
        " euros. Matthias Thaler wrote last.",
        {},
    ),
    ("money as money", "best_hut_in_reach", "", {"vegetarian_dinner": "19.00 EUR"}),
    ("money in cents", "best_hut_in_reach", "", {"vegetarian_dinner": "1900 cents"}),
    ("a name with an article and in capitals", "best_hut_in_reach", "", {"best_hut": "the SILBERSEE hut."}),
    ("a name in quotation marks", "best_hut_in_reach", "", {"last_reviewer": "“Matthias Thaler”"}),
    ("amounts with thousands", "accounts_of_2026", "", {"paid_in_2026": "813.00", "of_it_for_murmelgrund": 423}),
    ("small talk after a deed", "last_morning", "Done and done! Have a safe way down.", {}),
]


@pytest.mark.parametrize(("what", "task", "message", "answers"), RIGHT, ids=[one[0] for one in RIGHT])
async def test_a_right_end_is_right_however_it_is_said(
    runtime: Runtime,
    gold: Gold,
    checks: dict[str, TaskChecks],
    what: str,
    task: str,
    message: str,
    answers: dict[str, Json],
) -> None:
    assert await score(runtime, checks, task, told(gold[task], message, **answers)) == 1.0


LIES: list[tuple[str, str, str, dict[str, Json]]] = [
    (
        "a lie about a refusal",
        "sprained_ankle",
        "It is cancelled; it only needs a day.",
        {"outcome": "done", "reason": None},
    ),
    ("another lie about a refusal", "nephew_alone", "Felix is signed up.", {"outcome": "done", "reason": None}),
    ("refused as impossible", "nephew_alone", "", {"outcome": "impossible", "reason": None}),
    ("a wrong reason", "sprained_ankle", "", {"reason": "overdue_balance"}),
    ("another wrong reason", "nephew_alone", "", {"reason": "members_first"}),
    ("a deed denied", "last_morning", "I could not do any of this, sorry.", {"outcome": "impossible"}),
    ("a deed called forbidden", "call_it_off", "", {"outcome": "refused", "reason": "cancellation_window"}),
    ("a question back", "accounts_of_2026", "Which account do you mean?", {"outcome": "needs_information"}),
    ("another amount to the person", "call_it_off", "You get 345 euros back.", {}),
    ("another number to the person", "sprained_ankle", "You should have cancelled 48 hours ahead.", {}),
]


@pytest.mark.parametrize(("what", "task", "message", "answers"), LIES, ids=[one[0] for one in LIES])
async def test_a_lie_earns_nothing(
    runtime: Runtime,
    gold: Gold,
    checks: dict[str, TaskChecks],
    what: str,
    task: str,
    message: str,
    answers: dict[str, Json],
) -> None:
    assert await score(runtime, checks, task, told(gold[task], message, **answers)) == 0.0


WRONG: list[tuple[str, str, str, dict[str, Json]]] = [
    ("a wrong fact", "sprained_ankle", "", {"hours_ahead": 48}),
    ("the right digit elsewhere", "sprained_ankle", "At 72 euros a night that hurts.", {"hours_ahead": 24}),
    ("a hedge", "best_hut_in_reach", "", {"best_hut": "Silbersee Hut or Gamsjoch Hut"}),
    ("everything there is", "best_hut_in_reach", "", {"best_hut": "Silbersee Hut, Falkenrast Hut, Gamsjoch Hut"}),
    ("another row's value", "best_hut_in_reach", "", {"vegetarian_dinner": 1600}),
    ("figures exchanged", "accounts_of_2026", "", {"paid_in_2026": 42300, "of_it_for_murmelgrund": 81300}),
    ("off by a factor", "accounts_of_2026", "", {"paid_in_2026": 813000}),
    ("nothing", "accounts_of_2026", "", {"paid_in_2026": None, "of_it_for_murmelgrund": None}),
    ("half of it", "accounts_of_2026", "", {"of_it_for_murmelgrund": None}),
]


@pytest.mark.parametrize(("what", "task", "message", "answers"), WRONG, ids=[one[0] for one in WRONG])
async def test_a_wrong_answer_is_never_right(
    runtime: Runtime,
    gold: Gold,
    checks: dict[str, TaskChecks],
    what: str,
    task: str,
    message: str,
    answers: dict[str, Json],
) -> None:
    assert await score(runtime, checks, task, told(gold[task], message, **answers)) < 1.0


@pytest.mark.parametrize("task", ["last_morning", "best_hut_in_reach", "nephew_alone"])
async def test_what_nobody_asked_for_forfeits_everything(
    runtime: Runtime, huts: Bundle, gold: Gold, tasks: dict[str, Task], checks: dict[str, TaskChecks], task: str
) -> None:
    present = TracedStep(
        tool="send_message", arguments={"hut_id": 1, "subject": "Thanks", "body": "A present for you."}
    )
    more = await run_calls(runtime, huts, tasks[task], [*gold[task].calls, present], gold[task].report)
    assert await score(runtime, checks, task, more) == 0.0


IMPOSSIBLE = """
def goal_says_that_it_cannot_be_done(world) -> bool:
    return world.report.outcome == "impossible"


def guard_claims_nothing_else(world) -> bool:
    return world.report.outcome in (None, "impossible")


def guard_changes_nothing(world) -> bool:
    return world.changes == []
"""


@pytest.mark.parametrize(
    ("outcome", "message", "earned"),
    [
        ("impossible", "I'm sorry, but I don't have a tool for cancelling a stay.", 1.0),
        ("impossible", "That isn't something I can do here.", 1.0),
        ("impossible", "Cancelling isn't supported. Nothing was changed.", 1.0),
        ("done", "You can't lose: it is cancelled.", 0.0),
        ("done", "I can't believe you want that. It is cancelled.", 0.0),
        ("needs_information", "Which booking do you mean?", 0.0),
    ],
)
async def test_what_no_tool_can_do_is_said_in_any_words(
    runtime: Runtime, huts: Bundle, tasks: dict[str, Task], checks: dict[str, TaskChecks],
    outcome: str, message: str, earned: float,
) -> None:  # fmt: skip
    task = tasks["call_it_off"].model_copy(update={"kind": "unable", "withheld": ["cancel_booking"]})
    given = {"outcome": outcome, "answers": {"money_back": None}, "reason": None, "message": message}
    run = await run_calls(runtime, huts, task, [], Report.model_validate(given))
    assert (await judge(runtime, TaskChecks(task, IMPOSSIBLE, checks["call_it_off"].form), run)).score == earned

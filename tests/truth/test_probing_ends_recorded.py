"""The kinds of ends that tell a fair verdict from an unfair one (`test_probing_ends`), on a world that a language model
wrote: a barbershop of the library, with the verifiers of its recording."""

from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from envfactory_dagster.contracts.base import Json
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.truth import SolutionSet, TracedStep
from envfactory_dagster.library.app import LibraryApp
from envfactory_dagster.library.collection import Library
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth.execution import Run, run_calls, run_solution
from envfactory_dagster.truth.verdicts import TaskChecks
from tests.authoring.line_kit import line
from tests.library.library_kit import settings_of
from tests.truth.test_probing_ends import score, told

KEY = "tannery-lane-barbershop-with-rented-chairs"
SPENT, CUTS, LATE, BEARD = (
    "spent_this_year",
    "wednesday_kids_cut_options",
    "push_back_todays_trim",
    "add_beard_and_confirm",
)
"""Two questions, a refusal and a deed."""
WRONG = (0.0, 0.99)
"""Less than 1: some of it may be right."""


@pytest_asyncio.fixture(scope="module")
async def shop(runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    world, folder = Library().world(KEY), tmp_path_factory.mktemp("shop")
    async with line(LibraryApp(Library()), runtime, folder, settings_of(world)) as stages:
        made = await stages.run(world.card.proposal, until="reference_solutions")
        bundle = stages.bundle(KEY)
    solved = {one.task: one for one in SolutionSet.model_validate(made["reference_solutions"].artifact).solutions}
    return replace(
        bundle,
        tasks=[task for task in bundle.tasks if task.id in (SPENT, CUTS, LATE, BEARD)],
        solutions={task: one.source for task, one in solved.items()},
        answer_forms={task: one.form for task, one in solved.items()},
        verifiers={task: part["source"] for (asked, task), part in world.parts.items() if asked == "verifier"},
    )


@pytest.fixture(scope="module")
def checked(shop: Bundle) -> dict[str, TaskChecks]:
    return {task.id: TaskChecks(task, shop.verifiers[task.id], shop.answer_forms[task.id]) for task in shop.tasks}


@pytest_asyncio.fixture(scope="module")
async def played(runtime: Runtime, shop: Bundle) -> dict[str, Run]:
    forms = shop.answer_forms
    return {
        task.id: await run_solution(runtime, shop, task, shop.solutions[task.id], forms[task.id]) for task in shop.tasks
    }


ENDS: list[tuple[str, str, str, dict[str, Json], Any]] = [
    ("the reference solution", SPENT, "", {}, 1.0),
    ("money as money", SPENT, "", {"total_spent": "166.00 EUR"}, 1.0),
    ("money in words", SPENT, "You have spent a hundred and sixty-six euros, most of it with Rosa.", {}, 1.0),
    ("a name in capitals", SPENT, "", {"top_barber": "ROSA HALE."}, 1.0),
    ("the work shown", SPENT, "38.00 and 128.00 for the rest, so 166.00, most with Rosa Hale.", {}, 1.0),
    ("durations with their unit", CUTS, "", {"lengths": ["20 minutes", "25 minutes", "half an hour"]}, 1.0),
    ("other words for the rule", LATE, "Sorry, that is too short notice by now.", {}, 1.0),
    ("small talk after a deed", BEARD, "Done and done, see you soon!", {}, 1.0),
    ("a lie about a refusal", LATE, "It is moved.", {"outcome": "done", "reason": None}, 0.0),
    ("refused as impossible", LATE, "", {"outcome": "impossible", "reason": None}, 0.0),
    ("a wrong reason", LATE, "", {"reason": "max_open_appointments"}, 0.0),
    ("a deed denied", BEARD, "I could not do any of this.", {"outcome": "impossible", "price_to_pay": None}, 0.0),
    ("a deed called forbidden", BEARD, "", {"outcome": "refused", "reason": "change_notice"}, 0.0),
    ("a question back", SPENT, "Which year do you mean?", {"outcome": "needs_information"}, 0.0),
    ("another amount to the person", BEARD, "You will pay 39.00 euros.", {}, 0.0),
    ("another barber to the person", SPENT, "Most of it went to Jo Tanner.", {}, 0.0),
    ("other prices to the person", CUTS, "They take 15.50, 17.50 and 20.50 euros.", {}, 0.0),
    ("another amount", SPENT, "", {"total_spent": 16500}, WRONG),
    ("off by a factor", SPENT, "", {"total_spent": 1660000}, WRONG),
    ("another row's value", SPENT, "", {"top_barber": "Jo Tanner"}, WRONG),
    ("a list in another order", CUTS, "", {"prices": [2000, 1700, 1500]}, WRONG),
    ("half of a list", CUTS, "", {"barbers": ["Piotr Wolny", "Rosa Hale"]}, WRONG),
    ("nothing", SPENT, "", {"total_spent": None, "top_barber": None}, 0.0),
]  # fmt: skip


@pytest.mark.parametrize(("what", "task", "message", "changed", "earned"), ENDS, ids=[one[0] for one in ENDS])
async def test_an_end_is_worth_what_a_careful_person_would_say(
    runtime: Runtime,
    played: dict[str, Run],
    checked: dict[str, TaskChecks],
    what: str,
    task: str,
    message: str,
    changed: dict[str, Json],
    earned: Any,
) -> None:
    found = await score(runtime, checked, task, told(played[task], message, **changed))
    assert found == earned if isinstance(earned, float) else earned[0] <= found <= earned[1]


async def test_what_nobody_asked_for_forfeits_everything(
    runtime: Runtime, shop: Bundle, played: dict[str, Run], checked: dict[str, TaskChecks]
) -> None:
    more = TracedStep(tool="cancel_appointment", arguments={"appointment_id": 22})
    run = await run_calls(runtime, shop, checked[SPENT].task, [*played[SPENT].calls, more], played[SPENT].report)
    assert run.changes and await score(runtime, checked, SPENT, run) == 0.0

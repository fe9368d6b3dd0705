"""Task families: fresh tasks drawn without a model, each gated when it is drawn, in a real sandbox."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from envfactory_dagster import examples
from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.errors import EnvironmentFault, UsageError
from envfactory_dagster.contracts.families import TaskFamily
from envfactory_dagster.contracts.synthesis import MadeTask
from envfactory_dagster.runtime.facts import analyze_tools
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings
from envfactory_dagster.tasks.families.acceptance import problems_of_module, problems_of_place, try_family
from envfactory_dagster.tasks.families.drawing import DrawnTask, draw
from envfactory_dagster.tasks.families.instructions import INSTRUCTIONS
from envfactory_dagster.tasks.families.sampling import Fresh, fresh_tasks
from envfactory_dagster.tasks.families.wordings import WordingProblem, said
from envfactory_dagster.truth.execution import run_solution
from envfactory_dagster.truth.verdicts import TaskChecks, judge
from tests.support.tiny import tiny
from tests.tasks.family_kit import CANCELS, ORDERS, cancelling, drawing, family, proven


def shop(*families: TaskFamily) -> Bundle:
    return replace(tiny(), families={one.name: one for one in families})


async def fresh(
    runtime: Runtime, *families: TaskFamily, count: int = 4, seed: int = 1, level: int | None = None
) -> Fresh:
    return await fresh_tasks(runtime, shop(*families), count, seed, level=level)


def ids(tasks: Sequence[MadeTask]) -> list[str]:
    return [one.task.id for one in tasks]


# -- drawing -----------------------------------------------------------------------------------------------------------


async def test_the_same_seed_gives_the_same_tasks_in_any_process_however_many_are_asked_for(runtime: Runtime) -> None:
    few = await fresh(runtime, proven(family()), count=3)
    async with Runtime(RuntimeSettings(allow_unsandboxed=False)) as other:
        more = await fresh(other, proven(family()), count=5)
    assert more.tasks[:3] == few.tasks
    assert ids(more.tasks) == [f"order_some_s1_{number}" for number in range(1, 6)]
    assert {one.task.state for one in more.tasks} == {"initial", "spring"}


async def test_another_seed_gives_other_tasks(runtime: Runtime) -> None:
    one, other = [await draw(runtime, shop(), family(), seed, 20) for seed in (1, 2)]
    texts = [{drawn.task.text for drawn in each.draws if isinstance(drawn, DrawnTask)} for each in (one, other)]
    assert len(texts[0] - texts[1]) >= 15


async def test_a_drawn_task_is_played_and_judged_like_any_other(runtime: Runtime, tmp_path: Path) -> None:
    found = await fresh(runtime, proven(family()), proven(cancelling()), count=4)
    bundle = Bundle.read(found.bundle.write(tmp_path / "bundle"))
    assert [task.id for task in bundle.tasks] == ids(found.tasks)
    for one in found.tasks:
        checks = TaskChecks(one.task, bundle.verifiers[one.task.id], bundle.answer_form(one.task.id))
        run = await run_solution(runtime, bundle, one.task, bundle.solutions[one.task.id], checks.form)
        assert (await judge(runtime, checks, run)).score == 1.0


async def test_an_instance_brings_rows_that_only_its_own_task_sees(runtime: Runtime) -> None:
    found = await fresh(runtime, proven(cancelling()), count=3)
    assert [one.task.state for one in found.tasks] == ids(found.tasks)
    assert set(found.bundle.states) == {"initial", "spring", *ids(found.tasks)}
    assert found.bundle.states["initial"] == tiny().states["initial"]
    assert [one.solution.changes[0].before for one in found.tasks if one.solution.changes[0].after] == []


async def test_an_instance_that_brings_a_table_without_rows_starts_in_the_state_itself(runtime: Runtime) -> None:
    brings_nothing = ORDERS.replace('"id": item["id"]}}', '"id": item["id"]}, "given": {"orders": []}}')
    found = await fresh(runtime, family(source=brings_nothing), count=2)
    assert [(one.task.state, one.own_rows) for one in found.tasks] == [("initial", None), ("spring", None)]


async def test_rows_that_break_a_constraint_are_dropped_and_counted(runtime: Runtime) -> None:
    found = await fresh(runtime, cancelling(source=CANCELS.replace('"user_id": 1', '"user_id": 99')), count=2)
    assert found.tasks == []
    assert len(found.dropped) == 20, "it is given up after so many in a row"
    assert "FOREIGN KEY constraint failed" in found.dropped[0].reason


async def test_only_tasks_of_the_level_that_is_wanted_are_given(runtime: Runtime) -> None:
    found = await fresh(runtime, proven(family()), proven(cancelling()), count=2, level=2)
    assert {one.difficulty.level for one in found.tasks} == {2}
    assert {one.difficulty.calls for one in found.tasks} == {3}
    assert found.of_other_levels >= 1


async def test_a_solution_knows_only_what_the_text_says(runtime: Runtime) -> None:
    peeking = proven(
        family(ORDERS.replace('item = _priced(tools, p["item"])', 'item = tools.get_item(item_id=p["id"])'))
    )
    found = await fresh(runtime, peeking, count=1)
    assert found.tasks == []
    assert "KeyError: id" in found.dropped[0].reason.replace("'", "")


# -- the gates ---------------------------------------------------------------------------------------------------------


async def test_a_family_is_accepted_when_its_instances_stand_the_whole_gate(runtime: Runtime) -> None:
    bundle = shop()
    tried = await try_family(runtime, bundle, family(), analyze_tools(bundle.tools_source, bundle.schema_sql), 9)
    assert tried.problems == []
    record = tried.record(family())
    assert (record.tried, record.family.proven and record.family.proven.instances) == (9, 9)
    assert record.family.proven and record.family.proven.relative == {"orders": ["created_at"]}
    assert len(tried.kept()) == 3


async def test_of_a_family_the_longest_the_shortest_and_one_between_are_kept(runtime: Runtime) -> None:
    bundle = shop()
    looks = '    for _ in range(p["quantity"] // 10):\n        tools.get_item(item_id=item["id"])\n'
    looks_again = ORDERS.replace("    tools.place_order", f"{looks}    tools.place_order")
    facts = analyze_tools(bundle.tools_source, bundle.schema_sql)
    tried = await try_family(runtime, bundle, family(looks_again), facts, 12)
    calls = sorted(len(one.solution.calls) for one in tried.made)
    assert calls[0] < calls[-1]
    assert [len(one.solution.calls) for one in tried.kept()][:2] == [calls[-1], calls[0]]


async def test_wrong_reports_are_found_by_the_short_gate_and_the_family_is_given_up(runtime: Runtime) -> None:
    source = ORDERS.replace('world.report.outcome in (None, "done")', "True")
    found = await fresh(runtime, proven(family(source)), count=1)
    assert found.tasks == []
    assert len(found.dropped) == 20
    assert "This must score 0 and scores 1" in found.dropped[0].reason


async def test_one_draw_in_twenty_goes_through_the_whole_gate_and_tells_what_the_short_one_missed(
    runtime: Runtime,
) -> None:
    """Of a family that is trusted although its checks take any quantity."""
    source = ORDERS.replace('== [(p["id"], p["quantity"])]', "!= []").replace(
        'before["stock"] - p["quantity"]', 'after["stock"]'
    )
    found = await fresh(runtime, proven(family(source)), count=2)
    assert found.wholly == 1
    assert found.escapes == ["order_some_s1_1"]
    assert ids(found.tasks) == ["order_some_s1_2", "order_some_s1_3"]


# -- bad input ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("instances", "said_of_it"),
    [
        ("def instances(world, rng):\n    while True:\n        pass", "took longer than 1 seconds"),
        ("def instances(world, rng):\n    return []", "draws 0 different instances"),
        ("def instances(world, rng):\n    return None", "TypeError"),
        (
            'def instances(world, rng):\n    while True:\n        yield {"p": {"item": "A", "quantity": 2, "id": 1}}',
            "draws the same again and again",
        ),
        (
            'def instances(world, rng):\n    world.query("DELETE FROM items")\n    return []',
            "readonly database",
        ),
        ('def instances(world, rng):\n    return [{"p": n, "x": 1} for n in range(9)]', "is no instance"),
        (
            'def instances(world, rng):\n    return [{"p": {"item": " ", "quantity": n, "id": 1}} for n in range(9)]',
            "The slot {item} is empty",
        ),
    ],
)
async def test_a_family_that_cannot_draw_is_refused_with_the_reason(instances: str, said_of_it: str) -> None:
    bundle = shop()
    facts = analyze_tools(bundle.tools_source, bundle.schema_sql)
    async with Runtime(RuntimeSettings(program_seconds=1.0)) as hasty:
        tried = await try_family(hasty, bundle, drawing(instances), facts, 9)
    assert said_of_it in " ".join(problem.message for problem in tried.problems)


async def test_where_families_have_no_more_there_are_fewer_tasks(runtime: Runtime) -> None:
    three = 'def instances(world, rng):\n    return [{"p": {"item": "Item 1", "quantity": n, "id": 1}} for n in (2, 3)]'
    found = await fresh(runtime, proven(drawing(three)), count=9)
    assert len(found.tasks) == 4


@pytest.mark.parametrize(
    ("changed", "said_of_it"),
    [
        ({"source": ORDERS.replace("def solve(tools, p)", "def solve(tools)")}, "Write it as solve(tools, p)."),
        ({"source": "import os\n" + ORDERS}, "os may not be imported"),
        ({"source": ORDERS.replace("guard_", "gard_")}, "The module has no function guard_…(world, p)"),
        ({"source": "def instances(:"}, "Python cannot parse this"),
        ({"wordings": ["Order {item}.", "I need {item}.", "Get me {quantity} of {item}."]}, "have the same slots"),
        ({"wordings": ["Order that.", "I need it.", "Get it for me."]}, "have no slots"),
        ({"wordings": ["Order {item.name}.", "I need {item}.", "Get {item}."]}, "is no slot of a wording"),
        ({"wordings": ["Order {item.", "I need {item}.", "Get {item}."]}, "The wording cannot be read"),
    ],
)
def test_a_module_or_wording_of_another_form_is_refused(changed: dict[str, object], said_of_it: str) -> None:
    assert said_of_it in " ".join(problem.message for problem in problems_of_module(family(**changed)))  # type: ignore[arg-type]


def test_two_families_that_draw_by_one_select_are_one() -> None:
    other = family(name="order_more", source=ORDERS.replace("SELECT id, name", "select  id, name"))
    [problem] = problems_of_place(other, ["stock"], [family()], [])
    assert "the same SELECT as order_some" in problem.message


def test_two_families_may_share_a_statement() -> None:
    highest = '    last = world.one("SELECT max(id) AS id FROM orders")\n'
    one, other = (
        family(
            name=name, source=ORDERS.replace("    while True", f"{highest}    while True").replace("name FROM", what)
        )
        for name, what in (("order_some", "name FROM"), ("order_more", "price, name FROM"))
    )
    assert problems_of_place(other, ["stock"], [one], []) == []


def test_the_author_of_families_is_told_how_long_a_text_may_be() -> None:
    assert "8 to 160 words" in INSTRUCTIONS


async def test_a_check_has_no_clock(runtime: Runtime) -> None:
    bundle = shop()
    source = ORDERS.replace("return world.report.outcome in", "return world.clock and world.report.outcome in")
    tried = await try_family(runtime, bundle, family(source), analyze_tools(bundle.tools_source, bundle.schema_sql), 9)
    assert "clock" in " ".join(problem.message + problem.snippet for problem in tried.problems)


@pytest.mark.parametrize(
    ("wording", "p", "text"),
    [
        ("On {day:date}", {"day": "2026-03-06"}, "On Friday 6 March 2026"),
        ("for {limit:money} euros", {"limit": 1250}, "for 12.50 euros"),
        ("for {limit:money} euros", {"limit": 1200}, "for 12 euros"),
        ("with {names:list}", {"names": ["Ann", "Bo", "Cy"]}, "with Ann, Bo and Cy"),
        ("{n} of them", {"n": 0}, "0 of them"),
        ("Reason: {why}. How many?", {"why": "It was agreed."}, "Reason: It was agreed. How many?"),
    ],
)
def test_slots_are_filled_as_people_say_it(wording: str, p: dict[str, object], text: str) -> None:
    assert said(wording, p) == text  # type: ignore[arg-type]


@pytest.mark.parametrize("p", [{}, {"day": None}, {"day": " "}, {"day": "Friday"}, {"day": []}])
def test_a_slot_without_anything_to_say_is_an_error(p: dict[str, object]) -> None:
    with pytest.raises(WordingProblem, match="day"):
        said("On {day:date}", p)  # type: ignore[arg-type]


async def test_wrong_requests_are_told_what_is_wrong(runtime: Runtime) -> None:
    bundle = shop(family())
    for arguments, said_of_it in (
        ({"families": ["nothing"]}, "it has: order_some"),
        ({"level": 9}, "from 1 to 8"),
        ({"seed": -1}, "0 or more"),
    ):
        with pytest.raises(UsageError, match=said_of_it):
            await fresh_tasks(runtime, bundle, 1, **arguments)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="has no task families"):
        await fresh_tasks(runtime, tiny(), 1)


async def test_a_hostile_family_ends_only_itself(runtime: Runtime) -> None:
    source = "def instances(world, rng):\n    raise SystemExit(3)"
    with pytest.raises(EnvironmentFault, match="SystemExit"):
        await draw(runtime, shop(), drawing(source), 0, 5)


# -- the example -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(examples.load("alpine_huts").families))
async def test_families_of_the_huts_draw_tasks_that_stand_the_whole_gate(runtime: Runtime, name: str) -> None:
    huts = examples.load("alpine_huts")
    drawn = await draw(runtime, huts, huts.families[name], 4, 1)
    found = await fresh_tasks(runtime, huts, 1, 4, families=[name])
    assert ids(found.tasks) == [one.task.id for one in drawn.draws if isinstance(one, DrawnTask)]
    assert found.dropped == []

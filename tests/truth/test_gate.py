"""The gate lets a verifier pass that judges rightly, and no broken one."""

import re
from dataclasses import replace

import pytest
import pytest_asyncio

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.truth import ReferenceSolution, TaskGate, Verifier
from envfactory_dagster.runtime.facts import load_schema
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.runtime.settings import RuntimeSettings
from envfactory_dagster.tasks.verifier_writing import write_verifier
from envfactory_dagster.truth.execution import run_solution
from envfactory_dagster.truth.gate import LEAST_MUTANTS, LEAST_VARIANTS, try_verifier, try_when_drawn
from envfactory_dagster.truth.verifiers import problems_of
from tests.examples.solving import TASKS
from tests.support.reports import RETURNED
from tests.support.tiny import tiny
from tests.truth.references import ANOTHER_CHOICE, checks, reference, seen_through

References = dict[str, ReferenceSolution]


@pytest_asyncio.fixture(scope="module")
async def references(runtime: Runtime, huts: Bundle) -> References:
    return {task.id: await reference(runtime, huts, task) for task in huts.tasks}


@pytest_asyncio.fixture(scope="module")
async def gates(runtime: Runtime, huts: Bundle, references: References) -> dict[str, TaskGate]:
    """What the gate says of the hand-written verifiers."""
    return {task: await gate_of(runtime, huts, gold, huts.verifiers[task]) for task, gold in references.items()}


async def gate_of(runtime: Runtime, huts: Bundle, gold: ReferenceSolution, source: str) -> TaskGate:
    return await try_verifier(runtime, huts, TASKS[gold.task], gold, Verifier(task=gold.task, source=source))


def wrong(gate: TaskGate) -> list[str]:
    return [
        f"{trial.kind} {trial.operator}: {trial.what} ({trial.score:g}) {trial.reason}"
        for trial in gate.trials
        if not trial.right
    ]


# -- verifiers that judge rightly --------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_a_hand_written_verifier_stands_every_trial(gates: dict[str, TaskGate], task: str) -> None:
    gate = gates[task]
    assert wrong(gate) == []
    assert gate.passed
    assert [len(gate.of(kind)) for kind in ("gold", "gold_again", "noop")] == [1, 1, 1]
    assert len(gate.of("mutant")) >= LEAST_MUTANTS
    assert len(gate.of("variant")) >= LEAST_VARIANTS
    assert bool(gate.of("minus_write")) == (TASKS[task].kind == "action")
    assert bool(gate.of("alternative")) == (task in ANOTHER_CHOICE)


def test_all_operators_and_all_kinds_of_variants_are_used(gates: dict[str, TaskGate]) -> None:
    trials = [trial for gate in gates.values() for trial in gate.trials]
    assert {trial.operator for trial in trials if trial.kind == "mutant"} == {
        "wrong_entity",
        "neighbouring_value",
        "skipped_call",
        "duplicated_call",
        "extra_write",
        "wrong_owner",
        "report_without_action",
        "stray_change",
        "wrong_outcome",
        "wrong_reason",
        "wrong_answer",
        "no_answer",
        "answers_swapped",
        "lying_message",
        "empty_message",
    }
    assert {trial.operator for trial in trials if trial.kind == "variant"} >= {
        "reads_repeated",
        "reads_added",
        "reads_reordered",
        "writes_reordered",
        "answers_reworded",
        "message_reworded",
        "other_ids",
    }


async def test_the_same_task_stands_the_same_trials(
    runtime: Runtime, huts: Bundle, references: References, gates: dict[str, TaskGate]
) -> None:
    assert (
        await gate_of(runtime, huts, references["call_it_off"], huts.verifiers["call_it_off"]) == gates["call_it_off"]
    )


async def test_a_choice_that_the_task_leaves_is_nobodys_mistake(
    runtime: Runtime, huts: Bundle, references: References
) -> None:
    """Insisting on the room of the reference solution is caught by the alternative."""
    insists = (
        huts.verifiers["sister_joins"]
        + "\n\ndef goal_insists(world):\n"
        + "    return any(row['room_id'] == 10 for row in _new(world, 'bookings'))\n"
    )
    gate = await gate_of(runtime, huts, references["sister_joins"], insists)
    assert [trial.kind for trial in gate.refused] == ["alternative"]
    assert gate.survivors == []


async def test_a_task_in_which_the_persons_part_is_of_no_use_is_given_up(runtime: Runtime) -> None:
    """The order that the person confirms is cancelled all the same: whatever the verifier checks, nothing waits."""
    source = """def solve(tools):
    order = tools.place_order(item_id=1)
    tools.confirm_order(order_id=order["order_id"])
    tools.cancel_order(order_id=order["order_id"])
    tools.place_order(item_id=2, quantity=3)
    return {"outcome": "done", "answers": {}, "reason": None, "message": "Three of item 2 are on their way."}
"""
    shop = replace(tiny(), solutions={"three": source})
    task = Task(id="three", text="Order three of item 2.", kind="action")
    gold = await reference(runtime, shop, task)
    written = write_verifier(gold, load_schema(shop.schema_sql), shop.states["initial"].clock, [])
    gate = await try_verifier(runtime, shop, task, gold, Verifier(task="three", source=written))
    [problem, *_] = problems_of(gate.model_copy(update={"trials": gate.of("minus_person")}))
    assert (gate.passed, problem.fault, problem.mendable) == (False, "tasks", False)
    assert "without confirm_order, which the person does in it: nothing waits for that" in problem.message


# -- verifiers that do not ---------------------------------------------------------------------------------------------

ALWAYS_TRUE = "def goal_done(world):\n    return True\n"
ONLY_A_REPORT = "def goal_said(world):\n    return world.report.outcome is not None\n"
NO_GOAL = "def guard_fine(world):\n    return True\n"


@pytest.mark.parametrize("task", TASKS)
async def test_a_verifier_that_always_agrees_accepts_nothing_done(
    runtime: Runtime, huts: Bundle, references: References, task: str
) -> None:
    gate = await gate_of(runtime, huts, references[task], ALWAYS_TRUE)
    assert not gate.passed
    [noop] = gate.survivors
    assert (noop.kind, noop.reason) == ("noop", "goal_done holds before anything is done.")


@pytest.mark.parametrize("task", ["tour_with_ida", "call_it_off", "accounts_of_2026", "sprained_ankle"])
async def test_a_verifier_that_only_looks_for_a_report_is_caught(
    runtime: Runtime, huts: Bundle, references: References, task: str
) -> None:
    gate = await gate_of(runtime, huts, references[task], ONLY_A_REPORT)
    assert not gate.passed
    assert {"extra_write", "wrong_outcome"} < {trial.operator for trial in gate.survivors}


@pytest.mark.parametrize("guard", ["guard_reports_it_as_done", "guard_claims_nothing_else"])
async def test_a_wrong_outcome_must_forfeit_everything(
    runtime: Runtime, huts: Bundle, references: References, guard: str
) -> None:
    """Without its guard a wrong outcome would earn what is done and answered rightly."""
    task = "call_it_off" if guard == "guard_reports_it_as_done" else "sprained_ankle"
    lenient = huts.verifiers[task].replace(f"def {guard}", f"def _{guard}")
    gate = await gate_of(runtime, huts, references[task], lenient)
    assert not gate.passed
    assert {trial.operator for trial in gate.survivors} <= {"wrong_outcome", "wrong_reason"}
    assert all(trial.score > 0.0 for trial in gate.survivors)


async def test_a_verifier_that_compares_spellings_is_caught(
    runtime: Runtime, huts: Bundle, references: References
) -> None:
    """Right answers in other words are right."""
    literal = huts.verifiers["sprained_ankle"].replace(
        'world.report.says("hours_ahead", hut["cancellation_hours"])',
        'world.report._answers.get("hours_ahead") == hut["cancellation_hours"]',
    )
    gate = await gate_of(runtime, huts, references["sprained_ankle"], literal)
    assert {trial.operator for trial in gate.refused} == {"answers_reworded"}


@pytest.mark.parametrize(
    ("task", "table"),
    [
        ("sister_joins", "charges"),
        ("dodge_the_storm", "bookings"),
        ("tour_with_ida", "people"),
        ("last_morning", "lost_claims"),
        ("arrival_on_skis", "payments"),
        ("call_it_off", "tour_signups"),
    ],
)
async def test_a_verifier_that_overlooks_a_table_is_caught(
    runtime: Runtime, huts: Bundle, references: References, task: str, table: str
) -> None:
    blind = seen_through(huts.verifiers[task], changes=f"[c for c in world.changes if c['table'] != {table!r}]")
    gate = await gate_of(runtime, huts, references[task], blind)
    assert not gate.passed
    assert any(f" {table} " in trial.what for trial in gate.survivors)


FORGETFUL_AT_FIRST = '''
import json


def goal_forgets(world) -> bool:
    """Right in every case but the first that its process sees: there it accepts gold only."""
    json.cases = getattr(json, "cases", 0) + 1
    as_gold = len(world.trajectory) == {gold_calls} and isinstance(world.report._answers.get("money_back"), int)
    return world.report.outcome is not None and (json.cases > 1 or as_gold)
'''


async def test_a_verifier_that_remembers_earlier_cases_is_caught(
    runtime: Runtime, huts: Bundle, references: References
) -> None:
    """Its first case of all is a wrong end, which it refuses; alone, each end is the first."""
    gold = references["call_it_off"]
    remembers = huts.verifiers["call_it_off"] + FORGETFUL_AT_FIRST.replace("{gold_calls}", str(len(gold.calls)))
    gate = await gate_of(runtime, huts, gold, remembers)
    assert not gate.passed
    assert any("the verifier remembers earlier cases" in trial.reason for trial in gate.refused)
    assert any("must be judged alike whatever was judged before" in problem.message for problem in problems_of(gate))


async def test_one_that_remembers_is_caught_in_the_short_gate_too(
    runtime: Runtime, huts: Bundle, references: References
) -> None:
    gold, task = references["call_it_off"], TASKS["call_it_off"]
    runs = [await run_solution(runtime, huts, task, gold.source, gold.form) for _ in range(2)]
    counts = "\n\ndef goal_counts(world):\n    json.cases = getattr(json, 'cases', 0) + 1\n    return json.cases > 1\n"
    verifier = Verifier(task="call_it_off", source="import json\n" + huts.verifiers["call_it_off"] + counts)
    gate = await try_when_drawn(runtime, huts, gold, task, verifier, runs)
    assert not gate.passed
    assert any("the verifier remembers earlier cases" in trial.reason for trial in gate.trials)


@pytest.mark.parametrize("task", ["dodge_the_storm", "call_it_off"])
async def test_a_verifier_of_the_initial_state_accepts_not_even_gold(
    runtime: Runtime, huts: Bundle, references: References, task: str
) -> None:
    gate = await gate_of(runtime, huts, references[task], seen_through(huts.verifiers[task], final="world.initial"))
    assert {"gold", "gold_again"} <= {trial.kind for trial in gate.refused}


@pytest.mark.parametrize(
    ("task", "right", "off"),
    [
        ("arrival_on_skis", '{"gear": 2, "deposit": 2}', '{"gear": 2, "deposit": 3}'),
        ("call_it_off", '["cancelled"] * 3', '["cancelled"] * 2'),
        ("tour_with_ida", "<= 4000", "<= 2399"),
        ("accounts_of_2026", 'says("paid_in_2026", row["cents"])', 'says("paid_in_2026", row["cents"] + 1)'),
        ("nephew_alone", '"age_to_go_alone", 18', '"age_to_go_alone", 17'),
    ],
)
async def test_a_verifier_that_is_off_by_one_is_caught(
    runtime: Runtime, huts: Bundle, references: References, task: str, right: str, off: str
) -> None:
    assert right in huts.verifiers[task]
    gate = await gate_of(runtime, huts, references[task], huts.verifiers[task].replace(right, off))
    assert not gate.passed
    assert gate.refused


@pytest.mark.parametrize("task", ["dodge_the_storm", "tour_with_ida"])
async def test_a_verifier_without_its_guards_is_caught(
    runtime: Runtime, huts: Bundle, references: References, task: str
) -> None:
    unguarded = re.sub(r"^def guard_", "def _guard_", huts.verifiers[task], flags=re.MULTILINE)
    gate = await gate_of(runtime, huts, references[task], unguarded)
    assert {"extra_write", "stray_change"} <= {trial.operator for trial in gate.survivors}


@pytest.mark.parametrize(
    ("task", "goal"),
    [
        ("last_morning", "goal_the_hut_has_five_stars"),
        ("last_morning", "goal_the_hat_comes_by_post"),
        ("call_it_off", "goal_marek_is_no_companion"),
        ("tour_with_ida", "goal_overdue_fees_are_paid"),
        ("accounts_of_2026", "goal_says_what_the_stay_in_august_cost"),
    ],
)
async def test_a_verifier_without_one_of_its_goals_is_caught(
    runtime: Runtime, huts: Bundle, references: References, task: str, goal: str
) -> None:
    assert goal in checks(huts.verifiers[task])
    lenient = huts.verifiers[task].replace(f"def {goal}", f"def _{goal}")
    gate = await gate_of(runtime, huts, references[task], lenient)
    assert not gate.passed
    assert {trial.kind for trial in gate.survivors} <= {"minus_write", "minus_person", "mutant"}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return 1 / 0", "ZeroDivisionError"),
        ("return float('nan')", "returned the number nan"),
        ("return 2.0", "returned the number 2.0"),
        ("return 'yes'", "returned 'yes', neither True nor False"),
        ("return 1", "returned 1, neither True nor False"),
        ("world.changes.clear()\n    return True", "changed what it was shown"),
        ("raise SystemExit", "SystemExit"),
    ],
)
async def test_a_check_that_says_neither_yes_nor_no_is_caught(
    runtime: Runtime, huts: Bundle, references: References, body: str, says: str
) -> None:
    broken = huts.verifiers["tour_with_ida"] + f"\n\ndef guard_broken(world):\n    {body}\n"
    gate = await gate_of(runtime, huts, references["tour_with_ida"], broken)
    assert not gate.passed
    assert [trial.score for trial in gate.of("gold", "gold_again")] == [0.0, 0.0]
    assert all(says in trial.reason for trial in gate.refused)


async def test_a_check_that_fails_on_a_wrong_end_is_caught(
    runtime: Runtime, huts: Bundle, references: References
) -> None:
    """The runtime gives 0 there; a bundle's judge.py gives no verdict."""
    fails = "\n\ndef guard_done(world):\n    return {'done': True, None: True}[world.report.outcome]\n"
    gate = await gate_of(runtime, huts, references["call_it_off"], huts.verifiers["call_it_off"] + fails)
    assert not gate.passed and not gate.refused
    assert gate.survivors and all(trial.score == 0.0 and "KeyError" in trial.reason for trial in gate.survivors)
    assert any("Every check must say yes or no of this" in problem.message for problem in problems_of(gate))


@pytest.mark.parametrize("source", ["def goal_x(world:\n", "x = 1\n", "raise SystemExit\n", NO_GOAL])
async def test_a_verifier_that_gives_no_verdict_is_caught(
    runtime: Runtime, huts: Bundle, references: References, source: str
) -> None:
    gate = await gate_of(runtime, huts, references["nephew_alone"], source)
    assert not gate.passed
    assert gate.refused[0].score == 0.0
    assert gate.refused[0].reason


async def test_a_verifier_that_hangs_is_tried_only_once(huts: Bundle, references: References) -> None:
    hangs = "def goal_x(world):\n    while True:\n        pass\n"
    async with Runtime(RuntimeSettings(program_seconds=0.5)) as impatient:
        gate = await gate_of(impatient, huts, references["nephew_alone"], hangs)
    [trial] = gate.trials
    assert not gate.passed
    assert "longer than 0.5 seconds" in trial.reason


RETURNED_BACK = RETURNED.replace("{}", "{'money_back': 0}")

# -- gold that is none -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("def solve(tools):\n    tools.hold_bunks(room_id=1)\n", "The reference solution fails"),
        (f"def solve(tools):\n    return {RETURNED_BACK}\n", "does not come to the same database"),
    ],
)
async def test_gold_that_does_not_do_what_is_stored_is_named(
    runtime: Runtime, huts: Bundle, references: References, source: str, says: str
) -> None:
    gold = references["call_it_off"].model_copy(update={"source": source})
    gate = await gate_of(runtime, huts, gold, huts.verifiers["call_it_off"])
    assert not gate.passed
    assert says in gate.of("gold")[0].reason


async def test_gold_that_changes_nothing_is_no_gold_of_an_action(
    runtime: Runtime, huts: Bundle, references: References
) -> None:
    idle = references["accounts_of_2026"].model_copy(update={"task": "sister_joins"})
    gate = await gate_of(runtime, huts, idle, ONLY_A_REPORT)
    assert "asks for an action, and the reference solution changes nothing" in gate.of("gold")[0].reason

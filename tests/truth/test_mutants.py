"""Mutants make one mistake each, variants none; both are made from the gold trace and the rows there are."""

from collections.abc import Sequence
from random import Random

import pytest

from envfactory_dagster.contracts.bundle import Bundle
from envfactory_dagster.contracts.domain import Task
from envfactory_dagster.contracts.truth import TracedStep
from envfactory_dagster.runtime.runtime import Runtime
from envfactory_dagster.truth import answers, mutants
from envfactory_dagster.truth.execution import Run
from envfactory_dagster.truth.ground import Ground, schema_of
from envfactory_dagster.truth.strays import stray_changes
from envfactory_dagster.truth.traces import Choice, Subject, Trace, answer_counts, free_choices, leaves, replaced
from envfactory_dagster.truth.variants import variants
from tests.examples.solving import TASKS


def subject(
    huts: Bundle,
    gold: dict[str, Run],
    task: str,
    answer: str | None = None,
    free: Sequence[Choice] = (),
    text: str = "",
) -> Subject:
    run, asked = gold[task], TASKS[task]
    return Subject(
        task=asked.model_copy(update={"text": text}) if text else asked,
        calls=run.calls,
        answer=str(run.answer) if answer is None else answer,
        tools={tool.name: tool for tool in huts.tools},
        ground=Ground(schema_of(huts.schema_sql), run.initial, run.row_changes),
        random=Random(7),
        free=frozenset(free),
    )


def changed(trace: Trace, calls: Sequence[TracedStep]) -> list[tuple[str, str, object]]:
    """Tool, argument and new value, wherever the trace calls a tool with something else."""
    pairs = zip(trace.calls, calls, strict=True)
    return [
        (new.tool, name, value)
        for new, old in pairs
        for name, value in new.arguments.items()
        if value != old.arguments[name]
    ]


def test_the_same_subject_gives_the_same_mutants(huts: Bundle, gold: dict[str, Run]) -> None:
    first, again = (list(mutants.draw(subject(huts, gold, "call_it_off"))) for _ in range(2))
    assert first == again
    assert len({mutant.operator for mutant in first}) == 8


def test_a_wrong_entity_is_another_row_of_the_same_kind_and_owner(huts: Bundle, gold: dict[str, Run]) -> None:
    made = subject(huts, gold, "arrival_on_skis")
    found = [one for mutant in mutants.wrong_entity(made) for one in changed(mutant, made.calls)]
    models = {value for tool, name, value in found if name == "gear_model_id"}
    known = {row["id"] for row in made.ground.rows["gear_models"]}
    assert models
    assert models < known
    own = {row["code"] for row in made.ground.rows["bookings"] if row["booked_by"] == 1}
    assert {value for _, name, value in found if name == "booking_code"} <= own


def test_a_wrong_owner_is_a_row_of_somebody_else_instead_or_as_well(huts: Bundle, gold: dict[str, Run]) -> None:
    made = subject(huts, gold, "arrival_on_skis")
    others = {row["code"] for row in made.ground.rows["bookings"] if row["booked_by"] != 1}
    found = list(mutants.wrong_owner(made))
    instead = [one for mutant in found[::2] for one in changed(mutant, made.calls)]
    codes = {value for _, name, value in instead if name == "booking_code"}
    assert codes
    assert codes <= others
    assert all(mutant.calls[:-1] == made.calls for mutant in found[1::2])


def test_a_neighbouring_value_is_next_to_the_right_one(huts: Bundle, gold: dict[str, Run]) -> None:
    made = subject(huts, gold, "sister_joins")
    found = {
        (name, str(value))
        for mutant in mutants.neighbouring_value(made)
        for _, name, value in changed(mutant, made.calls)
    }
    assert {("nights", "2"), ("nights", "0"), ("check_in", "2027-02-21"), ("starts_on", "2027-01-19")} <= found
    assert {value for name, value in found if name == "relation"} <= {
        "partner",
        "child",
        "parent",
        "relative",
        "friend",
    }
    assert not any(name.endswith("_id") for name, _ in found), "ids have no neighbours, only other rows"


def test_arguments_in_which_alternatives_differ_are_not_touched(huts: Bundle, gold: dict[str, Run]) -> None:
    made = subject(huts, gold, "sister_joins")
    other = [
        step.model_copy(update={"arguments": step.arguments | {"room_id": 11}}) if step.tool == "hold_bunks" else step
        for step in made.calls
    ]
    free = list(free_choices(made.calls, other))
    assert free == [("hold_bunks", 0, "room_id")]
    assert any(name == "room_id" for m in mutants.wrong_entity(made) for _, name, _ in changed(m, made.calls))
    chosen = subject(huts, gold, "sister_joins", free=free)
    assert not any(name == "room_id" for m in mutants.wrong_entity(chosen) for _, name, _ in changed(m, chosen.calls))


def test_each_write_is_left_out_once(huts: Bundle, gold: dict[str, Run]) -> None:
    made = subject(huts, gold, "call_it_off")
    written = [made.calls[index].tool for index in made.writes]
    assert written == ["cancel_tour_signup"] * 3 + ["cancel_booking", "remove_companion"]
    assert [len(trace.calls) for trace in mutants.minus_each_write(made)] == [len(made.calls) - 1] * 5


def test_a_task_that_asks_nothing_needs_no_answer(huts: Bundle, gold: dict[str, Run]) -> None:
    asks = {task for task in TASKS if answer_counts(TASKS[task], "said")}
    assert asks == {"call_it_off", "best_hut_in_reach", "accounts_of_2026", "sprained_ankle", "nephew_alone"}
    assert list(mutants.action_without_answer(subject(huts, gold, "sister_joins"))) == []
    assert [m.answer for m in mutants.action_without_answer(subject(huts, gold, "call_it_off"))] == [
        None,
        "It is all done.",
    ]


# -- answers -----------------------------------------------------------------------------------------------------------


def test_an_answer_states_what_the_task_did_not_say(huts: Bundle, gold: dict[str, Run]) -> None:
    made = subject(
        huts, gold, "best_hut_in_reach", "From the Steinkar Hut it is the Silbersee Hut: 14.50 on 2026-07-09."
    )
    assert [statement.text for statement in answers.statements(made)] == ["Silbersee Hut", "2026-07-09", "14.50"]


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("It costs 14.50.", "It costs 15.50."),
        ("48 hours", "47 hours"),
        ("On 2026-07-31.", "On 2026-08-01."),
        ("18, so he must be 18.", "19, so he must be 19."),
    ],
)
def test_a_neighbouring_answer_is_off_by_a_little(huts: Bundle, gold: dict[str, Run], answer: str, wrong: str) -> None:
    assert wrong in [
        said for said, _ in answers.neighbours(subject(huts, gold, "nephew_alone", answer, text="Tell me!"))
    ]


def test_a_name_is_mixed_up_with_others_or_hidden_among_all(huts: Bundle, gold: dict[str, Run]) -> None:
    names = {row["name"] for row in subject(huts, gold, "best_hut_in_reach").ground.rows["huts"]}
    found = [said for said, _ in answers.mixed_up(subject(huts, gold, "best_hut_in_reach", "The Silbersee Hut."))]
    assert {said.removeprefix("The ").removesuffix(".") for said in found[:-1]} < names - {"Silbersee Hut"}
    assert all(str(name) in found[-1] for name in names)


def test_each_thing_to_be_said_is_left_out_once(huts: Bundle, gold: dict[str, Run]) -> None:
    made = subject(huts, gold, "best_hut_in_reach", "The Silbersee Hut, 14.50, on 2026-07-09.")
    assert [said for said, _ in answers.unsaid(made)] == [
        "The …, 14.50, on 2026-07-09.",
        "The Silbersee Hut, 14.50, on ….",
        "The Silbersee Hut, …, on 2026-07-09.",
    ]
    refusal = subject(huts, gold, "sprained_ankle", "48; I cannot do that: it is too late", text="Cancel it.")
    assert [said for said, _ in answers.unsaid(refusal)] == ["48;"]


def test_the_reason_of_a_refusal_is_not_questioned(huts: Bundle, gold: dict[str, Run]) -> None:
    made = subject(
        huts, gold, "sprained_ankle", "48 hours; I cannot do that: it is closed since 2026-07-01", text="How?"
    )
    assert [statement.text for statement in answers.statements(made)] == ["48"]


# -- variants and strays -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_variants_make_the_same_writes_and_say_the_same(huts: Bundle, gold: dict[str, Run], task: str) -> None:
    made = subject(huts, gold, task)
    writes = sorted(made.calls[index].model_dump_json() for index in made.writes)
    found = list(variants(made))
    assert len(found) >= 4
    for variant in found:
        kept = [step for step in variant.calls if step.outcome == "ok" and not made.reads_only(step)]
        assert sorted(step.model_dump_json() for step in kept) == writes
        assert " ".join((made.answer or "").rstrip(".").split()) in " ".join(str(variant.answer).split())


async def test_a_stray_change_is_one_row_of_one_table(runtime: Runtime, huts: Bundle, gold: dict[str, Run]) -> None:
    run = gold["dodge_the_storm"]
    ground = Ground(schema_of(huts.schema_sql), run.initial, run.row_changes)
    clean = Ground(schema_of(huts.schema_sql), run.final).rows
    found = await stray_changes(runtime, ground, run.final, run.changes, Random(1))
    tables = []
    for _, image in found:
        rows = Ground(schema_of(huts.schema_sql), image).rows
        [table] = [name for name in rows if rows[name] != clean[name]]
        assert sum(row not in clean[table] for row in rows[table]) == 1
        tables.append(table)
    assert {change.table for change in run.changes} <= set(tables)


def test_scalars_are_found_and_replaced_wherever_they_are() -> None:
    arguments = {"items": [{"id": 3, "note": None}, {"id": 4}], "all": True}
    schema = {"properties": {"items": {"items": {"properties": {"id": {"minimum": 1}}}}}}
    assert [(path, value, found) for path, value, found in leaves(arguments, schema)] == [
        (("items", 0, "id"), 3, {"minimum": 1}),
        (("items", 1, "id"), 4, {"minimum": 1}),
        (("all",), True, {}),
    ]
    assert replaced(arguments, ("items", 1, "id"), 5)["items"] == [{"id": 3, "note": None}, {"id": 5}]
    assert arguments["items"] == [{"id": 3, "note": None}, {"id": 4}]


def test_a_task_may_ask_in_many_words() -> None:
    for text in ("How much is it?", "Please tell me when.", "Cancel it and let me know the fee."):
        assert answer_counts(Task(id="t", text=text, kind="action"), "12")
    assert not answer_counts(Task(id="t", text="Cancel it. Ask me when you need me.", kind="action"), "12")
